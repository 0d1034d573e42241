//! Whole messages: requests, notifications, results and errors of either era, over either transport.
//!
//! Everything drawn here is lawful. What breaks a rule is an operator's work, so that it has a record.

use arbitrary::{Result, Unstructured};

use super::{Swarm, dictionary, document, header, meta, payload, rare, result};
use crate::case::{Case, Party, Revision, StatedCapabilities};
use crate::mutation::{Generated, Mutation};

/// A method, with what a plain request and a plain result of it hold.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// The member of `params` that `Mcp-Name` mirrors.
    pub source: Option<&'static str>,
    /// The other members of `params`, each with a comma before it.
    pub params: &'static str,
    /// The members of a plain result beside its token, each with a comma before it.
    pub result: &'static str,
    /// Whether it may be answered with a request for input.
    pub asks: bool,
}

const fn method(
    name: &'static str,
    source: Option<&'static str>,
    params: &'static str,
    result: &'static str,
    asks: bool,
) -> Method {
    Method { name, source, params, result, asks }
}

/// The methods that a modern client sends, the plainest first.
pub const METHODS: [Method; 13] = [
    method("tools/call", Some("name"), "", ",\"content\":[]", true),
    method("tools/list", None, "", ",\"tools\":[],\"ttlMs\":0,\"cacheScope\":\"private\"", false),
    method(
        "server/discover",
        None,
        "",
        ",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{},\"ttlMs\":0,\"cacheScope\":\"public\"",
        false,
    ),
    method("prompts/get", Some("name"), "", ",\"messages\":[]", true),
    method("resources/read", Some("uri"), "", ",\"contents\":[],\"ttlMs\":0,\"cacheScope\":\"private\"", true),
    method("prompts/list", None, "", ",\"prompts\":[],\"ttlMs\":0,\"cacheScope\":\"private\"", false),
    method("resources/list", None, "", ",\"resources\":[],\"ttlMs\":0,\"cacheScope\":\"private\"", false),
    method(
        "resources/templates/list",
        None,
        "",
        ",\"resourceTemplates\":[],\"ttlMs\":0,\"cacheScope\":\"private\"",
        false,
    ),
    method(
        "completion/complete",
        None,
        ",\"ref\":{\"type\":\"ref/prompt\",\"name\":\"p\"},\"argument\":{\"name\":\"a\",\"value\":\"\"}",
        ",\"completion\":{\"values\":[]}",
        false,
    ),
    method(
        "subscriptions/listen",
        None,
        ",\"notifications\":{}",
        ",\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1}",
        false,
    ),
    method("tasks/get", Some("taskId"), "", TASK, false),
    method("tasks/update", Some("taskId"), ",\"inputResponses\":{}", "", false),
    method("tasks/cancel", Some("taskId"), "", "", false),
];

const TASK: &str = ",\"taskId\":\"echo\",\"status\":\"working\",\"createdAt\":\"2026-07-28T00:00:00Z\",\
                    \"lastUpdatedAt\":\"2026-07-28T00:00:00Z\",\"ttlMs\":null";

/// The methods that only a handshake era has, with their params as whole text.
pub const LEGACY_METHODS: [(&str, &str); 6] = [
    ("ping", ""),
    ("logging/setLevel", "{\"level\":\"info\"}"),
    ("resources/subscribe", "{\"uri\":\"file:///a\"}"),
    ("resources/unsubscribe", "{\"uri\":\"file:///a\"}"),
    ("tools/list", ""),
    ("tools/call", "{\"name\":\"echo\",\"arguments\":{}}"),
];

