//! Which tiers a night runs, and their builds.
//!
//! *Quick* runs everywhere; *deep* has AddressSanitizer and takes what this machine has: nothing is fetched for it. Both
//! build side by side. What is left out is told with its reason.

use std::path::Path;
use std::thread;
use std::time::Duration;

use super::engine;
use super::toolchain;
use super::workspace::{Built, Way, Workspace, build_log};
use crate::campaign::interrupt::Interrupt;
use crate::campaign::unready::Unready;
use crate::report::{Target, TargetState};

/// What is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// Quick, and deep beside it where there is a compiler for it and the time is worth its build.
    #[default]
    Auto,
    /// Quick alone.
    Quick,
    /// Deep alone.
    Deep,
}

/// Below that, a second build takes far longer than the run itself.
const WORTH_A_BUILD: Duration = Duration::from_secs(60);

/// The ways to build for a run of that length, and why one is left out. Deep comes first, since it would spend its time
/// on reading what quick found.
///
/// # Errors
///
/// When deep alone is asked for and cannot be.
pub fn ways(choice: Choice, time: Duration, workspace: &Workspace) -> Result<(Vec<Way>, Option<String>), Unready> {
    let deep = || toolchain::sanitizing(&workspace.rust_version).map(Way::Deep);
    match choice {
        Choice::Quick => Ok((vec![Way::Quick], Some("tier deep not run: --tier quick".to_owned()))),
        Choice::Deep => {
            let way =
                deep().map_err(|reason| Unready(format!("the tier deep cannot run: {reason}; or --tier quick")))?;
            Ok((vec![way], Some("tier quick not run: --tier deep".to_owned())))
        }
        Choice::Auto if time < WORTH_A_BUILD => {
            let reason =
                format!("tier deep not run: its build is worth it from {WORTH_A_BUILD:?} on, or with --tier deep");
            Ok((vec![Way::Quick], Some(reason)))
        }
        Choice::Auto => Ok(match deep() {
            Ok(way) => (vec![way, Way::Quick], None),
            Err(reason) => (vec![Way::Quick], Some(format!("tier deep not run: {reason}"))),
        }),
    }
}

/// Builds every target every way, side by side; the rows are those of what does not build.
///
/// # Errors
///
/// When the engine is not there.
pub fn build(
    workspace: &Workspace,
    ways: &[Way],
    logs: &Path,
    interrupt: &Interrupt,
    tell: &mut dyn FnMut(String),
) -> Result<(Vec<Built>, Vec<Target>), Unready> {
    let all = thread::scope(|scope| {
        let builds: Vec<_> = ways.iter().map(|way| scope.spawn(|| workspace.build(way, logs, interrupt))).collect();
        let joined = builds.into_iter().map(|build| build.join().expect("a build only reports"));
        joined.collect::<Result<Vec<_>, _>>()
    })?;
    let (mut built, mut rows) = (Vec::new(), Vec::new());
    for (way, (good, bad)) in ways.iter().zip(all) {
        built.extend(good);
        for target in bad {
            let row = Target { target, state: TargetState::BuildFailed, ..engine::row_of(way.tier()) };
            tell(format!("{} does not build, see {}", row.label(), logs.join(build_log(way.tier())).display()));
            rows.push(row);
        }
    }
    Ok((built, rows))
}
