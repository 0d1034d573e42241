//! What is refused: at which stage, for which reason, under which rule, at which byte.
//!
//! Stages and reasons are closed lists. A refusal carries no text of the peer: offsets and words of our own, nothing
//! else. The table in this file is the one place that says which stage a reason belongs to, which rule it enforces and
//! which JSON-RPC code and HTTP status a server owes for it.

use std::fmt;

/// The stages of a reading, in the order in which a broken rule is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// A frame of a stream: one stdio line or one SSE event.
    Frame,
    /// The wrapper that a recording keeps its messages in.
    Transcript,
    /// Size and encoding of the whole message.
    Bytes,
    /// JSON syntax, limits and duplicate members.
    Json,
    /// The JSON-RPC shape. Faults up to here end the reading.
    Envelope,
    /// What is present in `params` and `_meta` has its type.
    Metadata,
    /// HTTP header fields, alone and against the body.
    Header,
    /// The two keys that every modern request owes.
    RequiredKeys,
    /// Whether the revision is one that is known.
    Revision,
    /// What the client declared.
    Capabilities,
    /// The result token and its continuation.
    Result,
    /// What the method's params or result hold.
    Payload,
    /// Rules over several messages of one session.
    Session,
}

impl Stage {
    /// Every stage, in order.
    pub const ALL: [Self; 13] = [
        Self::Frame,
        Self::Transcript,
        Self::Bytes,
        Self::Json,
        Self::Envelope,
        Self::Metadata,
        Self::Header,
        Self::RequiredKeys,
        Self::Revision,
        Self::Capabilities,
        Self::Result,
        Self::Payload,
        Self::Session,
    ];

    /// The word that is printed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Frame => "frame",
            Self::Transcript => "transcript",
            Self::Bytes => "bytes",
            Self::Json => "json",
            Self::Envelope => "envelope",
            Self::Metadata => "metadata",
            Self::Header => "header",
            Self::RequiredKeys => "required-keys",
            Self::Revision => "revision",
            Self::Capabilities => "capabilities",
            Self::Result => "result",
            Self::Payload => "payload",
            Self::Session => "session",
        }
    }
}

macro_rules! reasons {
    ($($variant:ident $word:literal $stage:ident $code:expr, $http:expr, $rule:literal; $doc:literal)*) => {
        /// Why something is refused. The word is the kebab-case of the name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Reason { $(#[doc = $doc] $variant,)* }

        impl Reason {
            /// Every reason, in the order of the stages.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The word that is printed.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// The stage that this reason belongs to, when nothing else is said.
            pub const fn stage(self) -> Stage {
                match self { $(Self::$variant => Stage::$stage,)* }
            }

            /// The requirement that is broken, when no narrower one is named.
            pub const fn requirement(self) -> &'static str {
                match self { $(Self::$variant => $rule,)* }
            }

            /// The JSON-RPC code that a server owes for a request refused so.
            pub const fn code(self) -> Option<i32> {
                match self { $(Self::$variant => $code,)* }
            }

            /// The HTTP status that a server owes for a request refused so.
            pub const fn http(self) -> Option<u16> {
                match self { $(Self::$variant => $http,)* }
            }

            /// What the reason means, in a few words of our own.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $doc,)* }
            }
        }
    };
}

const PARSE: Option<i32> = Some(-32700);
const INVALID: Option<i32> = Some(-32600);
const PARAMS: Option<i32> = Some(-32602);
const HEADER: Option<i32> = Some(-32020);
const REVISION: Option<i32> = Some(-32022);
const CAPABILITY: Option<i32> = Some(-32021);
const BAD: Option<u16> = Some(400);

