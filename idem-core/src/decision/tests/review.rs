//! The rows of policy review, and of conflicts that people have decided.

use super::*;

const REVIEW: Contract = CONTRACT.policy(Policy::Review);
const CONFLICT: ConflictId = ConflictId::from_bytes([9; 16]);

/// A conflict about a payment of 11.
fn disputed(state: ConflictState) -> Disputed {
    let Attempt { fingerprint, identity, .. } = attempt(11, "disputed");
    Disputed { id: CONFLICT, fingerprint, identity, state, taken: false }
}

fn in_conflict(state: State, conflicts: Vec<Disputed>) -> Record {
    Record { conflicts, ..record(state) }
}

fn on(record: &Record, attempt: &Attempt) -> Verdict {
    decide(Some(record), attempt, &REVIEW, NOW)
}

fn hold() -> Verdict {
    Verdict::Hold { changed: vec!["amount".to_owned()] }
}

fn under_review() -> Verdict {
    let (original, changed) = (attempt(10, "first").fingerprint, vec!["amount".to_owned()]);
    Verdict::Refuse(Refusal::UnderReview { conflict: CONFLICT, original, changed })
}

#[test]
fn another_identity_is_held_in_every_state_also_while_the_first_runs() {
    for state in states() {
        assert_eq!(on(&record(state), &attempt(11, "disputed")), hold());
    }
}

#[test]
fn the_same_identity_is_answered_as_under_reject() {
    for state in states() {
        for attempt in [attempt(10, "first"), attempt(10, "other")] {
            let rejecting = decide(Some(&record(state.clone())), &attempt, &CONTRACT, NOW);
            assert_eq!(on(&record(state.clone()), &attempt), rejecting);
        }
    }
}

#[test]
fn an_open_conflict_changes_nothing_for_the_original() {
    for state in states() {
        let disputed = in_conflict(state.clone(), vec![disputed(ConflictState::Pending)]);
        let undisputed = record(state);
        assert_eq!(on(&disputed, &attempt(10, "first")), on(&undisputed, &attempt(10, "first")));
    }
}

#[test]
fn the_disputed_payload_is_held_by_the_same_conflict() {
    for state in states() {
        let record = in_conflict(state, vec![disputed(ConflictState::Pending)]);
        assert_eq!(on(&record, &attempt(11, "disputed")), under_review());
        assert_eq!(on(&record, &attempt(11, "harmless difference")), under_review());
    }
}

#[test]
fn a_third_payload_is_another_conflict_up_to_the_limit() {
    let record = in_conflict(live(), vec![disputed(ConflictState::Pending)]);
    assert_eq!(on(&record, &attempt(12, "third")), hold());
    let full = decide(Some(&record), &attempt(12, "third"), &REVIEW.max_conflicts(1), NOW);
    let (original, changed) = (attempt(10, "first").fingerprint, vec!["amount".to_owned()]);
    assert_eq!(full, Verdict::Refuse(Refusal::KeyInConflict { original, changed }));
}

#[test]
fn decided_conflicts_do_not_count_to_the_limit() {
    let taken = Disputed { taken: true, ..disputed(ConflictState::Accepted) };
    let decided = vec![disputed(ConflictState::Kept), disputed(ConflictState::Expired), taken];
    let record = in_conflict(live(), decided);
    let verdict = decide(Some(&record), &attempt(12, "third"), &REVIEW.max_conflicts(1), NOW);
    assert_eq!(verdict, hold());
}

#[test]
fn the_accepted_payload_runs_over_the_ended_original() {
    for state in [lost(), State::Completed(answer()), State::Failed, State::Unknown] {
        let record = in_conflict(state, vec![disputed(ConflictState::Accepted)]);
        let over = Over { revision: REVISION, how: TakeOver::Accepted(CONFLICT) };
        let run = Verdict::Run { over: Some(over), cause: Cause::Accepted };
        assert_eq!(on(&record, &attempt(11, "disputed")), run);
    }
}

#[test]
fn the_accepted_payload_is_busy_while_the_original_runs() {
    let record = in_conflict(live(), vec![disputed(ConflictState::Accepted)]);
    assert_eq!(on(&record, &attempt(11, "disputed")), BUSY);
}

#[test]
fn the_accepted_payload_has_one_run() {
    let taken = Disputed { taken: true, ..disputed(ConflictState::Accepted) };
    let record = in_conflict(State::Completed(answer()), vec![taken]);
    assert_eq!(on(&record, &attempt(11, "disputed")), mismatch(&["amount"]));
}

#[test]
fn a_kept_conflict_refuses_the_disputed_payload() {
    for state in states() {
        let record = in_conflict(state, vec![disputed(ConflictState::Kept)]);
        assert_eq!(on(&record, &attempt(11, "disputed")), mismatch(&["amount"]));
    }
}

#[test]
fn an_expired_conflict_is_as_if_it_had_never_been() {
    let record = in_conflict(State::Completed(answer()), vec![disputed(ConflictState::Expired)]);
    assert_eq!(on(&record, &attempt(11, "disputed")), hold());
}

#[test]
fn without_critical_fields_the_whole_payload_is_critical() {
    let whole = |note| Attempt { identity: None, ..attempt(10, note) };
    let record = Record { accepted: Arc::new(whole("first")), ..record(live()) };
    assert_eq!(on(&record, &whole("other")), Verdict::Hold { changed: vec![] });
}
