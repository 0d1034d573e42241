//! Whether a refused message is answered with an error.
//!
//! An answer that cannot be understood must not call for another one. A response and a notification are never answered;
//! a client never answers what it cannot read, because what a server prints between its messages is not meant for it;
//! so an exchange over garbage ends after one answer. Whether a server answers what nobody can read is
//! disputed between implementations, so such an answer is neither owed nor wrong.

use crate::case::Party;
use crate::codec::refusal::{Refusal, Stage};

/// Whether an error is sent back, and with which JSON-RPC code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// Silence: nobody is waiting, or an answer could go back and forth for ever.
    Never,
    /// Silence and an error without an id are both right.
    Optional(i32),
    /// Somebody waits for it under the id that was read.
    Owed(i32),
}

/// What the receiver of a refused message sends back over stdio. `id` says whether an id of a legal type could be read
/// beside the fault; of frames, bytes and JSON that cannot be, so it is not looked at there.
///
/// ```
/// use wirebench::case::Party;
/// use wirebench::codec::frame::{Answer, answer_to};
/// use wirebench::codec::refusal::{Reason, Refusal};
///
/// let garbage = Refusal::at(Reason::UnexpectedByte, 0);
/// assert_eq!(answer_to(Party::Server, &garbage, false), Answer::Optional(-32700));
/// assert_eq!(answer_to(Party::Client, &garbage, false), Answer::Never);
/// let request = Refusal::at(Reason::JsonrpcVersion, 0);
/// assert_eq!(answer_to(Party::Server, &request, true), Answer::Owed(-32600));
/// ```
pub fn answer_to(receiver: Party, refusal: &Refusal, id: bool) -> Answer {
    let Some(code) = refusal.code else { return Answer::Never };
    if refusal.stage <= Stage::Envelope && receiver == Party::Client {
        return Answer::Never;
    }
    if id && refusal.stage >= Stage::Envelope { Answer::Owed(code) } else { Answer::Optional(code) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Case;
    use crate::codec::Reader;
    use crate::codec::context::Context;
    use crate::codec::envelope::Kind;
    use crate::codec::frame::{FrameLimits, Lines};
    use crate::codec::reading::Profile;
    use crate::codec::refusal::Reason;
    use crate::limits::Limits;

    /// A party that answers whatever it may.
    struct Talker {
        party: Party,
        lines: Lines,
        reader: Reader,
    }

    impl Talker {
        fn new(party: Party) -> Self {
            Self {
                party,
                lines: Lines::new(FrameLimits { line: 80, event: 80 }),
                reader: Reader::new(Limits::message()),
            }
        }

        fn hear(&mut self, bytes: &[u8]) -> Vec<u8> {
            let Self { party, lines, reader } = self;
            let from = if *party == Party::Client { Party::Server } else { Party::Client };
            let mut said = Vec::new();
            lines.push(bytes, &mut |frame| {
                let message = frame.result.unwrap_or_default();
                let id = serde_json::from_slice::<serde_json::Value>(message)
                    .ok()
                    .and_then(|value| value.get("id").filter(|id| id.is_string() || id.is_i64()).cloned());
                let case = Case::stdio(from, message);
                let reading = reader.read(&case, &Context::default());
                let refusal = frame.result.err().or(reading.refusal(Profile::Spec));
                let answer = refusal.map(|refusal| answer_to(*party, &refusal, id.is_some()));
                let mut reply = serde_json::json!({"jsonrpc": "2.0"});
                match answer {
                    Some(Answer::Never) => return,
                    Some(Answer::Optional(code)) => reply["error"] = serde_json::json!({"code": code, "message": ""}),
                    Some(Answer::Owed(code)) => {
                        reply["id"] = id.expect("an id was read");
                        reply["error"] = serde_json::json!({"code": code, "message": ""});
                    }
                    None if reading.kind() == Some(Kind::Request) => {
                        reply["id"] = id.expect("a request has an id");
                        reply["result"] = serde_json::json!({});
                    }
                    None => return,
                }
                said.extend_from_slice(reply.to_string().as_bytes());
                said.push(b'\n');
            });
            said
        }
    }

    /// How many turns pass until both are silent; what each says goes through `wire`.
    fn turns(first: Party, second: Party, opening: &[u8], wire: fn(Vec<u8>) -> Vec<u8>) -> usize {
        let mut talkers = [Talker::new(first), Talker::new(second)];
        let mut said = opening.to_vec();
        let mut turns = 0;
        while !said.is_empty() && turns < 10 {
            said = wire(talkers[turns % 2].hear(&said));
            turns += 1;
        }
        turns
    }

    const OPENINGS: [&str; 14] = [
        "INFO got message\n",
        "\n\u{feff}{}\n",
        "{}\n",
        "[]\n42\nnull\n",
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"\"}}\n",
        "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"\"}}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}\n",
        "{\"jsonrpc\":\"1.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"\"}}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"result\":{}}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"error\":{}}\n",
        "{\"jsonrpc\":\"1.0\",\"method\":\"notifications/cancelled\"}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}\n",
        "{\"id\":99,\"method\":\"ping\"}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":\"0123456789012345678901234567890123456789\"}\n",
    ];

    const PARTIES: [(Party, Party); 4] = [
        (Party::Server, Party::Client),
        (Party::Client, Party::Server),
        (Party::Server, Party::Server),
        (Party::Client, Party::Client),
    ];

    #[test]
    fn whatever_starts_it_an_exchange_ends_after_one_answer() {
        for (first, second) in PARTIES {
            for opening in OPENINGS {
                assert!(turns(first, second, opening.as_bytes(), |said| said) <= 2, "{first:?} {second:?} {opening}");
            }
        }
    }

    #[test]
    fn an_exchange_between_client_and_server_ends_even_if_the_wire_spoils_every_line() {
        let spoilers: [fn(Vec<u8>) -> Vec<u8>; 4] = [
            |said| if said.is_empty() { said } else { [b"got ".as_slice(), &said].concat() },
            |said| said.into_iter().filter(|&byte| byte != b'}').collect(),
            |said| said.into_iter().map(|byte| if byte == b'2' { b'1' } else { byte }).collect(),
            |said| said.into_iter().map(|byte| if byte == b':' { b'\n' } else { byte }).collect(),
        ];
        for (first, second) in &PARTIES[..2] {
            for opening in OPENINGS {
                for wire in spoilers {
                    assert!(turns(*first, *second, opening.as_bytes(), wire) <= 3, "{first:?} {second:?} {opening}");
                }
            }
        }
    }

    #[test]
    fn an_error_without_a_code_is_never_sent_and_no_frame_is_answered_by_a_client() {
        for &reason in Reason::ALL {
            let refusal = Refusal::new(reason);
            for id in [false, true] {
                assert_eq!(
                    answer_to(Party::Server, &refusal, id) == Answer::Never,
                    refusal.code.is_none(),
                    "{reason:?}"
                );
                assert_eq!(answer_to(Party::Client, &refusal.unanswered(), id), Answer::Never);
                if refusal.stage <= Stage::Envelope {
                    assert_eq!(answer_to(Party::Client, &refusal, id), Answer::Never, "{reason:?}");
                }
                if refusal.stage < Stage::Envelope {
                    assert!(!matches!(answer_to(Party::Server, &refusal, id), Answer::Owed(_)), "{reason:?}");
                }
            }
        }
    }

    #[test]
    fn only_a_server_answers_what_it_cannot_read_and_owes_it_where_an_id_was_read() {
        let garbage = Refusal::at(Reason::UnexpectedByte, 0);
        let shape = Refusal::at(Reason::JsonrpcVersion, 0);
        let later = Refusal::new(Reason::HeaderMissing);
        let code = later.code.expect("a request is owed one");
        for (receiver, refusal, id, answer) in [
            (Party::Server, garbage, false, Answer::Optional(-32700)),
            (Party::Server, garbage, true, Answer::Optional(-32700)),
            (Party::Client, garbage, false, Answer::Never),
            (Party::Client, garbage, true, Answer::Never),
            (Party::Server, shape, true, Answer::Owed(-32600)),
            (Party::Server, shape, false, Answer::Optional(-32600)),
            (Party::Client, shape, true, Answer::Never),
            (Party::Client, later, true, Answer::Owed(code)),
            (Party::Server, later, true, Answer::Owed(code)),
            (Party::Server, later.unanswered(), true, Answer::Never),
        ] {
            assert_eq!(answer_to(receiver, &refusal, id), answer, "{receiver:?} {refusal} {id}");
        }
    }
}
