//! Which shape has a type by the name that the schema of 2026-07-28 gives it?
//!
//! For values that stand alone, outside any message.

use super::rule::{Eras, Rule};
use super::shape::{Shape, Type};
use super::walk::{Fault, Walk};
use super::{
    capabilities, completion, content, elicitation, error, input, notifications, prompts, resources, roots, sampling,
    subscriptions, tools,
};
use crate::codec::document::Value;

/// Judges a value as the type of that name; `None` when no such type is known.
///
/// ```
/// use wirebench::codec::document::Decoder;
/// use wirebench::codec::payload::check_fragment;
/// use wirebench::limits::Limits;
///
/// let mut decoder = Decoder::new();
/// let document = decoder.read(br#"{"type": "image", "data": "AAAA"}"#, &Limits::message())?;
/// let faults = check_fragment("ImageContent", document.root()).unwrap();
/// assert_eq!(faults[0].rule.id, "payload-content-image-fields");
/// assert!(check_fragment("Unheard", document.root()).is_none());
/// # Ok::<(), wirebench::codec::refusal::Refusal>(())
/// ```
pub fn check_fragment(name: &str, value: Value<'_>) -> Option<Vec<Fault>> {
    let (_, shape, rule) = FRAGMENTS.iter().find(|(known, ..)| *known == name)?;
    let mut walk = Walk::new(Eras::MODERN);
    walk.value(shape, value, *rule);
    Some(walk.finish())
}

const fn of(of: &'static Type) -> Shape {
    Shape::Object(of)
}

