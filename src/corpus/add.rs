//! How an input that somebody wrote becomes a seed: its file and its row, or the reason why not.
//!
//! The row expects what the codec reads, which whoever adds the seed holds against the rules. An input that is there
//! already, that shows a fault (which is a regression to be promoted) or that holds a secret is refused.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::Malformed;
use super::manifest::{Manifest, Row, Unwritten, put};
use super::redact::secrets;
use crate::finding::Evidence;
use crate::requirement;
use crate::triage::{Bench, promote, store};

/// What is said of a seed.
#[derive(Clone, Copy, Debug)]
pub struct Said<'a> {
    /// Its name; letters, digits and dashes of it are kept.
    pub name: &'a str,
    /// The folder below `seeds/`; by what is read when nothing is said.
    pub topic: Option<&'a str>,
    /// Why it is there.
    pub why: &'a str,
    /// The requirement that it speaks of.
    pub requirement: &'a str,
}

/// Why nothing was written.
#[derive(Debug)]
pub enum Error {
    /// No requirement has that id.
    Requirement(String),
    /// The corpus holds these bytes already, there.
    Known(String),
    /// Another seed has that name.
    Taken(PathBuf),
    /// The input shows a fault of the codec: its signature.
    Fault(String),
    /// So many values give themselves away as secrets, by their name or by how they begin.
    Secrets(usize),
    /// The corpus does not hold together.
    Malformed(Malformed),
    /// The file system refused.
    Io(io::Error),
}

/// Adds a seed to the corpus folder and says where it stands.
///
/// # Errors
///
/// See [`Error`]; nothing is written then.
pub fn add(bench: &mut Bench<'_>, evidence: &Evidence, folder: &Path, said: Said<'_>) -> Result<PathBuf, Error> {
    let requirement =
        requirement::find(said.requirement).ok_or_else(|| Error::Requirement(said.requirement.to_owned()))?;
    let found = secrets(&promote::cases(evidence));
    if found > 0 {
        return Err(Error::Secrets(found));
    }
    let manifest = Manifest::load(folder).map_err(Error::Malformed)?;
    let text = evidence.encode();
    let same = |row: &&Row| store::holds(&folder.join(&row.path), &text);
    if let Some(row) = manifest.rows.iter().find(same) {
        return Err(Error::Known(row.path.clone()));
    }
    if let Some(fault) = bench.evidence(evidence) {
        return Err(Error::Fault(fault.signature.to_string()));
    }
    let expect = promote::read(evidence);
    let topic = match (said.topic, evidence, expect.as_slice()) {
        (Some(topic), ..) => promote::slug(topic),
        (None, Evidence::Session(_), _) => "session".to_owned(),
        (None, _, [one]) => one.refusal.as_deref().and_then(|it| it.split('/').next()).unwrap_or("lawful").to_owned(),
        (None, ..) => "lawful".to_owned(),
    };
    let path = format!("seeds/{topic}/{}.{}", promote::slug(said.name), evidence.suffix());
    let row = Row {
        path,
        why: said.why.to_owned(),
        requirement: requirement.id.as_str().to_owned(),
        invariant: None,
        expect,
    };
    Ok(put(folder, &row, &text)?)
}

impl From<Unwritten> for Error {
    fn from(why: Unwritten) -> Self {
        match why {
            Unwritten::Taken(path) => Self::Taken(path),
            Unwritten::Malformed(error) => Self::Malformed(error),
            Unwritten::Io(error) => Self::Io(error),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Requirement(id) => {
                write!(f, "{id:?} is no requirement; `wirebench list requirements` names them")
            }
            Self::Known(path) => write!(f, "the corpus holds these bytes already: {path}"),
            Self::Taken(path) => write!(f, "{} is there already: give another --name", path.display()),
            Self::Fault(signature) => {
                write!(f, "the codec has a fault on it ({signature}): `wirebench triage promote` makes it a regression")
            }
            Self::Secrets(count) => {
                write!(f, "{count} values look like secrets: take them out, or have stand-ins written with --redact")
            }
            Self::Malformed(error) => write!(f, "{error}"),
            Self::Io(error) => write!(f, "the corpus cannot be written: {error}"),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::corpus::manifest::FILE;
    use crate::subject;
    use crate::triage;

    const SAID: Said<'static> =
        Said { name: "A Ping!", topic: None, why: "it is plain", requirement: "json-well-formed" };

    fn added(folder: &Path, text: &[u8], said: Said<'_>) -> Result<PathBuf, Error> {
        let make = || subject::by_name("codec").unwrap();
        add(&mut Bench::new(&make), &triage::decode(text), folder, said)
    }

    fn corpus() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(FILE), "# About this table.\n").unwrap();
        folder
    }

    #[test]
    fn a_seed_has_its_file_and_its_row_and_is_there_once() {
        let folder = corpus();
        let text = b"\n{\"jsonrpc\":\"2.0\",\"id\":1,";
        let path = added(folder.path(), text, SAID).unwrap();
        assert_eq!(path, folder.path().join("seeds/json/a-ping.case"));
        assert_eq!(fs::read(&path).unwrap(), text);
        let manifest = Manifest::load(folder.path()).unwrap();
        assert_eq!(manifest.rows[0].expect[0].refusal.as_deref(), Some("json/unexpected-end"));
        assert!(fs::read_to_string(folder.path().join(FILE)).unwrap().starts_with("# About"));
        let again = added(folder.path(), text, Said { name: "other", ..SAID });
        assert!(matches!(again, Err(Error::Known(path)) if path == "seeds/json/a-ping.case"));
        assert!(matches!(added(folder.path(), b"\n{\"id\":2,", SAID), Err(Error::Taken(_))));
        let lawful = added(folder.path(), b"\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", SAID).unwrap();
        assert!(Manifest::load(folder.path()).is_ok_and(|manifest| manifest.rows.len() == 2), "{lawful:?}");
    }

    #[test]
    fn what_does_not_belong_into_the_corpus_leaves_it_as_it_was() {
        let folder = corpus();
        let before = fs::read(folder.path().join(FILE)).unwrap();
        let unknown = added(folder.path(), b"\n{", Said { requirement: "json-pretty", ..SAID });
        assert!(matches!(unknown, Err(Error::Requirement(_))));
        for secret in [
            ":transport: http\nAuthorization: Bearer abc.def-123\n\n{}".to_owned(),
            "\n{\"password\":\"hunter2\"}".to_owned(),
            format!("\n{{\"note\":\"{}{}\"}}", "ghp_", "0123456789abcdef"),
        ] {
            assert!(matches!(added(folder.path(), secret.as_bytes(), SAID), Err(Error::Secrets(1))), "{secret}");
        }
        let nothing = added(folder.path(), b"\n{", Said { why: " ", ..SAID });
        assert!(matches!(nothing, Err(Error::Malformed(_))));
        assert_eq!(fs::read(folder.path().join(FILE)).unwrap(), before);
        assert!(!folder.path().join("seeds").exists());
    }
}
