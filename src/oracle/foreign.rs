//! What may a subject that is not ours show for a case that was drawn?
//!
//! Where several rules are broken, or one that readers lawfully differ about, a set of answers is right: those of each
//! broken rule, and those of the table of faults that come together. Nothing is said of responses, which nobody answers,
//! and of faults that hide one another. A subject that closes the connection instead is out of reach, not wrong.

use super::predict::{Prediction, early_faults, is_answered};
use crate::case::{Case, Party, Revision, Transport};
use crate::codec::payload::{Force, Rule};
use crate::codec::refusal::{Reason, Stage};
use crate::generate::dictionary::{NAME_HEADER, VERSION_HEADER, VERSION_KEY};
use crate::generate::envelope::{LEGACY_METHODS, METHODS};
use crate::mutate::facts::{Facts, method, source, trimmed};
use crate::mutate::layout::Layout;
use crate::mutate::payload::{self, Standing};
use crate::mutation::{Generated, RequirementId};

/// A code and a status; neither is acceptance.
type Answer = (Option<i32>, Option<u16>);

const ACCEPTED: Answer = (None, None);

const fn bad(code: i32) -> Answer {
    (Some(code), Some(400))
}

const NOT_FOUND: Answer = (Some(-32601), Some(404));

/// What any other subject may show.
///
/// ```
/// use arbitrary::Unstructured;
/// use wirebench::generate::{self, Swarm};
/// use wirebench::oracle::foreign::predict_foreign;
/// use wirebench::oracle::predict::Prediction;
///
/// let plainest = generate::case(&mut Unstructured::new(&[]), &Swarm::all()).unwrap();
/// assert_eq!(predict_foreign(&plainest), Prediction::Accepted);
/// ```
pub fn predict_foreign(generated: &Generated<Case>) -> Prediction {
    let case = &generated.value;
    if case.from == Party::Server {
        return Prediction::NotPredicted;
    }
    match Faults::of(generated) {
        Some(faults) => faults.answers(),
        None => Prediction::NotPredicted,
    }
}

/// Everything that is wrong with a case.
struct Faults<'c> {
    case: &'c Case,
    layout: Option<Layout>,
    reasons: Vec<Reason>,
    /// The rules behind them, as far as they are told.
    rules: Vec<RequirementId>,
}

/// Faults behind which a reader may go on or not, so that what it meets then is not told.
const HIDING: [Reason; 3] = [Reason::DuplicateMember, Reason::LoneSurrogate, Reason::ByteOrderMark];

/// Faults that a reader which is less strict than ours takes as they are.
const TOLERATED: [Reason; 9] = [
    Reason::HybridMessage,
    Reason::DuplicateMember,
    Reason::ByteOrderMark,
    Reason::LoneSurrogate,
    Reason::IdSpelling,
    Reason::HeaderSpace,
    Reason::HeaderRepeated,
    Reason::SentinelUnclosed,
    Reason::RetryUnasked,
];

/// Rules that a reader may lawfully read otherwise, though their reason is no tolerable one.
const DISPUTED: [RequirementId; 5] = [
    "extension-tasks-subscribe-undeclaring-client",
    "sentinel-canonical-base64",
    "sentinel-encode-overlapping-lookalike",
    "sentinel-payload-is-utf8",
    "sentinel-bad-padding-rejected",
];

impl<'c> Faults<'c> {
    /// `None` where they cannot be told, or where one may hide another.
    fn of(generated: &'c Generated<Case>) -> Option<Self> {
        let case = &generated.value;
        let mut reasons = early_faults(&generated.mutations).ok()?;
        let mut rules = Vec::new();
        let goes_on =
            |reason: &Reason| matches!(reason, Reason::IdSpelling | Reason::HybridMessage) || HIDING.contains(reason);
        let ends = !reasons.iter().all(goes_on);
        if !ends {
            let (facts, payload) = (Facts::of(case), payload::standing(case, &generated.mutations));
            if facts.doubt.is_some() || facts.open || payload == Standing::Undecided {
                return None;
            }
            reasons.extend(facts.broken.iter().filter_map(|broken| broken.reason));
            rules.extend(facts.broken.iter().map(|broken| broken.requirement));
            if let Standing::Refused(reason) = payload {
                reasons.push(reason);
                rules.extend(generated.mutations.iter().flat_map(|mutation| &mutation.breaks));
            }
        }
        let hides = reasons.iter().any(|reason| HIDING.contains(reason));
        if hides && reasons.len() > 1 {
            return None;
        }
        Some(Self { case, layout: Layout::of(&case.body), reasons, rules })
    }