static FRAGMENTS: [(&str, Shape, Rule); 60] = [
    ("AudioContent", content::BLOCK, Rule::BLOCK_TYPE),
    ("BlobResourceContents", of(&resources::CONTENTS), Rule::CONTENTS),
    ("BooleanSchema", elicitation::PROPERTY, Rule::ELICIT_KINDS),
    ("CallToolRequestParams", of(&tools::CALL_PARAMS), Rule::TOOL_CALL_NAME),
    ("CallToolResult", of(&tools::CALL_RESULT), Rule::TOOL_CONTENT),
    ("CancelledNotificationParams", of(&notifications::CANCELLED), Rule::CANCELLED),
    ("ClientCapabilities", of(&capabilities::CLIENT), Rule::CAPABILITY),
    ("CompleteRequestParams", of(&completion::PARAMS), Rule::COMPLETION_REF),
    ("CompleteResult", of(&completion::RESULT), Rule::COMPLETION_VALUES),
    ("CreateMessageRequest", input::REQUEST, Rule::INPUT_REQUEST_KIND),
    ("CreateMessageRequestParams", of(&sampling::PARAMS), Rule::SAMPLING_PARAMS),
    ("CreateMessageResult", of(&sampling::RESULT), Rule::SAMPLING_RESULT),
    ("DiscoverResult", of(&subscriptions::DISCOVER_RESULT), Rule::DISCOVER_CAPABILITIES),
    ("ElicitRequest", input::REQUEST, Rule::INPUT_REQUEST_KIND),
    ("ElicitRequestFormParams", elicitation::PARAMS, Rule::ELICIT_MESSAGE),
    ("ElicitRequestURLParams", elicitation::PARAMS, Rule::ELICIT_MESSAGE),
    ("ElicitResult", of(&elicitation::RESULT), Rule::ELICIT_ACTION),
    ("EmbeddedResource", content::BLOCK, Rule::BLOCK_TYPE),
    ("GetPromptRequestParams", of(&prompts::GET_PARAMS), Rule::PROMPT_GET_NAME),
    ("GetPromptResult", of(&prompts::GET_RESULT), Rule::PROMPT_MESSAGES),
    ("HeaderMismatchError", ERROR, Rule::ERROR_RESERVED),
    ("ImageContent", content::BLOCK, Rule::BLOCK_TYPE),
    ("InputRequests", input::REQUESTS, Rule::INPUT_REQUESTS),
    ("InputRequiredResult", of(&input::RESULT), Rule::INPUT_REQUESTS),
    ("InputResponses", input::RESPONSES, Rule::INPUT_RESPONSES),
    ("InternalError", ERROR, Rule::ERROR_RESERVED),
    ("InvalidParamsError", ERROR, Rule::ERROR_RESERVED),
    ("ListPromptsResult", of(&prompts::LIST_RESULT), Rule::PROMPTS),
    ("ListResourceTemplatesResult", of(&resources::TEMPLATES_RESULT), Rule::TEMPLATES),
    ("ListResourcesResult", of(&resources::LIST_RESULT), Rule::RESOURCES),
    ("ListRootsRequest", input::REQUEST, Rule::INPUT_REQUEST_KIND),
    ("ListRootsResult", of(&roots::RESULT), Rule::ROOTS),
    ("ListToolsResult", of(&tools::LIST_RESULT), Rule::TOOLS),
    ("LoggingMessageNotificationParams", of(&notifications::MESSAGE), Rule::LOG_MESSAGE),
    ("MethodNotFoundError", ERROR, Rule::ERROR_RESERVED),
    ("MissingRequiredClientCapabilityError", ERROR, Rule::ERROR_CAPABILITY),
    ("ModelPreferences", of(&sampling::PREFERENCES), Rule::SAMPLING_PRIORITIES),
    ("NumberSchema", elicitation::PROPERTY, Rule::ELICIT_KINDS),
    ("PaginatedRequestParams", of(&tools::LIST_PARAMS), Rule::CURSOR),
    ("ParseError", ERROR, Rule::ERROR_RESERVED),
    ("ProgressNotificationParams", of(&notifications::PROGRESS), Rule::PROGRESS),
    ("ReadResourceResult", of(&resources::READ_RESULT), Rule::CONTENTS),
    ("Resource", of(&resources::RESOURCE), Rule::RESOURCE),
    ("ResourceLink", content::BLOCK, Rule::BLOCK_TYPE),
    ("ResourceUpdatedNotificationParams", of(&notifications::RESOURCE_UPDATED), Rule::RESOURCE_UPDATED),
    ("Root", of(&roots::ROOT), Rule::ROOTS),
    ("SamplingMessage", of(&sampling::MESSAGE), Rule::SAMPLING_MESSAGE),
    ("ServerCapabilities", of(&capabilities::SERVER), Rule::DISCOVER_CAPABILITIES),
    ("StringSchema", elicitation::PROPERTY, Rule::ELICIT_KINDS),
    ("SubscriptionsListenResult", of(&subscriptions::LISTEN_RESULT_BODY), Rule::LISTEN_RESULT_META),
    ("TextContent", content::BLOCK, Rule::BLOCK_TYPE),
    ("TextResourceContents", of(&resources::CONTENTS), Rule::CONTENTS),
    ("TitledMultiSelectEnumSchema", elicitation::PROPERTY, Rule::ELICIT_KINDS),
    ("TitledSingleSelectEnumSchema", elicitation::PROPERTY, Rule::ELICIT_KINDS),
    ("Tool", of(&tools::TOOL), Rule::TOOLS),
    ("ToolResultContent", sampling::SAMPLE, Rule::SAMPLING_CONTENT),
    ("ToolUseContent", sampling::SAMPLE, Rule::SAMPLING_CONTENT),
    ("UnsupportedProtocolVersionError", ERROR, Rule::ERROR_VERSION),
    ("UntitledMultiSelectEnumSchema", elicitation::PROPERTY, Rule::ELICIT_KINDS),
    ("UntitledSingleSelectEnumSchema", elicitation::PROPERTY, Rule::ELICIT_KINDS),
];

const ERROR: Shape = Shape::Check(|walk, value, _| error::judge(walk, value, true));
