//! Where the members of a body stand, as byte spans.
//!
//! This is not a JSON reader: it follows brackets, quotes and commas and nothing else, so that an operator can edit a
//! document that already holds a name twice, a number JSON does not have or bytes that are not UTF-8. It shares nothing
//! with the codec. What it cannot follow, it gives up on.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use memchr::memchr2;

/// What stands at a place, by its first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Object,
    Array,
    Text,
    /// A number, a literal, or anything else without structure.
    Bare,
}

/// One value with the name before it, if it is a member.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub shape: Shape,
    pub parent: usize,
    /// The name with its quotes; empty for an element and for the root.
    pub name: Range<usize>,
    pub value: Range<usize>,
    /// The index behind the last node inside.
    pub after: usize,
}

/// The values of a document in the order in which they start.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub nodes: Rc<Vec<Node>>,
}

/// More than this many values are not worth an edit.
const MOST_NODES: usize = 1 << 14;

/// A body and its layout.
type Followed = (Vec<u8>, Option<Layout>);

thread_local! {
    /// The body that was followed last: an operator, the facts before and after it, and the operator after it all ask
    /// about the same one. Kept by value, so an answer never depends on what was asked before.
    static LAST: RefCell<Followed> = const { RefCell::new((Vec::new(), None)) };
}

impl Layout {
    /// Follows the structure of a document; `None` when it has none, or too much.
    pub fn of(body: &[u8]) -> Option<Self> {
        LAST.with_borrow_mut(|(last, layout)| {
            if last != body {
                *layout = Self::follow(body);
                last.clear();
                last.extend_from_slice(body);
            }
            layout.clone()
        })
    }

