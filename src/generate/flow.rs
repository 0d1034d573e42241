//! What an exchange is written with: one connection, its requests with what they owe, and what comes back.
//!
//! Everything written here is lawful and of the modern era. Which exchanges there are is said by `scene`.

use arbitrary::{Result, Unstructured};

use super::{Swarm, dictionary, header, payload, rare, scene};
use crate::case::{Case, Header, Party, Session, Transport};

/// Draws one exchange, or two on one connection that do not mix.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn exchange(u: &mut Unstructured<'_>, swarm: &Swarm) -> Result<Session> {
    let http = u.ratio(1, 2)?;
    let quoted = swarm.ids && u.arbitrary()?;
    let mut flow = Flow { http, quoted, next: 1, cases: Vec::new() };
    for _ in 0..if rare(u, 1, 4)? { 2 } else { 1 } {
        let scene = u.choose(&scene::ALL)?;
        scene(&mut flow, u)?;
    }
    Ok(Session { cases: flow.cases })
}

/// One connection, as far as it is written.
pub(super) struct Flow {
    /// Over HTTP or over standard input and output.
    pub http: bool,
    quoted: bool,
    next: u32,
    cases: Vec<Case>,
}

impl Flow {
    /// An id that was not used before, as a JSON token.
    fn id(&mut self) -> String {
        let id = self.next;
        self.next += 1;
        if self.quoted { format!("\"{id}\"") } else { id.to_string() }
    }

    /// Sends a request that asks for progress under its own id, with these members beside `_meta`, each with a comma
    /// before it, and with the member that `Mcp-Name` mirrors.
    pub fn request(&mut self, method: &str, members: &str, mirrored: Option<&str>) -> String {
        let id = self.id();
        let body = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\",\"params\":{{\"_meta\":{{\"{}\":\"{}\",\"{}\":{},\
             \"progressToken\":{id}}}{members}}}}}",
            dictionary::VERSION_KEY,
            dictionary::MODERN,
            dictionary::CAPABILITIES_KEY,
            payload::CAPABILITIES,
        );
        self.send(Party::Client, body);
        let name = mirrored.map(|name| (dictionary::NAME_HEADER, name));
        let headers = [(dictionary::VERSION_HEADER, dictionary::MODERN), (dictionary::METHOD_HEADER, method)];
        headers.into_iter().chain(name).for_each(|(name, value)| self.field(name, value));
        id
    }

    /// Adds a header field to the last message, where it has fields.
    pub fn field(&mut self, name: &str, value: &str) {
        if let (true, Some(case)) = (self.http, self.cases.last_mut()) {
            case.headers.push(Header::new(name, header::encode(value)));
        }
    }

    /// Answers a request with a result whose members start behind its token.
    pub fn result(&mut self, id: &str, members: &str) {
        self.answer(id, &format!("\"result\":{{\"resultType\":{members}}}"), 200);
    }

    /// Answers a request with a member and a status.
    pub fn answer(&mut self, id: &str, member: &str, status: u16) {
        self.send(Party::Server, format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},{member}}}"));
        if let (true, Some(case)) = (self.http, self.cases.last_mut()) {
            case.status = Some(status);
        }
    }

    /// Sends a notification of the server.
    pub fn notify(&mut self, name: &str, params: &str) {
        let body = format!("{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/{name}\",\"params\":{params}}}");
        self.send(Party::Server, body);
    }

    /// Cancels a request. Over HTTP that is the end of a stream, which is no message.
    pub fn cancel(&mut self, from: Party, id: &str) {
        if !self.http {
            let params = format!("{{\"requestId\":{id}}}");
            let body = format!("{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{params}}}");
            self.send(from, body);
        }
    }

    fn send(&mut self, from: Party, body: String) {
        let mut case = Case::stdio(from, body);
        if self.http {
            case.transport = Transport::Http;
        }
        self.cases.push(case);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_exchange_is_drawn_and_has_a_text_form() {
        let mut seen = [
            ("inputResponses", false),
            ("nextCursor", false),
            ("subscriptions/listen", false),
            ("tasks/get", false),
            ("notifications/cancelled", false),
            ("Mcp-Param-", false),
            ("notifications/progress", false),
            ("prompts/get", false),
        ];
        for byte in 0..=255u8 {
            let mixed = |index: u32| (u32::from(byte) << 8 | index).wrapping_mul(2_654_435_761) >> 13;
            let entropy: Vec<u8> = (0..64).map(|index| mixed(index) as u8).collect();
            let session = exchange(&mut Unstructured::new(&entropy), &Swarm::all()).unwrap();
            assert_eq!(Session::decode(&session.encode()).unwrap(), session);
            let text = session.encode();
            for (word, found) in &mut seen {
                *found |= text.windows(word.len()).any(|window| window == word.as_bytes());
            }
        }
        assert!(seen.iter().all(|(_, found)| *found), "{seen:?}");
    }

    #[test]
    fn without_entropy_an_exchange_is_one_call_that_is_asked_once() {
        let session = exchange(&mut Unstructured::new(&[]), &Swarm::all()).unwrap();
        assert_eq!(session.cases.len(), 4);
        assert!(session.cases.iter().all(|case| case.transport == Transport::Http));
    }
}