/// Draws a request of a modern client.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn modern_request(u: &mut Unstructured<'_>, swarm: &Swarm) -> Result<Generated<Case>> {
    let method = if swarm.methods { u.choose(&METHODS)? } else { &METHODS[0] };
    let name = match method.source {
        Some("uri") => Some(if swarm.names { *u.choose(&dictionary::URIS)? } else { dictionary::URIS[0] }),
        Some("taskId") => Some("t1"),
        Some(_) => Some(if swarm.names { *u.choose(&dictionary::NAMES)? } else { dictionary::NAMES[0] }),
        None => None,
    };
    let mut mutations = Vec::new();
    let mut body = Vec::with_capacity(320);
    open(&mut body, id(u, swarm)?, method.name);
    body.extend_from_slice(b",\"params\":{\"_meta\":");
    let rich = swarm.payloads && rare(u, 3, 4)?;
    let tasks = method.name.starts_with("tasks/");
    meta::write(&mut body, u, swarm.metas, Some(dictionary::MODERN), rich, tasks)?;
    if let (Some(source), Some(name)) = (method.source, name) {
        body.push(b',');
        document::write_text(source, &mut body);
        body.push(b':');
        document::write_text(name, &mut body);
    }
    let specimen = if rich { payload::pick(payload::PARAMS, method.name, u.arbitrary()?) } else { None };
    body.extend_from_slice(specimen.unwrap_or(method.params).as_bytes());
    if specimen.is_none() && method.name == "tools/call" && (swarm.documents || swarm.odd_documents) && rare(u, 7, 8)? {
        body.extend_from_slice(b",\"arguments\":");
        if swarm.odd_documents && rare(u, 1, 4)? {
            let (value, operator, breaks) = document::odd_object(u)?;
            value.write(&mut body);
            let path = "/params/arguments".to_owned();
            mutations.push(Mutation { operator, path, breaks: vec![breaks] });
        } else {
            document::object(u, 3)?.write(&mut body);
        }
    }
    body.extend_from_slice(b"}}");
    let mut case = Case::http(Party::Client, body);
    if swarm.stdio && u.arbitrary()? {
        case.transport = crate::case::Transport::Stdio;
    } else {
        header::mirror(&mut case, u, swarm.headers, dictionary::MODERN, method.name, name)?;
        case.partial_headers = swarm.headers && rare(u, 1, 8)?;
    }
    Ok(Generated { value: case, mutations })
}

/// Draws a request of a legacy client.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn legacy_request(u: &mut Unstructured<'_>, swarm: &Swarm) -> Result<Case> {
    let (revision, method, params) = if swarm.payloads && u.arbitrary()? {
        *u.choose(&payload::LEGACY_REQUESTS)?
    } else {
        let (method, params) = *u.choose(&LEGACY_METHODS)?;
        (*u.choose(&dictionary::LEGACY)?, method, params)
    };
    let mut body = Vec::with_capacity(160);
    open(&mut body, id(u, swarm)?, method);
    if !params.is_empty() {
        body.extend_from_slice(b",\"params\":");
        body.extend_from_slice(params.as_bytes());
    }
    body.push(b'}');
    let http = u.arbitrary()?;
    let mut case = if http { Case::http(Party::Client, body) } else { Case::stdio(Party::Client, body) };
    if http && u.arbitrary()? {
        case.headers.push(crate::case::Header::new(dictionary::VERSION_HEADER, revision));
    } else if u.arbitrary()? {
        case.stated.revision = Revision::parse(revision.as_bytes());
    }
    Ok(case)
}

/// Draws a request of a server, which only legacy revisions have.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn server_request(u: &mut Unstructured<'_>, swarm: &Swarm) -> Result<Case> {
    let (revision, method, params) = *u.choose(&payload::SERVER_REQUESTS)?;
    let mut body = Vec::with_capacity(320);
    open(&mut body, id(u, swarm)?, method);
    body.extend_from_slice(b",\"params\":");
    body.extend_from_slice(params.as_bytes());
    body.push(b'}');
    let mut case = Case::stdio(Party::Server, body);
    case.stated.revision = Revision::parse(revision.as_bytes());
    Ok(case)
}

/// Draws a notification of either side.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn notification(u: &mut Unstructured<'_>, swarm: &Swarm) -> Result<Case> {
    if swarm.payloads && rare(u, 3, 4)? {
        let (by_client, revision, method, params) = *u.choose(&payload::NOTIFICATIONS)?;
        let from = if by_client { Party::Client } else { Party::Server };
        let body = format!("{{\"jsonrpc\":\"2.0\",\"method\":\"{method}\",\"params\":{params}}}");
        let mut case = Case::stdio(from, body);
        case.stated.revision = Revision::parse(revision.as_bytes());
        return Ok(case);
    }
    let (party, body) = *u.choose(&NOTIFICATIONS)?;
    Ok(Case::stdio(party, body))
}

