//! Operators on `params` and `_meta`: the keys that a modern request owes, their types, and keys nobody owes.

use arbitrary::Unstructured;

use super::facts::{Facts, Kind, kind};
use super::layout::{Layout, Shape, insert, splice};
use super::{Edit, Outcome, judged, operators};
use crate::case::{Case, Party};
use crate::generate::dictionary::{self, CAPABILITIES_KEY, VERSION_KEY};

operators! { Case;
    /// Leaves the version out.
    DropVersion "drop-version" if is_request => |case, _| drop(case, &["params", "_meta", VERSION_KEY]);
    /// Leaves the capabilities out.
    DropCapabilities "drop-capabilities" if is_request => |case, _| drop(case, &["params", "_meta", CAPABILITIES_KEY]);
    /// Leaves `_meta` out.
    DropMeta "drop-meta" if is_request => |case, _| drop(case, &["params", "_meta"]);
    /// Leaves `params` out.
    DropParams "drop-params" if is_request => |case, _| {
        // What a method of a handshake era owes beside its metadata is not told.
        let modern = Layout::of(&case.body).and_then(|layout| layout.find(&case.body, &["params", "_meta", VERSION_KEY]));
        if modern.is_some() { drop(case, &["params"]) } else { Ok(None) }
    };
    /// Listens for tasks, which needs their extension.
    ListenForTasks "listen-for-tasks" if is_request => |case, _| judged(case, |case| {
        let path = ["params", "notifications"];
        let Some(layout) = Layout::of(&case.body) else { return Ok(None) };
        let listens = super::facts::method(&case.body, &layout).as_deref() == Some(b"subscriptions/listen");
        let Some(filter) = layout.find(&case.body, &path).filter(|filter| layout.nodes[*filter].shape == Shape::Object) else {
            return Ok(None);
        };
        if !listens || layout.member(&case.body, filter, "taskIds").is_some() {
            return Ok(None);
        }
        insert(&mut case.body, &layout, filter, b"\"taskIds\":[\"t1\"]", false);
        Ok(Some("/params/notifications/taskIds".to_owned()))
    });
    /// Puts another type where the version stood.
    VersionNotString "version-not-string" if is_request => |case, u| {
        let value = u.choose(&["null", "20260728", "[\"2026-07-28\"]", "{}", "true"])?;
        set(case, &["params", "_meta", VERSION_KEY], value)
    };
    /// Names a day that is no known revision.
    VersionOtherDate "version-other-date" if is_request => |case, u| {
        let value = format!("\"{}\"", u.choose(&dictionary::OTHER_DATES)?);
        set(case, &["params", "_meta", VERSION_KEY], &value)
    };
    /// Names no day.
    VersionNoDate "version-no-date" if is_request => |case, u| {
        let value = format!("\"{}\"", u.choose(&dictionary::NO_DATES)?);
        set(case, &["params", "_meta", VERSION_KEY], &value)
    };
    /// Names a revision with a handshake in a request of the modern form.
    VersionLegacy "version-legacy" if is_request => |case, u| {
        let value = format!("\"{}\"", u.choose(&dictionary::LEGACY)?);
        set(case, &["params", "_meta", VERSION_KEY], &value)
    };
    /// Puts another type where the capabilities stood.
    CapabilitiesNotObject "capabilities-not-object" if is_request => |case, u| {
        let value = u.choose(&["null", "[]", "true", "\"{}\"", "0"])?;
        set(case, &["params", "_meta", CAPABILITIES_KEY], value)
    };
    /// Declares a core capability with something that is no object.
    CapabilityNotObject "capability-not-object" if is_request => |case, u| {
        let member = u.choose(&[
            "{\"sampling\":true}",
            "{\"roots\":null}",
            "{\"elicitation\":[]}",
            "{\"extensions\":[]}",
            "{\"experimental\":\"\"}",
            "{\"x\":{},\"sampling\":1}",
        ])?;
        set(case, &["params", "_meta", CAPABILITIES_KEY], member)
    };
    /// Declares other capabilities: lawful.
    CapabilitiesOther "capabilities-other" if is_request => |case, u| {
        set(case, &["params", "_meta", CAPABILITIES_KEY], u.choose(&crate::generate::meta::CAPABILITIES)?)
    };
    /// Puts another type where `_meta` stood.
    MetaNotObject "meta-not-object" if is_request => |case, u| {
        set(case, &["params", "_meta"], u.choose(&["null", "[]", "\"\"", "1"])?)
    };
    /// Puts another type where `params` stood.
    ParamsNotObject "params-not-object" if is_request => |case, u| {
        set(case, &["params"], u.choose(&["null", "[]", "[{}]", "\"\"", "1"])?)
    };
    /// Writes a reserved key in another letter case, or without its prefix, which is another key.
    FoldMetaKey "fold-meta-key" if is_request => |case, u| {
        let (key, other) = *u.choose(&[
            (VERSION_KEY, "io.modelcontextprotocol/ProtocolVersion"),
            (CAPABILITIES_KEY, "io.modelcontextprotocol/clientcapabilities"),
            (VERSION_KEY, "protocolVersion"),
            (CAPABILITIES_KEY, "clientCapabilities"),
            (VERSION_KEY, "io.modelcontextprotocol/protocolVersion\\u0000"),
        ])?;
        rename(case, key, other)
    };
    /// Gives a request of an earlier era the metadata of a modern one.
    AddModernMeta "add-modern-meta" if is_request => |case, _| {
        judged(case, |case| {
            let Some(layout) = request(case) else { return Ok(None) };
            let meta = format!("\"_meta\":{{\"{VERSION_KEY}\":\"{}\",\"{CAPABILITIES_KEY}\":{{}}}}", dictionary::MODERN);
            match layout.member(&case.body, 0, "params") {
                None => insert(&mut case.body, &layout, 0, format!("\"params\":{{{meta}}}").as_bytes(), false),
                Some(params) => {
                    let free = layout.member(&case.body, params, "_meta").is_none();
                    if layout.nodes[params].shape != Shape::Object || !free {
                        return Ok(None);
                    }
                    insert(&mut case.body, &layout, params, meta.as_bytes(), false);
                }
            }
            Ok(Some("/params/_meta".to_owned()))
        })
    };
    /// Calls a method that only the handshake era has, in the form of a modern request.
    LegacyMethod "legacy-method" if is_request => |case, _| {
        judged(case, |case| {
            let Some(layout) = request(case) else { return Ok(None) };
            let (Some(index), Some(_)) = (
                layout.member(&case.body, 0, "method"),
                layout.find(&case.body, &["params", "_meta", VERSION_KEY]),
            ) else {
                return Ok(None);
            };
            splice(&mut case.body, layout.nodes[index].value.clone(), b"\"ping\"");
            if let Some(header) = case.headers.iter_mut().find(|header| header.is(dictionary::METHOD_HEADER)) {
                header.value = b"ping".to_vec();
            }
            Ok(Some("/method".to_owned()))
        })
    };
    /// Adds a key that the grammar of `_meta` allows: lawful.
    AddGoodKey "add-good-key" if is_request => |case, u| {
        let key = *u.choose(&dictionary::GOOD_KEYS)?;
        add(case, u, key, &[])
    };
    /// Adds a key that the grammar of `_meta` refuses, which is noted and refuses nothing.
    AddBadKey "add-bad-key" if is_request => |case, u| {
        let (key, rule) = *u.choose(&dictionary::BAD_KEYS)?;
        add(case, u, key, &[rule])
    };
    /// Adds a trace context that is none, which is dropped and refuses nothing.
    BrokenTrace "broken-trace" if is_request => |case, u| {
        let (key, value, rule) = *u.choose(&dictionary::BROKEN_TRACES)?;
        put(case, u, key, value, &[rule])
    };
}

