//! Exchanges that take more than one call: input asked for in the middle, pages, subscriptions, tasks, cancellation.
//!
//! Everything drawn here is lawful and of the modern era. How a session starts up is drawn by [`super::session()`].

use arbitrary::{Result, Unstructured};

use super::{Swarm, dictionary, payload, rare};
use crate::case::{Case, Header, Party, Session, Transport};

/// Draws one exchange, or two on one connection that do not mix.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn exchange(u: &mut Unstructured<'_>, swarm: &Swarm) -> Result<Session> {
    let http = !(swarm.stdio && u.arbitrary()?);
    let mut flow = Flow { http, next: 1, cases: Vec::new() };
    for _ in 0..if rare(u, 1, 4)? { 2 } else { 1 } {
        match u.int_in_range(0..=4)? {
            0 => flow.input(u)?,
            1 => flow.pages(u)?,
            2 => flow.subscription(u)?,
            3 => flow.task(u)?,
            _ => flow.cancellation(u)?,
        }
    }
    Ok(Session { cases: flow.cases })
}

struct Flow {
    http: bool,
    next: u32,
    cases: Vec<Case>,
}

const CALL: &str = ",\"name\":\"t1\",\"arguments\":{}";

impl Flow {
    /// A call that is asked for input, once or more, and answered in a retry with a new id.
    fn input(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let id = self.request("tools/call", CALL, Some("t1"));
        let mut asked = id;
        for hop in 0..u.int_in_range(1..=3u8)? {
            let state = if u.arbitrary()? { format!(",\"requestState\":\"s{hop}\"") } else { String::new() };
            self.result(
                asked,
                &format!("\"input_required\",\"inputRequests\":{{\"r\":{{\"method\":\"roots/list\"}}}}{state}"),
            );
            let answers =
                format!("{CALL},\"inputResponses\":{{\"r\":{{\"roots\":[{{\"uri\":\"file:///a\"}}]}}}}{state}");
            asked = self.request("tools/call", &answers, Some("t1"));
        }
        self.result(asked, "\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"t\"}]");
        Ok(())
    }

    /// A list in pages, the last without a cursor.
    fn pages(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let (method, list) =
            *u.choose(&[("tools/list", "tools"), ("prompts/list", "prompts"), ("resources/list", "resources")])?;
        let hints = "\"ttlMs\":0,\"cacheScope\":\"private\"";
        let mut id = self.request(method, "", None);
        for page in 0..u.int_in_range(0..=3u8)? {
            self.result(id, &format!("\"complete\",\"{list}\":[],\"nextCursor\":\"c{page}\",{hints}"));
            id = self.request(method, &format!(",\"cursor\":\"c{page}\""), None);
        }
        self.result(id, &format!("\"complete\",\"{list}\":[],{hints}"));
        Ok(())
    }

    /// A subscription: acknowledged first, then what it asked for, then ended by either side.
    fn subscription(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let id = self.request("subscriptions/listen", ",\"notifications\":{\"toolsListChanged\":true}", None);
        let meta = format!("\"_meta\":{{\"io.modelcontextprotocol/subscriptionId\":{id}}}");
        self.notify(
            "subscriptions/acknowledged",
            &format!("{{\"notifications\":{{\"toolsListChanged\":true}},{meta}}}"),
        );
        for _ in 0..u.int_in_range(0..=2u8)? {
            self.notify("tools/list_changed", &format!("{{{meta}}}"));
        }
        if u.arbitrary()? {
            self.result(id, &format!("\"complete\",{meta}"));
        } else {
            self.cancel(id);
        }
        Ok(())
    }

    /// A call that becomes a task, which is asked after until it is over.
    fn task(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let times = "\"createdAt\":\"2026-07-28T00:00:00Z\",\"lastUpdatedAt\":\"2026-07-28T00:00:00Z\",\"ttlMs\":null";
        let task = |status: &str| format!("\"taskId\":\"t1\",\"status\":\"{status}\",{times}");
        let id = self.request("tools/call", CALL, Some("t1"));
        self.result(id, &format!("\"task\",{}", task("working")));
        for _ in 0..u.int_in_range(0..=2u8)? {
            let id = self.request("tasks/get", ",\"taskId\":\"t1\"", Some("t1"));
            self.result(id, &format!("\"complete\",{}", task("working")));
        }
        if u.arbitrary()? {
            let id = self.request("tasks/cancel", ",\"taskId\":\"t1\"", Some("t1"));
            self.result(id, "\"complete\"");
        }
        let id = self.request("tasks/get", ",\"taskId\":\"t1\"", Some("t1"));
        self.result(id, &format!("\"complete\",{},\"result\":{{\"content\":[]}}", task("completed")));
        Ok(())
    }

    /// A call that reports progress, and is cancelled or answered.
    fn cancellation(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let id = self.request("tools/call", CALL, Some("t1"));
        for step in 1..=u.int_in_range(0..=2u8)? {
            self.notify("progress", &format!("{{\"progressToken\":{id},\"progress\":{step},\"total\":3}}"));
        }
        if u.arbitrary()? {
            self.cancel(id);
        } else {
            self.result(id, "\"complete\",\"content\":[]");
        }
        Ok(())
    }

    fn request(&mut self, method: &str, members: &str, mirrored: Option<&str>) -> u32 {
        let id = self.next;
        self.next += 1;
        let body = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\",\"params\":{{\"_meta\":{{\"{}\":\"{}\",\"{}\":{},\
             \"progressToken\":{id}}}{members}}}}}",
            dictionary::VERSION_KEY,
            dictionary::MODERN,
            dictionary::CAPABILITIES_KEY,
            payload::CAPABILITIES,
        );
        let mut case = Case::stdio(Party::Client, body);
        if self.http {
            case.transport = Transport::Http;
            let headers = [(dictionary::VERSION_HEADER, dictionary::MODERN), (dictionary::METHOD_HEADER, method)];
            let name = mirrored.map(|name| (dictionary::NAME_HEADER, name));
            case.headers.extend(headers.into_iter().chain(name).map(|(name, value)| Header::new(name, value)));
        }
        self.cases.push(case);
        id
    }

    /// Answers a request with a result that starts with its token.
    fn result(&mut self, id: u32, members: &str) {
        self.send(
            Party::Server,
            format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"resultType\":{members}}}}}"),
        );
        let case = self.cases.last_mut().expect("it was just pushed");
        case.status = self.http.then_some(200);
    }

    fn notify(&mut self, name: &str, params: &str) {
        let body = format!("{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/{name}\",\"params\":{params}}}");
        self.send(Party::Server, body);
    }

    /// Over HTTP a client cancels by closing the stream, which is no message.
    fn cancel(&mut self, id: u32) {
        if !self.http {
            let params = format!("{{\"requestId\":{id}}}");
            let body = format!("{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{params}}}");
            self.send(Party::Client, body);
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
        ];
        for byte in 0..=255u8 {
            let entropy: Vec<u8> =
                (0..64u8).map(|index| byte.wrapping_mul(31).wrapping_add(index.wrapping_mul(97))).collect();
            let session = exchange(&mut Unstructured::new(&entropy), &Swarm::all()).unwrap();
            assert_eq!(Session::decode(&session.encode()).unwrap(), session);
            let text = session.encode();
            for (word, found) in &mut seen {
                *found |= text.windows(word.len()).any(|window| window == word.as_bytes());
            }
        }
        assert!(seen.iter().all(|(_, found)| *found), "{seen:?}");
    }
}
