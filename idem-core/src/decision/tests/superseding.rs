//! The rows of policy last-write-wins.

use super::*;

const LAST: Contract = CONTRACT.policy(Policy::LastWriteWins);
const SUPERSEDE: Verdict = Verdict::Run { over: Some(OVER), cause: Cause::Superseding };

fn on(state: State, attempt: &Attempt) -> Verdict {
    decide(Some(&record(state)), attempt, &LAST, NOW)
}

#[test]
fn completed_same_payload_is_replayed() {
    let replay = Verdict::Replay { answer: answer(), differs: false };
    assert_eq!(on(State::Completed(answer()), &attempt(10, "first")), replay);
}

#[test]
fn completed_same_identity_is_superseded() {
    assert_eq!(on(State::Completed(answer()), &attempt(10, "other")), SUPERSEDE);
}

#[test]
fn another_identity_is_refused_once_the_first_has_ended_and_busy_before() {
    assert_eq!(on(live(), &attempt(11, "first")), BUSY);
    for state in [lost(), State::Completed(answer()), State::Failed, State::Unknown] {
        assert_eq!(on(state, &attempt(11, "first")), mismatch(&["amount"]));
    }
}

#[test]
fn executions_of_one_key_never_overlap() {
    for attempt in [attempt(10, "first"), attempt(10, "other")] {
        assert_eq!(on(live(), &attempt), BUSY);
    }
}

#[test]
fn after_a_crash_nothing_is_superseded_unless_the_contract_runs_again() {
    for state in [lost(), State::Unknown] {
        let unknown = Verdict::Refuse(Refusal::OutcomeUnknown);
        assert_eq!(on(state.clone(), &attempt(10, "other")), unknown);
        let retry = LAST.on_crash(OnCrash::Retry);
        assert_eq!(decide(Some(&record(state)), &attempt(10, "other"), &retry, NOW), SUPERSEDE);
    }
}

#[test]
fn a_failure_is_run_again_or_superseded() {
    assert_eq!(on(State::Failed, &attempt(10, "first")), RUN_OVER);
    assert_eq!(on(State::Failed, &attempt(10, "other")), SUPERSEDE);
    let reject = LAST.on_failure(OnFailure::Reject);
    let verdict = decide(Some(&record(State::Failed)), &attempt(10, "other"), &reject, NOW);
    assert_eq!(verdict, SUPERSEDE);
}

#[test]
fn a_retry_of_one_that_supersedes_supersedes_as_well() {
    let failed = Record { history: 1, ..record(State::Failed) };
    assert_eq!(decide(Some(&failed), &attempt(10, "first"), &LAST, NOW), SUPERSEDE);
}

#[test]
fn without_critical_fields_nothing_is_critical() {
    let open = |amount, note| Attempt { identity: None, ..attempt(amount, note) };
    let completed =
        Record { accepted: Arc::new(open(10, "first")), ..record(State::Completed(answer())) };
    assert_eq!(decide(Some(&completed), &open(99, "other"), &LAST, NOW), SUPERSEDE);
}