    fn follow(body: &[u8]) -> Option<Self> {
        let mut nodes: Vec<Node> = Vec::with_capacity(32);
        let mut open: Vec<usize> = Vec::with_capacity(8);
        let mut at = skip_space(body, 0);
        'value: loop {
            let mut name = at..at;
            if let Some(&parent) = open.last()
                && nodes[parent].shape == Shape::Object
            {
                name = at..text_end(body, at)?;
                at = skip_space(body, name.end);
                if body.get(at) != Some(&b':') {
                    return None;
                }
                at = skip_space(body, at + 1);
            }
            if nodes.len() == MOST_NODES {
                return None;
            }
            let shape = match body.get(at)? {
                b'{' => Shape::Object,
                b'[' => Shape::Array,
                b'"' => Shape::Text,
                _ => Shape::Bare,
            };
            let index = nodes.len();
            let parent = open.last().copied().unwrap_or(0);
            let end = match shape {
                Shape::Text => text_end(body, at)?,
                Shape::Bare => bare_end(body, at)?,
                Shape::Object | Shape::Array => at + 1,
            };
            nodes.push(Node { shape, parent, name, value: at..end, after: index + 1 });
            at = skip_space(body, end);
            if matches!(shape, Shape::Object | Shape::Array) {
                open.push(index);
                if !matches!(body.get(at)?, b'}' | b']') {
                    continue 'value;
                }
            }
            loop {
                let Some(&innermost) = open.last() else {
                    return (at == body.len()).then(|| Self { nodes: Rc::new(nodes) });
                };
                let close = if nodes[innermost].shape == Shape::Object { b'}' } else { b']' };
                match *body.get(at)? {
                    b',' => {
                        at = skip_space(body, at + 1);
                        continue 'value;
                    }
                    byte if byte == close => {
                        nodes[innermost].value.end = at + 1;
                        nodes[innermost].after = nodes.len();
                        open.pop();
                        at = skip_space(body, at + 1);
                    }
                    _ => return None,
                }
            }
        }
    }

    /// The values directly inside a container.
    pub fn children(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        let mut next = index + 1;
        let after = self.nodes[index].after;
        std::iter::from_fn(move || {
            let found = (next < after).then_some(next)?;
            next = self.nodes[found].after;
            Some(found)
        })
    }

    /// The first member of that name, compared after unescaping.
    pub fn member(&self, body: &[u8], index: usize, name: &str) -> Option<usize> {
        let is_object = self.nodes[index].shape == Shape::Object;
        self.children(index).find(|&child| is_object && self.name_is(body, child, name))
    }

    /// The member at the end of a path of names.
    pub fn find(&self, body: &[u8], path: &[&str]) -> Option<usize> {
        path.iter().try_fold(0, |index, name| self.member(body, index, name))
    }

    /// The bytes of a value.
    pub fn value<'a>(&self, body: &'a [u8], index: usize) -> &'a [u8] {
        &body[self.nodes[index].value.clone()]
    }

    /// The text of a string.
    pub fn text<'a>(&self, body: &'a [u8], index: usize) -> Option<Cow<'a, [u8]>> {
        (self.nodes[index].shape == Shape::Text).then(|| unescape(inside(self.value(body, index))))
    }

    fn name_is(&self, body: &[u8], index: usize, name: &str) -> bool {
        let raw = &body[self.nodes[index].name.clone()];
        let [b'"', inner @ .., b'"'] = raw else { return false };
        // Names that are asked for hold no escape, and whatever an escape stands for is shorter.
        if inner.len() <= name.len() {
            return inner == name.as_bytes();
        }
        let may_be = inner[0] == b'\\' || Some(&inner[0]) == name.as_bytes().first();
        may_be && inner.contains(&b'\\') && unescape(inner).as_ref() == name.as_bytes()
    }

    /// How many containers stand inside one another.
    pub fn depth(&self) -> usize {
        let mut depths: Vec<usize> = Vec::with_capacity(self.nodes.len());
        for (index, node) in self.nodes.iter().enumerate() {
            let around = if index == 0 { 0 } else { depths[node.parent] };
            depths.push(around + usize::from(matches!(node.shape, Shape::Object | Shape::Array)));
        }
        depths.into_iter().max().unwrap_or(0)
    }

    /// What to cut out so that a member or element is gone and the rest still stands.
    pub fn removal(&self, body: &[u8], index: usize) -> Range<usize> {
        let node = &self.nodes[index];
        let start = if node.name.is_empty() { node.value.start } else { node.name.start };
        let next = skip_space(body, node.value.end);
        if body.get(next) == Some(&b',') {
            return start..skip_space(body, next + 1);
        }
        let before = body[..start].iter().rposition(|byte| !is_space(*byte));
        match before {
            Some(comma) if body[comma] == b',' => comma..node.value.end,
            _ => start..node.value.end,
        }
    }

    /// Where a value stands, as a JSON pointer.
    pub fn pointer(&self, body: &[u8], index: usize) -> String {
        let mut parts = Vec::new();
        let mut at = index;
        while at != 0 {
            let node = &self.nodes[at];
            parts.push(if node.name.is_empty() {
                self.children(node.parent).position(|child| child == at).unwrap_or(0).to_string()
            } else {
                let name = unescape(inside(&body[node.name.clone()]));
                String::from_utf8_lossy(&name).replace('~', "~0").replace('/', "~1")
            });
            at = node.parent;
        }
        parts.iter().rev().fold(String::new(), |path, part| path + "/" + part)
    }
}

/// Replaces a span of a body.
pub(crate) fn splice(body: &mut Vec<u8>, span: Range<usize>, with: &[u8]) {
    body.splice(span, with.iter().copied());
}

/// Puts a member into an object, in front or at the end.
pub(crate) fn insert(body: &mut Vec<u8>, layout: &Layout, object: usize, member: &[u8], in_front: bool) {
    let span = layout.nodes[object].value.clone();
    let empty = layout.nodes[object].after == object + 1;
    let mut text = Vec::with_capacity(member.len() + 1);
    if in_front || empty {
        text.extend_from_slice(member);
        if !empty {
            text.push(b',');
        }
        splice(body, span.start + 1..span.start + 1, &text);
    } else {
        text.push(b',');
        text.extend_from_slice(member);
        splice(body, span.end - 1..span.end - 1, &text);
    }
}

