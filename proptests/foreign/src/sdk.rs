//! What does the decoder of `rmcp` show of a message?
//!
//! It sees bodies alone: its types know no header field, no context and no era. What it shows is the kind, the id and
//! whether it takes the message; why it refuses one it does not say, so a refusal stands where JSON and shape are judged.

use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, NumberOrString, ServerJsonRpcMessage};
use wirebench::case::{Case, Party};
use wirebench::codec::envelope::Kind;
use wirebench::codec::id::Id;
use wirebench::codec::refusal::{Reason, Refusal};
use wirebench::observation::Observation;
use wirebench::subject::{Subject, Unreachable};

/// The types of the SDK, read by `serde_json` as its transports do.
pub struct Rmcp;

impl Subject for Rmcp {
    fn name(&self) -> &str {
        "rmcp"
    }

    fn reset(&mut self) {}

    fn observe(&mut self, case: &Case) -> Result<Observation, Unreachable> {
        let read = match case.from {
            Party::Client => serde_json::from_slice::<ClientJsonRpcMessage>(&case.body).map(|message| shape(&message)),
            Party::Server => serde_json::from_slice::<ServerJsonRpcMessage>(&case.body).map(|message| shape(&message)),
        };
        Ok(match read {
            Ok((kind, id)) => Observation { kind: Some(kind), id: id.as_ref().map(token), ..Observation::default() },
            Err(error) => {
                let reason = match error.classify() {
                    serde_json::error::Category::Data => Reason::ResultNorError,
                    _ => Reason::UnexpectedByte,
                };
                Observation { refusal: Some(Refusal::new(reason)), ..Observation::default() }
            }
        })
    }
}

fn shape<Q, R, N>(message: &JsonRpcMessage<Q, R, N>) -> (Kind, Option<NumberOrString>) {
    match message {
        JsonRpcMessage::Request(request) => (Kind::Request, Some(request.id.clone())),
        JsonRpcMessage::Response(response) => (Kind::Result, Some(response.id.clone())),
        JsonRpcMessage::Notification(_) => (Kind::Notification, None),
        JsonRpcMessage::Error(error) => (Kind::Error, error.id.clone()),
    }
}

/// The id as the SDK would write it back.
fn token(id: &NumberOrString) -> Id {
    let text = serde_json::to_vec(id).expect("a number or a string has a JSON form");
    Id::new(&text)
}
