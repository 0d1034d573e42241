//! Operators on the JSON-RPC shape: members missing, doubled in meaning, of the wrong type, or in a batch.

use arbitrary::Unstructured;

use super::facts::{Kind, REQUEST_ONLY, kind, method};
use super::layout::{Layout, Shape, insert, splice};
use super::{Edit, Outcome, operators};
use crate::case::{Case, Revision};
use crate::generate::dictionary;
use crate::limits::Limits;
use crate::mutation::RequirementId;

operators! { Case;
    /// Leaves the `jsonrpc` member out.
    DropJsonrpc "drop-jsonrpc" if has_object => |case, _| drop(case, "jsonrpc", &["envelope-jsonrpc-is-2-0"]);
    /// Names another version of JSON-RPC, or names it in another type.
    ChangeJsonrpc "change-jsonrpc" if has_object => |case, u| {
        let value = u.choose(&["\"1.0\"", "2.0", "2", "null", "\"2\"", "\" 2.0\"", "\"2.00\"", "[\"2.0\"]"])?;
        set(case, "jsonrpc", value, &["envelope-jsonrpc-is-2-0"])
    };
    /// Writes `jsonrpc` in another letter case, which is another member.
    FoldJsonrpc "fold-jsonrpc" if has_object => |case, u| {
        let Some((layout, index)) = member(case, "jsonrpc") else { return Ok(None) };
        splice(&mut case.body, layout.nodes[index].name.clone(), u.choose(&["\"JSONRPC\"", "\"jsonRPC\""])?.as_bytes());
        Ok(Some(Edit::new("/jsonrpc", &["json-member-names-case-sensitive", "envelope-jsonrpc-is-2-0"])))
    };
    /// Writes the member that says what a message is in another letter case, which is another member.
    FoldRootName "fold-root-name" if has_object => |case, u| {
        let (name, other) = match of_kind(case) {
            Some(Kind::Request | Kind::Notification) => ("method", *u.choose(&["\"Method\"", "\"METHOD\""])?),
            Some(Kind::Result) => ("result", *u.choose(&["\"Result\"", "\"RESULT\""])?),
            Some(Kind::Error) => ("error", *u.choose(&["\"Error\"", "\"ERROR\""])?),
            _ => return Ok(None),
        };
        let Some((layout, index)) = member(case, name) else { return Ok(None) };
        splice(&mut case.body, layout.nodes[index].name.clone(), other.as_bytes());
        let breaks = &["json-member-names-case-sensitive", "envelope-response-exactly-one-of-result-error"];
        Ok(Some(Edit::new(format!("/{name}"), breaks)))
    };
    /// Puts something else where the name of the method stood.
    MethodNotString "method-not-string" if has_object => |case, u| {
        let value = u.choose(&["null", "1", "true", "[]", "{}", "[\"ping\"]"])?;
        set(case, "method", value, &["envelope-method-is-string"])
    };
    /// Leaves the method out of a request or notification.
    DropMethod "drop-method" if has_object => |case, _| {
        drop(case, "method", &["envelope-response-exactly-one-of-result-error"])
    };
    /// Puts another type where the id stood.
    IdWrongType "id-wrong-type" if has_object => |case, u| {
        let value = *u.choose(&dictionary::WRONG_IDS)?;
        let breaks: RequirementId = match (of_kind(case), value) {
            (Some(Kind::Error), "null") => "envelope-error-id-never-null",
            (Some(Kind::Request | Kind::Result), "null") => "id-not-null",
            (Some(Kind::Request | Kind::Result | Kind::Error), _) => "id-string-or-integer",
            _ => return Ok(None),
        };
        set(case, "id", value, &[breaks])
    };
    /// Puts a number that is not whole where the id stood.
    IdFraction "id-fraction" if has_object => |case, u| {
        let Some(Kind::Request | Kind::Result) = of_kind(case) else { return Ok(None) };
        set(case, "id", u.choose(&dictionary::FRACTION_IDS)?, &["id-string-or-integer"])
    };
    /// Spells a whole number as an id in another way than by its digits.
    IdSpelling "id-spelling" if has_object => |case, u| {
        let Some(Kind::Request | Kind::Result) = of_kind(case) else { return Ok(None) };
        set(case, "id", u.choose(&dictionary::UNUSUAL_IDS)?, &["id-integer-valued-float-is-accepted-by-schema"])
    };
    /// Takes another id of a lawful spelling.
    IdOther "id-other" if has_object => |case, u| {
        let Some(Kind::Request | Kind::Result) = of_kind(case) else { return Ok(None) };
        set(case, "id", u.choose(&dictionary::PLAIN_IDS)?, &[])
    };
    /// Leaves the id out; an error response may.
    DropId "drop-id" if has_object => drop_id;
    /// Gives a notification an id, as if it were to be answered.
    AddId "add-id" if has_object => |case, u| {
        let notifies = of_kind(case) == Some(Kind::Notification) && member(case, "id").is_none();
        let named = Layout::of(&case.body)
            .and_then(|layout| method(&case.body, &layout).map(|name| name.starts_with(b"notifications/")));
        if !notifies || named != Some(true) {
            return Ok(None);
        }
        let id = format!("\"id\":{}", u.choose(&dictionary::PLAIN_IDS)?);
        add(case, u, &id, "/id", &["envelope-notification-has-no-id"])
    };
    /// Puts a result and an error into one response.
    ResultAndError "result-and-error" if has_object => |case, u| {
        let breaks = &["envelope-response-exactly-one-of-result-error"];
        match of_kind(case) {
            Some(Kind::Result) => {
                let error = u.choose(&["\"error\":{\"code\":1,\"message\":\"\"}", "\"error\":null"])?;
                add(case, u, error, "/error", breaks)
            }
            Some(Kind::Error) => add(case, u, "\"result\":{}", "/result", breaks),
            _ => Ok(None),
        }
    };
    /// Leaves both result and error out of a response.
    ResultNorError "result-nor-error" if has_object => |case, _| {
        let name = match of_kind(case) {
            Some(Kind::Result) => "result",
            Some(Kind::Error) => "error",
            _ => return Ok(None),
        };
        drop(case, name, &["envelope-response-exactly-one-of-result-error"])
    };
    /// Puts a method beside a result, or a result beside a method.
    Hybrid "hybrid" if has_object => |case, u| {
        let breaks = &["envelope-response-has-no-method"];
        match of_kind(case) {
            Some(Kind::Request) => add(case, u, "\"result\":{}", "/result", breaks),
            // Without an id that is one it would be another message and not a hybrid.
            Some(Kind::Result | Kind::Error) if has_id(case) => {
                add(case, u, "\"method\":\"ping\"", "/method", breaks)
            }
            _ => Ok(None),
        }
    };
    /// Gives an error no integer as its code.
    ErrorCode "error-code" if has_object => |case, u| {
        let value = u.choose(&["\"-32601\"", "null", "true", "1.5", "1.0", "1e3", "[]"])?;
        in_error(case, "code", Some(value), "error-code-is-integer")
    };
    /// Gives an error no string as its message, or none at all.
    ErrorMessage "error-message" if has_object => |case, u| {
        let value = *u.choose(&[None, Some("null"), Some("1"), Some("{}")])?;
        in_error(case, "message", value, "error-message-is-string")
    };
    /// Puts something else where the error object stood.
    ErrorNotObject "error-not-object" if has_object => |case, u| {
        let value = u.choose(&["null", "\"failed\"", "[]", "-32601"])?;
        set(case, "error", value, &["error-member-not-null"])
    };
    /// Puts the message into an array.
    WrapInBatch "wrap-in-batch" if has_object => |case, u| {
        let Some(layout) = Layout::of(&case.body) else { return Ok(None) };
        let empty = u.arbitrary()?;
        let rule = match (case.stated.revision.as_ref().map(Revision::as_str), empty) {
            // In the one revision with batches it would be lawful.
            (Some("2025-03-26"), false) => return Ok(None),
            (Some("2025-03-26"), true) => "envelope-legacy-batch-not-empty",
            (Some(known), _) if dictionary::LEGACY.contains(&known) => "envelope-legacy-no-batch-other-versions",
            _ => "envelope-no-batches",
        };
        let mut breaks = vec![rule];
        if empty {
            case.body = b"[]".to_vec();
        } else {
            if layout.depth() == Limits::message().depth {
                breaks.push("project-limit-depth");
            }
            splice(&mut case.body, 0..0, b"[");
            case.body.push(b']');
        }
        Ok(Some(Edit::new("", &breaks)))
    };
    /// Puts a scalar where the message stood.
    RootScalar "root-scalar" if has_object => |case, u| {
        let Some(_) = Layout::of(&case.body) else { return Ok(None) };
        case.body = u.choose(&["null", "1", "\"ping\"", "true"])?.as_bytes().to_vec();
        Ok(Some(Edit::new("", &["json-top-level-is-object"])))
    };
}

