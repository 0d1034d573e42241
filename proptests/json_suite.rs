//! The JSON parsing suite: what must be read, what must be refused, and what a reader may choose.
//!
//! The files are other people's and are not kept here; `scripts/fetch-suite` brings them, and without them the test says
//! that it was not run. The publisher of the files named some of them anew; the classes here are those of the suite.
//! Five files that are lost on the way are written here.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use wirebench::codec::document::Decoder;
use wirebench::codec::refusal::Reason;
use wirebench::limits::Limits;

/// What the suite leaves to the reader, without its prefix, and our answer.
const FREE: [(&str, Option<Reason>); 35] = [
    ("number_double_huge_neg_exp", None),
    ("number_huge_exp", None),
    ("number_neg_int_huge_exp", None),
    ("number_pos_double_huge_exp", None),
    ("number_real_neg_overflow", None),
    ("number_real_pos_overflow", None),
    ("number_real_underflow", None),
    ("number_too_big_neg_int", None),
    ("number_too_big_pos_int", None),
    ("number_very_big_negative_int", None),
    ("object_key_lone_2nd_surrogate", Some(Reason::LoneSurrogate)),
    ("string_1st_surrogate_but_2nd_missing", Some(Reason::LoneSurrogate)),
    ("string_1st_valid_surrogate_2nd_invalid", Some(Reason::LoneSurrogate)),
    ("string_UTF-16LE_with_BOM", Some(Reason::UnexpectedByte)),
    ("string_UTF-8_invalid_sequence", Some(Reason::InvalidUtf8)),
    ("string_UTF8_surrogate_U+D800", Some(Reason::InvalidUtf8)),
    ("string_incomplete_surrogate_and_escape_valid", Some(Reason::LoneSurrogate)),
    ("string_incomplete_surrogate_pair", Some(Reason::LoneSurrogate)),
    ("string_incomplete_surrogates_escape_valid", Some(Reason::LoneSurrogate)),
    ("string_invalid_lonely_surrogate", Some(Reason::LoneSurrogate)),
    ("string_invalid_surrogate", Some(Reason::LoneSurrogate)),
    ("string_invalid_utf-8", Some(Reason::InvalidUtf8)),
    ("string_inverted_surrogates_U+1D11E", Some(Reason::LoneSurrogate)),
    ("string_iso_latin_1", Some(Reason::InvalidUtf8)),
    ("string_lone_second_surrogate", Some(Reason::LoneSurrogate)),
    ("string_lone_utf8_continuation_byte", Some(Reason::InvalidUtf8)),
    ("string_not_in_unicode_range", Some(Reason::InvalidUtf8)),
    ("string_overlong_sequence_2_bytes", Some(Reason::InvalidUtf8)),
    ("string_overlong_sequence_6_bytes", Some(Reason::InvalidUtf8)),
    ("string_overlong_sequence_6_bytes_null", Some(Reason::InvalidUtf8)),
    ("string_truncated-utf-8", Some(Reason::InvalidUtf8)),
    ("string_utf16BE_no_BOM", Some(Reason::UnexpectedByte)),
    ("string_utf16LE_no_BOM", Some(Reason::UnexpectedByte)),
    ("structure_500_nested_arrays", Some(Reason::DepthLimit)),
    ("structure_UTF-8_BOM_empty_object", Some(Reason::ByteOrderMark)),
];

/// What the suite says must be read and we refuse: one name twice.
const DUPLICATES: [&str; 2] = ["object_duplicated_key", "object_duplicated_key_and_value"];

/// The files that the published copy lacks.
const LOST: [(&str, &[u8]); 5] = [
    ("i_string_1st_surrogate_but_2nd_missing", b"[\"\\uDADA\"]"),
    ("i_string_UTF-16LE_with_BOM", b"\xFF\xFE[\0\"\0\xE9\0\"\0]\0"),
    ("i_string_utf16BE_no_BOM", b"\0[\0\"\0\xE9\0\"\0]"),
    ("i_string_utf16LE_no_BOM", b"[\0\"\0\xE9\0\"\0]\0"),
    ("i_structure_UTF-8_BOM_empty_object", b"\xEF\xBB\xBF{}"),
];

fn answer(bytes: &[u8]) -> Option<Reason> {
    Decoder::new().read(bytes, &Limits::message()).err().map(|refusal| refusal.reason)
}

/// What the suite asks for, beside what it got.
fn judge(name: &str, bytes: &[u8]) -> Result<(), String> {
    let (class, name) = name.split_once('_').expect("every file has a class");
    let found = answer(bytes);
    let free = FREE.iter().find(|(known, _)| *known == name);
    let right = match (free, class) {
        (Some((_, expected)), _) => found == *expected,
        (None, "y") if DUPLICATES.contains(&name) => found == Some(Reason::DuplicateMember),
        (None, "y") => found.is_none(),
        (None, "n") => found.is_some(),
        (None, _) => return Err(format!("{name} is of no class")),
    };
    if right { Ok(()) } else { Err(format!("{class} {name}: {found:?}")) }
}

#[test]
fn the_parsing_suite_is_answered_as_it_asks() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/json-suite");
    let Ok(entries) = fs::read_dir(&folder) else {
        println!("not run: the_parsing_suite_is_answered_as_it_asks: scripts/fetch-suite brings the files");
        return;
    };
    let mut files: BTreeMap<String, Vec<u8>> =
        LOST.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect();
    for entry in entries {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let name = name.strip_suffix(".json").unwrap_or(&name).to_owned();
        files.insert(name, fs::read(&path).unwrap());
    }
    assert!(files.len() > 310, "{} files", files.len());
    let wrong: Vec<String> = files.iter().filter_map(|(name, bytes)| judge(name, bytes).err()).collect();
    assert!(wrong.is_empty(), "{} of {} differ\n{}", wrong.len(), files.len(), wrong.join("\n"));
    let met = |known: &str| files.keys().any(|name| name.split_once('_').is_some_and(|(_, rest)| rest == known));
    let unmet: Vec<&str> = FREE.iter().map(|(known, _)| *known).filter(|known| !met(known)).collect();
    assert_eq!(unmet, [""; 0], "files that no copy holds");
}

#[test]
fn the_files_that_are_lost_are_answered() {
    for (name, bytes) in LOST {
        assert_eq!(judge(name, bytes), Ok(()));
    }
}
