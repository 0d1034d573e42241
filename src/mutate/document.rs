//! Operators on the JSON text of a body: what a parser must refuse, and what it must not notice.

use arbitrary::Unstructured;

use super::layout::{Layout, Shape, insert, splice};
use super::{Edit, Outcome, operators};
use crate::case::{Case, Transport};
use crate::generate::{dictionary, document};
use crate::limits::Limits;
use crate::mutation::RequirementId;

operators! { Case;
    /// Writes a member a second time with the same value.
    RepeatMember "repeat-member" if has_body => |case, u| repeat(case, u, false, None);
    /// Writes a member a second time with another value.
    ContradictMember "contradict-member" if has_body => |case, u| repeat(case, u, false, Some("null"));
    /// Writes a member a second time with its name escaped.
    RepeatMemberEscaped "repeat-member-escaped" if has_body => |case, u| repeat(case, u, true, None);
    /// Writes something behind the document.
    AppendData "append-data" if has_body => |case, u| {
        let Some(_) = Layout::of(&case.body) else { return Ok(None) };
        case.body.extend_from_slice(u.choose(&["{}", "x", "]", "}", "\0", ",", "\u{feff}"])?.as_bytes());
        Ok(Some(Edit::new("", &["json-single-value-no-trailing-garbage"])))
    };
    /// Puts a byte order mark before the document.
    PrependByteOrderMark "prepend-byte-order-mark" if has_body => |case, _| {
        let Some(_) = Layout::of(&case.body) else { return Ok(None) };
        splice(&mut case.body, 0..0, "\u{feff}".as_bytes());
        Ok(Some(Edit::new("", &["json-no-byte-order-mark"])))
    };
    /// Writes half of a surrogate pair into a string.
    LoneSurrogate "lone-surrogate" if has_body => |case, u| {
        let (text, front) = (*u.choose(&["\\ud800", "\\uDBFF"])?, *u.choose(&["\\udc00", "\\uDFFF"])?);
        if u.arbitrary()? {
            into_string(case, u, front.as_bytes(), true, "json-no-lone-surrogate-escapes")
        } else {
            into_string(case, u, text.as_bytes(), false, "json-no-lone-surrogate-escapes")
        }
    };
    /// Writes bytes into a string that are not UTF-8.
    InvalidUtf8 "invalid-utf8" if has_body => |case, u| {
        let bytes = *u.choose(&dictionary::NOT_UTF8)?;
        into_string(case, u, bytes, false, "json-utf8-only")
    };
    /// Writes a raw control character into a string.
    ControlCharacter "control-character" if has_body => |case, u| {
        let byte = u.int_in_range(0..=0x1F)?;
        into_string(case, u, &[byte], false, "json-well-formed")
    };
    /// Writes an escape into a string that JSON does not have.
    BrokenEscape "broken-escape" if has_body => |case, u| {
        let text = *u.choose(&dictionary::BROKEN_ESCAPES)?;
        into_string(case, u, text.as_bytes(), false, "json-well-formed")
    };
    /// Puts a number where a value stood that JSON does not have.
    BrokenNumber "broken-number" if has_body => |case, u| {
        let text = *u.choose(&dictionary::BROKEN_NUMBERS)?;
        replace_value(case, u, text, "json-well-formed")
    };
    /// Puts a value of another notation where a value stood.
    ForeignValue "foreign-value" if has_body => |case, u| {
        let text = *u.choose(&dictionary::FOREIGN_VALUES)?;
        replace_value(case, u, text, "json-well-formed")
    };
    /// Cuts the closing brackets off the end.
    CutTail "cut-tail" if has_body => |case, u| {
        let Some(_) = Layout::of(&case.body) else { return Ok(None) };
        let closing = case.body.iter().rev().take_while(|byte| matches!(byte, b'}' | b']')).count();
        if closing == 0 {
            return Ok(None);
        }
        let cut = u.int_in_range(1..=closing)?;
        case.body.truncate(case.body.len() - cut);
        Ok(Some(Edit::new("", &["json-well-formed"])))
    };
    /// Writes a comma behind the last member of a container.
    TrailingComma "trailing-comma" if has_body => |case, u| {
        let Some(layout) = Layout::of(&case.body) else { return Ok(None) };
        let Some(index) = pick(&layout, u, |layout, index| layout.nodes[index].after > index + 1)? else {
            return Ok(None);
        };
        let (path, end) = (layout.pointer(&case.body, index), layout.nodes[index].value.end - 1);
        splice(&mut case.body, end..end, b",");
        Ok(Some(Edit::new(path, &["json-well-formed"])))
    };
    /// Nests one deeper than the limit.
    TooDeep "too-deep" if has_body => |case, u| nest(case, u, Limits::message().depth + 1, &["project-limit-depth"]);
    /// Nests as deep as the limit allows.
    AsDeepAsAllowed "as-deep-as-allowed" if has_body => |case, u| nest(case, u, Limits::message().depth, &[]);
    /// Adds a number of one character more than the limit.
    TooLongNumber "too-long-number" if has_body => |case, _| {
        number(case, Limits::message().number + 1, &["project-limit-number"])
    };
    /// Adds a number as long as the limit allows.
    AsLongANumberAsAllowed "as-long-a-number-as-allowed" if has_body => |case, _| {
        number(case, Limits::message().number, &[])
    };
    /// Adds white space between two tokens: lawful.
    AddSpace "add-space" if has_body => |case, u| {
        let Some(layout) = Layout::of(&case.body) else { return Ok(None) };
        let node = &layout.nodes[u.int_in_range(0..=layout.nodes.len() - 1)?];
        let at = *u.choose(&[node.value.end, node.value.start, node.name.start, node.name.end])?;
        // A line feed would end the frame over stdio.
        let blanks: &[&str] = if case.transport == Transport::Http { &[" ", "\t", "\n", "\r\n"] } else { &[" ", "\t"] };
        splice(&mut case.body, at..at, u.choose(blanks)?.as_bytes());
        Ok(Some(Edit::lawful("")))
    };
    /// Writes one letter of a string or name as an escape: lawful.
    EscapeLetter "escape-letter" if has_body => escape_letter;
    /// Swaps two neighbouring members of an object: lawful.
    SwapMembers "swap-members" if has_body => |case, u| {
        let Some(layout) = Layout::of(&case.body) else { return Ok(None) };
        let several = |layout: &Layout, index: usize| {
            layout.nodes[index].shape == Shape::Object && layout.children(index).nth(1).is_some()
        };
        let Some(object) = pick(&layout, u, several)? else { return Ok(None) };
        let members: Vec<usize> = layout.children(object).collect();
        let first = u.int_in_range(0..=members.len() - 2)?;
        let span = |index: usize| layout.nodes[index].name.start..layout.nodes[index].value.end;
        let (left, right) = (span(members[first]), span(members[first + 1]));
        let mut text = case.body[right.clone()].to_vec();
        text.extend_from_slice(&case.body[left.end..right.start]);
        text.extend_from_slice(&case.body[left.clone()]);
        splice(&mut case.body, left.start..right.end, &text);
        Ok(Some(Edit::lawful("")))
    };
    /// Adds a member that nobody knows, or whose name only looks like one that is known: lawful.
    AddMember "add-member" if has_body => |case, u| {
        let Some(layout) = Layout::of(&case.body) else { return Ok(None) };
        let name = if u.arbitrary()? { *u.choose(&dictionary::LOOKALIKES)? } else { "x-extra" };
        let decoded = if name == "jsonrpc\\u0000" { "jsonrpc\0" } else { name };
        let places = [Some(0), layout.find(&case.body, &["params"]), layout.find(&case.body, &["result"])];
        let Some(object) = *u.choose(&places)? else { return Ok(None) };
        if layout.nodes[object].shape != Shape::Object || layout.member(&case.body, object, decoded).is_some() {
            return Ok(None);
        }
        let member = format!("\"{name}\":{}", u.choose(&dictionary::ANY_VALUES)?);
        let path = format!("{}/{decoded}", layout.pointer(&case.body, object));
        insert(&mut case.body, &layout, object, member.as_bytes(), u.arbitrary()?);
        Ok(Some(Edit::lawful(path)))
    };
}

