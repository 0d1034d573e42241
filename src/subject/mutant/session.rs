//! Faults of rules over several messages: what is not compared with what came before.

use super::{Exchange, Mutant};
use crate::codec::judge::{self, Message};
use crate::codec::refusal::Reason;
use crate::codec::session::{Judge, answer, cancel, pages, progress, retry, subscription};
use crate::codec::{STAGES, Stages};

/// The mutants of this family.
pub static FAMILY: &[Mutant] = &[
    Mutant {
        id: "retry.same-id",
        wrong: "A retry may carry the id of the request that it repeats.",
        fault: "mrtr-retry-uses-new-id",
        killer: "session.retry-takes-new-id",
        exchange: Exchange::Stages(&Stages {
            sessions: with(1, |turn| {
                retry::judge(turn);
                turn.forgive(Reason::RetryId);
            }),
            ..STAGES
        }),
    },
    Mutant {
        id: "retry.state-ignored",
        wrong: "The state of a retry is not compared.",
        fault: "mrtr-request-state-echoed-exactly",
        killer: "session.retry-echoes-state",
        exchange: Exchange::Stages(&Stages {
            sessions: with(1, |turn| {
                retry::judge(turn);
                turn.forgive(Reason::RetryState);
            }),
            ..STAGES
        }),
    },
    Mutant {
        id: "retry.answers-ignored",
        wrong: "The answers of a retry are not counted.",
        fault: "mrtr-responses-cover-all-keys",
        killer: "session.retry-answers-every-key",
        exchange: Exchange::Stages(&Stages {
            sessions: with(1, |turn| {
                retry::judge(turn);
                turn.forgive(Reason::RetryResponses);
            }),
            ..STAGES
        }),
    },
    Mutant {
        id: "pages.any-cursor",
        wrong: "Any cursor is taken for one that was offered.",
        fault: "pagination-cursor-opaque",
        killer: "session.cursor-was-offered",
        exchange: Exchange::Stages(&Stages {
            sessions: with(2, |turn| {
                pages::judge(turn);
                turn.forgive(Reason::CursorUnknown);
            }),
            ..STAGES
        }),
    },
    Mutant {
        id: "pages.circles",
        wrong: "Pages may lead back to themselves.",
        fault: "pagination-stable-cursors",
        killer: "session.pages-lead-on",
        exchange: Exchange::Stages(&Stages {
            sessions: with(2, |turn| {
                pages::judge(turn);
                turn.forgive(Reason::CursorRepeated);
            }),
            ..STAGES
        }),
    },
    Mutant {
        id: "subscription.early",
        wrong: "A subscription may deliver before it is acknowledged.",
        fault: "subscriptions-ack-first",
        killer: "session.acknowledgement-comes-first",
        exchange: Exchange::Stages(&Stages {
            sessions: with(3, |turn| {
                subscription::judge(turn);
                turn.forgive(Reason::SubscriptionOrder);
            }),
            ..STAGES
        }),
    },
    Mutant {
        id: "subscription.any-id",
        wrong: "The id of a subscription is not compared.",
        fault: "subscriptions-id-is-listen-request-id",
        killer: "session.subscription-id-keeps-its-type",
        exchange: Exchange::Stages(&Stages {
            sessions: with(3, |turn| {
                subscription::judge(turn);
                turn.forgive(Reason::SubscriptionId);
            }),
            ..STAGES
        }),
    },
    Mutant {
        id: "subscription.unfiltered",
        wrong: "A subscription may deliver what was not asked for.",
        fault: "subscriptions-only-requested-types",
        killer: "session.subscription-keeps-to-its-filter",
        exchange: Exchange::Stages(&Stages {
            sessions: with(3, |turn| {
                subscription::judge(turn);
                turn.forgive(Reason::SubscriptionKind);
            }),
            ..STAGES
        }),
    },
    Mutant {
        id: "progress.any-token",
        wrong: "Progress may come under any token.",
        fault: "progress-only-when-requested",
        killer: "session.progress-was-asked-for",
        exchange: Exchange::Stages(&Stages {
            sessions: with(4, |turn| {
                progress::judge(turn);
                turn.forgive(Reason::ProgressToken);
            }),
            ..STAGES
        }),
    },
    Mutant {
        id: "progress.any-value",
        wrong: "Progress may stand still.",
        fault: "progress-strictly-increasing",
        killer: "session.progress-moves-on",
        exchange: Exchange::Stages(&Stages {
            sessions: with(4, |turn| {
                progress::judge(turn);
                turn.forgive(Reason::ProgressValue);
            }),
            ..STAGES
        }),
    },
    Mutant {
        id: "progress.late",
        wrong: "Progress may come behind the answer.",
        fault: "progress-stops-after-completion",
        killer: "session.progress-ends-with-the-answer",
        exchange: Exchange::Stages(&Stages {
            sessions: with(4, |turn| {
                progress::judge(turn);
                turn.forgive(Reason::AfterFinal);
            }),
            ..STAGES
        }),
    },
    Mutant {
        id: "cancel.any-target",
        wrong: "A client may cancel what it never asked.",
        fault: "cancellation-only-own-inflight",
        killer: "session.cancellation-names-own-request",
        exchange: Exchange::Stages(&Stages {
            sessions: with(5, |turn| {
                cancel::judge(turn);
                turn.forgive(Reason::CancelTarget);
            }),
            ..STAGES
        }),
    },
    Mutant {
        id: "cancel.by-server",
        wrong: "A server may cancel a call.",
        fault: "cancellation-server-only-listen",
        killer: "session.server-cancels-subscriptions-alone",
        exchange: Exchange::Stages(&Stages {
            sessions: with(5, |turn| {
                cancel::judge(turn);
                turn.forgive(Reason::CancelTarget);
            }),
            ..STAGES
        }),
    },
    Mutant {
        id: "answer.twice",
        wrong: "A request may be answered again.",
        fault: "envelope-one-response-per-request",
        killer: "session.one-answer",
        exchange: Exchange::Stages(&Stages {
            sessions: with(0, |turn| {
                answer::judge(turn);
                turn.forgive(Reason::SecondResponse);
            }),
            ..STAGES
        }),
    },
    Mutant {
        id: "answer.other-type",
        wrong: "An id of another type is taken for a stray one.",
        fault: "id-type-preserved-on-echo",
        killer: "session.answer-keeps-the-type-of-its-id",
        exchange: Exchange::Stages(&Stages {
            sessions: with(0, |turn| {
                answer::judge(turn);
                turn.forgive(Reason::ResponseId);
            }),
            ..STAGES
        }),
    },
    Mutant {
        id: "answer.mismatch-served",
        wrong: "A header mismatch may be answered with a result.",
        fault: "header-mismatch-status-and-code",
        killer: "session.mismatch-is-not-served",
        exchange: Exchange::Stages(&Stages {
            sessions: with(0, |turn| {
                answer::judge(turn);
                turn.forgive(Reason::MismatchAnswered);
            }),
            ..STAGES
        }),
    },
    Mutant {
        id: "capabilities.inputs-unlimited",
        wrong: "A server may ask for input that the call did not declare.",
        fault: "mrtr-capability-gated",
        killer: "session.inputs-were-declared",
        exchange: Exchange::Stages(&Stages { judges: inputs_unlimited(), ..STAGES }),
    },
    Mutant {
        id: "capabilities.tasks-for-all",
        wrong: "Methods of the tasks extension are open to who does not declare it.",
        fault: "extension-tasks-methods-undeclaring-client",
        killer: "session.tasks-need-their-extension",
        exchange: Exchange::Stages(&Stages { judges: tasks_for_all(), ..STAGES }),
    },
    Mutant {
        id: "params.not-compared",
        wrong: "Header fields of parameters are not compared with their arguments.",
        fault: "param-header-value-matches-body",
        killer: "session.param-header-equals-argument",
        exchange: Exchange::Stages(&Stages { judges: params_not_compared(), ..STAGES }),
    },
];

/// The judges of the codec with one exchanged.
pub(super) const fn with(place: usize, judge: Judge) -> [Judge; 7] {
    let mut sessions = STAGES.sessions;
    sessions[place] = judge;
    sessions
}

const fn inputs_unlimited() -> [judge::Judge; 7] {
    let mut judges = STAGES.judges;
    judges[4] = |message| forgiving(message, judge::capabilities::judge, Reason::UndeclaredInput);
    judges
}

const fn tasks_for_all() -> [judge::Judge; 7] {
    let mut judges = STAGES.judges;
    judges[4] = |message| forgiving(message, judge::capabilities::judge, Reason::MissingClientCapability);
    judges
}

const fn params_not_compared() -> [judge::Judge; 7] {
    let mut judges = STAGES.judges;
    judges[1] = |message| forgiving(message, judge::header::judge, Reason::ParamMismatch);
    judges
}

/// Runs a judge that is deaf to one reason.
fn forgiving(message: &mut Message<'_, '_>, judge: judge::Judge, reason: Reason) {
    judge(message);
    message.breaches.retain(|breach| breach.refusal.reason != reason);
}
