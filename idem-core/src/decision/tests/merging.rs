//! The rows of policy merge.

use super::*;

const MERGE: Contract = CONTRACT.policy(Policy::Merge);

fn on(record: &Record, attempt: &Attempt) -> Verdict {
    decide(Some(record), attempt, &MERGE, NOW)
}

fn merged_into(base: Payload) -> Verdict {
    Verdict::Merge { over: OVER, base }
}

#[test]
fn completed_same_payload_is_replayed() {
    let replay = Verdict::Replay { answer: answer(), differs: false };
    assert_eq!(on(&record(State::Completed(answer())), &attempt(10, "first")), replay);
}

#[test]
fn completed_same_identity_is_merged() {
    let completed = record(State::Completed(answer()));
    assert_eq!(on(&completed, &attempt(10, "other")), merged_into(payload(10, "first")));
}

#[test]
fn another_identity_is_refused_once_the_first_has_ended_and_busy_before() {
    assert_eq!(on(&record(live()), &attempt(11, "first")), BUSY);
    for state in [lost(), State::Completed(answer()), State::Failed, State::Unknown] {
        assert_eq!(on(&record(state), &attempt(11, "first")), mismatch(&["amount"]));
    }
}

#[test]
fn in_progress_is_busy_whatever_differs() {
    for attempt in [attempt(10, "first"), attempt(10, "other"), attempt(11, "other")] {
        assert_eq!(on(&record(live()), &attempt), BUSY);
    }
}

#[test]
fn after_a_crash_nothing_is_merged_unless_the_contract_runs_again() {
    for state in [lost(), State::Unknown] {
        let crashed = Record { base: Some(payload(10, "base")), ..record(state) };
        let unknown = Verdict::Refuse(Refusal::OutcomeUnknown);
        assert_eq!(on(&crashed, &attempt(10, "other")), unknown);
        let retry = MERGE.on_crash(OnCrash::Retry);
        let verdict = decide(Some(&crashed), &attempt(10, "other"), &retry, NOW);
        assert_eq!(verdict, merged_into(payload(10, "base")));
    }
}

#[test]
fn what_follows_a_failed_merge_is_merged_into_what_completed_before() {
    let failed = Record { base: Some(payload(10, "base")), ..record(State::Failed) };
    for attempt in [attempt(10, "first"), attempt(10, "other")] {
        assert_eq!(on(&failed, &attempt), merged_into(payload(10, "base")));
    }
}

#[test]
fn what_follows_a_failed_first_runs_as_it_was_sent() {
    for attempt in [attempt(10, "first"), attempt(10, "other")] {
        assert_eq!(on(&record(State::Failed), &attempt), RUN_OVER);
    }
}

#[test]
fn another_payload_runs_after_a_failure_although_a_retry_may_not() {
    let reject = MERGE.on_failure(OnFailure::Reject);
    let on = |attempt| decide(Some(&record(State::Failed)), &attempt, &reject, NOW);
    assert_eq!(on(attempt(10, "first")), Verdict::Refuse(Refusal::PreviousAttemptFailed));
    assert_eq!(on(attempt(10, "other")), RUN_OVER);
}

#[test]
fn without_critical_fields_nothing_is_critical() {
    let open = |amount, note| Attempt { identity: None, ..attempt(amount, note) };
    let completed =
        Record { accepted: Arc::new(open(10, "first")), ..record(State::Completed(answer())) };
    assert_eq!(on(&completed, &open(99, "other")), merged_into(payload(10, "first")));
}

#[test]
fn a_payload_that_was_not_kept_cannot_be_merged_into() {
    let unkept = Attempt { payload: None, ..attempt(10, "first") };
    let completed = Record { accepted: Arc::new(unkept), ..record(State::Completed(answer())) };
    assert_eq!(on(&completed, &attempt(10, "other")), mismatch(&[]));
}
