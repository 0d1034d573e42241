//! Do imports point down, and do files keep to the house rules that a machine can check?
//!
//! The layers are those of `ARCHITECTURE.md`. Only the code of the library is held to them: a `#[cfg(test)]` module
//! drives what it tests, as these modules do, and may join layers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of each layer, lowest first. `lib` and `main` stand for the crate roots.
const LAYERS: &[&[&str]] = &[
    &["case", "codec", "escape", "files", "finding", "limits", "mutation", "observation", "requirement"],
    &["exchange", "generate", "invariant", "mutate", "reduce"],
    &["oracle", "subject"],
    &["bench", "campaign", "corpus", "report", "strategy", "triage"],
    &["cli", "lib", "main"],
];

/// What a generator may not import although it lies below: reading with the codec would share its blind spots.
const HIDDEN_FROM_GENERATORS: &[&str] = &["codec::document", "codec::read", "codec::read_with"];

/// Crates that know an engine or a terminal, and the only modules that may name them.
const CONFINED_CRATES: &[(&str, &[&str])] = &[
    ("clap", &["cli", "main"]),
    ("clap_complete", &["cli", "main"]),
    ("indicatif", &["cli", "main"]),
    ("libfuzzer_sys", &[]),
    ("proptest", &["strategy"]),
];

/// Names that say nothing about what a module answers.
const EMPTY_NAMES: &[&str] = &["common", "helper", "helpers", "manager", "misc", "util", "utils"];

/// Folders of a build or of an engine; never tracked.
const UNTRACKED: &[&str] = &[
    ".git",
    "target",
    "fuzz/target",
    "fuzz/corpus",
    "fuzz/artifacts",
    "fuzz/coverage",
    "benches/versus/target",
    "proptests/foreign/target",
    "proptests/schema/target",
];

const MOST_LINES: usize = 500;
const MOST_LINES_OF_A_TARGET: usize = 40;

