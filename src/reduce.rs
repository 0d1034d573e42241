//! Smaller neighbours of a case; serves proptest shrinking and triage alike.
//!
//! It works on the value, not on the entropy, and it does not care whether a neighbour is lawful: a smaller broken
//! message is a better report. Whether the failure is still the same is for the caller to say.

use std::ops::Range;

use crate::case::{Case, Session, Stated, Transport};
use crate::mutate::layout::{Layout, Shape, is_space};

/// The most calls of `keeps` for one case or session, so that a slow subject ends too.
const MOST_TRIES: usize = 20_000;

/// The most neighbours that are offered for one body; what is left is reached after the first success.
const MOST_NODES: usize = 512;

/// The smaller neighbours of a case, the boldest first.
///
/// ```
/// use wirebench::{case::Case, reduce};
///
/// let case = Case::decode(b"\n{\"a\":1,\"b\":[2,3]}").unwrap();
/// let texts: Vec<Vec<u8>> = reduce::candidates(&case).iter().map(Case::encode).collect();
/// assert!(texts.contains(&b"\n{\"a\":1}".to_vec()));
/// ```
pub fn candidates(case: &Case) -> Vec<Case> {
    neighbours(case).collect()
}

fn neighbours(case: &Case) -> Box<dyn Iterator<Item = Case> + '_> {
    let mut out = Vec::new();
    surroundings(case, &mut out);
    let bodies = bodies(&case.body).into_iter().map(|body| {
        let mut smaller = Case { body: Vec::new(), ..case.clone() };
        smaller.body = body.apply(&case.body);
        smaller
    });
    let smaller = move |candidate: &Case| match candidate.body == case.body {
        true => candidate != case,
        false => body_is_smaller(&candidate.body, &case.body),
    };
    Box::new(out.into_iter().chain(bodies).filter(smaller))
}

/// The smallest case found for which `keeps` still says yes.
///
/// ```
/// use wirebench::{case::Case, reduce};
///
/// let case = Case::decode(b":transport: http\nA: b\n\n{\"a\":[1,{\"needle\":true}],\"b\":2}").unwrap();
/// let holds = |case: &Case| String::from_utf8_lossy(&case.body).contains("needle");
/// assert_eq!(reduce::minimise(case, holds).encode(), b"\nneedle");
/// ```
pub fn minimise(case: Case, mut keeps: impl FnMut(&Case) -> bool) -> Case {
    let mut tries = 0;
    descend(case, neighbours, &mut keeps, &mut tries)
}

/// The smaller neighbours of a session, the boldest first: fewer messages, then smaller ones.
pub fn session_candidates(session: &Session) -> Vec<Session> {
    session_neighbours(session).collect()
}

/// The smallest session found for which `keeps` still says yes.
pub fn minimise_session(session: Session, mut keeps: impl FnMut(&Session) -> bool) -> Session {
    let mut tries = 0;
    // Messages first, while there are few tries to spend on each; their insides after that.
    let session = descend(session, fewer_messages, &mut keeps, &mut tries);
    descend(session, session_neighbours, &mut keeps, &mut tries)
}

fn session_neighbours(session: &Session) -> Box<dyn Iterator<Item = Session> + '_> {
    Box::new(fewer_messages(session).chain(smaller_messages(session)))
}

fn fewer_messages(session: &Session) -> Box<dyn Iterator<Item = Session> + '_> {
    let count = session.cases.len();
    let lengths = std::iter::successors(Some(count.div_ceil(2)), |length| (*length > 1).then_some(length / 2));
    Box::new(lengths.filter(|length| *length > 0).flat_map(move |length| {
        (0..count).step_by(length).map(move |start| {
            let mut cases = session.cases.clone();
            cases.drain(start..(start + length).min(count));
            Session { cases }
        })
    }))
}

fn smaller_messages(session: &Session) -> Box<dyn Iterator<Item = Session> + '_> {
    Box::new(session.cases.iter().enumerate().flat_map(move |(index, case)| {
        let marked = case.connection != 0 || case.restart;
        let unmarked = marked.then(|| Case { connection: 0, restart: false, ..case.clone() });
        neighbours(case).chain(unmarked).map(move |smaller| {
            let mut cases = session.cases.clone();
            cases[index] = smaller;
            Session { cases }
        })
    }))
}

/// Takes the first neighbour that keeps the failure, until none does or the tries are spent.
fn descend<T>(
    mut value: T,
    neighbours: impl for<'a> Fn(&'a T) -> Box<dyn Iterator<Item = T> + 'a>,
    keeps: &mut impl FnMut(&T) -> bool,
    tries: &mut usize,
) -> T {
    loop {
        let tried =
            neighbours(&value).take(MOST_TRIES - *tries).inspect(|_| *tries += 1).find(|smaller| keeps(smaller));
        match tried {
            Some(smaller) => value = smaller,
            None => return value,
        }
    }
}

