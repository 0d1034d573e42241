//! Smaller sessions: fewer messages, then less in all of them at once, then less in one.
//!
//! What several messages repeat, an id or a name or a whole member, is made smaller in all of them together, since a
//! smaller one in one message alone is another value.

use std::collections::BTreeMap;

use super::body::body_is_smaller;
use super::{descend, neighbours};
use crate::case::{Case, Session};
use crate::mutate::layout::{Layout, Shape, splice};

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
    Box::new(fewer_messages(session).chain(everywhere(session)).chain(smaller_messages(session)))
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

/// Members that several messages have are taken out of all of them, and values that several messages repeat are made
/// smaller in all of them.
fn everywhere(session: &Session) -> Box<dyn Iterator<Item = Session> + '_> {
    let (mut members, mut values) = (BTreeMap::<String, usize>::new(), BTreeMap::<&[u8], usize>::new());
    for case in &session.cases {
        let Some(layout) = Layout::of(&case.body) else { continue };
        let mut own: Vec<&[u8]> = Vec::new();
        for index in 1..layout.nodes.len() {
            if !layout.nodes[index].name.is_empty() {
                *members.entry(layout.pointer(&case.body, index)).or_default() += 1;
            }
            if matches!(layout.nodes[index].shape, Shape::Text | Shape::Bare) {
                own.push(layout.value(&case.body, index));
            }
        }
        own.sort_unstable();
        own.dedup();
        own.into_iter().for_each(|value| *values.entry(value).or_default() += 1);
    }
    let without = members.into_iter().filter(|(_, times)| *times > 1).map(move |(member, _)| without(session, &member));
    let shorter = values.into_iter().filter(|(_, times)| *times > 1).flat_map(move |(value, _)| {
        smaller_values(value).into_iter().map(move |smaller| with(session, value, &smaller))
    });
    Box::new(without.chain(shorter))
}

/// Smaller values of the same type, the smallest first.
fn smaller_values(value: &[u8]) -> Vec<Vec<u8>> {
    let half = value.len().saturating_sub(2) / 2 + 1;
    let of_text = [b"\"\"".to_vec(), b"\"0\"".to_vec(), [&value[..half.min(value.len())], b"\""].concat()];
    let all = if value.first() == Some(&b'"') { of_text.to_vec() } else { vec![b"0".to_vec(), b"1".to_vec()] };
    all.into_iter().filter(|smaller| body_is_smaller(smaller, value)).collect()
}

fn without(session: &Session, member: &str) -> Session {
    let mut smaller = session.clone();
    for case in &mut smaller.cases {
        let Some(layout) = Layout::of(&case.body) else { continue };
        let found = (1..layout.nodes.len()).find(|&index| layout.pointer(&case.body, index) == member);
        if let Some(index) = found {
            let span = layout.removal(&case.body, index);
            splice(&mut case.body, span, b"");
        }
    }
    smaller
}

fn with(session: &Session, value: &[u8], instead: &[u8]) -> Session {
    let mut smaller = session.clone();
    for case in &mut smaller.cases {
        let Some(layout) = Layout::of(&case.body) else { continue };
        for node in layout.nodes.iter().rev() {
            if matches!(node.shape, Shape::Text | Shape::Bare) && case.body[node.value.clone()] == *value {
                splice(&mut case.body, node.value.clone(), instead);
            }
        }
    }
    smaller
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Party;

    #[test]
    fn a_session_loses_messages_first() {
        let case = |body: &str| Case { connection: 3, ..Case::stdio(Party::Client, body) };
        let session = Session { cases: ["{\"a\":1}", "{\"b\":1}", "{\"a\":2}", "[]"].map(case).to_vec() };
        let keeps = |session: &Session| session.cases.iter().filter(|case| case.body.contains(&b'a')).count() == 2;
        let least = minimise_session(session, keeps);
        assert_eq!(least.encode(), b"wirebench-session 1\n--- 2\n\na\n--- 2\n\na\n");
    }

    #[test]
    fn what_messages_repeat_is_made_smaller_in_all_of_them() {
        let text = |body: &str| Case::stdio(Party::Client, body);
        let session =
            Session { cases: vec![text("{\"id\":17,\"a\":\"long\",\"b\":[]}"), text("{\"id\":17,\"b\":[]}")] };
        let value = |case: &Case| {
            let layout = Layout::of(&case.body)?;
            Some(layout.value(&case.body, layout.find(&case.body, &["id"])?).to_vec())
        };
        let keeps = |session: &Session| match &session.cases[..] {
            [one, other] => value(one).is_some() && value(one) == value(other),
            _ => false,
        };
        let least = minimise_session(session, keeps);
        assert_eq!(least.cases, [text("{\"id\":0}"), text("{\"id\":0}")]);
    }
}
