//! One test for each row of the decision table, by its name: here what all policies share and
//! what reject does, then the other policies, people, windows and what was superseded.

mod history;
mod laws;
mod merging;
mod review;
mod superseding;
mod windows;

use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::attempt::{Payload, RecordId};
use crate::contract::{OnCrash, OnFailure, Policy};
use crate::digest::Digest;
use crate::fingerprint::{Encoding, Fingerprint, Mask};
use crate::identity::Identity;
use crate::lease::{Fence, Owner};
use crate::operation::Operation;
use crate::record::{Answer, Revision, State, Superseded};
use crate::review::{ConflictId, ConflictState, Disputed};
use crate::scope::Scope;
use crate::store::{Over, TakeOver};

const CONTRACT: Contract = Contract::new("pay");
const POLICIES: [Policy; 4] =
    [Policy::Reject, Policy::Merge, Policy::LastWriteWins, Policy::Review];
const NOW: Timestamp = Timestamp::from_millis(1_000_000);
const REVISION: Revision = Revision { owner: Owner::from_bytes([7; 16]), version: 3 };

/// An attempt to pay `amount` with a note that is not critical.
fn attempt(amount: u64, note: &str) -> Attempt {
    let body = format!("{amount} {note}");
    let mut identity = Identity::new();
    identity.value("amount", &amount);
    Attempt {
        id: RecordId::from_digest(Digest::of(&[b"k"])),
        scope: Scope::GLOBAL,
        operation: Operation::http("pay", "POST", "/pay", None),
        fingerprint: Fingerprint::of(Encoding::Raw, None, body.as_bytes(), &Mask::NONE).unwrap(),
        identity: Some(identity),
        payload: Some(Payload { bytes: body.into(), media_type: None }),
    }
}

/// The payload of [`attempt`].
fn payload(amount: u64, note: &str) -> Payload {
    attempt(amount, note).payload.unwrap()
}

fn answer() -> Arc<Answer> {
    Arc::new(Answer { status: 201, headers: vec![], body: Some("paid".into()) })
}

fn record(state: State) -> Record {
    Record {
        accepted: Arc::new(attempt(10, "first")),
        state,
        revision: REVISION,
        fence: Fence::new(1),
        attempts: 1,
        created_at: NOW,
        expires_at: NOW.after(Duration::from_millis(1)),
        base: None,
        history: 0,
        superseded: None,
        conflicts: Vec::new(),
    }
}

fn live() -> State {
    State::InProgress { lease_until: NOW.after(Duration::from_millis(1)) }
}

fn lost() -> State {
    State::InProgress { lease_until: NOW }
}

fn states() -> [State; 5] {
    [live(), lost(), State::Completed(answer()), State::Failed, State::Unknown]
}

fn on(state: State, attempt: &Attempt) -> Verdict {
    decide(Some(&record(state)), attempt, &CONTRACT, NOW)
}

const OVER: Over = Over { revision: REVISION, how: TakeOver::Continue };
const RUN: Verdict = Verdict::Run { over: None, cause: Cause::New };
const RUN_OVER: Verdict = Verdict::Run { over: Some(OVER), cause: Cause::Retry };
const BUSY: Verdict = Verdict::Refuse(Refusal::Busy);

fn mismatch(changed: &[&str]) -> Verdict {
    let original = attempt(10, "first").fingerprint;
    let changed = changed.iter().map(|name| (*name).to_owned()).collect();
    Verdict::Refuse(Refusal::PayloadMismatch { original, changed })
}

#[test]
fn no_record_runs() {
    assert_eq!(decide(None, &attempt(10, "first"), &CONTRACT, NOW), RUN);
}

#[test]
fn a_record_past_its_ttl_runs_whatever_the_attempt() {
    for state in [lost(), State::Completed(answer()), State::Failed, State::Unknown] {
        let expired = Record { expires_at: NOW, ..record(state) };
        for attempt in [attempt(10, "first"), attempt(10, "other"), attempt(99, "other")] {
            assert_eq!(decide(Some(&expired), &attempt, &CONTRACT, NOW), RUN);
        }
    }
}

#[test]
fn a_live_lease_holds_a_record_past_its_ttl() {
    let expired = Record { expires_at: NOW, ..record(live()) };
    assert_eq!(
        decide(Some(&expired), &attempt(10, "first"), &CONTRACT, NOW),
        Verdict::Refuse(Refusal::Busy)
    );
}

#[test]
fn another_operation_is_refused_in_every_state() {
    for state in states() {
        let other = Attempt {
            operation: Operation::http("pay", "POST", "/refund", None),
            ..attempt(10, "first")
        };
        let original = attempt(10, "first").fingerprint;
        let refused = Verdict::Refuse(Refusal::OperationMismatch { original });
        for policy in POLICIES {
            let contract = CONTRACT.policy(policy).fresh_after_millis(0);
            assert_eq!(decide(Some(&record(state.clone())), &other, &contract, NOW), refused);
        }
    }
}

#[test]
fn in_progress_with_a_live_lease_same_payload_is_busy() {
    assert_eq!(on(live(), &attempt(10, "first")), Verdict::Refuse(Refusal::Busy));
}

#[test]
fn in_progress_with_a_live_lease_same_payload_waits_where_the_contract_does() {
    let waits = CONTRACT.wait_millis(5_000);
    let on = |state, attempt| decide(Some(&record(state)), &attempt, &waits, NOW);
    assert_eq!(on(live(), attempt(10, "first")), Verdict::Wait);
    assert_eq!(on(live(), attempt(10, "other")), Verdict::Refuse(Refusal::Busy));
    assert_eq!(on(lost(), attempt(10, "first")), Verdict::Refuse(Refusal::OutcomeUnknown));
}

