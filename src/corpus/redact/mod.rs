//! What in recorded messages belongs to the people who were recorded, and what stands there instead.
//!
//! Every string outside the protocol's vocabulary gets a stand-in, in bodies, header lines and member names; equal
//! strings get equal ones, so that ids, cursors, names, and a header and its source in the body still agree. A header that
//! wraps its value in the sentinel is unwrapped first and wrapped again. Numbers of eight digits or more get one too;
//! shorter ones, and the order and length of everything, stay. Whether nothing was left is checked apart, see [`leak`].

mod body;
pub mod leak;
mod pseudonym;
mod vocabulary;

use std::collections::HashSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use self::pseudonym::{Kind, Pseudonyms};
use crate::case::{Case, Header, StatedCapabilities};
use crate::codec::header::{Sentinel, decode, trim};

/// Shorter texts may be found again by chance, so only of these is proved that they are gone.
pub const PROVED: usize = 8;

/// Members, besides `_meta` keys, whose values are revisions.
const VERSIONS: [&str; 5] =
    ["protocolVersion", "io.modelcontextprotocol/protocolVersion", "supported", "requested", "supportedVersions"];

/// Names that give away that their value is a secret.
const SECRET_NAMES: [&str; 13] = [
    "authorization",
    "cookie",
    "password",
    "passwd",
    "secret",
    "apikey",
    "api-key",
    "api_key",
    "credential",
    "access_token",
    "refresh_token",
    "accesstoken",
    "private_key",
];

/// Values that give themselves away.
const SECRET_VALUES: [&str; 10] =
    ["sk-", "pk-", "ghp_", "gho_", "github_pat_", "xox", "eyj", "akia", "-----begin", "ya29."];

/// Header fields whose values are kept as far as they are made of HTTP's own words and small numbers.
const PLAIN_FIELDS: [&str; 14] = [
    "accept",
    "accept-charset",
    "accept-encoding",
    "allow",
    "cache-control",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "keep-alive",
    "te",
    "transfer-encoding",
    "vary",
    "x-accel-buffering",
];

/// Exchanges what is private, the same way for every message that it is given.
pub struct Redactor {
    pseudonyms: Pseudonyms,
    /// Whole values that stood under a name of a secret; they are one wherever they stand.
    secrets: HashSet<String>,
    /// Revisions, as they stood where revisions stand.
    revisions: HashSet<String>,
    /// What was replaced and is long enough to be proved gone, in lower case.
    replaced: HashSet<Vec<u8>>,
    /// How many values gave themselves away as secrets, by their name or by how they begin.
    given_away: usize,
}

/// How many values of the messages give themselves away as secrets, by their name or by how they begin.
pub fn secrets(cases: &[Case]) -> usize {
    let mut redactor = Redactor::new(b"for counting alone");
    cases.iter().for_each(|case| _ = redactor.case(case));
    redactor.given_away
}

impl Redactor {
    /// A redactor under a key: without it nobody can tell what a stand-in stands for.
    pub fn new(key: &[u8]) -> Self {
        Self {
            pseudonyms: Pseudonyms::new(key),
            secrets: HashSet::new(),
            revisions: HashSet::new(),
            replaced: HashSet::new(),
            given_away: 0,
        }
    }

    /// The messages of one recording with stand-ins.
    pub fn redact(&mut self, cases: &[Case]) -> Vec<Case> {
        // The first walk learns which values are secrets, the second knows them wherever they stand.
        for case in cases {
            let _ = self.case(case);
        }
        self.replaced.clear();
        cases.iter().map(|case| self.case(case)).collect()
    }

    /// What was replaced in the last recording and is long enough to be proved gone, in lower case.
    pub fn replaced(&self) -> &HashSet<Vec<u8>> {
        &self.replaced
    }

    fn case(&mut self, case: &Case) -> Case {
        let mut new = case.clone();
        new.headers = case.headers.iter().map(|header| self.header(header)).collect();
        new.body = body::rewrite(self, &case.body);
        new.method = case.method.as_deref().map(|method| self.bytes(method));
        new.stated.method = case.stated.method.as_deref().map(|method| self.bytes(method));
        if let Some(StatedCapabilities::Extensions(ids)) = &case.stated.capabilities {
            let mut ids: Vec<Vec<u8>> = ids.iter().map(|id| self.bytes(id)).collect();
            ids.sort();
            new.stated.capabilities = Some(StatedCapabilities::Extensions(ids));
        }
        new
    }

