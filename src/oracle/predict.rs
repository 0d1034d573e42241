//! What must come out for a case, told from what was done to it and not by reading it with the codec.
//!
//! For our own codec under its strict profile the answer is one refusal: the first broken rule in the order of the
//! stages. For any other subject it is a set of answers, since the specification leaves the order of its checks open.
//!
//! Faults of bytes, JSON and envelope come from the records of the operators. Everything after that is asked of the final
//! case, so that two edits which meet, on a header and its source in the body for example, are told together. Where an
//! edit may have undone another, or the rules of judgement are silent, nothing is predicted.

use crate::case::{Case, Party};
use crate::codec::refusal::{Reason, Stage};
use crate::mutate::facts::{Facts, Kind, kind};
use crate::mutate::layout::Layout;
use crate::mutate::payload;
use crate::mutation::{Generated, Mutation, RequirementId};

/// What must come out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prediction {
    /// No refusal.
    Accepted,
    /// This refusal and no other.
    Refused {
        /// The stage of the first broken rule.
        stage: Stage,
        /// Why it is refused.
        reason: Reason,
        /// The code that is owed; `None` where nobody answers.
        code: Option<i32>,
        /// The status that is owed over HTTP; `None` where nobody answers.
        http: Option<u16>,
    },
    /// One of these codes and statuses. `(None, None)` is acceptance.
    AnyOf(Vec<(Option<i32>, Option<u16>)>),
    /// The records do not tell.
    NotPredicted,
}

/// What our own codec must show under its strict profile.
///
/// ```
/// use arbitrary::Unstructured;
/// use wirebench::generate::{self, Swarm};
/// use wirebench::oracle::predict::{Prediction, predict};
///
/// let plainest = generate::case(&mut Unstructured::new(&[]), &Swarm::all()).unwrap();
/// assert_eq!(predict(&plainest), Prediction::Accepted);
/// ```
pub fn predict(generated: &Generated<Case>) -> Prediction {
    let Ok(early) = early_faults(&generated.mutations) else { return Prediction::NotPredicted };
    if is_filled_again(&generated.mutations) {
        return Prediction::NotPredicted;
    }
    let reason = match early.first() {
        Some(&first) if early.iter().any(|other| *other != first && rank(*other) == rank(first)) => {
            return Prediction::NotPredicted;
        }
        Some(&first) => first,
        None => match Facts::of(&generated.value).first(payload::standing(&generated.value, &generated.mutations)) {
            Ok(Some(reason)) => reason,
            Ok(None) => return Prediction::Accepted,
            Err(_) => return Prediction::NotPredicted,
        },
    };
    let answered = is_answered(&generated.value, reason);
    Prediction::Refused {
        stage: stage(&generated.value, reason),
        reason,
        code: reason.code().filter(|_| answered),
        http: reason.http().filter(|_| answered),
    }
}

/// Whether a server owes an error for it. Before the envelope is readable anything might have been a request; after that
/// only a request is answered.
pub(super) fn is_answered(case: &Case, reason: Reason) -> bool {
    let Some(layout) = Layout::of(&case.body) else { return true };
    let has = |name| layout.member(&case.body, 0, name).is_some();
    match reason.stage() {
        Stage::Bytes | Stage::Json => true,
        Stage::Envelope => match reason {
            Reason::RequestWithoutId => false,
            Reason::ResultNorError => has("id") && case.from == Party::Client,
            _ => has("method") || !(has("result") || has("error")),
        },
        _ => kind(&case.body, &layout) == Kind::Request,
    }
}

/// Of a response the capabilities are those of its call, which have a stage of their own.
fn stage(case: &Case, reason: Reason) -> Stage {
    match (reason, case.from) {
        (Reason::MalformedCapabilities, Party::Server) => Stage::Capabilities,
        _ => reason.stage(),
    }
}

/// Operators that take a payload out of sight, so that nothing of it is judged until another one fills the place.
const HIDING: [&str; 2] = ["drop-params", "ineligible-task"];