#[test]
fn imports_point_down() {
    let faults = import_faults(&library());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn an_import_that_points_up_is_seen() {
    for (path, text, word) in [
        ("case/text.rs", "use crate::mutate::Mutator;", "upward"),
        ("case/mod.rs", "use crate::{limits::Limits, oracle};", "upward"),
        ("codec/mod.rs", "fn f() { crate::generate::case(); }", "upward"),
        ("codec/document/mod.rs", "use super::super::oracle::check;", "upward"),
        ("limits.rs", "pub(crate) use super::triage::Row;", "upward"),
        ("generate/mod.rs", "use crate::codec::document::Decoder;", "blind spots"),
        ("generate/mod.rs", "use crate::codec::{era::Era, read};", "blind spots"),
        ("generate/mod.rs", "use crate::Case;", "no layer"),
        ("wizard.rs", "", "no layer"),
        ("campaign/mod.rs", "use indicatif::ProgressBar;", "confined"),
    ] {
        let faults = import_faults(&Sources::from([(path.to_owned(), text.to_owned())]));
        assert!(faults.iter().any(|fault| fault.contains(word)), "{path}: {text}: {faults:?}");
    }
}

#[test]
fn an_import_that_points_down_or_stands_in_a_comment_or_a_test_is_none() {
    for (path, text) in [
        ("mutate/mod.rs", "use crate::{case::Case, codec::refusal::{Reason, Refusal}};"),
        ("case/text.rs", "//! Judged by [`crate::oracle`].\nuse super::Case; // not crate::mutate::Mutator"),
        ("codec/document/mod.rs", "use super::refusal::Refusal;"),
        ("reduce.rs", "fn f() {}\n#[cfg(test)]\nmod tests {\n    use crate::oracle;\n}\n"),
    ] {
        assert_eq!(import_faults(&Sources::from([(path.to_owned(), text.to_owned())])), [""; 0], "{path}: {text}");
    }
}

#[test]
fn a_cycle_between_modules_of_one_layer_is_seen() {
    let sources = |back: &str| {
        Sources::from([
            ("limits.rs".to_owned(), "use crate::codec::refusal::Reason;".to_owned()),
            ("codec/mod.rs".to_owned(), "use crate::limits::Limits;".to_owned()),
            ("codec/refusal.rs".to_owned(), back.to_owned()),
        ])
    };
    assert_eq!(import_faults(&sources("")), [""; 0]);
    let faults = import_faults(&sources("use crate::limits::Limits;"));
    assert!(faults.iter().any(|fault| fault.contains("cycle")), "{faults:?}");
}

#[test]
fn no_file_outgrows_its_question() {
    let mut faults = Vec::new();
    for path in files().iter().filter(|path| path.extension().is_some_and(|suffix| suffix == "rs")) {
        let most = if path.starts_with("fuzz/fuzz_targets") { MOST_LINES_OF_A_TARGET } else { MOST_LINES };
        let lines = read(path).lines().count();
        if lines > most {
            faults.push(format!("{}: {lines} lines, at most {most}", path.display()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_module_is_named_for_what_it_answers() {
    for path in files().iter().filter(|path| path.extension().is_some_and(|suffix| suffix == "rs")) {
        let empty = path.with_extension("").iter().any(|part| EMPTY_NAMES.iter().any(|name| part == *name));
        assert!(!empty, "{}: a name that says nothing", path.display());
    }
}

#[test]
fn every_fuzz_target_is_built_and_described_and_has_a_cap_on_the_length() {
    let manifest = read(Path::new("fuzz/Cargo.toml"));
    let targets: Vec<_> = files().into_iter().filter(|path| path.starts_with("fuzz/fuzz_targets")).collect();
    assert!(!targets.is_empty());
    for target in targets {
        let name = target.file_stem().unwrap().to_str().unwrap();
        assert!(manifest.contains(&format!("\nname = \"{name}\"\n")), "{name}: no [[bin]] in fuzz/Cargo.toml");
        let options = PathBuf::from(format!("fuzz/{name}.options"));
        assert!(read(&options).contains("max_len"), "{}: no cap on the length", options.display());
        assert!(read(Path::new("fuzz/README.md")).contains(&format!("| `{name}` |")), "{name}: not in fuzz/README.md");
    }
}

#[test]
fn no_text_names_a_path_of_one_machine() {
    // Spelled in two parts so that this file does not contain them.
    let roots = [concat!("/wo", "rk/"), concat!("/ro", "ot/")];
    for path in files() {
        let text = read(&path);
        for root in roots {
            let named = text.match_indices(root).any(|(at, _)| {
                // Behind a name or a dot it is a part of a relative path, which every machine has.
                !text[..at]
                    .ends_with(|before: char| before.is_alphanumeric() || matches!(before, '.' | '}' | '-' | '_'))
            });
            assert!(!named, "{}: names {root}", path.display());
        }
    }
}

/// Text by path below `src`.
type Sources = BTreeMap<String, String>;

/// The library without the files that only hold tests.
fn library() -> Sources {
    let is_test = |path: &Path| path.with_extension("").iter().any(|part| part == "tests");
    let is_code = |path: &PathBuf| path.extension().is_some_and(|suffix| suffix == "rs") && !is_test(path);
    let paths = files().into_iter().filter(is_code);
    let sources: Sources =
        paths.filter_map(|path| Some((path.strip_prefix("src").ok()?.to_str()?.to_owned(), read(&path)))).collect();
    assert!(sources.contains_key("lib.rs"), "the sources of the library are not where this test looks");
    sources
}

fn import_faults(sources: &Sources) -> Vec<String> {
    let mut faults = Vec::new();
    let mut sideways: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, text) in sources {
        let module = module_of(path);
        let top = module[0];
        let Some(layer) = layer_of(top) else {
            faults.push(format!("{path}: `{top}` has no layer"));
            continue;
        };
        let code = library_code(text);
        for import in imports(&code, &module) {
            let target = import.split("::").next().unwrap_or_default();
            match layer_of(target) {
                None => faults.push(format!("{path}: crate::{import}: `{target}` has no layer")),
                Some(above) if above > layer => faults.push(format!("{path}: crate::{import}: an upward import")),
                Some(same) if same == layer && target != top => {
                    sideways.entry(path.clone()).or_default().insert(file_of(&import, sources));
                }
                Some(_) => {}
            }
            let hidden = HIDDEN_FROM_GENERATORS.iter().any(|name| is_within(&import, name));
            if top == "generate" && hidden {
                faults.push(format!("{path}: crate::{import}: a generator would share the codec's blind spots"));
            }
        }
        for (name, allowed) in CONFINED_CRATES {
            if !allowed.contains(&top) && !paths_behind(&code, &format!("{name}::")).is_empty() {
                faults.push(format!("{path}: {name} is confined to {allowed:?}"));
            }
        }
    }
    faults.extend(cycle(&sideways));
    faults
}

fn layer_of(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// `codec/document/mod.rs` is `["codec", "document"]`.
fn module_of(path: &str) -> Vec<&str> {
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    stem.strip_suffix("/mod").unwrap_or(stem).split('/').collect()
}

/// The file that holds what is imported: that of the longest leading part of its path which is a module.
fn file_of(import: &str, sources: &Sources) -> String {
    let parts: Vec<&str> = import.split("::").collect();
    let candidates = (1..=parts.len()).rev().map(|length| parts[..length].join("/"));
    let file = candidates.flat_map(|stem| [format!("{stem}.rs"), format!("{stem}/mod.rs")]);
    file.into_iter().find(|file| sources.contains_key(file)).unwrap_or_else(|| parts[0].to_owned())
}

fn is_within(import: &str, module: &str) -> bool {
    import.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// The text without comments and without its test module, which the house rules put last.
fn library_code(text: &str) -> String {
    let library = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = library.lines().map(|line| match line.find("//") {
        Some(at) if line[..at].trim().is_empty() || line[..at].ends_with(' ') => &line[..at],
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Every path of this crate that the code names, from the crate root.
fn imports(code: &str, module: &[&str]) -> Vec<String> {
    let mut found = paths_behind(code, "crate::");
    // As many `super` as the file is deep lead to the crate root.
    let to_root = "super::".repeat(module.len());
    found.extend(paths_behind(code, &to_root).into_iter().filter(|path| !path.starts_with("super")));
    found
}

/// The paths that follow a prefix, with groups in braces taken apart.
fn paths_behind(code: &str, prefix: &str) -> Vec<String> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        if !code[..at].ends_with(|before: char| is_name(before) || before == ':') {
            paths_of_tree(&code[at + prefix.len()..], "", &mut found);
        }
    }
    found
}

/// Reads `a::{b, c::d}` and returns what follows it.
fn paths_of_tree<'a>(tree: &'a str, before: &str, found: &mut Vec<String>) -> &'a str {
    let name = tree.trim_start();
    if let Some(mut rest) = name.strip_prefix('{') {
        loop {
            rest = paths_of_tree(rest, before, found).trim_start();
            match rest.strip_prefix(',') {
                Some(more) => rest = more,
                None => return rest.strip_prefix('}').unwrap_or(rest),
            }
        }
    }
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    let path = if before.is_empty() { name[..end].to_owned() } else { format!("{before}::{}", &name[..end]) };
    match name[end..].strip_prefix("::") {
        Some(rest) => paths_of_tree(rest, &path, found),
        None => {
            if end > 0 {
                found.push(path);
            }
            let rest = name[end..].trim_start();
            rest.find([',', '}', ';']).map_or("", |at| &rest[at..])
        }
    }
}

/// A file that imports itself by way of others, if there is one.
fn cycle(edges: &BTreeMap<String, BTreeSet<String>>) -> Option<String> {
    edges.keys().find_map(|start| {
        let mut seen = BTreeSet::new();
        let mut open: Vec<&String> = edges[start].iter().collect();
        while let Some(file) = open.pop() {
            if file == start {
                return Some(format!("{start}: imports form a cycle within its layer"));
            }
            if seen.insert(file) {
                open.extend(edges.get(file).into_iter().flatten());
            }
        }
        None
    })
}

/// Every file that is or may be tracked, from the root of the package, sorted.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).expect("the package can be listed") {
            let entry = entry.expect("the package can be listed");
            let path = folder.join(entry.file_name());
            let kind = entry.file_type().expect("the package can be listed");
            if UNTRACKED.iter().any(|name| path == Path::new(name)) {
                continue;
            }
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The text of a file; what is no UTF-8 (a seed may be anything) reads with replacement characters.
fn read(path: &Path) -> String {
    let bytes = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path));
    String::from_utf8_lossy(&bytes.unwrap_or_else(|error| panic!("{}: {error}", path.display()))).into_owned()
}
