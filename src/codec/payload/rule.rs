//! Which rules do payloads answer to, how much does breaking one weigh, and in which revisions does it hold?
//!
//! One row a rule and use. A rule that a schema or the text states as a MUST weighs in full; one that is only inferred,
//! or whose lenient reading conforms as well, is refused in `strict` alone; a SHOULD, and whatever is only to be flagged,
//! is a note. What a rule says is not repeated here. Hints on `resources/read` are owed by the text and missing from an
//! example that is published with the schema, so they count as the second kind.

use crate::codec::era::{Era, KnownRevision};

/// How much a broken rule weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Force {
    /// Refused in both profiles.
    Full,
    /// Refused in `strict`.
    StrictOnly,
    /// Noted.
    Note,
}

/// A set of revisions, and whether a rule holds while none is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Eras(u8);

impl Eras {
    /// 2024-11-05.
    pub const V2024_11_05: Self = Self(1);
    /// 2024-11-05 and 2025-03-26.
    pub const BEFORE_2025_06_18: Self = Self(0b00_0011);
    /// The three revisions before 2025-11-25.
    pub const BEFORE_2025_11_25: Self = Self(0b00_0111);
    /// 2025-11-25.
    pub const V2025_11_25: Self = Self(0b00_1000);
    /// The four legacy revisions.
    pub const LEGACY: Self = Self(0b00_1111);
    /// 2026-07-28.
    pub const MODERN: Self = Self(0b01_0000);
    /// The five revisions.
    pub const BOTH: Self = Self(0b01_1111);
    /// 2025-03-26 and later.
    pub const SINCE_2025_03_26: Self = Self(0b01_1110);
    /// 2025-06-18 and later.
    pub const SINCE_2025_06_18: Self = Self(0b01_1100);
    /// 2025-11-25 and later.
    pub const SINCE_2025_11_25: Self = Self(0b01_1000);
    /// 2025-06-18 and 2025-11-25.
    pub const FROM_2025_06_18: Self = Self(0b00_1100);
    /// No revision is known.
    pub const UNKNOWN: Self = Self(0b10_0000);
    /// 2026-07-28, and none.
    pub const MODERN_OR_UNKNOWN: Self = Self(0b11_0000);
    /// The five revisions, and none.
    pub const ANY: Self = Self(0b11_1111);

    /// The era of a call.
    pub const fn of(era: Era) -> Self {
        match era {
            Era::Known(KnownRevision::V2024_11_05) => Self::V2024_11_05,
            Era::Known(KnownRevision::V2025_03_26) => Self(2),
            Era::Known(KnownRevision::V2025_06_18) => Self(4),
            Era::Known(KnownRevision::V2025_11_25) => Self::V2025_11_25,
            Era::Known(KnownRevision::V2026_07_28) => Self::MODERN,
            Era::Unknown(_) | Era::Conflicting { .. } => Self::UNKNOWN,
        }
    }

    /// Whether the two have anything in common.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// One rule in one use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// The id of the requirement.
    pub id: &'static str,
    /// How much it weighs.
    pub force: Force,
    /// Where it holds.
    pub eras: Eras,
}

macro_rules! rules {
    ($($name:ident $id:literal $force:ident $eras:ident;)*) => {
        impl Rule {
            /// Every row.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            $(#[doc = concat!("`", $id, "`")]
            pub const $name: Self = Self { id: $id, force: Force::$force, eras: Eras::$eras };)*
        }
    };
}