fn is_request(case: &Case) -> bool {
    case.from == Party::Client && case.body.first() == Some(&b'{')
}

/// The layout of a client's request; the metadata of anything else says nothing about an era.
fn request(case: &Case) -> Option<Layout> {
    let layout = Layout::of(&case.body)?;
    (kind(&case.body, &layout) == Kind::Request).then_some(layout)
}

fn drop(case: &mut Case, path: &[&str]) -> Outcome {
    judged(case, |case| {
        let Some(layout) = request(case) else { return Ok(None) };
        let Some(index) = layout.find(&case.body, path) else { return Ok(None) };
        let pointer = layout.pointer(&case.body, index);
        let span = layout.removal(&case.body, index);
        splice(&mut case.body, span, b"");
        Ok(Some(pointer))
    })
}

fn set(case: &mut Case, path: &[&str], value: &str) -> Outcome {
    judged(case, |case| {
        let Some(layout) = request(case) else { return Ok(None) };
        let Some(index) = layout.find(&case.body, path) else { return Ok(None) };
        splice(&mut case.body, layout.nodes[index].value.clone(), value.as_bytes());
        Ok(Some(layout.pointer(&case.body, index)))
    })
}

fn rename(case: &mut Case, key: &str, other: &str) -> Outcome {
    judged(case, |case| {
        let Some(layout) = request(case) else { return Ok(None) };
        let Some(meta) = layout.find(&case.body, &["params", "_meta"]) else { return Ok(None) };
        let Some(index) = layout.member(&case.body, meta, key) else { return Ok(None) };
        let taken = other.replace("\\u0000", "\0");
        if layout.member(&case.body, meta, &taken).is_some() {
            return Ok(None);
        }
        let pointer = layout.pointer(&case.body, index);
        splice(&mut case.body, layout.nodes[index].name.clone(), format!("\"{other}\"").as_bytes());
        Ok(Some(pointer))
    })
}

