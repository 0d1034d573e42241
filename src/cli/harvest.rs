//! The verb `corpus harvest`: recorded traffic becomes redacted seeds.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use wirebench::campaign::unready::Unready;
use wirebench::case::Case;
use wirebench::corpus::harvest::{Seed, harvest};
use wirebench::corpus::redact::Redactor;
use wirebench::triage::store;

use super::exit::{Code, interrupt};
use super::form::{self, Input};
use super::out::Out;
use super::tell;
use super::unpack::{Trouble, Unpacked, unpack};
use super::{read, source};

const EXAMPLES: &str = "\
Examples:
  wirebench corpus harvest recordings/ --out seeds/
  wirebench corpus harvest proxy.har --out seeds/ --key secret.key
  wirebench nightly --seeds seeds/

Every string outside the protocol's vocabulary gets a stand-in. Equal strings get equal ones, over all inputs of one run;
with the same --key also over runs. Without --key the key is drawn and thrown away. Numbers below eight digits stay.
A recording that would be read otherwise, or would keep something of what was replaced, is not written.";

/// Bytes that a key has at least.
const KEY: usize = 16;

/// Bytes that a key has at most.
const LONGEST_KEY: u64 = 64 << 10;

/// What `corpus harvest` is asked.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Files or folders; `-` is standard input.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Where the seeds are written, each named by its content.
    #[arg(long, value_name = "DIR", value_parser = super::folder())]
    out: PathBuf,
    /// A file of at least 16 random bytes that stand-ins are drawn under.
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// The form of the inputs.
    #[arg(long, value_enum, default_value_t)]
    input: Input,
}

#[derive(Serialize)]
struct Line {
    source: String,
    seed: Option<String>,
    messages: usize,
    /// Why there is no seed.
    error: Option<String>,
}

/// Harvests every input.
pub fn run(args: &Args, out: &mut Out) -> Code {
    let key = match key(args.key.as_deref()) {
        Ok(key) => key,
        Err(what) => {
            tell(format!("wirebench: {what}"));
            return Code::Usage;
        }
    };
    if let Err(error) = fs::create_dir_all(&args.out) {
        tell(format!("wirebench: {} cannot be made a folder: {}", args.out.display(), error.kind()));
        return Code::Usage;
    }
    let interrupt = match interrupt() {
        Ok(interrupt) => interrupt,
        Err(code) => return code,
    };
    let mut redactor = Redactor::new(&key);
    let (mut written, mut refused, mut left) = (0, 0, 0);
    for file in args.paths.iter().flat_map(|path| source::expand(path, args.input != Input::Auto).0) {
        // What was done is shown before a wait for input that may never come.
        out.flush();
        let source = file.as_ref().map_or_else(|fault| fault.source.clone(), |path| path.display().to_string());
        let Some(loaded) = interrupt.waiting(|| file.and_then(|path| Ok((source::load(&path)?, path)))) else {
            left += 1;
            continue;
        };
        let seed = loaded
            .map_err(|fault| fault.what)
            .and_then(|(bytes, path)| messages(args.input, &path, bytes))
            .and_then(|cases| harvest(&mut redactor, cases).map_err(|refused| refused.to_string()));
        let line = match seed.and_then(|seed| Ok((seed.messages, kept(&args.out, &seed)?))) {
            Err(error) => Line { source, seed: None, messages: 0, error: Some(error) },
            Ok((messages, Ok(path))) => Line { source, seed: Some(path), messages, error: None },
            Ok((_, Err(unwritable))) => {
                tell(format!("wirebench: {unwritable}"));
                tell(format!("harvest: inputs that became seeds {written}, that did not {refused}; ended by the disk"));
                return Code::Usage;
            }
        };
        written += usize::from(line.error.is_none());
        refused += usize::from(line.error.is_some());
        out.result(&line, |line, _| match (&line.seed, &line.error) {
            (Some(seed), _) => format!("{:<48} {} ({} messages)", line.source, seed, line.messages),
            (None, error) => format!("{:<48} no seed: {}", line.source, error.as_deref().unwrap_or_default()),
        });
    }
    tell(format!("harvest: inputs that became seeds {written}, that did not {refused}"));
    if left > 0 {
        tell(format!("harvest: interrupted, inputs that were not looked at {left}"));
        return Code::Interrupted;
    }
    if refused > 0 || written == 0 { Code::Unreadable } else { Code::Clean }
}

fn key(path: Option<&Path>) -> Result<Vec<u8>, String> {
    let Some(path) = path else {
        let mut key = vec![0; 32];
        return match getrandom::fill(&mut key) {
            Ok(()) => Ok(key),
            Err(_) => Err("the system gives no random bytes; name a file with --key".to_owned()),
        };
    };
    match store::read(path, LONGEST_KEY) {
        Ok(key) if key.len() < KEY => Err(format!("{} is shorter than {KEY} bytes, which is no key", path.display())),
        Ok(key) => Ok(key),
        Err(error) => Err(format!("{} cannot be read: {error}", path.display())),
    }
}

fn messages(input: Input, path: &Path, bytes: Vec<u8>) -> Result<Vec<Case>, String> {
    let input = if input == Input::Auto { form::of(path, &bytes) } else { input };
    match unpack(input, bytes) {
        // A seed of what is left would be another exchange than the one that was recorded.
        Ok(Unpacked { refused, skipped, .. }) if !refused.is_empty() || !skipped.is_empty() => {
            let frame = refused.first().map(|(index, refusal)| format!("frame {index} holds no message: {refusal}"));
            let part = skipped.first().map(|part| format!("entry {}: {}", part.index, read::told(part)));
            Err(frame.or(part).unwrap_or_default())
        }
        Ok(unpacked) => Ok(unpacked.messages.into_iter().map(|message| message.case).collect()),
        Err(Trouble::Refused(refusal)) => Err(format!("the recording is refused whole: {refusal}")),
        Err(Trouble::Unreadable(what)) => Err(what),
    }
}

/// The name of the file that holds the seed now, or why the folder takes none. One that is there already with the same
/// bytes is the same seed.
///
/// # Errors
///
/// When another file bears the name of this seed.
fn kept(folder: &Path, seed: &Seed) -> Result<Result<String, Unready>, String> {
    let path = folder.join(&seed.name);
    let shown = path.display().to_string();
    if path.symlink_metadata().is_ok() {
        return match store::holds(&path, &seed.text) {
            true => Ok(Ok(shown)),
            false => Err(format!("{shown} is there with other bytes, and stays: move it away, or name another --out")),
        };
    }
    Ok(store::replace(&path, &seed.text).map(|()| shown).map_err(|error| Unready::unwritable(&path, &error)))
}