reasons! {
    FrameLimit "frame-limit" Frame PARSE, None, "project-limit-bytes"; "A line, or the data of an event, is longer than the limit."
    UnterminatedFrame "unterminated-frame" Frame PARSE, None, "stdio-newline-delimited"; "The stream ends before the line or the event does."
    EventType "event-type" Frame None, None, "sse-unknown-fields-ignored"; "An event of another type than message holds no message."

    TranscriptShape "transcript-shape" Transcript None, None, "project-transcript-shape"; "The wrapper is not one of the recorded forms."
    TranscriptTransport "transcript-transport" Transcript None, None, "project-transcript-shape"; "The transport of a framed recording is neither streamable-http nor http-sse."
    TranscriptEntry "transcript-entry" Transcript None, None, "project-transcript-shape"; "An entry does not hold exactly one of request, response and sse."
    TranscriptMessage "transcript-message" Transcript None, None, "project-transcript-shape"; "A recorded message is no JSON-RPC message, so the whole recording is refused."
    TranscriptId "transcript-id" Transcript None, None, "id-unique-among-in-flight"; "Two requests that are outstanding together carry one id."
    EventLimit "event-limit" Transcript None, None, "project-limit-events"; "The recording holds more events than the limit."
    LineLimit "line-limit" Transcript None, None, "project-limit-line"; "A line is longer than the limit."

    ByteLimit "byte-limit" Bytes PARSE, Some(413), "project-limit-bytes"; "The message is longer than the limit."
    ByteOrderMark "byte-order-mark" Bytes PARSE, BAD, "json-no-byte-order-mark"; "The message starts with a byte order mark."

    UnexpectedEnd "unexpected-end" Json PARSE, BAD, "json-well-formed"; "The text ends inside a value."
    UnexpectedByte "unexpected-byte" Json PARSE, BAD, "json-well-formed"; "A byte that cannot stand at this place."
    InvalidNumber "invalid-number" Json PARSE, BAD, "json-well-formed"; "A number that JSON does not have."
    InvalidEscape "invalid-escape" Json PARSE, BAD, "json-well-formed"; "An escape that JSON does not have."
    ControlCharacter "control-character" Json PARSE, BAD, "json-well-formed"; "A raw control character inside a string."
    InvalidUtf8 "invalid-utf8" Json PARSE, BAD, "json-utf8-only"; "A string is not UTF-8."
    LoneSurrogate "lone-surrogate" Json PARSE, BAD, "json-no-lone-surrogate-escapes"; "An escaped surrogate without its partner."
    TrailingData "trailing-data" Json PARSE, BAD, "json-single-value-no-trailing-garbage"; "Something follows the value."
    DuplicateMember "duplicate-member" Json INVALID, BAD, "json-member-names-unique"; "An object holds one name twice, compared after unescaping."
    DepthLimit "depth-limit" Json PARSE, BAD, "project-limit-depth"; "Containers are nested deeper than the limit."
    NodeLimit "node-limit" Json PARSE, BAD, "project-limit-nodes"; "The document holds more values and names than the limit."
    MemberLimit "member-limit" Json PARSE, BAD, "project-limit-members"; "An object holds more members than the limit."
    StringLimit "string-limit" Json PARSE, BAD, "project-limit-string"; "A string is longer than the limit."
    NumberLimit "number-limit" Json PARSE, BAD, "project-limit-number"; "A number is longer than the limit."

    Batch "batch" Envelope INVALID, BAD, "envelope-no-batches"; "The root is an array and nothing established a revision with batches."
    RootNotObject "root-not-object" Envelope INVALID, BAD, "json-top-level-is-object"; "The root is a scalar."
    JsonrpcVersion "jsonrpc-version" Envelope INVALID, BAD, "envelope-jsonrpc-is-2-0"; "The jsonrpc member is missing or not the string 2.0."
    MethodNotString "method-not-string" Envelope INVALID, BAD, "envelope-method-is-string"; "The method member is not a string."
    RequestWithoutId "request-without-id" Envelope INVALID, BAD, "envelope-request-has-id"; "A method that is always answered came without an id."
    IdType "id-type" Envelope INVALID, BAD, "id-string-or-integer"; "The id is neither a string nor a number, or a result has none."
    IdFraction "id-fraction" Envelope INVALID, BAD, "id-string-or-integer"; "The id is a number with a fraction."
    ResultAndError "result-and-error" Envelope None, None, "envelope-response-exactly-one-of-result-error"; "A response holds both result and error."
    ResultNorError "result-nor-error" Envelope INVALID, BAD, "envelope-response-exactly-one-of-result-error"; "A message holds neither method nor result nor error."
    ErrorShape "error-shape" Envelope None, None, "error-code-is-integer"; "The error is no object with an integer code and a string message."
    HybridMessage "hybrid-message" Envelope INVALID, BAD, "envelope-response-has-no-method"; "A message holds a method beside a result or an error. Does not end the reading."
    NotificationWithId "notification-with-id" Envelope INVALID, BAD, "envelope-notification-has-no-id"; "A notification's method came with an id. Does not end the reading."
    IdSpelling "id-spelling" Envelope INVALID, BAD, "id-integer-valued-float-is-accepted-by-schema"; "The id is a whole number in an unusual spelling. Does not end the reading."

    MalformedRequestMetadata "malformed-request-metadata" Metadata PARAMS, BAD, "meta-is-object"; "The params, the _meta or the protocol version have the wrong type."
    MalformedCapabilities "malformed-capabilities" Metadata PARAMS, BAD, "capabilities-values-are-objects"; "The client capabilities, or a known member of them, have the wrong type."

    UnreadableHeaders "unreadable-headers" Header HEADER, BAD, "header-invalid-characters-rejected"; "The protocol version header cannot be read as one value."
    HeaderRepeated "header-repeated" Header HEADER, BAD, "header-repeated-field-rejected"; "A mirrored header is there twice."
    HeaderCharacters "header-characters" Header HEADER, BAD, "header-invalid-characters-rejected"; "A mirrored header holds a byte outside visible ASCII, space and tab."
    HeaderSpace "header-space" Header HEADER, BAD, "sentinel-encode-edge-whitespace"; "A mirrored value has white space at its edge or a tab inside."
    HeaderMissing "header-missing" Header HEADER, BAD, "header-protocol-version-required"; "A mirrored header that the claim owes is not there."
    VersionMismatch "version-mismatch" Header HEADER, BAD, "header-protocol-version-equals-meta"; "The version header and the body disagree."
    MethodMismatch "method-mismatch" Header HEADER, BAD, "header-mcp-method-equals-body"; "Mcp-Method and the body's method disagree."
    SentinelMalformed "sentinel-malformed" Header HEADER, BAD, "sentinel-bad-alphabet-rejected"; "A Base64 sentinel does not decode."
    SentinelUnclosed "sentinel-unclosed" Header HEADER, BAD, "sentinel-missing-suffix-is-literal"; "A value starts like a sentinel and does not end like one."
    NameMismatch "name-mismatch" Header HEADER, BAD, "header-mcp-name-equals-body"; "Mcp-Name, decoded, and its source in the body disagree."
    ParamMismatch "param-mismatch" Header HEADER, BAD, "param-header-value-matches-body"; "An Mcp-Param header, decoded, and its argument disagree."
    EraConflicting "era-conflicting" Header None, None, "header-validation-by-body-processors"; "The request that this answers named two eras."
    MalformedEraSignal "malformed-era-signal" Header None, None, "project-malformed-era-signal"; "The request that this answers, or the response itself, named an era in a form that cannot be read."

    MissingRequestMetadata "missing-request-metadata" RequiredKeys PARAMS, BAD, "meta-protocol-version-required"; "A modern request without its protocol version key."
    MissingCapabilities "missing-capabilities" RequiredKeys PARAMS, BAD, "meta-client-capabilities-required"; "A modern request without its client capabilities key."

    UnsupportedRevision "unsupported-revision" Revision REVISION, BAD, "negotiation-unsupported-version-error"; "The named revision is not one of the known five."

    MissingClientCapability "missing-client-capability" Capabilities CAPABILITY, BAD, "capabilities-missing-client-capability-error"; "The request needs a capability that the client did not declare."

    UndeclaredInput "undeclared-input" Capabilities None, None, "mrtr-capability-gated"; "A server asks for input of a kind that the call did not declare."

    MalformedResultType "malformed-result-type" Result None, None, "result-type-is-string"; "The result is no object, or its resultType no string."
    MissingResultType "missing-result-type" Result None, None, "result-type-required"; "A modern result without resultType."
    UnrecognizedResultType "unrecognized-result-type" Result None, None, "result-type-unknown-is-invalid"; "A token that neither the core nor an understood extension has."
    RecognitionUndeterminable "recognition-undeterminable" Result None, None, "result-type-set-from-core-and-extensions"; "A token whose extension may have been negotiated, which we cannot tell."
    ExtensionNotAdvertised "extension-not-advertised" Result None, None, "result-type-set-from-core-and-extensions"; "The token of an extension that the request did not advertise."
    IneligibleExtensionResult "ineligible-extension-result" Result None, None, "extension-tasks-only-for-tools-call"; "An extension's token in answer to a method that cannot have it."
    ContradictoryResult "contradictory-result" Result None, None, "result-complete-for-final"; "Completion claimed beside a continuation."
    UncontinuableInputRequired "uncontinuable-input-required" Result None, None, "mrtr-at-least-one-field"; "Input asked for without anything to continue with."
    MalformedContinuation "malformed-continuation" Result None, None, "mrtr-request-state-is-string"; "A continuation member of the wrong type."
    ErrorStatus "error-status" Result None, None, "error-header-mismatch-shape"; "The HTTP status does not go with the error code."

    MissingMember "missing-member" Payload PARAMS, None, "error-invalid-params-code"; "A member that the method owes is not there."
    WrongType "wrong-type" Payload PARAMS, None, "error-invalid-params-code"; "A member has another JSON type than the method says."
    WrongValue "wrong-value" Payload PARAMS, None, "error-invalid-params-code"; "A member has a value that the method does not have."

    LegacyStep "legacy-step" Session None, None, "fallback-modern-error-means-modern"; "A client took a legacy step after its peer had shown itself modern, or after a failure that says nothing about its era."
    WrongSender "wrong-sender" Session None, None, "envelope-server-sends-no-requests"; "In the modern era only the other side sends a message of this kind."
    IdReused "id-reused" Session INVALID, None, "id-unique-among-in-flight"; "A request carries the id of one that is still unanswered."
    ResponseId "response-id" Session None, None, "id-type-preserved-on-echo"; "A response carries the id of a waiting request in the other type."
    SecondResponse "second-response" Session None, None, "envelope-one-response-per-request"; "A request that was answered is answered again."
    NotificationAnswered "notification-answered" Session None, None, "envelope-request-has-id"; "A response follows a notification, which nobody answers."
    MismatchAnswered "mismatch-answered" Session None, None, "header-mismatch-status-and-code"; "A request whose headers do not match its body is answered otherwise than with -32020 and 400."
    RetryId "retry-id" Session INVALID, None, "mrtr-retry-uses-new-id"; "A retry carries the id of the request that it repeats."
    RetryState "retry-state" Session PARAMS, None, "mrtr-request-state-echoed-exactly"; "A retry does not give back exactly the state that it was handed."
    RetryResponses "retry-responses" Session PARAMS, None, "mrtr-responses-cover-all-keys"; "A retry leaves an input request unanswered, or answers one of another kind."
    RetryParams "retry-params" Session PARAMS, None, "mrtr-retry-repeats-original-params"; "A retry does not repeat the call that it goes back to."
    RetryUnasked "retry-unasked" Session PARAMS, None, "mrtr-fields-scoped-to-retry"; "A request carries the members of a retry although nothing asked for one."
    CursorUnknown "cursor-unknown" Session PARAMS, None, "pagination-cursor-opaque"; "A list is asked for a page that it never offered."
    CursorRepeated "cursor-repeated" Session None, None, "pagination-stable-cursors"; "The pages of a list lead back to one that was read already."
    SubscriptionId "subscription-id" Session None, None, "subscriptions-id-is-listen-request-id"; "A message of a subscription does not carry the typed id of the request that opened it."
    SubscriptionOrder "subscription-order" Session None, None, "subscriptions-ack-first"; "A subscription delivers before it is acknowledged."
    SubscriptionKind "subscription-kind" Session None, None, "subscriptions-only-requested-types"; "A subscription acknowledges or delivers what was not asked for."
    ProgressToken "progress-token" Session INVALID, None, "progress-only-when-requested"; "A progress token belongs to no active request, or to two."
    ProgressValue "progress-value" Session None, None, "progress-strictly-increasing"; "Progress does not move on."
    CancelTarget "cancel-target" Session None, None, "cancellation-only-own-inflight"; "A cancellation names a request that its sender cannot cancel."
    AfterFinal "after-final" Session None, None, "progress-stops-after-completion"; "Something belongs to a request or a subscription that is over."
}