fn add(case: &mut Case, u: &mut Unstructured<'_>, key: &str, breaks: &[&'static str]) -> Outcome {
    let value = *u.choose(&dictionary::ANY_VALUES)?;
    put(case, u, key, value, breaks)
}

fn put(case: &mut Case, u: &mut Unstructured<'_>, key: &str, value: &str, breaks: &[&'static str]) -> Outcome {
    let Some(layout) = request(case) else { return Ok(None) };
    let Some(meta) = layout.find(&case.body, &["params", "_meta"]) else { return Ok(None) };
    if layout.nodes[meta].shape != Shape::Object || layout.member(&case.body, meta, key).is_some() {
        return Ok(None);
    }
    debug_assert!(Facts::of(case).broken.len() < 16, "the facts of one request are few");
    insert(&mut case.body, &layout, meta, format!("\"{key}\":{value}").as_bytes(), u.arbitrary()?);
    let key = key.replace('~', "~0").replace('/', "~1");
    Ok(Some(Edit::new(format!("/params/_meta/{key}"), breaks)))
}

#[cfg(test)]
mod tests {
    use super::super::tests::rows;
    use super::*;

    const HEAD: &str =
        ":transport: http\nMCP-Protocol-Version: 2026-07-28\nMcp-Method: x\n\n{\"id\":1,\"method\":\"x\"";

    fn with(params: &str) -> String {
        format!("{HEAD}{params}}}")
    }

    fn with_meta(members: &str) -> String {
        with(&format!(",\"params\":{{\"_meta\":{{{members}}}}}"))
    }

