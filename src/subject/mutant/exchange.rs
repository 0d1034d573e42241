//! Faults of rules over several messages, the second half: what is granted, what is over, and what is refused though it is
//! lawful.

use super::session::with;
use super::{Exchange, Mutant};
use crate::codec::reading::Weight;
use crate::codec::refusal::Reason;
use crate::codec::session::{Turn, answer, pages, progress, retry, subscription};
use crate::codec::{STAGES, Stages};

/// The mutants of this family.
pub static FAMILY: &[Mutant] = &[
    Mutant {
        id: "retry.other-call",
        wrong: "A retry may call for something else than the call that it repeats.",
        fault: "mrtr-retry-repeats-original-params",
        killer: "session.retry-repeats-its-call",
        exchange: Exchange::Stages(&Stages {
            sessions: with(1, |turn| {
                retry::judge(turn);
                turn.forgive(Reason::RetryParams);
            }),
            ..STAGES
        }),
    },
    Mutant {
        id: "retry.unasked",
        wrong: "A first call may carry the members of a retry.",
        fault: "mrtr-fields-scoped-to-retry",
        killer: "session.retry-was-asked-for",
        exchange: Exchange::Stages(&Stages {
            sessions: with(1, |turn| {
                retry::judge(turn);
                turn.forgive(Reason::RetryUnasked);
            }),
            ..STAGES
        }),
    },
    Mutant {
        id: "subscription.grants-more",
        wrong: "A subscription may be acknowledged for what it did not ask for.",
        fault: "subscriptions-ack-is-subset",
        killer: "session.acknowledgement-is-a-subset",
        exchange: Exchange::Stages(&Stages {
            sessions: with(3, |turn| {
                subscription::judge(turn);
                turn.forgive_rule("subscriptions-ack-is-subset");
            }),
            ..STAGES
        }),
    },
    Mutant {
        id: "subscription.endless",
        wrong: "A subscription may deliver after its end.",
        fault: "subscriptions-nothing-after-result",
        killer: "session.subscription-ends",
        exchange: Exchange::Stages(&Stages {
            sessions: with(3, |turn| {
                subscription::judge(turn);
                turn.forgive(Reason::AfterFinal);
            }),
            ..STAGES
        }),
    },
    Mutant {
        id: "answer.to-notification",
        wrong: "A notification may be answered.",
        fault: "envelope-request-has-id",
        killer: "session.notifications-get-no-answer",
        exchange: Exchange::Stages(&Stages {
            sessions: with(0, |turn| {
                answer::judge(turn);
                turn.forgive(Reason::NotificationAnswered);
            }),
            ..STAGES
        }),
    },
    Mutant {
        id: "retry.never",
        wrong: "A retry is taken for a second request of its call.",
        fault: "mrtr-multi-round-allowed",
        killer: "session.lawful-stays-accepted",
        exchange: Exchange::Stages(&Stages { sessions: with(1, no_retry), ..STAGES }),
    },
    Mutant {
        id: "pages.empty-cursor-ends",
        wrong: "An empty cursor is taken for the end of a list.",
        fault: "pagination-empty-cursor-is-valid",
        killer: "session.lawful-stays-accepted",
        exchange: Exchange::Stages(&Stages { sessions: with(2, empty_cursor_ends), ..STAGES }),
    },
    Mutant {
        id: "progress.bound-by-total",
        wrong: "Progress beyond its total is refused.",
        fault: "progress-total-not-bound",
        killer: "session.lawful-stays-accepted",
        exchange: Exchange::Stages(&Stages { sessions: with(4, bound_by_total), ..STAGES }),
    },
];

fn no_retry(turn: &mut Turn<'_, '_>) {
    retry::judge(turn);
    if let Some(state) = turn.envelope.param("requestState") {
        turn.refuse(Reason::RetryId, "mrtr-retry-uses-new-id", Some(state), Weight::Full);
    }
}

fn empty_cursor_ends(turn: &mut Turn<'_, '_>) {
    pages::judge(turn);
    let cursor = turn.envelope.param("cursor").filter(|cursor| cursor.raw() == b"\"\"");
    if cursor.is_some() {
        turn.refuse(Reason::CursorUnknown, "pagination-cursor-opaque", cursor, Weight::Full);
    }
}

fn bound_by_total(turn: &mut Turn<'_, '_>) {
    progress::judge(turn);
    let number = |name: &str| turn.envelope.param(name)?.as_number()?.parse::<f64>().ok();
    if let (Some(progress), Some(total)) = (number("progress"), number("total"))
        && progress > total
    {
        turn.refuse(
            Reason::ProgressValue,
            "progress-strictly-increasing",
            turn.envelope.param("progress"),
            Weight::Full,
        );
    }
}