    fn header(&mut self, header: &Header) -> Header {
        let lower = String::from_utf8_lossy(&header.name).to_ascii_lowercase();
        let param = lower.starts_with("mcp-param-");
        let name = match param {
            _ if vocabulary::is_field(&lower) => header.name.clone(),
            true => [&header.name[..10], &self.bytes(&header.name[10..])].concat(),
            false => self.bytes(&header.name),
        };
        let value = match lower.as_str() {
            "mcp-protocol-version" | "mcp-method" => trimmed(&header.value, |value| self.signal(&lower, value)),
            "mcp-name" => trimmed(&header.value, |value| self.sentinel(value)),
            _ if param => trimmed(&header.value, |value| self.sentinel(value)),
            "authorization" | "proxy-authorization" => self.credentials(&header.value),
            _ => match std::str::from_utf8(&header.value) {
                Ok(text) if PLAIN_FIELDS.contains(&lower.as_str()) && is_plain(text) => header.value.clone(),
                Ok(text) => self.value(&lower, text).into_bytes(),
                Err(_) => self.bytes(&header.value),
            },
        };
        Header { name, value }
    }

    /// A revision or a method: never decoded.
    fn signal(&mut self, name: &str, value: &[u8]) -> Vec<u8> {
        match std::str::from_utf8(value) {
            Ok(text) if name == "mcp-protocol-version" => self.value(VERSIONS[0], text).into_bytes(),
            _ => self.bytes(value),
        }
    }

    /// A value that may be wrapped: it is unwrapped, exchanged, and wrapped as it was.
    fn sentinel(&mut self, value: &[u8]) -> Vec<u8> {
        let Sentinel::Wrapped { text, canonical } = decode(value) else { return self.bytes(value) };
        let mut payload = STANDARD.encode(self.text(&text)).into_bytes();
        if !canonical && let Some(last) = payload.iter_mut().rfind(|byte| **byte != b'=') {
            // The next digit differs in the last bit alone, which padding ignores.
            *last += 1;
        }
        [b"=?base64?", payload.as_slice(), b"?="].concat()
    }

    /// The scheme stays, whatever follows it is a secret.
    fn credentials(&mut self, value: &[u8]) -> Vec<u8> {
        let Ok(text) = std::str::from_utf8(value) else { return self.bytes(value) };
        match text.split_once(' ') {
            Some((scheme, secret)) if vocabulary::knows(&scheme.to_ascii_lowercase()) => {
                format!("{scheme} {}", self.value("authorization", secret)).into_bytes()
            }
            _ => self.value("authorization", text).into_bytes(),
        }
    }

    /// The value of a member or a header line of that name.
    fn value(&mut self, name: &str, text: &str) -> String {
        let digits_and_dashes = text.bytes().all(|byte| byte.is_ascii_digit() || b"-, ".contains(&byte));
        if VERSIONS.contains(&name) && digits_and_dashes && text.len() <= 32 {
            self.revisions.insert(text.to_owned());
            return text.to_owned();
        }
        if name == "jsonrpc" && text.len() <= 4 {
            return text.to_owned();
        }
        if matches!(name, "data" | "blob")
            && text.len() >= PROVED
            && let Ok(bytes) = STANDARD.decode(text)
        {
            self.note(text);
            return self.pseudonyms.blob(&bytes);
        }
        let lower = name.to_ascii_lowercase();
        if SECRET_NAMES.iter().any(|known| lower.contains(known)) && !text.is_empty() {
            self.secrets.insert(text.to_owned());
        }
        self.text(text)
    }

    /// Any text: a name, or a value that stands anywhere.
    fn text(&mut self, text: &str) -> String {
        let lower = text.to_ascii_lowercase();
        let secret = self.secrets.contains(text);
        if secret || SECRET_VALUES.iter().any(|start| lower.starts_with(start)) {
            // A short word may begin like one by chance.
            self.given_away += usize::from(secret || text.len() >= PROVED);
            return self.whole(Kind::Whole, text);
        }
        if vocabulary::knows(&lower) || self.revisions.contains(text) {
            return text.to_owned();
        }
        const MARK: &str = "=?base64?";
        if lower.starts_with(MARK) {
            let rest = self.text(&text[MARK.len()..]);
            return format!("{}{rest}", &text[..MARK.len()]);
        }
        if is_date(text) {
            return self.whole(Kind::Date, text);
        }
        if text.contains(char::is_whitespace) {
            return self.whole(Kind::Whole, text);
        }
        let new = self.words(text);
        if new != text {
            self.note(text);
        }
        new
    }