    #[test]
    fn each_operator_does_what_its_record_says() {
        let version = "\"io.modelcontextprotocol/protocolVersion\":";
        let capabilities = "\"io.modelcontextprotocol/clientCapabilities\":";
        let plain = with_meta(&format!("{version}\"2026-07-28\",{capabilities}{{}}"));
        let put = |version_value: &str, capability_value: &str| {
            with_meta(&format!("{version}{version_value},{capabilities}{capability_value}"))
        };
        const VERSION_OWED: &[&str] = &["meta-protocol-version-required"];
        const CAPABILITIES_OWED: &[&str] = &["meta-client-capabilities-required"];
        const BOTH: &[&str] = &["meta-object-required-on-request", "meta-client-capabilities-required"];
        let listen = "\n{\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":FILTER,\"_meta\":{\
                      \"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\
                      \"io.modelcontextprotocol/clientCapabilities\":{}}}}";
        const NO_PARAMS: &[&str] =
            &["envelope-params-required-on-modern-requests", "meta-client-capabilities-required"];
        const CORE: &[&str] = &["capabilities-values-are-objects"];
        const UNKNOWN: &[&str] = &["header-protocol-version-equals-meta", "negotiation-unsupported-version-error"];
        const DIFFER: &[&str] = &["header-protocol-version-equals-meta"];
        let fold = with_meta(&format!("\"io.modelcontextprotocol/ProtocolVersion\":\"2026-07-28\",{capabilities}{{}}"));
        let added = |member: &str| with_meta(&format!("{version}\"2026-07-28\",{capabilities}{{}},{member}"));
        rows(
            FAMILY,
            &[
                ("add-modern-meta", &with(""), &with_meta(&format!("{version}\"2026-07-28\",{capabilities}{{}}")), &[]),
                (
                    "legacy-method",
                    &plain,
                    &plain.replace("Mcp-Method: x", "Mcp-Method: ping").replace("\"x\"", "\"ping\""),
                    &[],
                ),
                ("drop-version", &plain, &with_meta(&format!("{capabilities}{{}}")), VERSION_OWED),
                ("drop-capabilities", &plain, &with_meta(&format!("{version}\"2026-07-28\"")), CAPABILITIES_OWED),
                ("drop-meta", &plain, &with(",\"params\":{}"), BOTH),
                ("drop-params", &plain, &with(""), NO_PARAMS),
                (
                    "listen-for-tasks",
                    &listen.replace("FILTER", "{}"),
                    &listen.replace("FILTER", "{\"taskIds\":[\"t1\"]}"),
                    &["extension-tasks-subscribe-undeclaring-client"],
                ),
                ("version-not-string", &plain, &put("null", "{}"), &["meta-protocol-version-is-string"]),
                ("version-other-date", &plain, &put("\"2026-01-15\"", "{}"), UNKNOWN),
                ("version-no-date", &plain, &put("\"2026-02-31\"", "{}"), UNKNOWN),
                ("version-legacy", &plain, &put("\"2025-11-25\"", "{}"), DIFFER),
                (
                    "capabilities-not-object",
                    &plain,
                    &put("\"2026-07-28\"", "null"),
                    &["meta-client-capabilities-is-object"],
                ),
                ("capability-not-object", &plain, &put("\"2026-07-28\"", "{\"sampling\":true}"), CORE),
                ("capabilities-other", &put("\"2026-07-28\"", "{\"x\":1}"), &plain, &[]),
                ("meta-not-object", &plain, &with(",\"params\":{\"_meta\":null}"), &["meta-is-object"]),
                ("params-not-object", &plain, &with(",\"params\":null"), &["envelope-params-is-object"]),
                ("fold-meta-key", &plain, &fold, VERSION_OWED),
                ("add-good-key", &plain, &added("\"com.example/trace\":null"), &[]),
                ("add-bad-key", &plain, &added("\"com..example/x\":null"), &["meta-key-prefix-is-dotted-labels-slash"]),
                ("broken-trace", &plain, &added("\"traceparent\":\"00-0-0-0\""), &["meta-traceparent-format"]),
            ],
        );
    }

    #[test]
    fn without_any_signal_a_dropped_meta_breaks_nothing() {
        let version = "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"";
        let text = format!("\n{{\"id\":1,\"method\":\"x\",\"params\":{{\"_meta\":{{{version}}}}}}}");
        let mut case = Case::decode(text.as_bytes()).unwrap();
        let edit = drop(&mut case, &["params", "_meta"]).unwrap().unwrap();
        assert!(edit.breaks.is_empty());
    }
}