fn has_body(case: &Case) -> bool {
    matches!(case.body.first(), Some(b'{' | b'['))
}

/// A drawn node among those that fit; the first when there is no entropy.
fn pick(
    layout: &Layout,
    u: &mut Unstructured<'_>,
    fits: impl Fn(&Layout, usize) -> bool,
) -> arbitrary::Result<Option<usize>> {
    let start = u.int_in_range(0..=layout.nodes.len() - 1)?;
    let count = layout.nodes.len();
    Ok((0..count).map(|offset| (start + offset) % count).find(|&index| fits(layout, index)))
}

fn repeat(case: &mut Case, u: &mut Unstructured<'_>, escaped: bool, other: Option<&str>) -> Outcome {
    let Some(layout) = Layout::of(&case.body) else { return Ok(None) };
    let named = |layout: &Layout, index: usize| {
        let name = &layout.nodes[index].name;
        name.len() > 2 || (!escaped && !name.is_empty())
    };
    let Some(index) = pick(&layout, u, named)? else { return Ok(None) };
    let node = &layout.nodes[index];
    let name = &case.body[node.name.clone()];
    // Only an unescaped ASCII letter can be escaped by itself.
    let mut member = name.to_vec();
    if escaped {
        if !name[1].is_ascii_alphanumeric() {
            return Ok(None);
        }
        let mut unit = Vec::new();
        document::write_unit(u16::from(name[1]), &mut unit);
        member.splice(1..2, unit);
    }
    member.push(b':');
    member.extend_from_slice(other.map_or(&case.body[node.value.clone()], str::as_bytes));
    let path = layout.pointer(&case.body, index);
    insert(&mut case.body, &layout, node.parent, &member, other.is_some() && u.arbitrary()?);
    Ok(Some(Edit::new(path, &["json-member-names-unique"])))
}

