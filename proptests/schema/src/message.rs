//! Whole messages: which type of the schema each is, and what the codec says of it.
//!
//! A message is classified by its members first, and a result by its token, since the types of the schema alone would
//! take almost any object for one of them.

use arbitrary::Unstructured;
use serde_json::{Value, json};
use wirebench::case::{Case, Party, Revision, Stated, StatedCapabilities};
use wirebench::codec::Reader;
use wirebench::codec::conclusion::{Conclusion, IncompleteReason};
use wirebench::codec::context::Context;
use wirebench::codec::refusal::Stage;
use wirebench::generate::Swarm;
use wirebench::limits::Limits;
use wirebench::mutate;

use crate::difference::{Differences, Said};
use crate::schema::Schema;

/// Methods and the types of their messages: `NAMERequest`, `NAMEResult`.
const METHODS: [(&str, &str); 10] = [
    ("completion/complete", "Complete"),
    ("prompts/get", "GetPrompt"),
    ("prompts/list", "ListPrompts"),
    ("resources/list", "ListResources"),
    ("resources/read", "ReadResource"),
    ("resources/templates/list", "ListResourceTemplates"),
    ("server/discover", "Discover"),
    ("subscriptions/listen", "SubscriptionsListen"),
    ("tools/call", "CallTool"),
    ("tools/list", "ListTools"),
];

const NOTIFICATIONS: [(&str, &str); 8] = [
    ("notifications/cancelled", "CancelledNotification"),
    ("notifications/message", "LoggingMessageNotification"),
    ("notifications/progress", "ProgressNotification"),
    ("notifications/prompts/list_changed", "PromptListChangedNotification"),
    ("notifications/resources/list_changed", "ResourceListChangedNotification"),
    ("notifications/resources/updated", "ResourceUpdatedNotification"),
    ("notifications/subscriptions/acknowledged", "SubscriptionsAcknowledgedNotification"),
    ("notifications/tools/list_changed", "ToolListChangedNotification"),
];

/// How many messages are drawn.
const DRAWN: u64 = 50_000;

/// Compares a message whose type is that of an example.
pub fn compare(schema: &Schema, name: &str, value: &Value, differences: &mut Differences) {
    let answered = name.strip_suffix("ResultResponse");
    let method = answered.and_then(|stem| METHODS.iter().find(|(_, known)| *known == stem)).map(|(method, _)| *method);
    one(schema, value, value.to_string().into_bytes(), method, differences);
}

/// A message around params, a result or an error, and the method that it is about; `None` for what stands elsewhere.
pub fn around(name: &str, value: &Value) -> Option<(Value, &'static str)> {
    let of = |stem: &str| METHODS.iter().find(|(_, known)| *known == stem).map(|(method, _)| *method);
    if let Some(stem) = name.strip_suffix("RequestParams") {
        let method = if stem == "Paginated" { "tools/list" } else { of(stem)? };
        return Some((json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": value}), method));
    }
    if let Some(kind) = name.strip_suffix("Params") {
        let method = NOTIFICATIONS.iter().find(|(_, known)| *known == kind).map(|(method, _)| *method)?;
        return Some((json!({"jsonrpc": "2.0", "method": method, "params": value}), method));
    }
    if let Some(stem) = name.strip_suffix("Result") {
        let method = if stem == "InputRequired" { "tools/call" } else { of(stem)? };
        return Some((json!({"jsonrpc": "2.0", "id": 1, "result": value}), method));
    }
    name.ends_with("Error").then(|| (json!({"jsonrpc": "2.0", "id": 1, "error": value}), "tools/call"))
}

/// Draws messages of the modern era and compares them.
pub fn drawn(schema: &Schema, differences: &mut Differences) {
    for seed in 0..DRAWN {
        let entropy = entropy(seed);
        let Ok(drawn) = mutate::drawn(&mut Unstructured::new(&entropy), &Swarm::all()) else { continue };
        let Ok(value) = serde_json::from_slice::<Value>(&drawn.value.body) else { continue };
        let method = drawn.value.stated.method.and_then(|method| String::from_utf8(method).ok());
        one(schema, &value, drawn.value.body, method.as_deref(), differences);
    }
}

/// Compares one message. `method` is what a response answers.
pub fn one(schema: &Schema, value: &Value, body: Vec<u8>, method: Option<&str>, differences: &mut Differences) {
    let is_response = value.get("method").is_none() && (value.get("result").is_some() || value.get("error").is_some());
    let case = Case {
        stated: Stated {
            revision: Revision::parse(b"2026-07-28"),
            capabilities: is_response.then_some(StatedCapabilities::CoreOnly),
            method: method.filter(|_| is_response).map(|method| method.as_bytes().to_vec()),
        },
        ..Case::stdio(if is_response { Party::Server } else { Party::Client }, body)
    };
    let mut reader = Reader::new(Limits::message());
    let reading = reader.read(&case, &Context::of(&case));
    let names_legacy = reading.era.is_some_and(|era| !era.is_modern());
    let refusal = reading.breaches.first().map(|breach| breach.refusal);
    // What is no JSON for the codec, a name twice or a byte order mark, the parser of the schema has settled already; and
    // of another revision this schema does not speak.
    let unread = refusal.is_some_and(|refusal| refusal.stage <= Stage::Json);
    // A result of a method without types, and one that claims completion beside a continuation, is no type for sure.
    let untyped =
        value.get("result").is_some() && is_response && method.is_none_or(|name| named(&METHODS, name).is_none());
    let neither = reading.conclusion == Some(Conclusion::Incomplete(IncompleteReason::ContradictoryResult));
    if unread || names_legacy || untyped || neither {
        return differences.skip();
    }
    let said = refusal.map_or(Said::Accepted, |refusal| Said::Refused(refusal.requirement));
    differences.add(said, fault(schema, value, method));
}

/// The place in the schema that a message fails, as the type that its members say it is.
fn fault(schema: &Schema, value: &Value, answered: Option<&str>) -> Option<String> {
    let Some(method) = value.get("method") else {
        if value.get("error").is_some() && value.get("result").is_none() {
            return schema.fault("JSONRPCErrorResponse", value);
        }
        let result = value.get("result").zip(answered.and_then(|method| named(&METHODS, method)));
        return schema.fault("JSONRPCResultResponse", value).or_else(|| {
            let (result, stem) = result?;
            let asks = result.get("resultType").and_then(Value::as_str) == Some("input_required");
            schema.fault(&if asks { "InputRequiredResult".to_owned() } else { format!("{stem}Result") }, result)
        });
    };
    let method = method.as_str().unwrap_or_default();
    if value.get("id").is_some() {
        let name = named(&METHODS, method).map_or("JSONRPCRequest".to_owned(), |stem| format!("{stem}Request"));
        return schema.fault(&name, value);
    }
    schema.fault(named(&NOTIFICATIONS, method).unwrap_or("JSONRPCNotification"), value)
}

fn named(list: &[(&str, &'static str)], method: &str) -> Option<&'static str> {
    list.iter().find(|(known, _)| *known == method).map(|(_, name)| *name)
}

/// Bytes that are a function of the seed alone.
fn entropy(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    std::iter::repeat_with(&mut next).take(48).flatten().collect()
}