rules! {

    TOOL_CALL_NAME "payload-tools-call-name-required" Full ANY;
    PROMPT_GET_NAME "payload-prompts-get-name-required" Full ANY;
    RESOURCE_READ_URI "payload-resources-read-uri-required" Full ANY;
    TASK_ID "extension-tasks-update-fields" Full MODERN_OR_UNKNOWN;
    TASK_UPDATE "extension-tasks-update-fields" Full MODERN;
    TOOL_CALL_ARGUMENTS "payload-tools-call-arguments-object" Full BOTH;
    PROMPT_GET_ARGUMENTS "payload-prompts-get-arguments-string-map" Full BOTH;
    CURSOR "pagination-cursor-is-string" Full BOTH;
    DISCOVER_PARAMS "payload-discover-params-only-meta" Note MODERN;
    COMPLETION_REF "payload-completion-ref-required" Full BOTH;
    COMPLETION_REF_PROMPT "payload-completion-ref-prompt-has-name" Full BOTH;
    COMPLETION_REF_RESOURCE "payload-completion-ref-resource-has-uri" Full BOTH;
    COMPLETION_ARGUMENT "payload-completion-argument-name-value" Full BOTH;
    COMPLETION_CONTEXT "payload-completion-context-arguments-strings" Full MODERN;
    FILTER_REQUIRED "subscriptions-filter-required" Full MODERN;
    FILTER_TYPES "subscriptions-filter-types" Full MODERN;

    META_OBJECT "meta-is-object" Full BOTH;
    META_NESTED_KEYS "meta-nested-objects-same-grammar" Note BOTH;
    PROGRESS_TOKEN "meta-progress-token-type" Full BOTH;
    CLIENT_INFO "meta-client-info-shape" Full MODERN;
    SERVER_INFO "meta-server-info-shape" Note MODERN;
    SERVER_INFO_INCLUDED "meta-server-info-included" Note MODERN;
    LOG_LEVEL "meta-log-level-enum" Note MODERN;
    SUBSCRIPTION_ID "meta-subscription-id-type" Full MODERN;
    SUBSCRIPTION_ID_MISPLACED "meta-subscription-id-absent-on-request-scoped" Note MODERN;

    CAPABILITY "capabilities-values-are-objects" Full BOTH;
    SAMPLING_CAPABILITY "capabilities-sampling-subkeys" Full MODERN;
    ELICITATION_CAPABILITY "capabilities-elicitation-subkeys" Full MODERN;
    EXPERIMENTAL "capabilities-experimental-values-objects" Full BOTH;
    EXTENSION_IDENTIFIER "extension-identifier-prefixed" Full MODERN;
    EXTENSION_RESERVED "extension-third-party-prefix" Note MODERN;
    EXTENSION_SETTINGS "extension-settings-object" Full MODERN;
    LIST_CHANGED "capabilities-list-changed-is-boolean" Note BOTH;
    ROOTS_LIST_CHANGED "capabilities-roots-has-no-listchanged" Note MODERN;
    LEGACY_TASKS "capabilities-legacy-tasks-not-advertised" Note MODERN;

    ICON_SOURCE "payload-icon-src-required-uri" Full MODERN;
    ICON_SCHEME "payload-icon-src-safe-scheme" Note MODERN;
    ICON_THEME "payload-icon-theme-enum" Full MODERN;
    ICON_SIZES "payload-icon-sizes-array" Full MODERN;
    ICON_SIZE "payload-icon-sizes-format" Note MODERN;
    WEBSITE "payload-implementation-website-url-uri" Full MODERN;
    AUDIENCE "payload-annotations-audience" Full BOTH;
    PRIORITY "payload-annotations-priority-range" Full BOTH;
    LAST_MODIFIED "payload-annotations-last-modified" Note MODERN;

    CACHE_DISCOVER "cache-hints-on-discover" Full MODERN;
    CACHE_TOOLS "cache-hints-on-tools-list" Full MODERN;
    CACHE_PROMPTS "cache-hints-on-prompts-list" Full MODERN;
    CACHE_RESOURCES "cache-hints-on-resources-list" Full MODERN;
    CACHE_TEMPLATES "cache-hints-on-resources-templates-list" Full MODERN;
    CACHE_READ "cache-hints-on-resources-read" StrictOnly MODERN;
    CACHE_INTERIM "cache-not-on-input-required" Note MODERN;
    TTL_INTEGER "cache-ttl-integer" Full MODERN;
    TTL_NEGATIVE "cache-ttl-non-negative" Full MODERN;
    CACHE_SCOPE "cache-scope-enum" Full MODERN;
    NEXT_CURSOR "pagination-next-cursor-is-string" Full BOTH;
    NEXT_CURSOR_NULL "pagination-next-cursor-is-string" StrictOnly BOTH;
    CURSOR_ELSEWHERE "pagination-only-four-methods" StrictOnly MODERN;
    VERSIONS "payload-discover-supported-versions-strings" Full MODERN;
    VERSIONS_USED "payload-discover-supported-versions-includes-used" Note MODERN;
    DISCOVER_CAPABILITIES "payload-discover-capabilities-required" Full MODERN;
    INSTRUCTIONS "payload-discover-instructions-string" Full MODERN;
    DISCOVER_SERVER_INFO "payload-discover-server-info-not-in-body" Note MODERN;

    TOOLS "payload-tools-list-tools-array" Full MODERN;
    TOOL_NAME "payload-tool-name-required-string" Full BOTH;
    TOOL_NAME_LENGTH "payload-tool-name-length" Note MODERN;
    TOOL_NAME_EMPTY "payload-tool-name-length" StrictOnly MODERN;
    TOOL_NAME_CHARSET "payload-tool-name-charset" Note MODERN;
    TOOL_NAME_REPEATED "payload-tool-name-unique-in-server" StrictOnly MODERN;
    TOOL_TEXTS "payload-tool-title-description-strings" Full BOTH;
    TOOL_DESCRIPTION "payload-tool-title-description-strings" StrictOnly BOTH;
    TOOL_INPUT "payload-tool-input-schema-required" Full BOTH;
    TOOL_INPUT_ROOT "payload-tool-input-schema-root-type-object" Full BOTH;
    PARAM_EMPTY "param-header-name-not-empty" Full MODERN;
    PARAM_TOKEN "param-header-name-is-token" Full MODERN;
    PARAM_CONTROLS "param-header-name-no-controls" Full MODERN;
    PARAM_STRING "param-header-name-is-string" StrictOnly MODERN;
    PARAM_UNIQUE "param-header-name-unique-case-insensitive" Full MODERN;
    PARAM_PRIMITIVE "param-header-primitive-only" Full MODERN;
    PARAM_UNTYPED "param-header-primitive-only" StrictOnly MODERN;
    PARAM_NUMBER "param-header-number-type-forbidden" Full MODERN;
    PARAM_REACHABLE "param-header-statically-reachable" Full MODERN;
    TOOL_OUTPUT "payload-tool-output-schema-is-object" Full MODERN;
    TOOL_ANNOTATIONS "payload-tool-annotations-types" Full BOTH;
    TOOL_EXECUTION "payload-tool-definition-execution-removed" Note MODERN;
    TOOL_CONTENT "payload-tools-call-content-required" Full BOTH;
    IS_ERROR "payload-tools-call-is-error-boolean" Full BOTH;
    STRUCTURED "payload-tools-call-structured-content-object-legacy" Full FROM_2025_06_18;

    BLOCK_TYPE "payload-content-block-type-known" Full BOTH;
    BLOCK_SAMPLING_ONLY "payload-content-tool-use-not-in-tool-results" StrictOnly MODERN;
    BLOCK_TOO_NEW "payload-legacy-audio-since-2025-03-26" Full BEFORE_2025_06_18;
    TEXT_BLOCK "payload-content-text-fields" Full BOTH;
    IMAGE_BLOCK "payload-content-image-fields" Full BOTH;
    AUDIO_BLOCK "payload-content-audio-fields" Full MODERN;
    LINK_BLOCK "payload-content-resource-link-fields" Full MODERN;
    EMBEDDED_BLOCK "payload-content-embedded-resource-fields" Full BOTH;
    EMBEDDED_BOTH "payload-content-embedded-resource-fields" StrictOnly BOTH;

    PROMPTS "payload-prompts-list-prompts-array" Full BOTH;
    PROMPT "payload-prompt-fields" Full BOTH;
    PROMPT_MESSAGES "payload-prompts-get-messages-array" Full BOTH;
    PROMPT_ROLE "payload-prompt-message-role" Full BOTH;
    PROMPT_CONTENT "payload-prompt-message-content-single-block" Full BOTH;
    PROMPT_MEDIA "payload-prompt-media-base64-and-mime" Full MODERN;
    PROMPT_EMBEDDED "payload-prompt-embedded-resource-complete" Note MODERN;

    RESOURCES "payload-resources-list-resources-array" Full BOTH;
    RESOURCE "payload-resource-fields" Full BOTH;
    RESOURCE_URI "payload-resource-uri-rfc3986" Full BOTH;
    RESOURCE_SIZE "payload-resource-size-integer" Full MODERN;
    TEMPLATES "payload-resource-templates-array" Full BOTH;
    TEMPLATE_URI "payload-resource-template-rfc6570" Full BOTH;
    CONTENTS "payload-resources-read-contents-array" Full BOTH;
    TEXT_OR_BLOB "payload-resources-read-text-or-blob" Full BOTH;
    TEXT_AND_BLOB "payload-resources-read-text-or-blob" StrictOnly BOTH;
    BLOB "payload-resources-read-binary-base64" Full BOTH;

    COMPLETION_VALUES "payload-completion-values-strings" Full BOTH;
    COMPLETION_MAXIMUM "payload-completion-values-max-100" Full BOTH;
    COMPLETION_TOTAL "payload-completion-total-integer" Full BOTH;
    COMPLETION_COUNT "payload-completion-total-integer" StrictOnly BOTH;
    COMPLETION_MORE "payload-completion-has-more-boolean" Full BOTH;

    LISTEN_RESULT_META "result-subscriptions-result-meta-required" Note MODERN;
    LISTEN_RESULT_ID "subscriptions-result-has-subscription-id" Note MODERN;
    PROGRESS "notification-progress-fields" Full MODERN;
    LOG_MESSAGE "notification-message-fields" Full BOTH;
    RESOURCE_UPDATED "notification-resources-updated-uri" Full BOTH;
    CANCELLED "notification-cancelled-request-id-required" Full MODERN;
    ACKNOWLEDGED "notification-acknowledged-filter-required" Note MODERN;

    INTERIM_METHODS "mrtr-only-on-three-methods" Full MODERN;
    INPUT_REQUESTS "mrtr-input-requests-is-map" Full MODERN;
    INPUT_REQUEST_KIND "mrtr-input-request-kinds" Full MODERN;
    INPUT_REQUEST_ENVELOPE "id-input-requests-carry-none" Note MODERN;
    INPUT_REQUESTS_NULL "mrtr-input-requests-is-map" Note MODERN;
REQUEST_STATE_NULL "mrtr-request-state-is-string" Note MODERN;
INPUT_EMPTY "mrtr-at-least-one-field" Note MODERN;
    REQUEST_STATE "mrtr-request-state-is-string" Full MODERN;
    INPUT_RESPONSES "mrtr-input-responses-is-map" Full MODERN;
    REQUEST_STATE_ECHO "mrtr-request-state-is-string" Full MODERN;

    SAMPLING_PARAMS "payload-sampling-messages-required" Full MODERN;
    SAMPLING_MESSAGE "payload-sampling-message-role-content" Full BOTH;
    SAMPLING_CONTENT "payload-sampling-content-single-or-array" Full MODERN;
    SAMPLING_CONTENT_LEGACY "payload-legacy-sampling-content-single" Full BEFORE_2025_11_25;
    SAMPLING_RESULTS_ONLY "payload-sampling-tool-results-only-message" Full BOTH;
    SAMPLING_BALANCE "payload-sampling-tool-use-balanced" Full BOTH;
    SAMPLING_RESULT_ID "payload-sampling-tool-result-id-matches" Full MODERN;
    SAMPLING_ROLE "payload-sampling-tool-use-role-assistant" Full MODERN;
    SAMPLING_USE "payload-sampling-tool-use-fields" Full MODERN;
    SAMPLING_USE_UNIQUE "payload-sampling-tool-use-ids-unique" StrictOnly MODERN;
    SAMPLING_TOOL_RESULT "payload-sampling-tool-result-content-array" Full MODERN;
    SAMPLING_CHOICE "payload-sampling-tool-choice-enum" Full MODERN;
    SAMPLING_CONTEXT "payload-sampling-include-context-enum" Full BOTH;
    SAMPLING_PRIORITIES "payload-sampling-priorities-range" Full BOTH;
    SAMPLING_RESULT "payload-sampling-result-fields" Full BOTH;
    SAMPLING_METADATA "payload-sampling-metadata-object" Full BOTH;
    SAMPLING_STOP "payload-sampling-stop-sequences-strings" Full BOTH;

    ROOTS "payload-roots-result-array" Full BOTH;
    ROOT_URI "payload-roots-uri-file-scheme" Full BOTH;
    ROOT_URI_CASE "payload-roots-uri-file-scheme" StrictOnly BOTH;
    ROOT_NAME "payload-roots-name-string" Full BOTH;

    ELICIT_MESSAGE "payload-elicitation-message-required" Full MODERN;
    ELICIT_MODE "payload-elicitation-mode-enum" Full MODERN;
    ELICIT_SCHEMA "payload-elicitation-form-schema-required" Full MODERN;
    ELICIT_FLAT "payload-elicitation-schema-flat-object" Full MODERN;
    ELICIT_KINDS "payload-elicitation-schema-primitive-kinds" Full MODERN;
    ELICIT_REQUIRED "payload-elicitation-schema-required-names-exist" Note MODERN;
    ELICIT_FORMAT "payload-elicitation-string-format-enum" Full MODERN;
    ELICIT_LENGTH "payload-elicitation-string-length-integers" Full MODERN;
    ELICIT_BOUNDS "payload-elicitation-number-bounds-numbers" Full MODERN;
    ELICIT_DEFAULT "payload-elicitation-default-type-matches" Full MODERN;
    ELICIT_TITLED "payload-elicitation-titled-enum-const-title" Full MODERN;
    ELICIT_ITEMS "payload-elicitation-multi-select-items" Full MODERN;
    ELICIT_ENUM_NAMES "payload-elicitation-enum-names-legacy" Note MODERN;
    ELICIT_URL "payload-elicitation-url-mode-fields" Full MODERN;
    ELICIT_URL_VALID "payload-elicitation-url-valid" Full MODERN;
    ELICIT_URL_HTTPS "payload-elicitation-url-https" Note MODERN;
    ELICIT_ID_REMOVED "payload-elicitation-id-removed" Note MODERN;
    ELICIT_ID_LEGACY "payload-legacy-elicitation-url-has-id" Full V2025_11_25;
    ELICIT_ACTION "payload-elicitation-result-action-enum" Full MODERN;
    ELICIT_CONTENT "payload-elicitation-result-content-only-on-accept-form" StrictOnly MODERN;
    ELICIT_VALUES "payload-elicitation-result-content-values" Full MODERN;

    TASK_FIELDS "extension-tasks-task-fields" Full MODERN;
    TASK_STATUS "extension-tasks-status-enum" Full MODERN;
    TASK_COMPLETE "extension-tasks-get-result-complete" Full MODERN;
    TASK_HAS_RESULT "extension-tasks-get-completed-has-result" Full MODERN;
    TASK_HAS_ERROR "extension-tasks-get-failed-has-error" Full MODERN;
    TASK_HAS_REQUESTS "extension-tasks-get-input-required-has-requests" Full MODERN;
    TASK_ACKNOWLEDGED "extension-tasks-update-ack-empty" Note MODERN;

    ERROR_RESERVED "error-reserved-range-only-defined-codes" Note MODERN;
    ERROR_LEGACY_RANGE "error-legacy-subrange-avoided" Note MODERN;
    ERROR_NOT_FOUND "error-32002-not-emitted" Full MODERN;
    ERROR_NOT_FOUND_UNPROVEN "error-32002-not-emitted" Note MODERN;
    ERROR_ELICITATION "error-32042-not-emitted" Note MODERN;
    ERROR_GAP "error-predefined-gap-not-used" Note BOTH;
    ERROR_CAPABILITY "error-missing-capability-shape" Full MODERN;
    ERROR_VERSION "error-unsupported-version-shape" Full MODERN;
    ERROR_MEANING "error-defined-codes-only-with-defined-meaning" Note MODERN;
    ERROR_VERSION_EMPTY "error-unsupported-version-shape" Note MODERN;

    INITIALIZE "negotiation-legacy-initialize-fields" Full LEGACY;
    INITIALIZED "negotiation-legacy-initialize-result-fields" Full LEGACY;
    AUGMENTED "extension-legacy-tasks-result-shape" Full V2025_11_25;
    AUGMENTED_ANSWER "extension-legacy-tasks-result-shape" StrictOnly V2025_11_25;
    RELATED_TASK "meta-legacy-tasks-related-meta" Full V2025_11_25;
    TASK_TREE "capabilities-legacy-tasks-capability-tree" Full V2025_11_25;
    SET_LEVEL "payload-legacy-set-level" Full LEGACY;
    SUBSCRIBE "payload-legacy-resources-subscribe" Full LEGACY;
}
