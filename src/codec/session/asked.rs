//! Which requests wait for an answer, which were answered, and which progress tokens are theirs.
//!
//! Everything kept is bounded in number and in bytes. A request beyond the bounds is read and forgotten; from then on
//! nothing is held against an id that is not known, since it may be one of those.

use std::collections::{HashMap, VecDeque};

use super::pages::Page;
use super::retry::Print;
use crate::case::Party;
use crate::codec::context::Answered;
use crate::codec::document::{Value, ValueKind};
use crate::codec::id::IdKey;

/// How many requests of one connection are remembered while they wait for their answer.
pub const OUTSTANDING: usize = 1 << 16;
/// How many answered requests of one connection are remembered.
pub const FINISHED: usize = 1 << 12;
/// How many bytes of ids and tokens one connection keeps for its waiting requests.
pub const HELD: usize = 16 << 20;
/// The longest id that is remembered behind its answer.
const LONGEST: usize = 1 << 10;

/// A request that waits for its answer.
#[derive(Debug)]
pub struct Request {
    /// What its answer is read with.
    pub answered: Answered,
    /// What a retry of it must repeat; of the methods that can be retried.
    pub print: Option<Print>,
    /// The page that it asks for; of the methods that paginate.
    pub page: Option<Page>,
    /// Its progress token.
    pub token: Option<IdKey>,
    /// How far its progress was reported.
    pub progress: Option<(f64, IdKey)>,
    /// What its headers got wrong.
    pub mismatch: Option<Mismatch>,
}

/// A request that must be answered with a header mismatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Whether nothing else is wrong with it, so that no other code can be meant.
    pub alone: bool,
}

/// What became of a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finish {
    /// Whether it went on as a task, which may report progress under the same token.
    pub as_task: bool,
    /// How far that progress was reported.
    pub progress: Option<(f64, IdKey)>,
}

/// The requests of one connection, by sender and id.
#[derive(Debug, Default)]
pub struct Asked {
    waiting: HashMap<(Party, IdKey), Request>,
    tokens: HashMap<(Party, IdKey), IdKey>,
    held: usize,
    finished: Memory,
    finished_tokens: Memory,
    forgot: bool,
}

impl Asked {
    /// The waiting request of that sender and id.
    pub fn waiting(&self, party: Party, key: &IdKey) -> Option<&Request> {
        self.waiting.get(&(party, key.clone()))
    }

    /// What became of the request of that sender and id, when it was answered and is not asked again.
    pub fn finished(&self, party: Party, key: &IdKey) -> Option<&Finish> {
        self.finished.get(party, key)
    }

    /// The waiting request that has this progress token.
    pub fn reporting(&self, party: Party, token: &IdKey) -> Option<&Request> {
        let id = self.tokens.get(&(party, token.clone()))?;
        self.waiting(party, id)
    }

    /// What became of the request that had this progress token.
    pub fn reported(&self, party: Party, token: &IdKey) -> Option<&Finish> {
        self.finished_tokens.get(party, token)
    }

    /// Whether some request was read and not remembered.
    pub fn forgot(&self) -> bool {
        self.forgot
    }

    /// Remembers a request.
    pub fn ask(&mut self, party: Party, key: IdKey, request: Request) {
        self.take(party, &key);
        let cost = cost(&key, &request);
        if self.waiting.len() >= OUTSTANDING || self.held.saturating_add(cost) > HELD {
            self.forgot = true;
            return;
        }
        self.held += cost;
        self.finished.remove(party, &key);
        if let Some(token) = &request.token {
            self.finished_tokens.remove(party, token);
            self.tokens.insert((party, token.clone()), key.clone());
        }
        self.waiting.insert((party, key), request);
    }

    /// Takes note of an answer and hands out the request.
    pub fn answer(&mut self, party: Party, key: &IdKey, as_task: bool) -> Option<Request> {
        let request = self.take(party, key)?;
        self.forgot |= !self.finished.put(party, key.clone(), Finish { as_task, progress: None });
        if let Some(token) = &request.token {
            let finish = Finish { as_task, progress: request.progress.clone().filter(|_| as_task) };
            self.forgot |= !self.finished_tokens.put(party, token.clone(), finish);
        }
        Some(request)
    }