fn has_object(case: &Case) -> bool {
    case.body.first() == Some(&b'{')
}

fn of_kind(case: &Case) -> Option<Kind> {
    Some(kind(&case.body, &Layout::of(&case.body)?))
}

fn member(case: &Case, name: &str) -> Option<(Layout, usize)> {
    let layout = Layout::of(&case.body)?;
    let index = layout.member(&case.body, 0, name)?;
    Some((layout, index))
}

fn has_id(case: &Case) -> bool {
    member(case, "id").is_some_and(|(layout, index)| layout.value(&case.body, index) != b"null")
}

fn drop(case: &mut Case, name: &str, breaks: &[RequirementId]) -> Outcome {
    let Some((layout, index)) = member(case, name) else { return Ok(None) };
    let span = layout.removal(&case.body, index);
    splice(&mut case.body, span, b"");
    Ok(Some(Edit::new(format!("/{name}"), breaks)))
}

fn set(case: &mut Case, name: &str, value: &str, breaks: &[RequirementId]) -> Outcome {
    let Some((layout, index)) = member(case, name) else { return Ok(None) };
    splice(&mut case.body, layout.nodes[index].value.clone(), value.as_bytes());
    Ok(Some(Edit::new(format!("/{name}"), breaks)))
}

fn add(case: &mut Case, u: &mut Unstructured<'_>, text: &str, path: &str, breaks: &[RequirementId]) -> Outcome {
    let Some(layout) = Layout::of(&case.body) else { return Ok(None) };
    insert(&mut case.body, &layout, 0, text.as_bytes(), u.arbitrary()?);
    Ok(Some(Edit::new(path, breaks)))
}

