//! What a row of a payload table is: a message that holds everything, and one fault in it.

use serde_json::{Map, Value, json};

/// A message that holds everything.
pub struct Message {
    /// `request METHOD`, `notification METHOD`, `result METHOD`, or `error`.
    pub kind: &'static str,
    /// The revision of the call.
    pub revision: &'static str,
    /// Params, result or error.
    pub payload: &'static str,
    /// The faults, each alone.
    pub rows: &'static [Row],
}

/// One fault.
pub struct Row {
    /// Where, from the payload on, segments apart by spaces.
    pub path: &'static str,
    /// What stands there instead; nothing for a member that is taken away.
    pub value: &'static str,
    /// Where the fault is, when that is not where the change is; a path like the first.
    pub at: Option<&'static str>,
    /// `reason rule`, behind `strict` or `note` where it weighs less.
    pub fault: &'static str,
}

/// A row.
pub const fn row(path: &'static str, value: &'static str, fault: &'static str) -> Row {
    Row { path, value, fault, at: None }
}

impl Row {
    /// The fault is at this place.
    pub const fn at(mut self, path: &'static str) -> Self {
        self.at = Some(path);
        self
    }

    /// Whether the row takes a member away.
    pub fn removes(&self) -> bool {
        self.value.is_empty()
    }
}

const TASKS: &str = "io.modelcontextprotocol/tasks";

impl Message {
    pub fn is_request(&self) -> bool {
        self.kind.starts_with("request")
    }

    fn holder(&self) -> &'static str {
        match self.kind.split(' ').next() {
            Some("result") => "result",
            Some("error") => "error",
            _ => "params",
        }
    }

    /// The path from the root of the message to the value that is at fault, or to the one that lacks a member.
    pub fn place(&self, row: &Row) -> Vec<&'static str> {
        let holder = row.path.rsplit_once(' ').map_or("", |(holder, _)| holder);
        let path = row.at.unwrap_or(if row.removes() { holder } else { row.path });
        std::iter::once(self.holder()).chain(path.split(' ').filter(|segment| !segment.is_empty())).collect()
    }

    /// The case, with the fault of the row if there is one.
    pub fn text(&self, row: Option<&Row>) -> String {
        let mut payload: Value = serde_json::from_str(self.payload).expect("the payload of a row is JSON");
        let (kind, method) = self.kind.split_once(' ').unwrap_or((self.kind, ""));
        let modern = self.revision == "2026-07-28";
        if kind == "request" && modern {
            let meta = payload.as_object_mut().unwrap().entry("_meta").or_insert_with(|| json!({}));
            let meta = meta.as_object_mut().unwrap();
            meta.insert("io.modelcontextprotocol/protocolVersion".into(), json!(self.revision));
            let tasks = if method.starts_with("tasks/") { json!({"extensions": {TASKS: {}}}) } else { json!({}) };
            meta.entry("io.modelcontextprotocol/clientCapabilities").or_insert(tasks);
            meta.entry("io.modelcontextprotocol/clientInfo").or_insert(json!({"name": "a", "version": "1"}));
        }
        if kind == "result" && modern {
            let result = payload.as_object_mut().unwrap();
            result.entry("resultType").or_insert(json!("complete"));
            let meta = result.entry("_meta").or_insert_with(|| json!({}));
            let info = json!({"name": "a", "version": "1"});
            meta.as_object_mut().unwrap().entry("io.modelcontextprotocol/serverInfo").or_insert(info);
        }
        if let Some(row) = row {
            let (last, before) = row.path.rsplit_once(' ').map_or((row.path, ""), |(before, last)| (last, before));
            let mut place = &mut payload;
            for segment in before.split(' ').filter(|segment| !segment.is_empty()) {
                place = match segment.parse::<usize>() {
                    Ok(at) => &mut place[at],
                    Err(_) => &mut place[segment],
                };
            }
            if row.removes() {
                place.as_object_mut().expect("only members are taken away").remove(last).expect("it was there");
            } else {
                let value = serde_json::from_str(row.value).expect("the value of a row is JSON");
                match last.parse::<usize>() {
                    Ok(at) => place[at] = value,
                    Err(_) => place[last] = value,
                }
            }
        }
        let mut body = Map::new();
        body.insert("jsonrpc".into(), json!("2.0"));
        if kind != "notification" {
            body.insert("id".into(), json!(1));
        }
        if matches!(kind, "request" | "notification") {
            body.insert("method".into(), json!(method));
        }
        body.insert(self.holder().into(), payload);
        let response = matches!(kind, "result" | "error");
        let from = if response || kind == "notification" && method != "notifications/cancelled" {
            ":from: server\n"
        } else {
            ""
        };
        let asked = if response {
            format!(":context-capabilities: {TASKS}\n:context-method: {method}\n")
        } else {
            String::new()
        };
        let asked = if response && method.is_empty() { format!(":context-capabilities: {TASKS}\n") } else { asked };
        format!("{from}:context-revision: {}\n{asked}\n{}", self.revision, Value::Object(body))
    }
}
