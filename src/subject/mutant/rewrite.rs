//! How a front writes a message again: the few edits that faulty libraries make.
//!
//! Works on the members of the root alone and keeps every other byte; what it cannot read it leaves as it is.

use serde_json::value::RawValue;

use crate::case::Case;

/// The case with other bytes, where the change applies.
pub fn with_body(case: &Case, change: impl FnOnce(&[u8]) -> Option<Vec<u8>>) -> Case {
    let body = change(&case.body).unwrap_or_else(|| case.body.clone());
    Case { body, ..case.clone() }
}

/// The members of the root, in order, as they are written; `None` when it is no object.
pub fn members(body: &[u8]) -> Option<Vec<(String, String)>> {
    struct Members(Vec<(String, String)>);
    impl<'de> serde::Deserialize<'de> for Members {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_map(Visitor)
        }
    }
    struct Visitor;
    impl<'de> serde::de::Visitor<'de> for Visitor {
        type Value = Members;
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
            let mut members = Vec::new();
            while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
                members.push((name, value.get().to_owned()));
            }
            Ok(Members(members))
        }
    }
    serde_json::from_slice::<Members>(body).ok().map(|members| members.0)
}

/// The text of an object with these members.
pub fn object(members: &[(String, String)]) -> Vec<u8> {
    let written: Vec<String> =
        members.iter().map(|(name, value)| format!("{}:{value}", serde_json::Value::from(name.as_str()))).collect();
    format!("{{{}}}", written.join(",")).into_bytes()
}

/// The case with its root members changed; a change that says no leaves it as it is.
pub fn with_members(case: &Case, change: impl FnOnce(&mut Vec<(String, String)>) -> bool) -> Case {
    with_body(case, |body| {
        let mut members = members(body)?;
        change(&mut members).then(|| object(&members))
    })
}

/// The case with the value of its root member of that name changed.
pub fn with_member(case: &Case, name: &str, change: impl Fn(&str) -> Option<String>) -> Case {
    with_members(case, |members| {
        let found = members.iter_mut().find(|(member, _)| member == name);
        found.is_some_and(|(_, value)| change(value).map(|changed| *value = changed).is_some())
    })
}
