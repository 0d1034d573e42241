//! Which bytes are measured? Messages of our own making, the same on every machine.
//!
//! Everything follows from one fixed seed; [`DIGEST`] pins it, so that two rows of two runs can be compared. Realistic
//! messages have the shape of recorded traffic and nothing of its text. Hostile shapes take a size, so that growth can
//! be measured.

#![allow(dead_code, reason = "each bench uses its own part of the workload")]

use std::fmt::Write;

/// What [`digest`] gives for [`mixed`] followed by [`singles`]. A change of the workload changes this line.
pub const DIGEST: u64 = 0xB67C_F051_3C5E_2678;

const SEED: u64 = 0x6D63_7020_7769_7265;
const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"workload","version":"2.1.0"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"roots":{"listChanged":true}}}"#;
const WORDS: &[&str] = &[
    "the",
    "index",
    "holds",
    "every",
    "record",
    "since",
    "March",
    "of",
    "a",
    "branch",
    "and",
    "returns",
    "matching",
    "rows",
    "in",
    "order",
    "caf\u{e9}",
    "build",
    "finished",
    "without",
    "warnings",
    "file",
    "src/lib.rs",
    "line",
    "changed",
    "by",
    "request",
    "timeout",
    "after",
    "retry",
    "path",
    "value",
    "not",
    "found",
    "is",
    "empty",
];

/// A message, or a shape, and what it is called in a row.
pub struct Input {
    /// Lower case with hyphens.
    pub name: &'static str,
    /// The bytes of one document.
    pub bytes: Vec<u8>,
}

/// 400 messages as a busy server sees and sends them: mostly small, now and then a list.
pub fn mixed() -> Vec<Vec<u8>> {
    let mut dice = Dice(SEED);
    (0..400)
        .map(|index| {
            let id = index + 1;
            let text = match index % 20 {
                0..6 => call(&mut dice, id),
                6..11 => {
                    let words = 4 + dice.below(120);
                    text_result(&mut dice, id, words)
                }
                11 => structured_result(&mut dice, id),
                12 => tools(&mut dice, id, if id % 3 == 0 { 30 } else { 5 }),
                13 => error(&mut dice, id),
                14 => progress(&mut dice, id),
                15 => ping(id),
                16 => read_resource(&mut dice, id),
                17 => resource(&mut dice, id),
                18 => prompt(&mut dice, id),
                _ => discover(id),
            };
            text.into_bytes()
        })
        .collect()
}

/// One of each realistic message.
pub fn singles() -> Vec<Input> {
    let mut dice = Dice(SEED ^ 1);
    let mut input = |name, make: &dyn Fn(&mut Dice) -> String| Input { name, bytes: make(&mut dice).into_bytes() };
    vec![
        input("ping", &|_| ping(7)),
        input("small-call", &|dice| call(dice, 3)),
        input("error", &|dice| error(dice, 9)),
        input("tools-1", &|dice| tools(dice, 1, 1)),
        input("tools-30", &|dice| tools(dice, 2, 30)),
        input("tools-500", &|dice| tools(dice, 3, 500)),
        input("text-100k", &|dice| text_result(dice, 4, 100_000 / 7)),
        input("image-1m", &|dice| image(dice, 5, 1 << 20)),
    ]
}

/// A shape that grows with its size: how it is made, and the size that is measured.
pub struct Shape {
    /// Lower case with hyphens.
    pub name: &'static str,
    /// The size whose cost is compared with the cost of twice the size.
    pub size: usize,
    /// The document of a size.
    pub make: fn(usize) -> Vec<u8>,
}

