//! A night from outside, with an engine of a few lines: what a target that misbehaves takes from the others, and what a
//! night leaves behind.
#![cfg(all(feature = "cli", unix))]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use wirebench::generate::dictionary;
use wirebench::report::{Class, Found, Run, Target, TargetState, folder};

/// Builds every target but `broken` as a copy of the engine, and notes how it was called.
const CARGO: &str = r#"#!/bin/sh
echo "${RUSTUP_TOOLCHAIN:-own} $*" >>"$CALLS"
[ "$2" = --version ] && exit 0
while [ $# -gt 0 ] && [ "$1" != --target-dir ]; do shift; done
case $3 in broken) echo 'does not build' >&2; exit 101 ;; esac
mkdir -p "$2/some-machine/release"
for target in good crashes hangs greedy; do cp "$ENGINE" "$2/some-machine/release/$target"; done
[ -n "$3" ] || exit 101
"#;

/// An engine as far as a night sees it: it fuzzes, replays one file, or tells what inputs reach.
const ENGINE: &str = r#"#!/bin/sh
target=${0##*/} first= inner= control= time=0 prefix=
for word; do
    case $word in
        -artifact_prefix=*) prefix=${word#*=} ;;
        -merge_inner=*) inner=yes ;;
        -merge_control_file=*) control=${word#*=} ;;
        -max_total_time=*) time=${word#*=} ;;
        -*) ;;
        *) first=${first:-$word} ;;
    esac
done
if [ -n "$inner" ]; then
    read -r count <"$control"
    at=0
    while [ $at -lt "$count" ]; do
        feature=$(cksum <"$(sed -n "$((at + 3))p" "$control")")
        echo "STARTED $at 1" >>"$control"
        echo "FT $at ${feature%% *}" >>"$control"
        at=$((at + 1))
    done
    exit 0
fi
case $target in
    hangs) say='ERROR: libFuzzer: timeout after 10 seconds' kind=timeout ;;
    greedy) say='ERROR: libFuzzer: out-of-memory (used: 3Mb)' kind=oom ;;
esac
if [ -f "$first" ]; then
    echo replay >>"$CALLS.$target"
    echo "$say" >&2
    exit 70
fi
case $target in
    good)
        printf '\n{"jsonrpc":"2.0","id":1,"method":"ping"}' >"$first/one"
        echo '#64 DONE cov: 5 ft: 6 corp: 2/9b exec/s: 64 rss: 31Mb' >&2
        echo 'stat::number_of_executed_units: 64' >&2
        sleep "$time"
        ;;
    crashes) exit 1 ;;
    *)
        sleep 0.2
        echo "$kind $$" >"$prefix$kind-$$"
        exit 70
        ;;
esac
"#;

/// A checkout with five targets, four of which misbehave, and programs that stand in for the tools.
struct Checkout(tempfile::TempDir);

