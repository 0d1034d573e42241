//! The verb `report`: the rows of a run rendered again in another form, two runs compared, the schema of the rows.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde::Serialize;
use wirebench::corpus;
use wirebench::report::beside::Beside;
use wirebench::report::diff::{self, Diff};
use wirebench::report::folder::{self, Error};
use wirebench::report::{Found, Run, html, junit, markdown, own, sarif, schema};
use wirebench::triage::store;

use super::exit::Code;
use super::out::Out;
use super::tell;

const EXAMPLES: &str = "\
FILE may be - for standard output. Without a form, report.html is written into the folder of the run.
Exit codes: 0 rendered, 3 no report to read, 2 nothing could be written; `diff`: 1 when there are new findings.

Examples:
  wirebench report target/nightly
  wirebench report target/nightly --junit junit.xml --sarif wirebench.sarif
  wirebench report diff last-night target/nightly
  wirebench report schema";

/// What `report` is asked.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// The folder of a run, or the file of its rows.
    #[arg(value_name = "DIR", default_value = store::FOLDERS[1])]
    run: PathBuf,
    /// Where the page goes.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Where the Markdown goes.
    #[arg(long, value_name = "FILE")]
    md: Option<PathBuf>,
    /// Where the JUnit XML goes.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Where the SARIF goes.
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// What `wirebench mutants --format ndjson` printed; mutants.ndjson in the folder of the run by default.
    #[arg(long, value_name = "FILE")]
    mutants: Option<PathBuf>,
    /// The records of speed; benches/record of the checkout by default.
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Say which findings are new, gone or still there from one run to a later one.
    Diff(DiffArgs),
    /// Print the JSON Schema of a report's rows.
    Schema,
}

#[derive(Debug, clap::Args)]
struct DiffArgs {
    /// The earlier run: its folder or its rows.
    #[arg(value_name = "BEFORE")]
    before: PathBuf,
    /// The later run.
    #[arg(value_name = "AFTER")]
    after: PathBuf,
}

/// Renders, compares or prints the schema.
pub fn run(args: &Args, out: &mut Out) -> Code {
    match &args.verb {
        Some(Verb::Schema) => {
            out.write(schema::ROW.trim_end().as_bytes());
            Code::Clean
        }
        Some(Verb::Diff(diff)) => compare(diff, out),
        None => render(args, out),
    }
}

/// Appends the run to the summary that a CI service shows for this step, where it asks for one.
pub fn summarise(run: &Run) {
    let Some(file) = std::env::var_os(SUMMARY).filter(|file: &OsString| !file.is_empty()) else { return };
    if let Err(error) = folder::append_summary(run, &file) {
        tell(format!("wirebench: the file that {SUMMARY} names cannot be written: {error}"));
    }
}

const SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// Makes the bytes of one form, when they are asked for.
type Form<'a> = &'a dyn Fn() -> Vec<u8>;

