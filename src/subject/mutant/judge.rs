//! Faults of the judges: what is refused, where, and with which code.

use super::{Exchange, Mutant};
use crate::codec::envelope::Kind;
use crate::codec::judge::{self, Judge, Message};
use crate::codec::payload;
use crate::codec::reading::{Breach, Weight};
use crate::codec::refusal::{Reason, Refusal};
use crate::codec::{STAGES, Stages};

/// The mutants of this family.
pub static FAMILY: &[Mutant] = &[
    Mutant {
        id: "judge.metadata-silent",
        wrong: "Metadata of a wrong type is not refused.",
        fault: "FF-026",
        killer: "request.malformed-metadata-is-invalid",
        exchange: Exchange::Stages(&Stages { judges: with(0, silent), ..STAGES }),
    },
    Mutant {
        id: "judge.headers-silent",
        wrong: "Header fields are not compared with the body.",
        fault: "FF-057",
        killer: "header.method-matches-body",
        exchange: Exchange::Stages(&Stages { judges: with(1, silent), ..STAGES }),
    },
    Mutant {
        id: "judge.version-unsupported-first",
        wrong: "A version that differs from its header is reported as unsupported.",
        fault: "FF-050",
        killer: "header.version-matches-body",
        exchange: Exchange::Stages(&Stages { judges: with(1, version_mismatch_late), ..STAGES }),
    },
    Mutant {
        id: "judge.name-on-every-method",
        wrong: "Mcp-Name is asked for on methods that have no name.",
        fault: "header-mcp-name-not-required-elsewhere",
        killer: "header.lawful-is-accepted",
        exchange: Exchange::Stages(&Stages { judges: with(1, name_on_every_method), ..STAGES }),
    },
    Mutant {
        id: "judge.mirrors-optional",
        wrong: "A missing header is not missed.",
        fault: "FF-063",
        killer: "header.mirrors-required",
        exchange: Exchange::Stages(&Stages { judges: with(1, mirrors_optional), ..STAGES }),
    },
    Mutant {
        id: "judge.missing-version-is-mismatch",
        wrong: "A missing version key is reported as a header mismatch.",
        fault: "FF-051",
        killer: "header.lawful-is-accepted",
        exchange: Exchange::Stages(&Stages { judges: with(2, missing_version_is_mismatch), ..STAGES }),
    },
    Mutant {
        id: "judge.keys-silent",
        wrong: "Missing keys are not refused.",
        fault: "FF-051",
        killer: "request.version-key-required",
        exchange: Exchange::Stages(&Stages { judges: with(2, silent), ..STAGES }),
    },
    Mutant {
        id: "judge.revision-silent",
        wrong: "A revision that is not known is not refused.",
        fault: "FF-045",
        killer: "request.unknown-is-not-valid",
        exchange: Exchange::Stages(&Stages { judges: with(3, silent), ..STAGES }),
    },
    Mutant {
        id: "judge.draft-code",
        wrong: "A revision that is not known is refused with the code of a draft.",
        fault: "FF-138",
        killer: "refusal.code-fits-stage",
        exchange: Exchange::Stages(&Stages { judges: with(3, draft_code), ..STAGES }),
    },
    Mutant {
        id: "judge.errors-are-ok",
        wrong: "A revision that is not known is refused with status 200.",
        fault: "FF-140",
        killer: "refusal.status-fits-code",
        exchange: Exchange::Stages(&Stages { judges: with(3, errors_are_ok), ..STAGES }),
    },
    Mutant {
        id: "judge.result-silent",
        wrong: "A result that breaks its rules is not refused.",
        fault: "FF-019",
        killer: "result.unreadable-is-invalid",
        exchange: Exchange::Stages(&Stages { judges: with(5, silent), ..STAGES }),
    },
    Mutant {
        id: "judge.status-unread",
        wrong: "The status of an error is not looked at.",
        fault: "FF-140",
        killer: "refusal.error-status",
        exchange: Exchange::Stages(&Stages { judges: with(5, status_unread), ..STAGES }),
    },
    Mutant {
        id: "judge.responses-answered",
        wrong: "A faulty response is answered with an error.",
        fault: "FF-032",
        killer: "refusal.response-is-not-answered",
        exchange: Exchange::Stages(&Stages { judges: with(5, responses_answered), ..STAGES }),
    },
    Mutant {
        id: "judge.notifications-answered",
        wrong: "A notification is answered with an error.",
        fault: "FF-028",
        killer: "refusal.notification-is-not-answered",
        exchange: Exchange::Stages(&Stages { judges: with(6, notifications_answered), ..STAGES }),
    },
    Mutant {
        id: "judge.stdio-owes-headers",
        wrong: "A request over standard input is asked for headers.",
        fault: "stdio-no-header-layer",
        killer: "header.stdio-has-none",
        exchange: Exchange::Stages(&Stages { judges: with(1, stdio_owes_headers), ..STAGES }),
    },
];