impl Checkout {
    fn new(compilers: &str) -> Self {
        let this = Self(tempfile::tempdir().unwrap());
        let bins = ["good", "crashes", "hangs", "greedy", "broken"].map(|name| format!("[[bin]]\nname = \"{name}\"\n"));
        this.write("fuzz/Cargo.toml", &format!("[package]\nname = \"x\"\nrust-version = \"1.95\"\n{}", bins.concat()));
        this.write("corpus/seeds/a.case", "\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
        this.program("tools/cargo", CARGO);
        this.program("engine", ENGINE);
        let rustup = format!(
            "#!/bin/sh\ncase $1 in\n    toolchain) echo '{compilers}' ;;\n    \
             *) echo 'release: 1.97.0-nightly'; echo 'commit-date: 2026-05-19' ;;\nesac\n"
        );
        this.program("tools/rustup", &rustup);
        this.program("tools/rustc", "#!/bin/sh\necho 'release: 1.95.0'\n");
        this
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    fn program(&self, name: &str, text: &str) {
        self.write(name, text);
        fs::set_permissions(self.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn night(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wirebench"));
        command.arg("nightly").args(["--workers", "2", "--seed", "7"]).args(arguments).current_dir(self.0.path());
        let path = format!("{}:{}", self.path("tools").display(), std::env::var("PATH").unwrap_or_default());
        command.env("PATH", path).env("CARGO", self.path("tools/cargo")).env("ENGINE", self.path("engine"));
        command.env("CALLS", self.path("calls")).env("GITHUB_STEP_SUMMARY", self.path("summary"));
        command.env_remove("RUSTC_BOOTSTRAP").env_remove("RUSTUP_TOOLCHAIN");
        command.stdin(Stdio::null()).output().expect("the command starts")
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn row<'a>(run: &'a Run, name: &str) -> &'a Target {
    run.targets.iter().find(|row| row.target == name).unwrap_or_else(|| panic!("no row of {name}"))
}

fn of_class(run: &Run, class: Class) -> &Found {
    run.findings.iter().find(|found| found.class == class).unwrap_or_else(|| panic!("no finding of {class:?}"))
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_target_that_misbehaves_takes_its_own_share_and_is_reported() {
    let checkout = Checkout::new("stable");
    let night = checkout.night(&["--time", "6s", "--out", "out", "--corpus", "kept", "--tier", "quick"]);
    let told = said(&night);
    assert_eq!(night.status.code(), Some(1), "{told}");
    let run = folder::read(&checkout.path("out")).unwrap();
    let state = |name| row(&run, name).state;
    assert_eq!(state("good"), TargetState::Ran, "{told}");
    assert_eq!(state("crashes"), TargetState::EndsAtOnce);
    assert_eq!(state("broken"), TargetState::BuildFailed);
    assert!(told.contains("broken does not build, see") && told.contains("build.quick.log"), "{told}");
    let good = row(&run, "good");
    assert!(good.executions >= 64 && good.memory_mb == 31 && good.seconds > 1.0, "{good:?}");
    assert_eq!((run.head.tier.as_deref(), good.tier.as_deref()), (Some("quick"), Some("quick")));

    // All inputs that hang show one signature, and no more than a few of them are waited for.
    assert_eq!(run.findings.len(), 2, "{told}");
    let (hang, greed) = (of_class(&run, Class::Timeout), of_class(&run, Class::Memory));
    assert_eq!((hang.hits, greed.hits), (row(&run, "hangs").artifacts, row(&run, "greedy").artifacts));
    assert!(hang.hits > 3, "{}", hang.hits);
    assert_eq!(fs::read_to_string(checkout.path("calls.hangs")).unwrap().lines().count(), 9);
    assert!(checkout.path("out").join(&hang.file).is_file());
    assert_eq!(names(&checkout.path("out/artifacts/hangs")), [""; 0]);

    // What the good one kept is offered, and is in the working corpus under the name of its contents.
    let new = names(&checkout.path("out/new-seeds/good"));
    assert_eq!(new.len(), 1, "{told}");
    assert_eq!(names(&checkout.path("kept/good")), new);
    let summary = fs::read_to_string(checkout.path("summary")).unwrap();
    assert!(summary.starts_with("# wirebench nightly: 2 findings, 1 of 5 targets: build failed, 1 of 5 targets: ends"));
    assert!(summary.contains("| budget spent executing |") && summary.contains("| note | tier deep not run: "));
    let cost = run.end.cost.expect("it was measured");
    assert!(cost.executing > 0.2 && cost.folder_bytes > 1000, "{cost:?}");
    assert!(fs::read_to_string(checkout.path("out/mutants.ndjson")).unwrap().contains("\"killed\":true"));

    // The next night, on another machine with the same working corpus, has nothing to add.
    let again = checkout.night(&["--time", "4s", "--out", "other", "--corpus", "kept", "--tier", "quick"]);
    assert!(said(&again).contains("good: 0 inputs with coverage that no seed has"), "{}", said(&again));
    assert_eq!(names(&checkout.path("kept/good")), new);
    assert_eq!(fs::read_to_string(checkout.path("summary")).unwrap().matches("# wirebench nightly").count(), 2);
}

#[test]
fn the_tier_deep_takes_the_nightly_compiler_that_is_there_and_refuses_without_one() {
    let without = Checkout::new("stable");
    let refused = without.night(&["--time", "1s", "--tier", "deep"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(said(&refused).contains("rustup toolchain install nightly"), "{}", said(&refused));

    let with = Checkout::new("nightly-2026-05-20-some-machine (default)");
    let night = with.night(&["--time", "4s", "--tier", "deep", "--out", "out"]);
    let run = folder::read(&with.path("out")).unwrap_or_else(|_| panic!("{}", said(&night)));
    assert_eq!(run.head.tier.as_deref(), Some("deep"));
    assert_eq!(row(&run, "good").label(), "good (deep)");
    let calls = fs::read_to_string(with.path("calls")).unwrap();
    assert!(calls.contains("nightly-2026-05-20-some-machine fuzz build -s address"), "{calls}");
}

#[test]
fn the_dictionary_for_other_engines_is_the_one_that_is_printed() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join(".clusterfuzzlite/wirebench.dict");
    let again = "print it again: wirebench list dictionary >.clusterfuzzlite/wirebench.dict";
    assert_eq!(fs::read_to_string(committed).unwrap().trim_end(), dictionary::libfuzzer().trim_end(), "{again}");
}