/// One broken rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Refusal {
    /// Where in the order of stages.
    pub stage: Stage,
    /// Why.
    pub reason: Reason,
    /// The id of the broken requirement.
    pub requirement: &'static str,
    /// Where in the body, in bytes, when the fault has a place there.
    pub offset: Option<usize>,
    /// The JSON-RPC code that a server owes; `None` where nobody answers.
    pub code: Option<i32>,
    /// The HTTP status that a server owes; `None` where nobody answers.
    pub http: Option<u16>,
}

impl Refusal {
    /// A refusal with everything that the reason alone says.
    pub const fn new(reason: Reason) -> Self {
        Self {
            stage: reason.stage(),
            reason,
            requirement: reason.requirement(),
            offset: None,
            code: reason.code(),
            http: reason.http(),
        }
    }

    /// The same for a place in the body.
    pub const fn at(reason: Reason, offset: usize) -> Self {
        let mut refusal = Self::new(reason);
        refusal.offset = Some(offset);
        refusal
    }

    /// Names a narrower requirement than the reason's own.
    pub const fn under(mut self, requirement: &'static str) -> Self {
        self.requirement = requirement;
        self
    }

    /// Moves the refusal to another stage than the reason's own.
    pub const fn in_stage(mut self, stage: Stage) -> Self {
        self.stage = stage;
        self
    }

    /// Nobody answers the message, so no code and no status are owed.
    pub const fn unanswered(mut self) -> Self {
        self.code = None;
        self.http = None;
        self
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.stage.word(), self.reason.word())?;
        if let Some(offset) = self.offset {
            write!(f, " at byte {offset}")?;
        }
        Ok(())
    }
}