    /// Takes note of how far a request is.
    pub fn report(&mut self, party: Party, token: &IdKey, progress: (f64, IdKey)) {
        if length(&progress.1) > LONGEST {
            return;
        }
        let waiting = self.tokens.get(&(party, token.clone())).map(|id| (party, id.clone()));
        if let Some(request) = waiting.and_then(|key| self.waiting.get_mut(&key)) {
            request.progress = Some(progress);
        } else if let Some(task) = self.finished_tokens.known.get_mut(&(party, token.clone())).filter(|it| it.as_task) {
            task.progress = Some(progress);
        }
    }

    fn take(&mut self, party: Party, key: &IdKey) -> Option<Request> {
        let request = self.waiting.remove(&(party, key.clone()))?;
        self.held -= cost(key, &request);
        if let Some(token) = &request.token
            && self.tokens.get(&(party, token.clone())) == Some(key)
        {
            self.tokens.remove(&(party, token.clone()));
        }
        Some(request)
    }
}

/// The latest finished ones, oldest forgotten first.
#[derive(Debug, Default)]
struct Memory {
    order: VecDeque<(Party, IdKey)>,
    known: HashMap<(Party, IdKey), Finish>,
}

impl Memory {
    fn get(&self, party: Party, key: &IdKey) -> Option<&Finish> {
        self.known.get(&(party, key.clone()))
    }

    /// Says whether nothing had to be forgotten for it.
    fn put(&mut self, party: Party, key: IdKey, finish: Finish) -> bool {
        if length(&key) > LONGEST {
            return false;
        }
        self.order.push_back((party, key.clone()));
        self.known.insert((party, key), finish);
        let full = self.order.len() > FINISHED;
        if full && let Some(oldest) = self.order.pop_front() {
            self.known.remove(&oldest);
        }
        !full
    }

    fn remove(&mut self, party: Party, key: &IdKey) {
        if self.known.remove(&(party, key.clone())).is_some() {
            self.order.retain(|(of, other)| *of != party || other != key);
        }
    }
}

fn cost(key: &IdKey, request: &Request) -> usize {
    let own = request.answered.id.as_ref().map_or(0, Vec::len) + request.answered.method.as_ref().map_or(0, Vec::len);
    2 * length(key) + own + request.token.as_ref().map_or(0, |token| 3 * length(token))
}

fn length(key: &IdKey) -> usize {
    match key {
        IdKey::String(text) => text.len(),
        IdKey::Number { digits, .. } => digits.len(),
    }
}

/// The key of a value that may stand as an id or a token: a string or a number.
pub fn key_of(value: Value<'_>) -> Option<IdKey> {
    matches!(value.kind(), ValueKind::String | ValueKind::Number).then(|| IdKey::of(value.raw()))
}