/// Fewer pseudo-headers and header lines, and shorter values.
fn surroundings(case: &Case, out: &mut Vec<Case>) {
    let mut offer = |change: &dyn Fn(&mut Case)| {
        let mut smaller = case.clone();
        change(&mut smaller);
        out.push(smaller);
    };
    if case.transport == Transport::Http {
        offer(&|case| {
            case.transport = Transport::Stdio;
            case.headers.clear();
            (case.method, case.status, case.partial_headers) = (None, None, false);
        });
    }
    if !case.headers.is_empty() {
        offer(&|case| case.headers.clear());
    }
    if case.stated != Stated::default() {
        offer(&|case| case.stated = Stated::default());
        offer(&|case| case.stated.capabilities = None);
        offer(&|case| case.stated.method = None);
        offer(&|case| case.stated.revision = None);
    }
    for index in 0..case.headers.len() {
        offer(&|case| drop(case.headers.remove(index)));
    }
    if case.partial_headers || case.status.is_some() || case.method.is_some() {
        offer(&|case| case.partial_headers = false);
        offer(&|case| case.status = None);
        offer(&|case| case.method = None);
    }
    for index in 0..case.headers.len() {
        let length = case.headers[index].value.len();
        for keep in [0, 1, length / 2, length.saturating_sub(1)] {
            if keep < length {
                offer(&|case| case.headers[index].value.truncate(keep));
            }
        }
        if length > 1 {
            offer(&|case| case.headers[index].value = case.headers[index].value.split_off(1));
        }
    }
}

/// One way to make a body smaller, written out only when it is tried.
enum Cut {
    /// Puts a text where a span stood.
    Replace(Range<usize>, &'static [u8]),
    /// Puts one part of a span where the whole stood.
    Hoist(Range<usize>, Range<usize>),
    /// Takes all white space out.
    Close,
}

impl Cut {
    fn apply(&self, body: &[u8]) -> Vec<u8> {
        match self {
            Self::Replace(span, text) => [&body[..span.start], text, &body[span.end..]].concat(),
            Self::Hoist(span, part) => [&body[..span.start], &body[part.clone()], &body[span.end..]].concat(),
            Self::Close => body.iter().copied().filter(|byte| !is_space(*byte)).collect(),
        }
    }
}

/// Smaller bodies, the boldest first.
fn bodies(body: &[u8]) -> Vec<Cut> {
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
fn body_is_smaller(candidate: &[u8], body: &[u8]) -> bool {
    let zeros = |text: &[u8]| text.iter().filter(|byte| **byte == b'0').count();
    candidate.len() < body.len() || (candidate.len() == body.len() && zeros(candidate) > zeros(body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_the_failure_is_left_and_nothing_else() {
        let text = ":from: server\n:transport: http\n:status: 200\n:context-method: x\nA: b\n\n\
                    {\"jsonrpc\":\"2.0\",\"id\":12345,\"result\":{\"resultType\":\"complete\",\"content\":[1,2,3]}}";
        let keeps = |case: &Case| {
            let Some(layout) = Layout::of(&case.body) else { return false };
            layout.find(&case.body, &["result", "resultType"]).is_some()
        };
        let least = minimise(Case::decode(text.as_bytes()).unwrap(), keeps);
        assert_eq!(String::from_utf8(least.encode()).unwrap(), ":from: server\n\n{\"result\":{\"resultType\":0}}");
    }

    #[test]
    fn every_candidate_is_a_case_and_none_is_the_case_itself() {
        let text = ":transport: http\n:headers: partial\nA: bc\n\n{ \"a\" : [1, \"\\u0041b\"] }x";
        let case = Case::decode(text.as_bytes()).unwrap();
        let candidates = candidates(&case);
        assert!(candidates.len() > 20);
        for candidate in candidates {
            assert_ne!(candidate, case);
            assert_eq!(Case::decode(&candidate.encode()).unwrap(), candidate);
        }
    }

    #[test]
    fn a_session_loses_messages_first() {
        let case = |body: &str| Case { connection: 3, ..Case::stdio(crate::case::Party::Client, body) };
        let session = Session { cases: ["{\"a\":1}", "{\"b\":1}", "{\"a\":2}", "[]"].map(case).to_vec() };
        let keeps = |session: &Session| session.cases.iter().filter(|case| case.body.contains(&b'a')).count() == 2;
        let least = minimise_session(session, keeps);
        assert_eq!(least.encode(), b"wirebench-session 1\n--- 2\n\na\n--- 2\n\na\n");
    }

    #[test]
    fn the_tries_are_bounded() {
        let case = Case::stdio(crate::case::Party::Client, format!("[{}0]", "1,".repeat(6_000)));
        let mut tries = 0;
        minimise(case, |_| {
            tries += 1;
            tries % 50 == 0
        });
        assert!(tries <= MOST_TRIES);
    }
}
