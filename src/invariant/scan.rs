//! What is written in a body, read by eyes other than the codec's.
//!
//! A small scanner of JSON texts (RFC 8259) that invariants look through. It shares nothing with the codec's reader, so
//! that a fault there cannot hide here. It judges syntax, counts what limits bound, and finds repeated names; it keeps a
//! flat list of nodes and copies no text. Cost is linear but for the sorting of names in wide objects; nesting costs a
//! word a level.

use std::borrow::Cow;

use memchr::memchr2;

pub use super::escape::unescape;
use super::escape::unescaped;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number.
    Number,
    /// A string or a member name.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    sort: Sort,
    start: u32,
    end: u32,
    /// The index of the first node after this one and all that it holds.
    after: u32,
}

/// A text that is one JSON value, and what a bounded reader would have met in it.
#[derive(Debug)]
pub struct Scan<'a> {
    text: &'a str,
    nodes: Vec<Node>,
    /// The most containers inside one another.
    pub depth: usize,
    /// The most members of one object.
    pub members: usize,
    /// The most bytes between the quotes of one string or name.
    pub string: usize,
    /// The most characters of one number.
    pub number: usize,
    /// Whether some object holds a name twice, compared after unescaping.
    pub repeated: bool,
    /// Whether an escaped surrogate stands without its partner.
    pub surrogate: bool,
}

/// What is wrong with a text that is not one JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// A complete value that breaks no other rule, and then something.
    Trailing,
    /// Anything else.
    Syntax,
}

/// A value or a name of a scanned text.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'s> {
    text: &'s str,
    nodes: &'s [Node],
    index: usize,
}

/// Scans a text.
///
/// # Errors
///
/// [`Malformed`] when it is not exactly one JSON value in UTF-8.
pub fn scan(bytes: &[u8]) -> Result<Scan<'_>, Malformed> {
    let text = std::str::from_utf8(bytes).map_err(|_| Malformed::Syntax)?;
    let mut scanner = Scanner {
        at: 0,
        bytes,
        escaped: false,
        scan: Scan {
            text,
            nodes: Vec::with_capacity(bytes.len() / 8 + 8),
            depth: 0,
            members: 0,
            string: 0,
            number: 0,
            repeated: false,
            surrogate: false,
        },
    };
    scanner.value().ok_or(Malformed::Syntax)?;
    scanner.space();
    match scanner.at == bytes.len() {
        true => Ok(scanner.scan),
        false if scanner.scan.repeated || scanner.scan.surrogate => Err(Malformed::Syntax),
        false => Err(Malformed::Trailing),
    }
}

impl Scan<'_> {
    /// The root value.
    pub fn root(&self) -> Piece<'_> {
        Piece { text: self.text, nodes: &self.nodes, index: 0 }
    }

    /// The piece that [`Piece::index`] named.
    pub fn piece(&self, index: usize) -> Piece<'_> {
        Piece { index, ..self.root() }
    }

    /// Values and member names.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }
}

impl<'s> Piece<'s> {
    fn node(self) -> Node {
        self.nodes[self.index]
    }

    /// Its place in the list of nodes.
    pub fn index(self) -> usize {
        self.index
    }

    /// What it is.
    pub fn sort(self) -> Sort {
        self.node().sort
    }

    fn written(self) -> &'s str {
        let node = self.node();
        &self.text[node.start as usize..node.end as usize]
    }

    /// What stands between the quotes of a string.
    fn inside(self) -> Option<&'s str> {
        let written = self.written();
        (self.sort() == Sort::String).then(|| &written[1..written.len() - 1])
    }

    /// The bytes as written; strings with their quotes.
    pub fn raw(self) -> &'s [u8] {
        self.written().as_bytes()
    }

    /// Where it stands in the text.
    pub fn span(self) -> (usize, usize) {
        (self.node().start as usize, self.node().end as usize)
    }

    /// The characters of a string; `None` for anything else.
    pub fn text(self) -> Option<Cow<'s, str>> {
        self.inside().map(unescaped)
    }

    /// Whether it is a string of exactly these characters.
    pub fn is(self, text: &str) -> bool {
        match self.inside() {
            // Whatever an escape stands for is shorter than it.
            Some(inner) if inner.len() <= text.len() => inner == text,
            Some(inner) => {
                let first = inner.as_bytes().first();
                let may_be = first == Some(&b'\\') || first == text.as_bytes().first();
                may_be && inner.contains('\\') && unescaped(inner) == text
            }
            None => false,
        }
    }

    /// The members of an object, names first; nothing for anything else.
    pub fn members(self) -> impl Iterator<Item = (Piece<'s>, Piece<'s>)> {
        let node = self.node();
        let end = if node.sort == Sort::Object { node.after as usize } else { 0 };
        let mut index = self.index + 1;
        std::iter::from_fn(move || {
            (index < end).then(|| {
                let (name, value) = (Piece { index, ..self }, Piece { index: index + 1, ..self });
                index = value.node().after as usize;
                (name, value)
            })
        })
    }

    /// The elements of an array; nothing for anything else.
    pub fn elements(self) -> impl Iterator<Item = Piece<'s>> {
        let node = self.node();
        let end = if node.sort == Sort::Array { node.after as usize } else { 0 };
        let mut index = self.index + 1;
        std::iter::from_fn(move || {
            (index < end).then(|| {
                let element = Piece { index, ..self };
                index = element.node().after as usize;
                element
            })
        })
    }

    /// The member of that name.
    pub fn get(self, name: &str) -> Option<Piece<'s>> {
        self.members().find(|(key, _)| key.is(name)).map(|(_, value)| value)
    }
}