/// Documents whose cost a careless reader lets explode. All are well formed.
pub const HOSTILE: &[Shape] = &[
    Shape { name: "deep-arrays", size: 4000, make: |n| format!("{}{}", "[".repeat(n), "]".repeat(n)).into() },
    Shape { name: "deep-objects", size: 4000, make: |n| format!("{}0{}", "{\"a\":".repeat(n), "}".repeat(n)).into() },
    Shape { name: "names", size: 4000, make: |n| object((0..n).map(|i| format!("name{i}"))) },
    Shape { name: "names-50k", size: 50_000, make: |n| object((0..n).map(|i| format!("name{i}"))) },
    Shape { name: "names-17", size: 2000, make: |n| array(n, |i| object_text((0..17).map(|k| format!("n{i}k{k}")))) },
    Shape { name: "names-alike", size: 4000, make: |n| object((0..n).map(|i| format!("{i:08}{:040}", 0))) },
    Shape { name: "names-escaped", size: 4000, make: |n| object((0..n).map(|i| format!("\\u006eame\\n{i}"))) },
    Shape { name: "escapes", size: 256 << 10, make: |n| format!("\"{}\"", "\\n\\u00e9\\\\".repeat(n / 10)).into() },
    Shape { name: "surrogates", size: 256 << 10, make: |n| format!("\"{}\"", "\\ud83d\\ude00".repeat(n / 12)).into() },
    Shape { name: "numbers", size: 256 << 10, make: |n| array(n / 16, |i| format!("-{i}.{:06}e+1", i % 997)) },
    Shape { name: "small-numbers", size: 256 << 10, make: |n| array(n / 2, |i| (i % 10).to_string()) },
    Shape { name: "white-space", size: 256 << 10, make: |n| array(n / 32, |i| format!("{:>30}", i % 10)) },
    Shape { name: "empties", size: 256 << 10, make: |n| array(n / 6, |_| "[],{}".to_string()) },
    Shape { name: "empty-strings", size: 256 << 10, make: |n| array(n / 3, |_| "\"\"".to_string()) },
    Shape { name: "non-ascii", size: 256 << 10, make: |n| format!("\"{}\"", "\u{e9}\u{4e2d}x".repeat(n / 6)).into() },
];

/// Documents that are refused, with the word of the reason.
pub fn refused() -> Vec<(&'static str, Vec<u8>)> {
    let mut dice = Dice(SEED ^ 2);
    let list = tools(&mut dice, 1, 30);
    let cut = list[..list.len() - 2].to_string();
    let twice = format!("{},\"jsonrpc\":\"2.0\"}}", &list[..list.len() - 1]);
    vec![
        ("unexpected-end", cut.into()),
        ("duplicate-member", twice.into()),
        ("depth-limit", "[".repeat(100_000).into()),
        ("trailing-data", format!("{list}{list}").into()),
        ("invalid-utf8", [list.as_bytes(), b"\"\xFF\""].concat()[list.len()..].to_vec()),
    ]
}

/// FNV-1a over all documents in order, each with its length before it.
pub fn digest<'a>(documents: impl IntoIterator<Item = &'a [u8]>) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325u64;
    let mut take = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    for document in documents {
        (document.len() as u64).to_le_bytes().into_iter().for_each(&mut take);
        document.iter().copied().for_each(&mut take);
    }
    hash
}

/// Stops the run when the workload is not the pinned one.
pub fn verify() {
    let (mixed, singles) = (mixed(), singles());
    let found = digest(mixed.iter().map(Vec::as_slice).chain(singles.iter().map(|input| input.bytes.as_slice())));
    assert_eq!(found, DIGEST, "the workload changed: its digest is {found:#018x}");
}

fn object(names: impl Iterator<Item = String>) -> Vec<u8> {
    object_text(names).into()
}

fn object_text(names: impl Iterator<Item = String>) -> String {
    let members: Vec<_> = names.map(|name| format!("\"{name}\":0")).collect();
    format!("{{{}}}", members.join(","))
}

fn array(count: usize, element: impl Fn(usize) -> String) -> Vec<u8> {
    format!("[{}]", (0..count).map(element).collect::<Vec<_>>().join(",")).into()
}

fn ping(id: usize) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)
}

fn call(dice: &mut Dice, id: usize) -> String {
    let (query, path) = (dice.prose(6), dice.below(900));
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{{META},"name":"search_records","arguments":{{"query":"{query}","path":"/data/set-{path}","limit":{},"fuzzy":{},"score":0.{}}}}}}}"#,
        dice.below(100),
        dice.below(2) == 0,
        1 + dice.below(998),
    )
}

fn text_result(dice: &mut Dice, id: usize, words: usize) -> String {
    let text = dice.prose(words);
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete","content":[{{"type":"text","text":"{text}"}}],"isError":false}}}}"#
    )
}