#[test]
fn where_the_contract_waits_only_the_same_payload_does_whatever_the_policy() {
    for policy in POLICIES {
        let waits = CONTRACT.policy(policy).wait_millis(5_000);
        let on = |attempt| decide(Some(&record(live())), &attempt, &waits, NOW);
        assert_eq!(on(attempt(10, "first")), Verdict::Wait);
        for attempt in [attempt(10, "other"), attempt(11, "first")] {
            assert_ne!(on(attempt), Verdict::Wait);
        }
    }
}

#[test]
fn in_progress_with_a_live_lease_same_identity_is_busy() {
    assert_eq!(on(live(), &attempt(10, "other")), Verdict::Refuse(Refusal::Busy));
}

#[test]
fn another_identity_is_refused_in_every_state_also_while_the_first_runs() {
    for state in states() {
        let Verdict::Refuse(Refusal::PayloadMismatch { original, changed }) =
            on(state, &attempt(11, "first"))
        else {
            panic!("not refused");
        };
        assert_eq!(
            (original, changed),
            (attempt(10, "first").fingerprint, vec!["amount".to_owned()])
        );
    }
}

#[test]
fn a_lost_lease_is_held_or_run_again_as_the_contract_says() {
    for state in [lost(), State::Unknown] {
        for attempt in [attempt(10, "first"), attempt(10, "other")] {
            let hold = on(state.clone(), &attempt);
            assert_eq!(hold, Verdict::Refuse(Refusal::OutcomeUnknown));
            let retry = CONTRACT.on_crash(OnCrash::Retry);
            assert_eq!(decide(Some(&record(state.clone())), &attempt, &retry, NOW), RUN_OVER);
        }
    }
}

#[test]
fn completed_same_payload_is_replayed() {
    let replay = Verdict::Replay { answer: answer(), differs: false };
    assert_eq!(on(State::Completed(answer()), &attempt(10, "first")), replay);
}

#[test]
fn completed_same_identity_is_replayed_and_marked() {
    let replay = Verdict::Replay { answer: answer(), differs: true };
    assert_eq!(on(State::Completed(answer()), &attempt(10, "other")), replay);
}

#[test]
fn a_failure_runs_again_or_is_told_as_the_contract_says() {
    for attempt in [attempt(10, "first"), attempt(10, "other")] {
        assert_eq!(on(State::Failed, &attempt), RUN_OVER);
        let reject = CONTRACT.on_failure(OnFailure::Reject);
        let verdict = decide(Some(&record(State::Failed)), &attempt, &reject, NOW);
        assert_eq!(verdict, Verdict::Refuse(Refusal::PreviousAttemptFailed));
    }
}

#[test]
fn without_critical_fields_the_whole_payload_is_critical() {
    let whole = |note| Attempt { identity: None, ..attempt(10, note) };
    for state in states() {
        let record = Record { accepted: Arc::new(whole("first")), ..record(state) };
        let refused = Verdict::Refuse(Refusal::PayloadMismatch {
            original: whole("first").fingerprint,
            changed: vec![],
        });
        assert_eq!(decide(Some(&record), &whole("other"), &CONTRACT, NOW), refused);
    }
}

#[test]
fn a_contract_that_gains_critical_fields_still_replays_the_same_payload() {
    let before = Record {
        accepted: Arc::new(Attempt { identity: None, ..attempt(10, "first") }),
        ..record(State::Completed(answer()))
    };
    let same = decide(Some(&before), &attempt(10, "first"), &CONTRACT, NOW);
    assert_eq!(same, Verdict::Replay { answer: answer(), differs: false });
    let other = decide(Some(&before), &attempt(10, "other"), &CONTRACT, NOW);
    assert!(matches!(other, Verdict::Refuse(Refusal::PayloadMismatch { .. })));
}

#[test]
fn a_critical_field_that_the_fingerprint_leaves_out_counts_all_the_same() {
    let same_bytes =
        Attempt { fingerprint: attempt(10, "first").fingerprint, ..attempt(11, "first") };
    for state in states() {
        let Verdict::Refuse(Refusal::PayloadMismatch { changed, .. }) = on(state, &same_bytes)
        else {
            panic!("not refused");
        };
        assert_eq!(changed, ["amount"]);
    }
}

#[test]
fn one_more_critical_field_turns_no_retry_of_the_same_payload_into_a_conflict() {
    let mut more = attempt(10, "first");
    more.identity.as_mut().unwrap().value("currency", "EUR");
    let replay = Verdict::Replay { answer: answer(), differs: false };
    assert_eq!(on(State::Completed(answer()), &more), replay);
}

#[test]
fn lease_and_retention_end_at_their_instant_and_not_a_millisecond_before() {
    let until = |millis| Record {
        state: State::InProgress { lease_until: Timestamp::from_millis(millis) },
        ..record(State::Failed)
    };
    let verdict = |record: &Record| decide(Some(record), &attempt(10, "first"), &CONTRACT, NOW);
    assert_eq!(verdict(&until(1_000_001)), Verdict::Refuse(Refusal::Busy));
    assert_eq!(verdict(&until(1_000_000)), Verdict::Refuse(Refusal::OutcomeUnknown));
    assert_eq!(verdict(&until(999_999)), Verdict::Refuse(Refusal::OutcomeUnknown));
    let expires = |millis| Record {
        expires_at: Timestamp::from_millis(millis),
        ..record(State::Completed(answer()))
    };
    assert!(matches!(verdict(&expires(1_000_001)), Verdict::Replay { .. }));
    assert_eq!(verdict(&expires(1_000_000)), RUN);
}