/// Objects up to this many members compare each name with each other; wider ones sort.
const NARROW: usize = 12;

struct Scanner<'a> {
    at: usize,
    bytes: &'a [u8],
    /// Whether some string so far holds an escape.
    escaped: bool,
    scan: Scan<'a>,
}

impl Scanner<'_> {
    /// Reads one value without recursion: `open` holds the containers that are not closed yet.
    fn value(&mut self) -> Option<()> {
        let mut open: Vec<(usize, usize)> = Vec::new();
        loop {
            self.space();
            let byte = self.peek()?;
            if matches!(byte, b'{' | b'[') {
                let sort = if byte == b'{' { Sort::Object } else { Sort::Array };
                open.push((self.push(sort, self.at), 0));
                self.scan.depth = self.scan.depth.max(open.len());
                self.at += 1;
                self.space();
                if self.peek()? != byte + 2 {
                    if byte == b'{' {
                        self.name(&mut open)?;
                    }
                    continue;
                }
            } else {
                self.scalar(byte)?;
            }
            // A value ended: close what ends with it, or go on behind a comma.
            loop {
                let Some(&(index, members)) = open.last() else { return Some(()) };
                let object = self.scan.nodes[index].sort == Sort::Object;
                self.space();
                match (self.peek()?, object) {
                    (b',', _) => {
                        self.at += 1;
                        if object {
                            self.space();
                            self.name(&mut open)?;
                        }
                        break;
                    }
                    (b'}', true) | (b']', false) => {
                        self.at += 1;
                        self.scan.nodes[index].end = self.at as u32;
                        self.scan.nodes[index].after = self.scan.nodes.len() as u32;
                        if object {
                            self.scan.members = self.scan.members.max(members);
                            self.scan.repeated |= self.repeats(index, members);
                        }
                        open.pop();
                    }
                    _ => return None,
                }
            }
        }
    }

    fn name(&mut self, open: &mut [(usize, usize)]) -> Option<()> {
        if self.peek()? != b'"' {
            return None;
        }
        self.string()?;
        open.last_mut()?.1 += 1;
        self.space();
        (self.peek()? == b':').then(|| self.at += 1)
    }

    fn scalar(&mut self, byte: u8) -> Option<()> {
        let start = self.at;
        let (sort, word): (_, &[u8]) = match byte {
            b'"' => return self.string(),
            b'-' | b'0'..=b'9' => return self.digits(),
            b'n' => (Sort::Null, b"null"),
            b't' => (Sort::Bool, b"true"),
            b'f' => (Sort::Bool, b"false"),
            _ => return None,
        };
        self.bytes[start..].starts_with(word).then(|| {
            self.at += word.len();
            self.push(sort, start);
        })
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        self.at += usize::from(self.peek()? == b'-');
        match self.peek()? {
            b'0' => self.at += 1,
            _ => self.run()?,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.run()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.run()?;
        }
        self.scan.number = self.scan.number.max(self.at - start);
        self.push(Sort::Number, start);
        Some(())
    }

    fn run(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    fn string(&mut self) -> Option<()> {
        let start = self.at;
        self.at += 1;
        let mut high = false;
        loop {
            let plain = &self.bytes[self.at..];
            let plain = &plain[..memchr2(b'"', b'\\', plain)?];
            if plain.iter().fold(false, |control, byte| control | (*byte < 0x20)) {
                return None;
            }
            // A high surrogate lives only until the next unit, which must be a low one.
            self.scan.surrogate |= high && !plain.is_empty();
            high &= plain.is_empty();
            self.at += plain.len() + 1;
            if self.bytes[self.at - 1] == b'"' {
                break;
            }
            self.escaped = true;
            let unit = self.escape()?;
            let low = (0xdc00..0xe000).contains(&unit);
            self.scan.surrogate |= high != low;
            high = (0xd800..0xdc00).contains(&unit);
        }
        self.scan.surrogate |= high;
        self.scan.string = self.scan.string.max(self.at - start - 2);
        self.push(Sort::String, start);
        Some(())
    }

    fn escape(&mut self) -> Option<u32> {
        let byte = self.peek()?;
        self.at += 1;
        if byte != b'u' {
            return matches!(byte, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't').then_some(0);
        }
        let hex = self.bytes.get(self.at..self.at + 4)?;
        self.at += 4;
        hex.iter().try_fold(0, |unit, &digit| Some(unit << 4 | (digit as char).to_digit(16)?))
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn push(&mut self, sort: Sort, start: usize) -> usize {
        let index = self.scan.nodes.len();
        self.scan.nodes.push(Node { sort, start: start as u32, end: self.at as u32, after: index as u32 + 1 });
        index
    }

    fn repeats(&self, index: usize, members: usize) -> bool {
        let object = Piece { text: self.scan.text, nodes: &self.scan.nodes, index };
        let names = || object.members().map(|(name, _)| name);
        if members <= NARROW {
            let same = |left: Piece<'_>, right: Piece<'_>| {
                let (left, right) = (left.raw(), right.raw());
                left == right || (self.escaped && unescape(left) == unescape(right))
            };
            return names().enumerate().any(|(at, name)| names().take(at).any(|earlier| same(earlier, name)));
        }
        let mut sorted: Vec<Cow<'_, str>> = names().map(|name| unescape(name.raw())).collect();
        sorted.sort_unstable();
        sorted.windows(2).any(|pair| pair[0] == pair[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_reads_what_serde_json_reads() {
        for text in [
            "null",
            " true ",
            "[]",
            "{}",
            "[1,2]",
            r#"{"a":[{"b":null}],"c":"\u00e9\n"}"#,
            "-0.5e+3",
            "[[],{}]",
            "",
            "[1,]",
            "{,}",
            r#"{"a"}"#,
            r#"{"a":1,}"#,
            "01",
            "1.",
            "-",
            "nul",
            "[1 2]",
            r#""\x""#,
            "\"\n\"",
            "[",
            "]",
            r#"{"a":1]"#,
            "[,1]",
            "1e",
            r#"{"a":1}}"#,
            "{}{}",
            "\u{feff}{}",
            r#""\u12g4""#,
            "[}",
            r#"{1:2}"#,
        ] {
            let own = scan(text.as_bytes()).is_ok();
            assert_eq!(own, serde_json::from_str::<serde_json::Value>(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn names_repeat_after_unescaping_in_narrow_and_wide_objects() {
        let wide = |last: &str| {
            let names: Vec<String> = (0..20).map(|n| format!("\"k{n}\":0")).collect();
            format!("[{{{},\"{last}\":1}}]", names.join(","))
        };
        for (text, repeated) in [
            (r#"{"a":1,"\u0061":2}"#.to_owned(), true),
            (r#"{"a":1,"A":2}"#.to_owned(), false),
            (r#"{"a":{"a":1}}"#.to_owned(), false),
            (r#"{"x":{"a":1,"a":1}}"#.to_owned(), true),
            (wide("\\u006b3"), true),
            (wide("k20"), false),
        ] {
            assert_eq!(scan(text.as_bytes()).unwrap().repeated, repeated, "{text}");
        }
    }

    #[test]
    fn a_surrogate_needs_its_partner() {
        for (text, lone) in
            [(r#""\ud83d\ude00""#, false), (r#""\ud83d""#, true), (r#""\ude00""#, true), (r#""\ud83dx\ude00""#, true)]
        {
            assert_eq!(scan(text.as_bytes()).unwrap().surrogate, lone, "{text}");
        }
    }

    #[test]
    fn it_counts_what_limits_bound() {
        let scan = scan(br#"{"a":[1,22,{"bcd":"ef"}]}"#).unwrap();
        assert_eq!((scan.count(), scan.depth, scan.members, scan.string, scan.number), (8, 3, 1, 3, 2));
        assert_eq!(scan.root().get("a").unwrap().elements().count(), 3);
    }

    #[test]
    fn only_a_complete_and_blameless_value_trails() {
        assert_eq!(scan(b"{} x").unwrap_err(), Malformed::Trailing);
        assert_eq!(scan(br#"{"a":1,"a":1} x"#).unwrap_err(), Malformed::Syntax);
        assert_eq!(scan(b"[1").unwrap_err(), Malformed::Syntax);
    }
}