    fn answers(&self) -> Prediction {
        let mut answers: Vec<Answer> = self.reasons.iter().filter_map(|reason| self.own(*reason)).collect();
        for (_, holds, more) in ROWS {
            if holds(self) {
                answers.extend_from_slice(more);
            }
        }
        if self.has(Reason::Batch) {
            // Any client error will do, with an error that has no id or with nothing.
            let codes = [None, Some(-32600), Some(-32700)];
            answers.extend((400..500).flat_map(|status| codes.map(|code| (code, Some(status)))));
        }
        if self.payload_fault() {
            // The status that goes with a fault of the params is nowhere fixed.
            answers.extend([(Some(-32602), None), (Some(-32602), Some(200)), bad(-32602)]);
        }
        if answers.is_empty() {
            return Prediction::Accepted;
        }
        let disputed = |rule: &RequirementId| DISPUTED.contains(rule);
        let lenient = |id: &RequirementId| Rule::ALL.iter().any(|rule| rule.id == *id && rule.force != Force::Full);
        let tolerable = |reason: &Reason| {
            TOLERATED.contains(reason)
                || matches!(reason, Reason::SentinelMalformed | Reason::MissingClientCapability)
                    && self.rules.iter().any(disputed)
                || reason.stage() == Stage::Payload && self.rules.iter().any(lenient)
        };
        if self.reasons.iter().all(tolerable) {
            answers.push(ACCEPTED);
        }
        answers.sort_unstable();
        answers.dedup();
        Prediction::AnyOf(answers)
    }

    /// What our own reading owes for a reason. Who asked for no answer gets none.
    fn own(&self, reason: Reason) -> Option<Answer> {
        let silent = !is_answered(self.case, reason);
        Some(if silent { ACCEPTED } else { (Some(reason.code()?), reason.http()) })
    }

    /// Whether the message is answered: it has an id, or it may have been meant as anything.
    fn expects_answer(&self) -> bool {
        let Some(layout) = &self.layout else { return true };
        let has = |name| layout.member(&self.case.body, 0, name).is_some();
        has("id") || !has("method")
    }

    fn has(&self, reason: Reason) -> bool {
        self.reasons.contains(&reason)
    }

    fn has_any(&self, reasons: &[Reason]) -> bool {
        reasons.iter().any(|reason| self.has(*reason))
    }

