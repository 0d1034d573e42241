//! What a JSON text looks like from outside: its root, a few names under it, how much stands in its arrays.
//!
//! The outline is read in one pass without building anything, from texts that may not be JSON at all; it never fails
//! and proves nothing. It serves two questions that come before parsing: which form a file has, and whether it holds
//! too many events.

use crate::codec::refusal::{Reason, Refusal};

/// A JSON text from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The first byte that is no white space.
    pub first: Option<u8>,
    /// Whether something follows the root value.
    pub more_follows: bool,
    /// The names that stand directly under a root object, of those that tell forms apart.
    pub names: Vec<&'static str>,
    /// Elements of the root's `entries`.
    pub entries: usize,
    /// Elements of the root array, or of the root's `events`.
    pub events: usize,
}

/// Names that tell one form from another.
const TELLING: [&str; 9] =
    ["jsonrpc", "method", "result", "error", "transport", "entries", "events", "request_raw_base64", "log"];

impl Outline {
    /// Looks at a text from outside. Costs one pass.
    pub fn of(bytes: &[u8]) -> Self {
        let mut outline = Self::default();
        let mut scan = Scan::default();
        let mut element = Element::default();
        while let Some((at, byte)) = scan.next(bytes) {
            if byte.is_ascii_whitespace() && !scan.in_string {
                continue;
            }
            if outline.first.is_none() {
                outline.first = Some(byte);
            } else if scan.ended {
                outline.more_follows = true;
                break;
            }
            element.meet(&scan, at, byte, bytes, &mut outline);
            scan.step(byte);
        }
        outline
    }

    /// Whether the root object has that name.
    pub fn has(&self, name: &str) -> bool {
        self.names.contains(&name)
    }
}

/// Refuses a text whose containers nest deeper than `limit`. A raw line feed ends any string, so that a broken line
/// cannot hide the depth of the next; `by_line` also starts the depth anew there. A closing bracket too many counts for
/// nothing.
pub(super) fn check_depth(bytes: &[u8], limit: usize, by_line: bool) -> Result<(), Refusal> {
    let mut scan = Scan::default();
    while let Some((at, byte)) = scan.next(bytes) {
        if by_line && byte == b'\n' {
            scan.depth = 0;
        }
        scan.step(byte);
        if scan.depth > limit {
            return Err(Refusal::at(Reason::DepthLimit, at));
        }
    }
    Ok(())
}

#[derive(Default)]
struct Scan {
    at: usize,
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// The root value is complete; of containers only.
    ended: bool,
}

impl Scan {
    fn next(&mut self, bytes: &[u8]) -> Option<(usize, u8)> {
        let at = self.at;
        self.at += 1;
        bytes.get(at).map(|&byte| (at, byte))
    }

    fn step(&mut self, byte: u8) {
        match byte {
            b'\n' => (self.in_string, self.escaped) = (false, false),
            _ if self.escaped => self.escaped = false,
            b'\\' if self.in_string => self.escaped = true,
            b'"' => self.in_string = !self.in_string,
            _ if self.in_string => {}
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.ended = self.depth <= 1;
                self.depth = self.depth.saturating_sub(1);
            }
            _ => {}
        }
    }
}

/// Where the pass stands in the outermost levels.
#[derive(Default)]
struct Element {
    /// Where the latest string at depth 1 starts, its quote included; taken by the colon behind it, so that each name
    /// is looked at once.
    string: Option<usize>,
    /// The name before the latest colon at depth 1, when it is one of two that hold events.
    holder: Holder,
    /// Whether a value has begun since the last comma of the array that is counted.
    begun: bool,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Holder {
    #[default]
    None,
    Entries,
    Events,
}

impl Element {
    fn meet(&mut self, scan: &Scan, at: usize, byte: u8, bytes: &[u8], outline: &mut Outline) {
        let in_object = outline.first == Some(b'{');
        let counted = match (in_object, scan.depth) {
            (false, 1) if outline.first == Some(b'[') => Holder::Events,
            (true, 2) => self.holder,
            _ => Holder::None,
        };
        if counted != Holder::None && !scan.in_string {
            self.count(counted, byte, outline);
        }
        if !in_object || scan.depth != 1 || scan.in_string && byte != b'"' || scan.escaped {
            return;
        }
        match byte {
            b'"' if !scan.in_string => self.string = Some(at),
            b'"' => {}
            b':' => self.holder = self.name(bytes, at, outline),
            b',' => self.holder = Holder::None,
            // Only an array holds events.
            b'{' => self.holder = Holder::None,
            _ => {}
        }
    }

    fn count(&mut self, counted: Holder, byte: u8, outline: &mut Outline) {
        let events = if counted == Holder::Entries { &mut outline.entries } else { &mut outline.events };
        match byte {
            b',' | b']' => self.begun = false,
            _ if !self.begun => {
                self.begun = true;
                *events += 1;
            }
            _ => {}
        }
    }

    /// What the member is called whose colon stands at `colon`.
    fn name(&mut self, bytes: &[u8], colon: usize, outline: &mut Outline) -> Holder {
        let Some(start) = self.string.take() else { return Holder::None };
        let Ok(name) = serde_json::from_slice::<String>(&bytes[start..colon]) else { return Holder::None };
        let Some(&telling) = TELLING.iter().find(|telling| **telling == name) else { return Holder::None };
        if !outline.has(telling) {
            outline.names.push(telling);
        }
        match telling {
            "entries" => Holder::Entries,
            "events" => Holder::Events,
            _ => Holder::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_under_the_root_are_seen_and_deeper_ones_are_not() {
        let outline =
            Outline::of(br#" {"transport" : "x", "a": {"jsonrpc": 1}, "entri\u0065s":[ {"events":[1]} , 2,[3,4]] }"#);
        assert_eq!(outline.first, Some(b'{'));
        assert_eq!(outline.names, ["transport", "entries"]);
        assert_eq!((outline.entries, outline.events), (3, 0));
        assert!(!outline.more_follows);
    }

    #[test]
    fn elements_are_counted_by_what_begins_and_not_by_commas() {
        for (text, events) in [
            ("[]", 0),
            ("[ ]", 0),
            ("[1]", 1),
            ("[\"a,b\",{\"c\":[1,2]},[]]", 3),
            ("{\"events\":[{},{}]}", 2),
            ("{\"events\":{\"a\":1}}", 0),
            ("{\"x\":[1,2],\"events\":[\"]\"]}", 1),
            ("17", 0),
            ("", 0),
        ] {
            assert_eq!(Outline::of(text.as_bytes()).events, events, "{text}");
        }
    }

    #[test]
    fn a_second_value_is_seen_behind_the_first() {
        assert!(Outline::of(b"{}\n{}").more_follows);
        assert!(!Outline::of(b"{}\n \n").more_follows);
    }

    #[test]
    fn a_broken_line_hides_no_depth_and_a_stray_closer_gives_no_credit() {
        assert!(check_depth(b"\"[\n[[[", 2, false).is_err());
        assert!(check_depth(b"]]]]][[[", 2, false).is_err());
        assert!(check_depth(b"[[\n[[", 2, false).is_err());
        assert!(check_depth(b"[[\n[[", 2, true).is_ok());
        assert!(check_depth(br#""\"[[[""#, 2, false).is_ok());
        assert_eq!(check_depth(b"[[[", 2, false).map_err(|refusal| refusal.offset), Err(Some(2)));
    }
}