/// The key that has the same characters in the other type, where there is one.
pub fn twin_of(value: Value<'_>) -> Option<IdKey> {
    match value.as_text() {
        None => (value.kind() == ValueKind::Number).then(|| IdKey::String(value.raw().into())),
        Some(text) => {
            let text = text.decode();
            let digits = text.strip_prefix('-').unwrap_or(&text);
            let whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            whole.then(|| IdKey::of(text.as_bytes()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::document::Decoder;
    use crate::codec::meta::{Capabilities, CapabilityState};
    use crate::limits::Limits;

    fn request(method: &str, token: Option<&str>) -> Request {
        let capabilities = Capabilities::of(CapabilityState::None);
        let answered = Answered { era: None, capabilities, method: Some(method.into()), id: Some(b"17".to_vec()) };
        let token = token.map(|token| IdKey::of(token.as_bytes()));
        Request { answered, print: None, page: None, token, progress: None, mismatch: None }
    }

    fn key(number: usize) -> IdKey {
        IdKey::of(number.to_string().as_bytes())
    }

    const DONE: Finish = Finish { as_task: false, progress: None };

    #[test]
    fn what_a_request_costs_is_what_is_kept_of_it() {
        // The id and the token twice as keys, the token once more; the id as spelled and the method.
        assert_eq!(cost(&key(123), &request("ping", None)), 2 * 3 + 2 + 4);
        assert_eq!(cost(&key(123), &request("ping", Some("\"abcde\""))), 2 * 3 + 2 + 4 + 3 * 5);
        assert_eq!(length(&IdKey::of(b"\"abc\"")), 3);
        assert_eq!(length(&key(12)), 2);
    }

    #[test]
    fn a_request_beyond_what_may_be_held_is_forgotten_and_an_answer_makes_room() {
        let mut asked = Asked::default();
        let long = "m".repeat(HELD - 100);
        asked.ask(Party::Client, key(1), request(&long, None));
        assert!(asked.waiting(Party::Client, &key(1)).is_some() && !asked.forgot());
        asked.ask(Party::Client, key(2), request(&"m".repeat(200), None));
        assert!(asked.waiting(Party::Client, &key(2)).is_none() && asked.forgot());
        assert!(asked.answer(Party::Client, &key(1), false).is_some());
        assert_eq!(asked.held, 0);
        asked.ask(Party::Client, key(2), request(&long, None));
        assert!(asked.waiting(Party::Client, &key(2)).is_some());
    }

    #[test]
    fn the_oldest_finished_one_is_forgotten_first_and_that_is_told() {
        let mut memory = Memory::default();
        for number in 0..FINISHED {
            assert!(memory.put(Party::Client, key(number), DONE), "{number}");
        }
        assert!(!memory.put(Party::Client, key(FINISHED), DONE));
        assert_eq!(memory.get(Party::Client, &key(0)), None);
        assert_eq!(memory.get(Party::Client, &key(1)), Some(&DONE));
        assert_eq!(memory.get(Party::Server, &key(1)), None);
        assert_eq!((memory.order.len(), memory.known.len()), (FINISHED, FINISHED));
    }

    #[test]
    fn an_id_that_is_too_long_is_not_remembered_and_one_at_the_bound_is() {
        let mut memory = Memory::default();
        let of = |length: usize| IdKey::String("a".repeat(length).into_bytes().into());
        assert!(memory.put(Party::Client, of(LONGEST), DONE));
        assert!(!memory.put(Party::Client, of(LONGEST + 1), DONE));
        assert!(memory.get(Party::Client, &of(LONGEST)).is_some());
        assert!(memory.get(Party::Client, &of(LONGEST + 1)).is_none());
    }

    #[test]
    fn what_is_asked_again_is_finished_no_more_and_only_that() {
        let mut memory = Memory::default();
        for (party, number) in [(Party::Client, 1), (Party::Client, 2), (Party::Server, 1)] {
            memory.put(party, key(number), DONE);
        }
        memory.remove(Party::Client, &key(1));
        memory.remove(Party::Client, &key(3));
        assert_eq!(memory.order, [(Party::Client, key(2)), (Party::Server, key(1))]);
        assert_eq!(memory.get(Party::Client, &key(1)), None);
        assert_eq!(memory.get(Party::Server, &key(1)), Some(&DONE));
    }

    #[test]
    fn a_token_leads_to_its_request_until_that_is_answered() {
        let mut asked = Asked::default();
        let token = IdKey::of(b"\"t\"");
        asked.ask(Party::Client, key(1), request("ping", Some("\"t\"")));
        assert!(asked.reporting(Party::Client, &token).is_some());
        assert!(asked.reporting(Party::Server, &token).is_none());
        // Another request with the same token takes it over, and the first one's answer leaves it alone.
        asked.ask(Party::Client, key(2), request("ping", Some("\"t\"")));
        asked.answer(Party::Client, &key(1), false);
        assert!(asked.reporting(Party::Client, &token).is_some());
        asked.answer(Party::Client, &key(2), true);
        assert!(asked.reporting(Party::Client, &token).is_none());
        assert_eq!(asked.reported(Party::Client, &token), Some(&Finish { as_task: true, progress: None }));
        assert_eq!(asked.finished(Party::Client, &key(1)), Some(&DONE));
    }

    #[test]
    fn the_twin_of_an_id_has_its_characters_in_the_other_type() {
        for (text, twin) in [
            ("1", Some(r#""1""#)),
            ("-1", Some(r#""-1""#)),
            (r#""12""#, Some("12")),
            (r#""-12""#, Some("-12")),
            (r#""1a""#, None),
            (r#""-""#, None),
            (r#""""#, None),
            ("null", None),
            ("true", None),
            ("[]", None),
        ] {
            let mut decoder = Decoder::new();
            let found = twin_of(decoder.read(text.as_bytes(), &Limits::message()).unwrap().root());
            assert_eq!(found, twin.map(|twin| IdKey::of(twin.as_bytes())), "{text}");
        }
    }
}
