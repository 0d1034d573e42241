//! Where the two disagree: what was seen of it, and the reason of each kind that is known.
//!
//! Either side of the table is exact: a kind without a row fails the run, and so does a row that nothing shows.

use std::collections::BTreeMap;

/// What the codec says of a value, in its profile `strict`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// Nothing is broken.
    Accepted,
    /// The first broken rule.
    Refused(&'static str),
}

/// Kinds of difference, each with its reason.
type Reasons = &'static [(&'static str, &'static str)];

const CLOSED: &str = "the schema leaves text and objects open where prose closes them";
const UNION: &str = "the types of the envelope are open, so a message of one shape is also one of another";
const PLAIN: &str = "methods without a type of their own are compared as plain requests, of which nothing is owed";
const ERROR: &str = "an error is compared as any error; the types of its code are not told apart by the schema";
const INTEGER: &str = "a whole number with a fraction of zeros is an integer for the schema";
const PROJECT: &str = "a rule that the schema cannot state: it is about several values at once";

/// Rules for which the codec refuses what the schema takes, and why.
const STRICTER: Reasons = &[
    ("capabilities-values-are-objects", ERROR),
    ("envelope-notification-has-no-id", UNION),
    ("envelope-params-required-on-modern-requests", PLAIN),
    ("envelope-request-has-id", UNION),
    ("envelope-response-exactly-one-of-result-error", UNION),
    ("envelope-response-has-no-method", UNION),
    ("error-code-is-integer", INTEGER),
    ("error-missing-capability-shape", ERROR),
    ("error-unsupported-version-shape", ERROR),
    ("id-integer-valued-float-is-accepted-by-schema", INTEGER),
    ("id-string-or-integer", "a number so large that the parser of the schema rounds it to a whole one"),
    ("meta-client-capabilities-is-object", PLAIN),
    ("meta-client-capabilities-required", PLAIN),
    ("meta-object-required-on-request", PLAIN),
    ("meta-protocol-version-required", PLAIN),
    ("mrtr-at-least-one-field", "the schema leaves both members out, prose asks for one"),
    ("mrtr-only-on-three-methods", "the schema cannot say which request a result answers"),
    ("payload-completion-total-integer", PROJECT),
    ("payload-content-audio-fields", CLOSED),
    ("payload-content-image-fields", CLOSED),
    ("payload-elicitation-url-valid", CLOSED),
    ("payload-icon-src-required-uri", CLOSED),
    ("payload-resource-uri-rfc3986", CLOSED),
    ("payload-resources-read-binary-base64", CLOSED),
    ("payload-roots-uri-file-scheme", CLOSED),
    ("payload-sampling-tool-result-id-matches", PROJECT),
    ("payload-sampling-tool-use-balanced", PROJECT),
    ("payload-tool-name-length", "the schema takes an empty name, and strict does not"),
    ("payload-tool-title-description-strings", "the schema takes a tool without a description, and strict does not"),
    ("result-type-unknown-is-invalid", "the token is an open string in the schema, prose closes the set"),
];

const GENERATED: &str = "the generated schema lost what its source allows: null, and numbers that are not whole";
const TOLD: &str = "told of and not refused: the breach is to be flagged, or only inferred to be one";
const IDENTITY: &str = "the identity of a server is for display, so its breach is told of and not refused";
const FORM: &str = "without the keyword that tells choices apart it is a lawful field for text";
const NULL: &str = "null counts as absent for what a result goes on with";

/// Places of the schema that refuse what the codec takes, and why.
const WIDER: Reasons = &[
    ("ElicitResult/properties/content/additionalProperties/anyOf", GENERATED),
    ("Implementation/properties/name/type", IDENTITY),
    ("Implementation/properties/version/type", IDENTITY),
    ("Implementation/required", IDENTITY),
    ("Implementation/type", IDENTITY),
    ("InputRequests/type", NULL),
    ("InputRequiredResult/properties/requestState/type", NULL),
    ("InputResponse/anyOf", GENERATED),
    ("JSONValue/anyOf", GENERATED),
    ("RequestId/type", "an error whose request could not be read may carry a null id, as JSON-RPC has it"),
    ("ServerCapabilities/properties/prompts/properties/listChanged/type", TOLD),
    ("ServerCapabilities/properties/resources/properties/listChanged/type", TOLD),
    ("ServerCapabilities/properties/resources/properties/subscribe/type", TOLD),
    ("ServerCapabilities/properties/tools/properties/listChanged/type", TOLD),
    ("SubscriptionFilter/properties/resourceSubscriptions/items/type", TOLD),
    ("SubscriptionFilter/properties/resourceSubscriptions/type", TOLD),
    ("SubscriptionFilter/properties/toolsListChanged/type", TOLD),
    ("SubscriptionFilter/type", TOLD),
    ("SubscriptionsAcknowledgedNotification/required", TOLD),
    ("SubscriptionsAcknowledgedNotificationParams/required", TOLD),
    ("SubscriptionsListenResult/required", TOLD),
    ("SubscriptionsListenResultMetaObject/required", TOLD),
    ("TitledSingleSelectEnumSchema/required", FORM),
    (
        "Tool/properties/inputSchema/properties/$schema/type",
        "what a tool's schema says is data, and its dialect is too",
    ),
    ("UntitledSingleSelectEnumSchema/required", FORM),
];

/// What was compared, and each kind of difference with how often it showed.
#[derive(Default)]
pub struct Differences {
    compared: u64,
    agreed: u64,
    skipped: u64,
    stricter: BTreeMap<String, u64>,
    wider: BTreeMap<String, u64>,
}

impl Differences {
    /// Counts what both say of one value; `fault` is the place that the schema refuses it at.
    pub fn add(&mut self, said: Said, fault: Option<String>) {
        self.compared += 1;
        match (said, fault) {
            (Said::Refused(rule), None) => *self.stricter.entry(rule.to_owned()).or_default() += 1,
            (Said::Accepted, Some(place)) => *self.wider.entry(place).or_default() += 1,
            (Said::Accepted, None) | (Said::Refused(_), Some(_)) => self.agreed += 1,
        }
    }

    /// Counts a message that the two cannot be compared on.
    pub fn skip(&mut self) {
        self.skipped += 1;
    }

    /// Prints every kind with its reason, and the sums.
    pub fn print(&self, examples: usize) {
        for (title, seen, known) in self.sides() {
            println!("{title}");
            for (kind, count) in seen {
                println!("  {count:>6}  {kind}: {}", why(known, kind).unwrap_or("NOT LISTED"));
            }
            for (kind, _) in known.iter().filter(|(kind, _)| !seen.contains_key(*kind)) {
                println!("       0  {kind}: LISTED AND NOT SHOWN");
            }
        }
        println!("{examples} examples, {} comparisons, {} alike, {} skipped", self.compared, self.agreed, self.skipped);
    }

    /// Whether the tables say what was seen, no less and no more.
    pub fn are_listed(&self) -> bool {
        self.sides().into_iter().all(|(_, seen, known)| {
            seen.keys().all(|kind| why(known, kind).is_some()) && known.iter().all(|(kind, _)| seen.contains_key(*kind))
        })
    }

    fn sides(&self) -> [(&'static str, &BTreeMap<String, u64>, Reasons); 2] {
        [
            ("the codec refuses and the schema takes:", &self.stricter, STRICTER),
            ("the schema refuses and the codec takes:", &self.wider, WIDER),
        ]
    }
}

fn why(known: Reasons, kind: &str) -> Option<&'static str> {
    known.iter().find(|(listed, _)| *listed == kind).map(|(_, why)| *why)
}