const NOTIFICATIONS: [(Party, &str); 4] = [
    (Party::Client, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}"),
    (Party::Client, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"),
    (Party::Server, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}"),
    (
        Party::Server,
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\
         \"params\":{\"progressToken\":\"p\",\"progress\":0.5}}",
    ),
];

/// Draws a lone response, with what was known around it.
///
/// # Errors
///
/// Only what `Unstructured` itself reports.
pub fn response(u: &mut Unstructured<'_>, swarm: &Swarm) -> Result<Case> {
    let modern = !(swarm.eras && rare(u, 1, 3)?);
    if !modern && swarm.payloads && u.arbitrary()? {
        return legacy_result(u, swarm);
    }
    let method = if swarm.methods { u.choose(&METHODS)? } else { &METHODS[0] };
    let mut body = Vec::with_capacity(200);
    body.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    body.extend_from_slice(id(u, swarm)?.as_bytes());
    let mut case = Case::stdio(Party::Server, Vec::new());
    let http = u.arbitrary()?;
    let mut status = 200;
    if rare(u, 1, 4)? {
        let (error, owed) = result::error(u, modern)?;
        body.extend_from_slice(b",\"error\":");
        body.extend_from_slice(error.as_bytes());
        status = owed;
    } else {
        body.extend_from_slice(b",\"result\":");
        if modern {
            let outcome = outcome(u, swarm, method)?;
            let rich = swarm.payloads && rare(u, 3, 4)?;
            let members = match outcome {
                result::Outcome::InputRequired if rich => *u.choose(&payload::QUESTIONS)?,
                result::Outcome::InputRequired => result::continuation(u)?,
                result::Outcome::Complete if rich => {
                    payload::pick(payload::RESULTS, method.name, u.arbitrary()?).unwrap_or(method.result)
                }
                result::Outcome::Complete => method.result,
                result::Outcome::Task => result::TASK,
            };
            result::write_modern(&mut body, outcome, members);
            case.stated.capabilities = Some(match outcome {
                result::Outcome::Task => StatedCapabilities::Extensions(vec![dictionary::TASKS.into()]),
                _ if rich && method.name.starts_with("tasks/") => {
                    StatedCapabilities::Extensions(vec![dictionary::TASKS.into()])
                }
                _ => stated(u, swarm)?,
            });
        } else {
            result::write_legacy(&mut body, method);
        }
    }
    body.push(b'}');
    case.body = body;
    if http {
        case.transport = crate::case::Transport::Http;
        case.status = Some(status);
    }
    let revision = if modern { dictionary::MODERN } else { u.choose(&dictionary::LEGACY)? };
    case.stated.revision = Revision::parse(revision.as_bytes());
    case.stated.method = Some(method.name.into());
    Ok(case)
}

fn legacy_result(u: &mut Unstructured<'_>, swarm: &Swarm) -> Result<Case> {
    let (revision, method, members) = *u.choose(&payload::LEGACY_RESULTS)?;
    let id = id(u, swarm)?;
    let mut case = Case::stdio(Party::Server, format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{{members}}}}}"));
    case.stated.revision = Revision::parse(revision.as_bytes());
    case.stated.method = Some(method.into());
    Ok(case)
}

fn outcome(u: &mut Unstructured<'_>, swarm: &Swarm, method: &Method) -> Result<result::Outcome> {
    if !swarm.results {
        return Ok(result::Outcome::Complete);
    }
    Ok(match u.int_in_range(0..=3)? {
        2 if method.asks => result::Outcome::InputRequired,
        3 if method.name == "tools/call" => result::Outcome::Task,
        _ => result::Outcome::Complete,
    })
}

fn stated(u: &mut Unstructured<'_>, swarm: &Swarm) -> Result<StatedCapabilities> {
    if !swarm.metas {
        return Ok(StatedCapabilities::CoreOnly);
    }
    Ok(match u.int_in_range(0..=6)? {
        0 | 1 => StatedCapabilities::CoreOnly,
        2 => StatedCapabilities::None,
        3 => StatedCapabilities::Absent,
        4 => StatedCapabilities::ExtensionNotUnderstood,
        5 => StatedCapabilities::Extensions(vec![b"com.example/x".to_vec()]),
        _ => StatedCapabilities::Extensions(vec![dictionary::TASKS.into()]),
    })
}

fn id(u: &mut Unstructured<'_>, swarm: &Swarm) -> Result<&'static str> {
    if swarm.ids { u.choose(&dictionary::PLAIN_IDS).copied() } else { Ok(dictionary::PLAIN_IDS[0]) }
}

fn open(body: &mut Vec<u8>, id: &str, method: &str) {
    body.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
    body.extend_from_slice(id.as_bytes());
    body.extend_from_slice(b",\"method\":\"");
    body.extend_from_slice(method.as_bytes());
    body.push(b'"');
}