    fn whole(&mut self, kind: Kind, text: &str) -> String {
        let new = self.pseudonyms.of(kind, text);
        if new != text {
            self.note(text);
        }
        new
    }

    /// Each word of an identifier by itself, so that paths, addresses and keys that share a part still share one.
    fn words(&mut self, text: &str) -> String {
        let mut new = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let in_word = |character: char| character.is_alphanumeric() || character.len_utf8() == 4;
            let length = match in_word(first) {
                true => rest.find(|character| !in_word(character)).unwrap_or(rest.len()),
                false => first.len_utf8(),
            };
            let (word, behind) = rest.split_at(length);
            rest = behind;
            let escape = first == '%' && rest.len() >= 2 && rest.as_bytes()[..2].iter().all(u8::is_ascii_hexdigit);
            if escape {
                let (code, behind) = rest.split_at(2);
                rest = behind;
                new.push('%');
                new.push_str(&self.pseudonyms.of(Kind::Hex, code));
            } else if !in_word(first) || vocabulary::knows(&word.to_ascii_lowercase()) {
                new.push_str(word);
            } else {
                let hex = word.len() >= 16 && word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
                new.push_str(&self.whole(if hex { Kind::Hex } else { Kind::Word }, word));
            }
        }
        new
    }

    fn number(&mut self, token: &str) -> String {
        let mantissa = token.find(['e', 'E']).unwrap_or(token.len());
        let (digits, exponent) = token.split_at(mantissa);
        if digits.bytes().filter(u8::is_ascii_digit).count() < PROVED {
            return token.to_owned();
        }
        format!("{}{exponent}", self.whole(Kind::Number, digits))
    }

    /// Bytes that may be no text: what is none stays.
    fn bytes(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut new = Vec::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            new.extend_from_slice(self.text(chunk.valid()).as_bytes());
            new.extend_from_slice(chunk.invalid());
        }
        new
    }

    fn note(&mut self, text: &str) {
        let lower = text.to_ascii_lowercase();
        if text.chars().count() >= PROVED && !vocabulary::holds(&lower) {
            self.replaced.insert(lower.into_bytes());
        }
    }
}