fn in_error(case: &mut Case, name: &str, value: Option<&str>, breaks: RequirementId) -> Outcome {
    let Some((layout, error)) = member(case, "error") else { return Ok(None) };
    let Some(index) = layout.member(&case.body, error, name) else { return Ok(None) };
    if layout.nodes[error].shape != Shape::Object || of_kind(case) != Some(Kind::Error) {
        return Ok(None);
    }
    let span = if value.is_some() { layout.nodes[index].value.clone() } else { layout.removal(&case.body, index) };
    splice(&mut case.body, span, value.unwrap_or_default().as_bytes());
    Ok(Some(Edit::new(format!("/error/{name}"), &[breaks])))
}

fn drop_id(case: &mut Case, _: &mut Unstructured<'_>) -> Outcome {
    let Some(layout) = Layout::of(&case.body) else { return Ok(None) };
    let breaks: &[RequirementId] = match kind(&case.body, &layout) {
        Kind::Request => {
            let name = method(&case.body, &layout).unwrap_or_default();
            if !REQUEST_ONLY.iter().any(|known| known.as_bytes() == name.as_ref()) {
                return Ok(None);
            }
            &["envelope-request-has-id"]
        }
        Kind::Result => &["envelope-result-response-has-id"],
        Kind::Error => &[],
        _ => return Ok(None),
    };
    drop(case, "id", breaks)
}