const fn with(place: usize, judge: Judge) -> [Judge; 7] {
    let mut judges = STAGES.judges;
    judges[place] = judge;
    judges
}

fn silent(_: &mut Message<'_, '_>) {}

/// Runs a judge and changes what it found.
fn changed(message: &mut Message<'_, '_>, judge: Judge, change: impl FnOnce(&mut Vec<Breach>)) {
    let earlier = std::mem::take(message.breaches);
    judge(message);
    change(message.breaches);
    let found = std::mem::replace(message.breaches, earlier);
    message.breaches.extend(found);
}

fn version_mismatch_late(message: &mut Message<'_, '_>) {
    changed(message, judge::header::judge, |found| {
        for breach in found.iter_mut().filter(|breach| breach.refusal.reason == Reason::VersionMismatch) {
            breach.refusal = Refusal::new(Reason::UnsupportedRevision);
        }
    });
}

fn name_on_every_method(message: &mut Message<'_, '_>) {
    judge::header::judge(message);
    let has_name = message.mirrored.name.value.is_some();
    let modern = crate::codec::claims_modern(message.mirrored, message.metadata);
    if message.is_request() && modern && !has_name && message.mirrored.method.value.is_some() {
        message.refuse(Refusal::new(Reason::HeaderMissing), Weight::Full);
    }
}

fn mirrors_optional(message: &mut Message<'_, '_>) {
    changed(message, judge::header::judge, |found| {
        found.retain(|breach| breach.refusal.reason != Reason::HeaderMissing);
    });
}

fn missing_version_is_mismatch(message: &mut Message<'_, '_>) {
    changed(message, judge::request::required_keys, |found| {
        for breach in found.iter_mut().filter(|breach| breach.refusal.reason == Reason::MissingRequestMetadata) {
            breach.refusal = Refusal::new(Reason::VersionMismatch);
        }
    });
}

fn draft_code(message: &mut Message<'_, '_>) {
    changed(message, judge::request::revision, |found| {
        for breach in found {
            breach.refusal.code = breach.refusal.code.map(|_| -32004);
        }
    });
}

fn errors_are_ok(message: &mut Message<'_, '_>) {
    changed(message, judge::request::revision, |found| {
        for breach in found {
            breach.refusal.http = breach.refusal.http.map(|_| 200);
        }
    });
}

fn status_unread(message: &mut Message<'_, '_>) {
    if message.envelope.kind != Kind::Error {
        judge::response::result(message);
    }
}

fn responses_answered(message: &mut Message<'_, '_>) {
    changed(message, judge::response::result, |found| {
        for breach in found {
            breach.refusal.code = Some(-32600);
        }
    });
}

fn notifications_answered(message: &mut Message<'_, '_>) {
    payload::judge(message);
    if message.envelope.kind == Kind::Notification {
        let refusal = Refusal::new(Reason::MissingMember);
        message.breaches.push(Breach { refusal, weight: Weight::Full });
    }
}

fn stdio_owes_headers(message: &mut Message<'_, '_>) {
    judge::header::judge(message);
    let stdio = message.case.transport == crate::case::Transport::Stdio;
    let modern = crate::codec::claims_modern(message.mirrored, message.metadata);
    if stdio && message.is_request() && modern {
        message.refuse(Refusal::new(Reason::HeaderMissing), Weight::Full);
    }
}
