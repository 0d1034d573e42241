//! Which signatures are signs of one bug.
//!
//! A signature is exact, and one bug often has several: it shows with another refusal, or breaks a second rule beside
//! the first. Two findings of a subject are taken for one bug when they break one rule, or when the smallest input of one
//! breaks the rule of the other as well; shrinking has taken away what does not belong to the bug by then. The smallest
//! stands for all, and names the others, whose files stay. A refusal that only mutations predict is another rule for
//! each way of breaking it, since every rule of the codec is predicted there.

use crate::finding::Evidence;
use crate::invariant::{self, Check};
use crate::report::{Class, Found, Stability};

use super::Bench;

/// Joins the rows that are signs of one bug; each comes with what shows it.
pub fn join(bench: &mut Bench<'_>, mut rows: Vec<(Found, Evidence)>) -> Vec<Found> {
    rows.sort_by(|(left, _), (right, _)| rank(left).cmp(&rank(right)));
    let mut groups: Vec<Vec<(Found, Evidence)>> = Vec::new();
    for row in rows {
        let (mut same, other): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|group| group.iter().any(|sign| is_one(bench, sign, &row)));
        groups = other;
        // Groups that this row belongs to are one; the first of them has the smallest input.
        match same.is_empty() {
            true => groups.push(vec![row]),
            false => {
                same.push(vec![row]);
                groups.push(same.concat());
            }
        }
    }
    let mut joined: Vec<Found> = groups.into_iter().filter_map(told).collect();
    joined.sort_by(|left, right| left.id.cmp(&right.id));
    joined
}

/// What stands for a bug: a stable sign before others, then the smallest.
fn rank(found: &Found) -> (bool, bool, usize, &str) {
    (found.stability != Stability::Stable, !found.minimised, found.bytes, &found.id)
}

fn is_one(
    bench: &mut Bench<'_>,
    (one, shows_one): &(Found, Evidence),
    (other, shows_other): &(Found, Evidence),
) -> bool {
    if one.subject != other.subject || one.class != Class::Invariant || other.class != Class::Invariant {
        return false;
    }
    let predicted =
        |found: &Found| invariant::by_id(&found.invariant).is_some_and(|rule| matches!(rule.check, Check::Predicted));
    if predicted(one) || predicted(other) {
        return (&one.invariant, &one.kind, &one.refusal) == (&other.invariant, &other.kind, &other.refusal);
    }
    one.invariant == other.invariant
        || bench.breaks(shows_other, &one.invariant)
        || bench.breaks(shows_one, &other.invariant)
}

fn told(mut group: Vec<(Found, Evidence)>) -> Option<Found> {
    group.sort_by(|(left, _), (right, _)| rank(left).cmp(&rank(right)));
    let mut signs = group.into_iter().map(|(found, _)| found);
    let mut first = signs.next()?;
    for sign in signs {
        first.hits += sign.hits;
        first.known |= sign.known;
        let new = sign.targets.into_iter().filter(|target| !first.targets.contains(target)).collect::<Vec<_>>();
        first.targets.extend(new);
        first.also.push(format!("{} {}: {}", sign.id, sign.invariant, sign.kind));
    }
    Some(first)
}