/// Whether a payload came back into sight that no record tells of.
fn is_filled_again(mutations: &[Mutation]) -> bool {
    let mut rest = mutations.iter();
    while let Some(mutation) = rest.next() {
        let fills = |later: &Mutation| later.path.starts_with(&mutation.path);
        if HIDING.contains(&mutation.operator) && rest.clone().any(fills) {
            return true;
        }
    }
    false
}

/// An edit may have undone a fault.
pub(super) struct Undone;

/// The faults of bytes, JSON and envelope in the order of the stages, each once.
pub(super) fn early_faults(mutations: &[Mutation]) -> Result<Vec<Reason>, Undone> {
    let mut reasons = Vec::new();
    for (index, mutation) in mutations.iter().enumerate() {
        let found: Vec<Reason> = mutation.breaks.iter().filter_map(|rule| early(rule, mutation.operator)).collect();
        let covers = |later: &Mutation| {
            let rest = mutation.path.strip_prefix(&later.path);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) && !ADDING.contains(&later.operator)
        };
        if !found.is_empty() && mutations[index + 1..].iter().any(covers) {
            return Err(Undone);
        }
        reasons.extend(found);
    }
    reasons.sort_by_key(|reason| rank(*reason));
    reasons.dedup();
    Ok(reasons)
}

/// Where a reason stands among the early ones. What replaces the whole message comes before its members, and an id in
/// an unusual spelling does not end the reading.
fn rank(reason: Reason) -> (Stage, u8) {
    let within = match reason {
        Reason::Batch | Reason::RootNotObject => 0,
        Reason::IdSpelling => 2,
        _ => 1,
    };
    (reason.stage(), within)
}

/// The reason of a rule that is broken before the metadata is read.
fn early(rule: RequirementId, operator: &str) -> Option<Reason> {
    EARLY.iter().find(|row| row.0 == rule && (row.1.is_empty() || row.1 == operator)).map(|row| row.2)
}

/// Rules with the operator where the rule alone does not say the reason; empty where it does.
const EARLY: [(RequirementId, &str, Reason); 39] = [
    ("json-no-byte-order-mark", "", Reason::ByteOrderMark),
    ("json-member-names-unique", "", Reason::DuplicateMember),
    ("json-single-value-no-trailing-garbage", "", Reason::TrailingData),
    ("json-no-lone-surrogate-escapes", "", Reason::LoneSurrogate),
    ("json-utf8-only", "", Reason::InvalidUtf8),
    ("json-well-formed", "control-character", Reason::ControlCharacter),
    ("json-well-formed", "write-control-character", Reason::ControlCharacter),
    ("json-well-formed", "broken-escape", Reason::InvalidEscape),
    ("json-well-formed", "broken-number", Reason::InvalidNumber),
    ("json-well-formed", "write-broken-number", Reason::InvalidNumber),
    ("json-well-formed", "foreign-value", Reason::UnexpectedByte),
    ("json-well-formed", "trailing-comma", Reason::UnexpectedByte),
    ("json-well-formed", "cut-tail", Reason::UnexpectedEnd),
    ("project-limit-depth", "", Reason::DepthLimit),
    ("project-limit-number", "", Reason::NumberLimit),
    ("envelope-no-batches", "", Reason::Batch),
    ("envelope-legacy-batch-not-empty", "", Reason::Batch),
    ("envelope-legacy-no-batch-other-versions", "", Reason::Batch),
    ("json-top-level-is-object", "", Reason::RootNotObject),
    ("envelope-jsonrpc-is-2-0", "", Reason::JsonrpcVersion),
    ("json-member-names-case-sensitive", "fold-jsonrpc", Reason::JsonrpcVersion),
    ("envelope-method-is-string", "", Reason::MethodNotString),
    ("envelope-request-has-id", "", Reason::RequestWithoutId),
    ("envelope-result-response-has-id", "", Reason::IdType),
    ("envelope-notification-has-no-id", "", Reason::NotificationWithId),
    ("id-not-null", "", Reason::IdType),
    ("id-string-or-integer", "id-wrong-type", Reason::IdType),
    ("id-string-or-integer", "id-fraction", Reason::IdFraction),
    ("envelope-response-exactly-one-of-result-error", "result-and-error", Reason::ResultAndError),
    ("envelope-response-exactly-one-of-result-error", "result-nor-error", Reason::ResultNorError),
    ("envelope-response-exactly-one-of-result-error", "drop-method", Reason::ResultNorError),
    ("envelope-response-exactly-one-of-result-error", "fold-root-name", Reason::ResultNorError),
    ("envelope-response-has-no-method", "", Reason::HybridMessage),
    ("error-code-is-integer", "", Reason::ErrorShape),
    ("error-message-is-string", "", Reason::ErrorShape),
    ("error-member-not-null", "", Reason::ErrorShape),
    ("id-integer-valued-float-is-accepted-by-schema", "", Reason::IdSpelling),
    ("project-limit-bytes", "", Reason::ByteLimit),
    ("project-limit-string", "", Reason::StringLimit),
];

