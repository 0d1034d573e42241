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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finish {
    /// Whether it went on as a task, which may report progress under the same token.
    pub as_task: bool,
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
    pub fn finished(&self, party: Party, key: &IdKey) -> Option<Finish> {
        self.finished.get(party, key)
    }

    /// The waiting request that has this progress token.
    pub fn reporting(&self, party: Party, token: &IdKey) -> Option<&Request> {
        let id = self.tokens.get(&(party, token.clone()))?;
        self.waiting(party, id)
    }

    /// What became of the request that had this progress token.
    pub fn reported(&self, party: Party, token: &IdKey) -> Option<Finish> {
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
    pub fn answer(&mut self, party: Party, key: &IdKey, finish: Finish) -> Option<Request> {
        let request = self.take(party, key)?;
        self.forgot |= !self.finished.put(party, key.clone(), finish);
        if let Some(token) = &request.token {
            self.forgot |= !self.finished_tokens.put(party, token.clone(), finish);
        }
        Some(request)
    }

    /// Takes note of how far a request is.
    pub fn report(&mut self, party: Party, token: &IdKey, progress: (f64, IdKey)) {
        let Some(id) = self.tokens.get(&(party, token.clone())) else { return };
        if let Some(request) = self.waiting.get_mut(&(party, id.clone()))
            && length(&progress.1) <= LONGEST
        {
            request.progress = Some(progress);
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
    fn get(&self, party: Party, key: &IdKey) -> Option<Finish> {
        self.known.get(&(party, key.clone())).copied()
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