fn render(args: &Args, out: &mut Out) -> Code {
    let (run, beside) = match (read(&args.run), beside(args)) {
        (Ok(run), Ok(beside)) => (run, beside),
        (Err(code), _) | (_, Err(code)) => return code,
    };
    if beside.unread > 0 {
        tell(format!("wirebench: {} rows beside the run are not understood and are left out", beside.unread));
    }
    let text = |run: &Run| {
        let mut text = Vec::new();
        markdown::write(run, &mut text).expect("memory takes every line");
        text
    };
    let by_default = folder::rows_of(&args.run).with_file_name(folder::PAGE);
    let nothing = [&args.html, &args.md, &args.junit, &args.sarif].iter().all(|file| file.is_none());
    let page = args.html.as_ref().or(nothing.then_some(&by_default));
    let forms: [(Option<&PathBuf>, Form<'_>); 4] = [
        (page, &|| html::page(&run, &beside).into_bytes()),
        (args.md.as_ref(), &|| text(&run)),
        (args.junit.as_ref(), &|| junit::document(&run).into_bytes()),
        (args.sarif.as_ref(), &|| sarif::document(&run).into_bytes()),
    ];
    let files: Vec<&PathBuf> = forms.iter().filter_map(|(file, _)| *file).collect();
    if nothing && !own::may_replace(&by_default).unwrap_or(false) {
        tell(format!("wirebench: {} is no page of wirebench, and stays: say where with --html", by_default.display()));
        return Code::Usage;
    }
    let rows = folder::rows_of(&args.run);
    for (index, file) in files.iter().enumerate() {
        let what =
            if store::is_same(file, &rows) || args.mutants.as_ref().is_some_and(|read| store::is_same(file, read)) {
                "is read for this report and must stay"
            } else if files[..index].iter().any(|earlier| store::is_same(file, earlier)) {
                "is named for two forms"
            } else {
                continue;
            };
        tell(format!("wirebench: {} {what}: name another file", file.display()));
        return Code::Usage;
    }
    for (file, form) in forms {
        let Some(file) = file else { continue };
        if file == Path::new("-") {
            out.write(form().trim_ascii_end());
        } else if let Err(error) = store::replace(file, &form()) {
            tell(format!("wirebench: {} cannot be written: {error}", file.display()));
            return Code::Usage;
        } else {
            tell(format!("wrote {}", file.display()));
        }
    }
    Code::Clean
}

fn read(path: &Path) -> Result<Run, Code> {
    folder::read(path).map_err(|error| {
        let rows = folder::rows_of(path);
        tell(match error {
            Error::Io(error) => format!("wirebench: {} cannot be read: {error}", rows.display()),
            Error::Rows(error) => format!("wirebench: {} is no report: {error}", rows.display()),
        });
        Code::Unreadable
    })
}

fn beside(args: &Args) -> Result<Beside, Code> {
    let of_checkout = corpus::find().map(|corpus| corpus.with_file_name("benches").join("record"));
    let unreadable = |path: &Path, error: io::Error| {
        tell(format!("wirebench: {} cannot be read: {error}", path.display()));
        Code::Unreadable
    };
    let folder = folder::rows_of(&args.run).parent().map(Path::to_owned).unwrap_or_default();
    let mut beside =
        folder::beside(&folder, args.record.as_ref().is_none().then_some(of_checkout.as_deref()).flatten())
            .map_err(|error| unreadable(&folder, error))?;
    if let Some(file) = &args.mutants {
        beside.kills.clear();
        beside.add_kills(file).map_err(|error| unreadable(file, error))?;
    }
    if let Some(record) = &args.record {
        beside.add_speed(record).map_err(|error| unreadable(record, error))?;
    }
    Ok(beside)
}

#[derive(Serialize)]
struct Row<'a> {
    change: &'static str,
    id: &'a str,
    invariant: &'a str,
    kind: &'a str,
    subject: &'a str,
    known: bool,
}

fn compare(args: &DiffArgs, out: &mut Out) -> Code {
    let (before, after) = match (read(&args.before), read(&args.after)) {
        (Ok(before), Ok(after)) => (before, after),
        (Err(code), _) | (_, Err(code)) => return code,
    };
    let diff = diff::of(&before, &after);
    if out.is_ndjson() {
        rows(&diff, out);
    } else {
        let mut text = Vec::new();
        diff::write(&diff, &mut text).expect("memory takes every line");
        out.lines(String::from_utf8_lossy(&text).trim_ascii_end());
    }
    if diff.new.is_empty() { Code::Clean } else { Code::Findings }
}

fn rows(diff: &Diff<'_>, out: &mut Out) {
    for (change, findings) in [("new", &diff.new), ("gone", &diff.gone), ("still", &diff.still)] {
        for &Found { id, invariant, kind, subject, known, .. } in findings {
            out.result(&Row { change, id, invariant, kind, subject, known: *known }, |_, _| String::new());
        }
    }
    diff.targets.iter().for_each(|change| out.result(change, |_, _| String::new()));
}