fn into_string(
    case: &mut Case,
    u: &mut Unstructured<'_>,
    bytes: &[u8],
    in_front: bool,
    breaks: RequirementId,
) -> Outcome {
    let Some(layout) = Layout::of(&case.body) else { return Ok(None) };
    let Some(index) = pick(&layout, u, |layout, index| layout.nodes[index].shape == Shape::Text)? else {
        return Ok(None);
    };
    let (path, value) = (layout.pointer(&case.body, index), layout.nodes[index].value.clone());
    let at = if in_front { value.start + 1 } else { value.end - 1 };
    splice(&mut case.body, at..at, bytes);
    Ok(Some(Edit::new(path, &[breaks])))
}

fn replace_value(case: &mut Case, u: &mut Unstructured<'_>, text: &str, breaks: RequirementId) -> Outcome {
    let Some(layout) = Layout::of(&case.body) else { return Ok(None) };
    let leaf = |layout: &Layout, index: usize| index > 0 && layout.nodes[index].after == index + 1;
    let Some(index) = pick(&layout, u, leaf)? else { return Ok(None) };
    let path = layout.pointer(&case.body, index);
    splice(&mut case.body, layout.nodes[index].value.clone(), text.as_bytes());
    Ok(Some(Edit::new(path, &[breaks])))
}

/// Adds a member of nested arrays that reaches exactly this depth.
fn nest(case: &mut Case, u: &mut Unstructured<'_>, depth: usize, breaks: &[RequirementId]) -> Outcome {
    let places: [&[&str]; 3] = [&[], &["params"], &["result"]];
    let path = *u.choose(&places)?;
    let Some(layout) = Layout::of(&case.body) else { return Ok(None) };
    let Some(object) = layout.find(&case.body, path) else { return Ok(None) };
    let taken = layout.member(&case.body, object, "deep").is_some();
    if layout.nodes[object].shape != Shape::Object || taken {
        return Ok(None);
    }
    let levels = depth - 1 - path.len();
    let member = format!("\"deep\":{}{}", "[".repeat(levels), "]".repeat(levels));
    let pointer = format!("{}/deep", layout.pointer(&case.body, object));
    insert(&mut case.body, &layout, object, member.as_bytes(), false);
    Ok(Some(Edit::new(pointer, breaks)))
}

fn number(case: &mut Case, length: usize, breaks: &[RequirementId]) -> Outcome {
    let Some(layout) = Layout::of(&case.body) else { return Ok(None) };
    if layout.nodes[0].shape != Shape::Object || layout.member(&case.body, 0, "long").is_some() {
        return Ok(None);
    }
    let member = format!("\"long\":{}", "1".repeat(length));
    insert(&mut case.body, &layout, 0, member.as_bytes(), false);
    Ok(Some(Edit::new("/long", breaks)))
}

