//! What an attempt is told, row by row of the documented table.

use super::history::{FRESH_AFTER, MAX_CONFLICTS, Policy, Request, SUSPICIOUS_WITHIN, Terms};
use super::rules::{Conflict, Entry, State, Told, is_same, ms};

/// What is to be done.
pub(crate) enum Judgement {
    Run(Why),
    Hold,
    Tell(Told),
}

/// Why an attempt runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    New,
    Again,
    Merging,
    Superseding,
    Accepted { conflict: usize },
    Fresh,
}

impl Judgement {
    /// Judges by an unexpired record and its unexpired conflicts, with their numbers.
    pub(crate) fn of(
        entry: &Entry,
        conflicts: &[(usize, &Conflict)],
        request: Request,
        terms: Terms,
        now: i64,
    ) -> Self {
        let original = entry.accepted.payload;
        if entry.accepted.operation != request.operation {
            return Self::Tell(Told::OtherOperation { original });
        }
        if original == request.payload {
            return retry(entry, request, terms, now);
        }
        let asked = entry.past.iter().find(|past| is_same(past.request, request));
        if let Some(execution) = asked.and_then(|past| past.answered) {
            return Self::Tell(Told::Replay { execution, differs: false });
        }
        if is_same_intent(entry.accepted, request) {
            return other_payload(entry, request, terms, now);
        }
        other_intent(entry, conflicts, request, terms, now)
    }
}

/// Whether no critical field differs. Without a list of them, all of the payload is critical or
/// none of it, by the policy.
fn is_same_intent(one: Request, other: Request) -> bool {
    match (one.narrow, other.narrow) {
        _ if one.payload == other.payload => true,
        (true, true) => one.payload.amount == other.payload.amount,
        (false, false) => {
            matches!(other.slot.policy(), Policy::Merge | Policy::LastWriteWins)
        }
        _ => false,
    }
}

fn retry(entry: &Entry, request: Request, terms: Terms, now: i64) -> Judgement {
    let again = match (request.slot.policy(), entry.settled()) {
        (Policy::Merge, Some(_)) => Why::Merging,
        _ => Why::Again,
    };
    let differs = entry.accepted.payload != request.payload;
    match entry.state {
        State::Running { until } if now < until => Judgement::Tell(Told::Busy),
        State::Running { .. } | State::Unknown if terms.reruns_crashed => Judgement::Run(again),
        State::Running { .. } | State::Unknown => Judgement::Tell(Told::OutcomeUnknown),
        State::Failed if terms.reruns_failed => Judgement::Run(again),
        State::Failed => Judgement::Tell(Told::PreviousFailed),
        State::Completed => Judgement::Tell(Told::Replay { execution: entry.execution, differs }),
    }
}

fn other_payload(entry: &Entry, request: Request, terms: Terms, now: i64) -> Judgement {
    let runs = match request.slot.policy() {
        Policy::Reject | Policy::Review => return retry(entry, request, terms, now),
        Policy::LastWriteWins => Why::Superseding,
        Policy::Merge if entry.settled().is_some() => Why::Merging,
        Policy::Merge => Why::Again,
    };
    match entry.state {
        State::Running { until } if now < until => Judgement::Tell(Told::Busy),
        State::Running { .. } | State::Unknown if !terms.reruns_crashed => {
            Judgement::Tell(Told::OutcomeUnknown)
        }
        _ => Judgement::Run(runs),
    }
}

fn other_intent(
    entry: &Entry,
    conflicts: &[(usize, &Conflict)],
    request: Request,
    terms: Terms,
    now: i64,
) -> Judgement {
    let (original, age) = (entry.accepted.payload, now - entry.created_at);
    let amount_changed = entry.accepted.narrow && request.narrow;
    let refused = Judgement::Tell(Told::OtherIntent { original, amount_changed });
    let is_live = matches!(entry.state, State::Running { until } if now < until);
    let about_it = conflicts.iter().find(|(_, found)| is_same_intent(found.request, request));
    if let Some((conflict, found)) = about_it {
        let conflict = *conflict;
        return match found.accepted {
            None => Judgement::Tell(Told::Held { conflict }),
            Some(true) if !found.taken && is_live => Judgement::Tell(Told::Busy),
            Some(true) if !found.taken => Judgement::Run(Why::Accepted { conflict }),
            Some(_) => refused,
        };
    }
    if terms.windows && age < ms(SUSPICIOUS_WITHIN) {
        return Judgement::Tell(Told::Suspicious { original, amount_changed });
    }
    if terms.windows && age >= ms(FRESH_AFTER) {
        return if is_live { Judgement::Tell(Told::Busy) } else { Judgement::Run(Why::Fresh) };
    }
    let open = conflicts.iter().filter(|(_, conflict)| conflict.is_open(now)).count();
    match request.slot.policy() {
        Policy::Merge | Policy::LastWriteWins if is_live => Judgement::Tell(Told::Busy),
        Policy::Reject | Policy::Merge | Policy::LastWriteWins => refused,
        Policy::Review if open >= MAX_CONFLICTS => Judgement::Tell(Told::KeyInConflict),
        Policy::Review => Judgement::Hold,
    }
}