/// A value of which readers trim the edges: white space there stays.
fn trimmed(value: &[u8], exchange: impl FnOnce(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let inner = trim(value);
    let before = value.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count().min(value.len() - inner.len());
    [&value[..before], &exchange(inner), &value[before + inner.len()..]].concat()
}

/// The character that some bytes start with.
fn first_character(bytes: &[u8]) -> Option<char> {
    let head = &bytes[..bytes.len().min(4)];
    let valid = head.utf8_chunks().next().map(|chunk| chunk.valid())?;
    valid.chars().next()
}

fn is_plain(text: &str) -> bool {
    let parts = text.split(|character: char| !character.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    let mut parts = parts.map(str::to_ascii_lowercase);
    parts.all(|part| {
        vocabulary::knows(&part)
            || vocabulary::is_field(&part)
            || part.len() < PROVED && part.bytes().all(|b| b.is_ascii_digit())
    })
}

/// A date as RFC 3339 has it, with a time or without.
fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let day = bytes.len() >= 10
        && bytes[..10].iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    day && bytes[10..].iter().all(|byte| byte.is_ascii_digit() || b":.+-TtZz ".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Party;

    fn redacted(text: &str) -> (Case, String) {
        let case = Case::decode(text.as_bytes()).unwrap();
        let new = Redactor::new(b"a key for tests").redact(&[case]).remove(0);
        let shown = String::from_utf8_lossy(&new.encode()).into_owned();
        (new, shown)
    }

    #[test]
    fn protocol_words_stay_and_everything_else_goes() {
        let (_, shown) = redacted(
            ":transport: http\nMCP-Protocol-Version: 2026-07-28\nMcp-Method: tools/call\nAuthorization: Bearer abc.def-123\n\
             Content-Type: application/json; charset=utf-8\nX-Tenant: acme-north\n\n\
             {\"jsonrpc\":\"2.0\",\"id\":\"job-17\",\"method\":\"tools/call\",\"params\":{\"name\":\"get_invoice\",\"arguments\":{\"customer\":\"Jo Doe\",\"phone\":4915112345}}}",
        );
        for kept in [
            "2026-07-28",
            "tools/call",
            "Bearer ",
            "application/json; charset=utf-8",
            "\"jsonrpc\":\"2.0\"",
            "arguments",
        ] {
            assert!(shown.contains(kept), "{kept} is gone: {shown}");
        }
        for gone in ["abc.def", "Tenant", "acme", "job-", "invoice", "customer", "Doe", "4915112345"] {
            assert!(!shown.contains(gone), "{gone} is left: {shown}");
        }
    }

    #[test]
    fn a_header_and_its_source_still_agree_in_the_form_they_had() {
        for (header, body) in [
            ("get_invoice", "get_invoice"),
            ("=?base64?Z2V0X2ludm9pY2U=?=", "get_invoice"),
            ("=?base64?csOpc3Vtw6k=?=", "r\\u00e9sum\u{e9}"),
        ] {
            let text = format!(
                ":transport: http\nMcp-Name: {header}\n\n{{\"method\":\"tools/call\",\"params\":{{\"name\":\"{body}\"}}}}"
            );
            let (new, shown) = redacted(&text);
            let value = &new.headers[0].value;
            assert_eq!(value.starts_with(b"=?base64?"), header.starts_with('='), "{shown}");
            let text = match decode(value) {
                Sentinel::Wrapped { text, .. } => text.into_owned(),
                _ => String::from_utf8(value.clone()).unwrap(),
            };
            let body: serde_json::Value = serde_json::from_slice(&new.body).unwrap();
            assert_eq!(body["params"]["name"], text);
            assert_ne!(text, "get_invoice");
        }
    }

    #[test]
    fn equal_texts_stay_equal_however_they_are_spelled_and_lengths_stay() {
        let body = r##"{"a":"R\u0065d \ud83e\udd80\n\"x","b":"Red \ud83e\udd80\n\"x","$ref":"#/$defs/Node","$defs":{"Node":{}}}"##;
        let case = Case::stdio(Party::Client, body);
        let new = Redactor::new(b"k").redact(std::slice::from_ref(&case)).remove(0);
        assert_eq!(new.body.len(), case.body.len());
        let read: serde_json::Value = serde_json::from_slice(&new.body).unwrap();
        let members: Vec<_> = read.as_object().unwrap().iter().collect();
        let pointer = read["$ref"].as_str().unwrap();
        assert!(read.pointer(&pointer[1..]).is_some(), "{pointer} leads nowhere");
        let values: Vec<_> =
            members.iter().filter_map(|(_, value)| value.as_str()).filter(|v| v.contains('\n')).collect();
        assert_eq!(values[0], values[1]);
    }

    #[test]
    fn a_secret_is_known_by_its_name_and_its_value_wherever_it_stands() {
        let body = r#"{"note":"tools-list-text","password":"tools-list-text","other":"sk-tools-list-text"}"#;
        let new = Redactor::new(b"k").redact(&[Case::stdio(Party::Client, body)]).remove(0);
        let shown = String::from_utf8(new.body).unwrap();
        assert!(!shown.contains("tools") && !shown.contains("text"), "{shown}");
    }

    #[test]
    fn broken_bodies_keep_their_faults() {
        for body in [
            b"{\"a\":\"\xFF".as_slice(),
            b"{\"a\":\"\\ud800x\\q\x01\"",
            b"WARN secretword",
            b"",
            b"\"",
            b"\\",
            b"{\"a\":\"\\u12",
        ] {
            let new = Redactor::new(b"k").redact(&[Case::stdio(Party::Client, body)]).remove(0);
            assert_eq!(new.body.len(), body.len());
            for odd in [b"\xFF".as_slice(), b"\\ud800", b"\\q", b"\x01", b"\\u"] {
                let holds = |text: &[u8]| text.windows(odd.len()).any(|window| window == odd);
                assert_eq!(holds(&new.body), holds(body));
            }
        }
    }
}