fn escape_letter(case: &mut Case, u: &mut Unstructured<'_>) -> Outcome {
    let Some(layout) = Layout::of(&case.body) else { return Ok(None) };
    let written = |layout: &Layout, index: usize| {
        !layout.nodes[index].name.is_empty() || layout.nodes[index].shape == Shape::Text
    };
    let Some(index) = pick(&layout, u, written)? else { return Ok(None) };
    let node = &layout.nodes[index];
    let span = match node.shape {
        Shape::Text if node.name.is_empty() || u.arbitrary()? => node.value.clone(),
        _ => node.name.clone(),
    };
    let text = &case.body[span.clone()];
    let mut letters = Vec::new();
    let mut at = 1;
    while at + 1 < text.len() {
        match (text[at], text.get(at + 1)) {
            (b'\\', Some(b'u')) => at += 6,
            (b'\\', _) => at += 2,
            (letter, _) => {
                if letter.is_ascii_alphanumeric() {
                    letters.push(at);
                }
                at += 1;
            }
        }
    }
    if letters.is_empty() {
        return Ok(None);
    }
    let letter = span.start + *u.choose(&letters)?;
    let mut unit = Vec::new();
    document::write_unit(u16::from(case.body[letter]), &mut unit);
    splice(&mut case.body, letter..letter + 1, &unit);
    Ok(Some(Edit::lawful("")))
}

#[cfg(test)]
mod tests {
    use super::super::tests::rows;
    use super::*;

    #[test]
    fn each_operator_does_what_its_record_says() {
        let deep = |levels: usize| format!("\n{{\"a\":1,\"deep\":{}{}}}", "[".repeat(levels), "]".repeat(levels));
        let long = |length: usize| format!("\n{{\"a\":1,\"long\":{}}}", "1".repeat(length));
        let (at, over) = (deep(63), deep(64));
        let (long, longer) = (long(1024), long(1025));
        const WELL: &[&str] = &["json-well-formed"];
        const ONCE: &[&str] = &["json-member-names-unique"];
        rows(
            FAMILY,
            &[
                ("repeat-member", "\n{\"a\":1}", "\n{\"a\":1,\"a\":1}", ONCE),
                ("contradict-member", "\n{\"a\":1}", "\n{\"a\":1,\"a\":null}", ONCE),
                ("repeat-member-escaped", "\n{\"a\":1}", "\n{\"a\":1,\"\\u0061\":1}", ONCE),
                ("append-data", "\n{}", "\n{}{}", &["json-single-value-no-trailing-garbage"]),
                ("prepend-byte-order-mark", "\n{}", "\n\u{feff}{}", &["json-no-byte-order-mark"]),
                ("lone-surrogate", "\n[\"a\"]", "\n[\"a\\ud800\"]", &["json-no-lone-surrogate-escapes"]),
                ("invalid-utf8", "\n[\"a\"]", "\n[\"a\u{fffd}\"]", &["json-utf8-only"]),
                ("control-character", "\n[\"a\"]", "\n[\"a\0\"]", WELL),
                ("broken-escape", "\n[\"a\"]", "\n[\"a\\x\"]", WELL),
                ("broken-number", "\n[{},2]", "\n[1.,2]", WELL),
                ("foreign-value", "\n[2]", "\n[+1]", WELL),
                ("cut-tail", "\n[{\"a\":[]}]", "\n[{\"a\":[]}", WELL),
                ("trailing-comma", "\n[1]", "\n[1,]", WELL),
                ("too-deep", "\n{\"a\":1}", &over, &["project-limit-depth"]),
                ("as-deep-as-allowed", "\n{\"a\":1}", &at, &[]),
                ("too-long-number", "\n{\"a\":1}", &longer, &["project-limit-number"]),
                ("as-long-a-number-as-allowed", "\n{\"a\":1}", &long, &[]),
                ("add-space", "\n{\"a\":1}", "\n{\"a\":1} ", &[]),
                ("escape-letter", "\n{\"a\":1}", "\n{\"\\u0061\":1}", &[]),
                ("swap-members", "\n{\"a\":1 , \"b\":2}", "\n{\"b\":2 , \"a\":1}", &[]),
                ("add-member", "\n{\"a\":1}", "\n{\"a\":1,\"x-extra\":null}", &[]),
            ],
        );
    }
}