fn structured_result(dice: &mut Dice, id: usize) -> String {
    let rows: Vec<_> = (0..12)
        .map(|row| {
            format!(
                r#"{{"id":{},"title":"{}","price":{}.{:02},"tags":["{}","{}"],"stock":null}}"#,
                row + dice.below(10_000),
                dice.prose(3),
                dice.below(500),
                dice.below(100),
                dice.word(),
                dice.word()
            )
        })
        .collect();
    format!(
        r#"{{"jsonrpc":"2.0","id":"r-{id}","result":{{"resultType":"complete","content":[],"structuredContent":{{"rows":[{}],"total":12}}}}}}"#,
        rows.join(",")
    )
}

fn tools(dice: &mut Dice, id: usize, count: usize) -> String {
    let list: Vec<_> = (0..count).map(|index| tool(dice, index)).collect();
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete","tools":[{}],"ttlMs":60000,"cacheScope":"private"}}}}"#,
        list.join(",")
    )
}

fn tool(dice: &mut Dice, index: usize) -> String {
    let mut properties = String::new();
    for parameter in 0..2 + dice.below(4) {
        let (kind, extra) =
            [("string", r#","minLength":1"#), ("integer", r#","minimum":0"#), ("boolean", "")][dice.below(3)];
        let comma = if parameter > 0 { "," } else { "" };
        let about = dice.prose(7);
        let _ =
            write!(properties, r#"{comma}"argument_{parameter}":{{"type":"{kind}","description":"{about}"{extra}}}"#);
    }
    format!(
        r#"{{"name":"tool_{index}","title":"{}","description":"{}","inputSchema":{{"type":"object","properties":{{{properties}}},"required":["argument_0"],"additionalProperties":false}},"annotations":{{"readOnlyHint":{},"openWorldHint":false}}}}"#,
        dice.prose(3),
        dice.prose(18),
        dice.below(2) == 0
    )
}

fn error(dice: &mut Dice, id: usize) -> String {
    let message = dice.prose(5);
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32602,"message":"{message}","data":{{"at":"params.arguments","retry":false}}}}}}"#
    )
}

fn progress(dice: &mut Dice, id: usize) -> String {
    let done = dice.below(100);
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":"t-{id}","progress":{done},"total":100,"message":"{}"}}}}"#,
        dice.prose(4)
    )
}

fn read_resource(dice: &mut Dice, id: usize) -> String {
    let name = dice.below(5000);
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"resources/read","params":{{{META},"uri":"file:///data/set-{name}.md"}}}}"#
    )
}

fn resource(dice: &mut Dice, id: usize) -> String {
    let text = dice.prose(200);
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete","contents":[{{"uri":"file:///data/set-{id}.md","mimeType":"text/markdown","text":"{text}"}}],"ttlMs":0,"cacheScope":"private"}}}}"#
    )
}

fn prompt(dice: &mut Dice, id: usize) -> String {
    let (about, text) = (dice.prose(6), dice.prose(40));
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete","description":"{about}","messages":[{{"role":"user","content":{{"type":"text","text":"{text}"}}}}]}}}}"#
    )
}

fn discover(id: usize) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete","supportedVersions":["2026-07-28","2025-11-25"],"capabilities":{{"tools":{{"listChanged":true}},"resources":{{"subscribe":true}},"prompts":{{}},"logging":{{}}}},"serverInfo":{{"name":"workload-server","version":"0.9.3"}},"ttlMs":3600000,"cacheScope":"public"}}}}"#
    )
}

fn image(dice: &mut Dice, id: usize, bytes: usize) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let data: String = (0..bytes).map(|_| char::from(ALPHABET[dice.below(64)])).collect();
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete","content":[{{"type":"image","data":"{data}","mimeType":"image/png"}}]}}}}"#
    )
}

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn word(&mut self) -> &'static str {
        WORDS[self.below(WORDS.len())]
    }

    /// Words with a line break or a quoted word now and then, escaped as JSON.
    fn prose(&mut self, words: usize) -> String {
        let mut text = String::new();
        for index in 0..words {
            if index > 0 {
                text.push_str(if index % 14 == 0 { "\\n" } else { " " });
            }
            let word = self.word();
            if self.below(40) == 0 {
                let _ = write!(text, "\\\"{word}\\\"");
            } else {
                text.push_str(word);
            }
        }
        text
    }
}
