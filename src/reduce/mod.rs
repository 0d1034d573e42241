//! Smaller neighbours of a case, a session or a stream; serves proptest shrinking and triage alike.
//!
//! It works on the value, not on the entropy, and it does not care whether a neighbour is lawful: a smaller broken
//! message is a better report. Whether the failure is still the same is for the caller to say.

use crate::case::{Case, Stated, Transport};

mod body;
mod frames;
mod session;

use body::{bodies, body_is_smaller};
pub use frames::{frames_candidates, minimise_frames};
pub use session::{minimise_session, session_candidates};

/// The most calls of `keeps` for one case or session, so that a slow subject ends too.
const MOST_TRIES: usize = 20_000;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::layout::Layout;

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