    fn header(&self, name: &'static str) -> Option<&'c [u8]> {
        let header = self.case.headers_named(name).next().filter(|_| self.case.transport == Transport::Http)?;
        Some(trimmed(&header.value))
    }

    fn version(&self) -> Option<Vec<u8>> {
        let layout = self.layout.as_ref()?;
        let index = layout.find(&self.case.body, &["params", "_meta", VERSION_KEY])?;
        Some(layout.text(&self.case.body, index)?.into_owned())
    }

    fn method(&self) -> Vec<u8> {
        let text = self.layout.as_ref().and_then(|layout| method(&self.case.body, layout));
        text.map(|text| text.into_owned()).unwrap_or_default()
    }

    /// A request of a method that no revision has.
    fn unknown_method(&self) -> bool {
        let method = self.method();
        let known = METHODS.iter().map(|row| row.name).chain(LEGACY_METHODS.map(|row| row.0)).chain(["initialize"]);
        !method.is_empty() && self.expects_answer() && known.into_iter().all(|name| name.as_bytes() != method)
    }

    fn header_fault(&self) -> bool {
        self.reasons.iter().any(|reason| reason.stage() == Stage::Header)
    }

    fn payload_fault(&self) -> bool {
        self.reasons.iter().any(|reason| reason.stage() == Stage::Payload) && self.expects_answer()
    }

    /// Neither the header nor `_meta` names a version.
    fn says_nothing(&self) -> bool {
        let over_http = self.case.transport == Transport::Http && self.expects_answer();
        over_http && self.header(VERSION_HEADER).is_none() && self.version().is_none() && self.layout.is_some()
    }
}

type Row = (&'static str, fn(&Faults<'_>) -> bool, &'static [Answer]);

const HEADERS: [Reason; 3] = [Reason::MethodMismatch, Reason::NameMismatch, Reason::ParamMismatch];

/// Faults that come together or that readers tell by another code, and what may be answered besides the code of each.
const ROWS: &[Row] = &[
    (
        "header and body version differ, body version unsupported",
        |faults| faults.has(Reason::VersionMismatch) && faults.has(Reason::UnsupportedRevision),
        &[bad(-32020), bad(-32022)],
    ),
    (
        "body version absent, header present",
        |faults| faults.has(Reason::MissingRequestMetadata) && faults.header(VERSION_HEADER).is_some(),
        &[bad(-32602), bad(-32020)],
    ),
    (
        "version header and metadata both absent",
        |faults| faults.says_nothing() && !faults.reasons.iter().any(|reason| reason.stage() <= Stage::Envelope),
        &[ACCEPTED, bad(-32020), bad(-32602), NOT_FOUND],
    ),
    (
        "a metadata key missing and a header fault",
        |faults| {
            faults.has_any(&[Reason::MissingRequestMetadata, Reason::MissingCapabilities]) && faults.header_fault()
        },
        &[bad(-32602), bad(-32020)],
    ),
    (
        "capabilities missing and version unsupported",
        |faults| faults.has(Reason::MissingCapabilities) && faults.has(Reason::UnsupportedRevision),
        &[bad(-32602), bad(-32022)],
    ),
    (
        "version unsupported and a mirrored header at odds",
        |faults| faults.has(Reason::UnsupportedRevision) && faults.has_any(&HEADERS),
        &[bad(-32020), bad(-32022)],
    ),
    ("method unknown", |faults| faults.unknown_method(), &[NOT_FOUND]),
    ("method unknown and nothing else", |faults| faults.unknown_method() && faults.reasons.is_empty(), &[ACCEPTED]),
    (
        "the member that a header mirrors is absent or no string",
        |faults| {
            let mirrored = source(&faults.method()).is_some() && faults.case.transport == Transport::Http;
            mirrored && faults.payload_fault()
        },
        &[bad(-32602), bad(-32020)],
    ),
    (
        "no date, equal in both places",
        |faults| {
            let version = faults.version();
            let no_date = version.as_deref().is_some_and(|version| Revision::parse(version).is_none());
            faults.has(Reason::UnsupportedRevision) && no_date
        },
        &[bad(-32022), bad(-32602)],
    ),
    (
        "metadata or capabilities of the wrong type",
        |faults| {
            faults.has_any(&[Reason::MalformedRequestMetadata, Reason::MalformedCapabilities])
                && faults.expects_answer()
        },
        &[bad(-32602), bad(-32600)],
    ),
    ("a fault that readers pass over", |faults| faults.has_any(&HIDING), &[bad(-32700), bad(-32600)]),
    (
        "bytes that cannot be read, or too many",
        |faults| {
            faults.has_any(&[
                Reason::InvalidUtf8,
                Reason::TrailingData,
                Reason::DepthLimit,
                Reason::NumberLimit,
                Reason::StringLimit,
                Reason::MemberLimit,
                Reason::NodeLimit,
                Reason::ByteLimit,
            ])
        },
        &[bad(-32700), bad(-32600)],
    ),
    (
        "too many bytes",
        |faults| faults.has(Reason::ByteLimit),
        &[(None, Some(413)), (Some(-32700), Some(413)), (Some(-32600), Some(413))],
    ),
    (
        "the name of a notification with an id",
        |faults| faults.has(Reason::NotificationWithId),
        &[NOT_FOUND, bad(-32600), bad(-32602)],
    ),
    (
        "an envelope at fault and no id to answer",
        |faults| {
            let envelope = faults.reasons.iter().any(|reason| reason.stage() == Stage::Envelope);
            envelope && !faults.expects_answer()
        },
        &[ACCEPTED, bad(-32600), (None, Some(202)), (None, Some(400))],
    ),
    ("a method that is no string", |faults| faults.has(Reason::MethodNotString), &[bad(-32600), bad(-32602)]),
    (
        "a name header that may be decoded or compared",
        |faults| faults.header(NAME_HEADER).is_some() && faults.rules.iter().any(|rule| DISPUTED.contains(rule)),
        &[bad(-32020)],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutation::Mutation;

    const CAPABILITIES: &str = "\"io.modelcontextprotocol/clientCapabilities\":{}";

    /// A call over HTTP with this version header, metadata and name, and its records.
    fn call(version: &str, meta: &str, members: &str, records: &[(&'static str, &str, RequirementId)]) -> Prediction {
        let header = if version.is_empty() { String::new() } else { format!("MCP-Protocol-Version: {version}\n") };
        let text = format!(
            ":transport: http\n{header}Mcp-Method: tools/call\nMcp-Name: echo\n\n\
             {{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\"_meta\":{{{meta}}}{members}}}}}"
        );
        predicted(&text, records)
    }

    fn predicted(text: &str, records: &[(&'static str, &str, RequirementId)]) -> Prediction {
        let record = |(operator, path, rule): &(&'static str, &str, RequirementId)| Mutation {
            operator,
            path: (*path).to_owned(),
            breaks: vec![rule],
        };
        let value = Case::decode(text.as_bytes()).expect(text);
        predict_foreign(&Generated { value, mutations: records.iter().map(record).collect() })
    }

    fn codes(prediction: Prediction) -> Vec<Answer> {
        match prediction {
            Prediction::AnyOf(answers) => answers,
            other => panic!("{other:?}"),
        }
    }

    fn named(version: &str) -> String {
        format!("\"io.modelcontextprotocol/protocolVersion\":\"{version}\",{CAPABILITIES}")
    }

    #[test]
    fn the_table_of_faults_that_come_together_holds_row_by_row() {
        const NAME: &str = ",\"name\":\"echo\"";
        let now = "2026-07-28";
        assert_eq!(call(now, &named(now), NAME, &[]), Prediction::Accepted);
        for (version, meta, members, expected) in [
            (now, named("2025-06-18"), NAME, vec![bad(-32020)]),
            (now, named("2026-01-15"), NAME, vec![bad(-32022), bad(-32020)]),
            (now, CAPABILITIES.to_owned(), NAME, vec![bad(-32602), bad(-32020)]),
            ("", String::new(), NAME, vec![ACCEPTED, bad(-32602), NOT_FOUND, bad(-32020)]),
            ("2026-01-15", named("2026-01-15"), NAME, vec![bad(-32022)]),
            ("draft", named("draft"), NAME, vec![bad(-32602), bad(-32022)]),
            ("2026-01-15", named("2026-01-15"), ",\"name\":\"x\"", vec![bad(-32022), bad(-32020)]),
            (now, named(now), ",\"name\":\"x\"", vec![bad(-32020)]),
            (now, named(now), "", vec![(Some(-32602), None), (Some(-32602), Some(200)), bad(-32602), bad(-32020)]),
        ] {
            assert_eq!(codes(call(version, &meta, members, &[])), expected, "{version} {meta} {members}");
        }
    }

    #[test]
    fn early_faults_are_told_by_their_records_and_alone() {
        let ping = "\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
        for (record, expected) in [
            (("repeat-member", "/a", "json-member-names-unique"), vec![ACCEPTED, bad(-32700), bad(-32600)]),
            (("append-data", "", "json-single-value-no-trailing-garbage"), vec![bad(-32700), bad(-32600)]),
            (("invalid-utf8", "", "json-utf8-only"), vec![bad(-32700), bad(-32600)]),
            (("broken-number", "", "json-well-formed"), vec![bad(-32700)]),
            (("change-jsonrpc", "", "envelope-jsonrpc-is-2-0"), vec![bad(-32600)]),
        ] {
            assert_eq!(codes(predicted(ping, &[record])), expected, "{record:?}");
        }
        let batch = codes(predicted(ping, &[("batch", "", "envelope-no-batches")]));
        assert!(batch.contains(&(None, Some(404))) && batch.contains(&bad(-32600)) && !batch.contains(&ACCEPTED));
        let unknown = ping.replace("ping", "no/such");
        assert_eq!(codes(predicted(&unknown, &[])), [ACCEPTED, NOT_FOUND]);
        let answer = ":from: server\n\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";
        assert_eq!(predicted(answer, &[]), Prediction::NotPredicted);
    }
}