/// Operators that add and take nothing away, so that no earlier fault can be undone by them.
const ADDING: [&str; 22] = [
    "repeat-member",
    "contradict-member",
    "repeat-member-escaped",
    "append-data",
    "prepend-byte-order-mark",
    "lone-surrogate",
    "invalid-utf8",
    "control-character",
    "broken-escape",
    "trailing-comma",
    "too-deep",
    "as-deep-as-allowed",
    "too-long-number",
    "as-long-a-number-as-allowed",
    "add-space",
    "escape-letter",
    "swap-members",
    "add-member",
    "add-good-key",
    "add-bad-key",
    "broken-trace",
    "cut-tail",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn generated(case: Case, mutations: &[(&'static str, &str, &[RequirementId])]) -> Generated<Case> {
        let record = |(operator, path, breaks): &(&'static str, &str, &[RequirementId])| Mutation {
            operator,
            path: (*path).to_owned(),
            breaks: breaks.to_vec(),
        };
        Generated { value: case, mutations: mutations.iter().map(record).collect() }
    }

    fn reason(generated: &Generated<Case>) -> Option<Reason> {
        match predict(generated) {
            Prediction::Refused { reason, .. } => Some(reason),
            _ => None,
        }
    }

    #[test]
    fn the_first_fault_in_stage_order_is_predicted_whatever_was_done_first() {
        let case = Case::decode(b"\n{\"jsonrpc\":\"1.0\",\"id\":1.0,\"method\":\"ping\"}").unwrap();
        let spelling = ("id-spelling", "/id", &["id-integer-valued-float-is-accepted-by-schema"][..]);
        let jsonrpc = ("change-jsonrpc", "/jsonrpc", &["envelope-jsonrpc-is-2-0"][..]);
        let tail = ("append-data", "", &["json-single-value-no-trailing-garbage"][..]);
        assert_eq!(reason(&generated(case.clone(), &[spelling])), Some(Reason::IdSpelling));
        assert_eq!(reason(&generated(case.clone(), &[spelling, jsonrpc])), Some(Reason::JsonrpcVersion));
        assert_eq!(reason(&generated(case, &[spelling, tail, jsonrpc])), Some(Reason::TrailingData));
    }

    #[test]
    fn what_may_have_been_undone_is_not_predicted() {
        let case = Case::decode(b"\n{}").unwrap();
        let twice = ("repeat-member", "/params/a", &["json-member-names-unique"][..]);
        let meta = ("params-not-object", "/params", &["envelope-params-is-object"][..]);
        assert_eq!(predict(&generated(case.clone(), &[twice, meta])), Prediction::NotPredicted);
        assert_eq!(reason(&generated(case, &[meta, twice])), Some(Reason::DuplicateMember));
    }

    #[test]
    fn a_header_and_its_source_are_told_from_the_final_case() {
        let text = ":transport: http\nMCP-Protocol-Version: 2025-11-25\nMcp-Method: x\n\n\
                    {\"id\":1,\"method\":\"x\",\"params\":{\"_meta\":{\
                    \"io.modelcontextprotocol/protocolVersion\":\"2025-11-25\"}}}";
        let case = Case::decode(text.as_bytes()).unwrap();
        let rule = &["header-protocol-version-equals-meta"][..];
        let both = [("other-version-header", "header:MCP-Protocol-Version", rule), ("version-legacy", "/params", rule)];
        assert_eq!(predict(&generated(case, &both)), Prediction::Accepted);
    }
}