#[cfg(test)]
mod tests {
    use super::super::tests::rows;
    use super::*;

    #[test]
    fn each_operator_does_what_its_record_says() {
        const ONE: &[&str] = &["envelope-response-exactly-one-of-result-error"];
        let request = "\n{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}";
        let result = "\n{\"id\":7,\"result\":{}}";
        let error = "\n{\"error\":{\"code\":1,\"message\":\"m\"}}";
        rows(
            FAMILY,
            &[
                ("drop-jsonrpc", request, "\n{\"id\":7,\"method\":\"ping\"}", &["envelope-jsonrpc-is-2-0"]),
                (
                    "change-jsonrpc",
                    request,
                    "\n{\"jsonrpc\":\"1.0\",\"id\":7,\"method\":\"ping\"}",
                    &["envelope-jsonrpc-is-2-0"],
                ),
                (
                    "fold-jsonrpc",
                    request,
                    "\n{\"JSONRPC\":\"2.0\",\"id\":7,\"method\":\"ping\"}",
                    &["json-member-names-case-sensitive", "envelope-jsonrpc-is-2-0"],
                ),
                (
                    "method-not-string",
                    request,
                    "\n{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":null}",
                    &["envelope-method-is-string"],
                ),
                (
                    "fold-root-name",
                    result,
                    "\n{\"id\":7,\"Result\":{}}",
                    &["json-member-names-case-sensitive", "envelope-response-exactly-one-of-result-error"],
                ),
                ("drop-method", request, "\n{\"jsonrpc\":\"2.0\",\"id\":7}", ONE),
                ("id-wrong-type", result, "\n{\"id\":null,\"result\":{}}", &["id-not-null"]),
                ("id-fraction", result, "\n{\"id\":1.5,\"result\":{}}", &["id-string-or-integer"]),
                (
                    "id-spelling",
                    result,
                    "\n{\"id\":1.0,\"result\":{}}",
                    &["id-integer-valued-float-is-accepted-by-schema"],
                ),
                ("id-other", result, "\n{\"id\":1,\"result\":{}}", &[]),
                ("drop-id", result, "\n{\"result\":{}}", &["envelope-result-response-has-id"]),
                ("drop-id", request, "\n{\"jsonrpc\":\"2.0\",\"method\":\"ping\"}", &["envelope-request-has-id"]),
                ("result-and-error", result, "\n{\"id\":7,\"result\":{},\"error\":{\"code\":1,\"message\":\"\"}}", ONE),
                (
                    "add-id",
                    "\n{\"method\":\"notifications/x\"}",
                    "\n{\"method\":\"notifications/x\",\"id\":1}",
                    &["envelope-notification-has-no-id"],
                ),
                ("result-nor-error", result, "\n{\"id\":7}", ONE),
                (
                    "hybrid",
                    result,
                    "\n{\"id\":7,\"result\":{},\"method\":\"ping\"}",
                    &["envelope-response-has-no-method"],
                ),
                (
                    "error-code",
                    error,
                    "\n{\"error\":{\"code\":\"-32601\",\"message\":\"m\"}}",
                    &["error-code-is-integer"],
                ),
                ("error-message", error, "\n{\"error\":{\"code\":1}}", &["error-message-is-string"]),
                ("error-not-object", error, "\n{\"error\":null}", &["error-member-not-null"]),
                ("wrap-in-batch", "\n{}", "\n[{}]", &["envelope-no-batches"]),
                ("root-scalar", "\n{}", "\nnull", &["json-top-level-is-object"]),
            ],
        );
    }
}