/// The characters that the inside of a string stands for; what does not decode stays as written.
pub(crate) fn unescape(raw: &[u8]) -> Cow<'_, [u8]> {
    if !raw.contains(&b'\\') {
        return Cow::Borrowed(raw);
    }
    let mut out = Vec::with_capacity(raw.len());
    let mut at = 0;
    while at < raw.len() {
        if raw[at] != b'\\' {
            out.push(raw[at]);
            at += 1;
            continue;
        }
        let unit = |from: usize| {
            let digits = std::str::from_utf8(raw.get(from..from + 4)?).ok()?;
            (raw.get(from.wrapping_sub(1)) == Some(&b'u')).then(|| u16::from_str_radix(digits, 16).ok())?
        };
        match raw.get(at + 1) {
            Some(b'u') => {
                let Some(first) = unit(at + 2) else {
                    out.push(raw[at]);
                    at += 1;
                    continue;
                };
                let second = if raw.get(at + 6) == Some(&b'\\') { unit(at + 8) } else { None };
                let mut decoded = char::decode_utf16([first].into_iter().chain(second));
                let mut buffer = [0; 4];
                match decoded.next() {
                    Some(Ok(letter)) => {
                        out.extend_from_slice(letter.encode_utf8(&mut buffer).as_bytes());
                        at += if letter as u32 > 0xFFFF { 12 } else { 6 };
                    }
                    _ => {
                        out.extend_from_slice(&raw[at..at + 6]);
                        at += 6;
                    }
                }
            }
            Some(letter) => {
                out.push(match letter {
                    b'n' => b'\n',
                    b't' => b'\t',
                    b'r' => b'\r',
                    b'b' => 8,
                    b'f' => 12,
                    other => *other,
                });
                at += 2;
            }
            None => {
                out.push(b'\\');
                at += 1;
            }
        }
    }
    Cow::Owned(out)
}

pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

fn inside(quoted: &[u8]) -> &[u8] {
    &quoted[1..quoted.len() - 1]
}

fn skip_space(body: &[u8], mut at: usize) -> usize {
    while body.get(at).is_some_and(|byte| is_space(*byte)) {
        at += 1;
    }
    at
}

fn text_end(body: &[u8], start: usize) -> Option<usize> {
    if body.get(start) != Some(&b'"') {
        return None;
    }
    let mut at = start + 1;
    loop {
        at += memchr2(b'"', b'\\', body.get(at..)?)?;
        match body[at] {
            b'"' => return Some(at + 1),
            _ => at += 2,
        }
    }
}

fn bare_end(body: &[u8], start: usize) -> Option<usize> {
    let length = body[start..]
        .iter()
        .position(|byte| is_space(*byte) || matches!(byte, b',' | b':' | b'"' | b'[' | b']' | b'{' | b'}'))
        .unwrap_or(body.len() - start);
    (length > 0).then_some(start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(text: &str) -> Option<Layout> {
        Layout::of(text.as_bytes())
    }

    #[test]
    fn spans_are_found_by_path_after_unescaping() {
        let text = r#" { "a" : [1, {"b\u0063": "x\"y"}] , "a":01 } "#;
        let layout = layout(text).unwrap();
        let array = layout.find(text.as_bytes(), &["a"]).unwrap();
        let inner = layout.children(array).nth(1).unwrap();
        let found = layout.member(text.as_bytes(), inner, "bc").unwrap();
        assert_eq!(layout.value(text.as_bytes(), found), br#""x\"y""#);
        assert_eq!(layout.pointer(text.as_bytes(), found), "/a/1/bc");
        assert_eq!(layout.text(text.as_bytes(), found).unwrap().as_ref(), b"x\"y");
    }

    #[test]
    fn what_has_no_structure_is_given_up_on() {
        for text in ["", " ", "{", "{]", "{\"a\"}", "{\"a\":}", "[1,]x", "1 2", "[1", "\"a", "{a:1}", "\u{feff}{}"] {
            assert!(layout(text).is_none(), "{text}");
        }
        for text in ["1", "NaN", "[]", "{}", "[[],{}]", "\"\\\"\"", "[+1,.5]"] {
            assert!(layout(text).is_some(), "{text}");
        }
    }

    #[test]
    fn a_removal_takes_one_comma_with_it() {
        for (text, name, left) in [
            (r#"{"a":1,"b":2}"#, "a", r#"{"b":2}"#),
            (r#"{"a":1, "b":2}"#, "b", r#"{"a":1}"#),
            (r#"{ "a" : 1 }"#, "a", "{  }"),
        ] {
            let mut body = text.as_bytes().to_vec();
            let layout = layout(text).unwrap();
            let index = layout.find(&body, &[name]).unwrap();
            let span = layout.removal(&body, index);
            splice(&mut body, span, b"");
            assert_eq!(String::from_utf8(body).unwrap(), left);
        }
    }

    #[test]
    fn surrogate_pairs_join_and_lone_ones_stay_as_written() {
        assert_eq!(unescape(br"\ud83d\ude00\n\u0041").as_ref(), "😀\nA".as_bytes());
        assert_eq!(unescape(br"\ud800x\q\").as_ref(), br"\ud800xq\");
    }
}
