//! The examples that are published with the schema of 2026-07-28: each is accepted as what its folder says it is.
//!
//! They belong to others and are not kept here: `scripts/fetch-spec` brings them, or `WIREBENCH_SPEC_DIR` names a copy of
//! the specification's repository. Without either the tests say that they were not run.

use std::path::{Path, PathBuf};
use std::{env, fs};

use wirebench::case::{Case, Party};
use wirebench::codec::Reader;
use wirebench::codec::context::{Answered, Context};
use wirebench::codec::document::Decoder;
use wirebench::codec::era::{Era, KnownRevision};
use wirebench::codec::meta::{Capabilities, CapabilityState};
use wirebench::codec::payload::{Fault, Force, check_fragment};
use wirebench::codec::reading::Profile;
use wirebench::limits::Limits;

/// Every example: the name of its type, its path, its bytes.
fn examples(test: &str) -> Option<Vec<(String, PathBuf, Vec<u8>)>> {
    let fetched = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/spec");
    let named = env::var_os("WIREBENCH_SPEC_DIR").map(PathBuf::from);
    let Some(folder) = named.or_else(|| fetched.is_dir().then_some(fetched)) else {
        println!("not run: {test}: WIREBENCH_SPEC_DIR is not set, and scripts/fetch-spec was not run");
        return None;
    };
    let mut examples = Vec::new();
    let types = fs::read_dir(folder.join("schema/2026-07-28/examples")).expect("the examples are there");
    for folder in types.map(|entry| entry.expect("the folder is readable").path()) {
        let name = folder.file_name().and_then(|name| name.to_str()).expect("types have ASCII names").to_owned();
        for path in fs::read_dir(&folder).expect("it is a folder").map(|entry| entry.expect("it is readable").path()) {
            let bytes = fs::read(&path).expect("it is readable");
            examples.push((name.clone(), path, bytes));
        }
    }
    examples.sort();
    Some(examples)
}

fn is_whole(bytes: &[u8]) -> bool {
    String::from_utf8_lossy(bytes).contains("\"jsonrpc\"")
}

/// The method that a response of this type answers.
const ANSWERS: [(&str, &str); 9] = [
    ("CallToolResultResponse", "tools/call"),
    ("CompleteResultResponse", "completion/complete"),
    ("DiscoverResultResponse", "server/discover"),
    ("GetPromptResultResponse", "prompts/get"),
    ("ListPromptsResultResponse", "prompts/list"),
    ("ListResourceTemplatesResultResponse", "resources/templates/list"),
    ("ListResourcesResultResponse", "resources/list"),
    ("ListToolsResultResponse", "tools/list"),
    ("ReadResourceResultResponse", "resources/read"),
];

fn context(name: &str) -> Context {
    let method = ANSWERS.iter().find(|(known, _)| *known == name).map(|(_, method)| *method);
    let method = method.or((name == "SubscriptionsListenResultResponse").then_some("subscriptions/listen"));
    let answered = Answered {
        era: Some(Era::Known(KnownRevision::V2026_07_28)),
        capabilities: Capabilities::of(CapabilityState::CoreOnly),
        method: method.map(|method| method.as_bytes().to_vec()),
        id: None,
    };
    Context {
        revision: wirebench::case::Revision::parse(b"2026-07-28"),
        answered: Some(answered),
        peer_is_modern: true,
        ..Context::default()
    }
}

/// Published against the letter of the text, and refused by `strict` for that.
const STRICT: [(&str, &str); 1] = [("read-resource-result-response.json", "cache-hints-on-resources-read")];

#[test]
fn official_messages_are_accepted_whole() {
    let Some(examples) = examples("official_messages_are_accepted_whole") else { return };
    let whole: Vec<_> = examples.iter().filter(|(.., bytes)| is_whole(bytes)).collect();
    assert_eq!(whole.len(), 32);
    for (name, path, bytes) in whole {
        let notified = name.ends_with("Notification") && name != "CancelledNotification";
        let served = notified || name.ends_with("Response") || name.ends_with("Error");
        let case = Case::stdio(if served { Party::Server } else { Party::Client }, bytes.clone());
        let mut reader = Reader::new(Limits::message());
        let reading = reader.read(&case, &context(name));
        assert_eq!(reading.refusal(Profile::Spec), None, "{}", path.display());
        let strict = reading.refusal(Profile::Strict).map(|refusal| refusal.requirement);
        let file = path.file_name().and_then(|name| name.to_str());
        let owed = STRICT.iter().find(|(known, _)| Some(*known) == file).map(|(_, rule)| *rule);
        assert_eq!(strict, owed, "{}", path.display());
    }
}

#[test]
fn official_fragments_are_accepted_as_their_types() {
    let Some(examples) = examples("official_fragments_are_accepted_as_their_types") else { return };
    let fragments: Vec<_> = examples.iter().filter(|(.., bytes)| !is_whole(bytes)).collect();
    assert_eq!(fragments.len(), 97);
    for (name, path, bytes) in fragments {
        let mut decoder = Decoder::new();
        let document = decoder.read(bytes, &Limits::message()).expect("examples are JSON");
        let faults = check_fragment(name, document.root());
        let faults = faults.unwrap_or_else(|| panic!("{name} is no type"));
        let broken: Vec<&Fault> = faults.iter().filter(|fault| fault.rule.force != Force::Note).collect();
        assert!(broken.is_empty(), "{}: {broken:?}", path.display());
    }
}
