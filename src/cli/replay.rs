//! The verbs `replay` and `minimise`: one case again, and a smaller one with the same signature.

use std::path::{Path, PathBuf};

use wirebench::finding::Evidence;
use wirebench::report::Stability;
use wirebench::triage::{self, Bench, store};

use super::exit::{Code, interrupt};
use super::out::Out;
use super::{found, source, subject, tell};

/// What `replay` is asked.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A case, a session, an artifact, or the id of a finding of the last runs.
    #[arg(value_name = "PATH|ID")]
    input: String,
    /// Which subject: a name of `list subjects`, or `exec:COMMAND`, a program of its own.
    #[arg(long, default_value = "codec", value_name = "NAME")]
    subject: String,
}

/// What `minimise` is asked.
#[derive(Debug, clap::Args)]
pub struct MinimiseArgs {
    /// A case, a session, an artifact, or the id of a finding of the last runs.
    #[arg(value_name = "PATH|ID")]
    input: String,
    /// Which subject: a name of `list subjects`, or `exec:COMMAND`, a program of its own.
    #[arg(long, default_value = "codec", value_name = "NAME")]
    subject: String,
    /// Where the smaller input goes, `-` for standard output; beside the input as `NAME.min.case` by default.
    #[arg(long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Replace a file that stands where the smaller input goes.
    #[arg(long)]
    force: bool,
}

/// Replays the input three times and prints what it shows.
pub fn run(args: &Args, out: &mut Out) -> Code {
    let (make, (path, evidence)) = match (subject::named(&args.subject), load(&args.input)) {
        (Ok(make), Ok(loaded)) => (make, loaded),
        (Err(code), _) | (_, Err(code)) => return code,
    };
    let (fault, stability) = Bench::new(&make).replay(&evidence, None);
    let Some(fault) = fault else {
        tell(format!("wirebench: {} shows no fault of {}", path.display(), args.subject));
        return Code::Clean;
    };
    let row = fault.row(&evidence, &[], "");
    let row = wirebench::report::Found { stability, hits: triage::REPLAYS as u64, ..row }.at(&path);
    found::one(&row, out);
    Code::Findings
}

/// Shrinks the input and writes the result.
pub fn minimise(args: &MinimiseArgs, out: &mut Out) -> Code {
    let (make, (path, evidence)) = match (subject::named(&args.subject), load(&args.input)) {
        (Ok(make), Ok(loaded)) => (make, loaded),
        (Err(code), _) | (_, Err(code)) => return code,
    };
    let interrupt = match interrupt() {
        Ok(interrupt) => interrupt,
        Err(code) => return code,
    };
    let stop = || interrupt.is_set();
    let mut bench = Bench::new(&make).until(&stop);
    let (fault, stability) = bench.replay(&evidence, None);
    let (Some(fault), Stability::Stable) = (fault, stability) else {
        tell(format!("wirebench: {} shows no stable fault of {}: nothing to hold on to", path.display(), args.subject));
        return Code::Unreadable;
    };
    let Some(smaller) = bench.minimise(&evidence, &fault.signature) else {
        tell("wirebench: the fault went away while it was shrunk; nothing was written");
        return Code::Unreadable;
    };
    let ended = match interrupt.is_set() {
        true => Code::Interrupted,
        false => Code::Findings,
    };
    let bytes = smaller.encode();
    if args.output.as_deref() == Some(Path::new("-")) {
        if let Err(what) = out.bytes(&bytes) {
            tell(format!("wirebench: {what}"));
            return Code::Usage;
        }
        tell(format!("{} {} is minimised to {} bytes", fault.id(), fault.signature, bytes.len()));
        return ended;
    }
    let target = args.output.clone().unwrap_or_else(|| path.with_extension(format!("min.{}", smaller.suffix())));
    if let Err(what) = may_write(&path, &target, &bytes, args.force) {
        tell(format!("wirebench: {} {what}", target.display()));
        return Code::Usage;
    }
    if let Err(error) = store::replace(&target, &bytes) {
        tell(format!("wirebench: {} cannot be written: {error}", target.display()));
        return Code::Usage;
    }
    let row = fault.row(&smaller, &[], "");
    found::one(&wirebench::report::Found { minimised: true, ..row }.at(&target), out);
    ended
}

/// Why the target must stay as it is. One that holds these bytes already is as good as written.
fn may_write(input: &Path, target: &Path, bytes: &[u8], force: bool) -> Result<(), &'static str> {
    if store::is_same(input, target) {
        return Err("is the input: name another file with --output");
    }
    if !force && target.is_file() && !store::holds(target, bytes) {
        return Err("is there already: name another file with --output, or replace it with --force");
    }
    Ok(())
}

/// The file that was meant, and what it holds.
pub fn load(input: &str) -> Result<(PathBuf, Evidence), Code> {
    let Some(path) = store::find(input, None) else {
        tell(format!("wirebench: {input} is no file and no finding below {}", store::FOLDERS.join(" or ")));
        return Err(Code::Unreadable);
    };
    read(&path).map(|evidence| (path, evidence))
}

/// What a file holds.
pub fn read(path: &Path) -> Result<Evidence, Code> {
    let unreadable = |what: String| {
        tell(format!("wirebench: {} {what}", path.display()));
        Code::Unreadable
    };
    let bytes =
        store::read(path, source::LIMIT as u64).map_err(|error| unreadable(format!("cannot be read: {error}")))?;
    triage::decode_named(path, &bytes)
        .map_err(|fault| unreadable(format!("is not in the text form that its name promises: {fault}")))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn neither_the_input_nor_another_file_is_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let (input, other) = (folder.path().join("input"), folder.path().join("other"));
        fs::write(&input, "a").expect("writable");
        assert!(may_write(&input, &folder.path().join(".").join("input"), b"a", true).is_err());
        assert!(may_write(&input, &other, b"b", false).is_ok());
        fs::write(&other, "c").expect("writable");
        assert!(may_write(&input, &other, b"b", false).is_err());
        assert!(may_write(&input, &other, b"b", true).is_ok() && may_write(&input, &other, b"c", false).is_ok());
    }
}
