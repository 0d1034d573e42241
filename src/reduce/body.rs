//! Smaller bodies of one message, by its structure where it has one, else by its bytes.

use std::ops::Range;

use crate::mutate::layout::{Layout, Shape, is_space};

/// The most neighbours that are offered for one body; what is left is reached after the first success.
const MOST_NODES: usize = 512;

/// One way to make a body smaller, written out only when it is tried.
pub(super) enum Cut {
    /// Puts a text where a span stood.
    Replace(Range<usize>, &'static [u8]),
    /// Puts one part of a span where the whole stood.
    Hoist(Range<usize>, Range<usize>),
    /// Takes all white space out.
    Close,
}

impl Cut {
    pub fn apply(&self, body: &[u8]) -> Vec<u8> {
        match self {
            Self::Replace(span, text) => [&body[..span.start], text, &body[span.end..]].concat(),
            Self::Hoist(span, part) => [&body[..span.start], &body[part.clone()], &body[span.end..]].concat(),
            Self::Close => body.iter().copied().filter(|byte| !is_space(*byte)).collect(),
        }
    }
}

/// Smaller bodies, the boldest first.
pub(super) fn bodies(body: &[u8]) -> Vec<Cut> {
    let mut out = vec![Cut::Replace(0..body.len(), b"")];
    if let Some(layout) = Layout::of(body) {
        structured(body, &layout, &mut out);
    }
    if body.iter().any(|byte| is_space(*byte)) {
        out.push(Cut::Close);
    }
    // Pieces of the bytes, for what has no structure; few of each length, so that one round stays bounded.
    let mut length = body.len() / 2;
    while length > 0 {
        let starts = (0..body.len()).step_by(length.max(body.len() / 256));
        out.extend(starts.map(|start| Cut::Replace(start..(start + length).min(body.len()), b"")));
        length /= 2;
    }
    out
}

/// Removes and simplifies values, those that hold the most first.
fn structured(body: &[u8], layout: &Layout, out: &mut Vec<Cut>) {
    let mut order: Vec<usize> = (0..layout.nodes.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(layout.nodes[index].value.len()));
    order.truncate(MOST_NODES);
    out.extend(order.iter().filter(|index| **index > 0).map(|&index| Cut::Replace(layout.removal(body, index), b"")));
    for &index in &order {
        let node = &layout.nodes[index];
        let simplest: &[&[u8]] = match node.shape {
            Shape::Object => &[b"{}", b"0"],
            Shape::Array => &[b"[]", b"0"],
            Shape::Text => &[b"\"\"", b"0"],
            Shape::Bare => &[b"0"],
        };
        out.extend(simplest.iter().map(|text| Cut::Replace(node.value.clone(), text)));
        // A value inside may be all that matters.
        let inner = layout.children(index).take(8);
        out.extend(inner.map(|child| Cut::Hoist(node.value.clone(), layout.nodes[child].value.clone())));
    }
    for &index in &order {
        let node = &layout.nodes[index];
        for span in [node.value.clone(), node.name.clone()] {
            if body.get(span.start) == Some(&b'"') && span.len() > 2 {
                let (start, end) = (span.start + 1, span.end - 1);
                // A character at a time, an escape whole.
                let escape = match &body[start..end] {
                    [b'\\', b'u', ..] => 6,
                    [b'\\', ..] => 2,
                    _ => 1,
                };
                let half = start + (end - start).div_ceil(2);
                let cuts = [start..half, half..end, start..(start + escape).min(end), end - 1..end];
                out.extend(cuts.map(|cut| Cut::Replace(cut, b"")));
            }
        }
    }
}

/// Whether a body is smaller: shorter, or as long and with a zero where something else stood. Descending ends, since a
/// zero is never replaced by anything as long.
pub(super) fn body_is_smaller(candidate: &[u8], body: &[u8]) -> bool {
    let zeros = |text: &[u8]| text.iter().filter(|byte| **byte == b'0').count();
    candidate.len() < body.len() || (candidate.len() == body.len() && zeros(candidate) > zeros(body))
}
