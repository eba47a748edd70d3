//! The windows, which go over every policy.

use super::*;

const WINDOWS: Contract = CONTRACT.suspicious_within_millis(2_000).fresh_after_millis(4_000);

/// A record whose first claim is so long ago.
fn aged(state: State, millis: i64) -> Record {
    let created_at = Timestamp::from_millis(NOW.as_millis() - millis);
    Record { created_at, ..record(state) }
}

fn on(policy: Policy, record: &Record, attempt: &Attempt) -> Verdict {
    decide(Some(record), attempt, &WINDOWS.policy(policy), NOW)
}

fn suspicious() -> Verdict {
    let (original, changed) = (attempt(10, "first").fingerprint, vec!["amount".to_owned()]);
    Verdict::Refuse(Refusal::Suspicious { original, changed })
}

fn fresh() -> Verdict {
    let over = Over { revision: REVISION, how: TakeOver::Fresh };
    Verdict::Run { over: Some(over), cause: Cause::Fresh }
}

#[test]
fn another_identity_is_suspicious_up_to_the_window_and_not_at_its_end() {
    for policy in POLICIES {
        for state in states() {
            for age in [0, 1_999] {
                let verdict = on(policy, &aged(state.clone(), age), &attempt(11, "first"));
                assert_eq!(verdict, suspicious(), "{policy:?} at {age}");
            }
            for age in [2_000, 2_001] {
                let verdict = on(policy, &aged(state.clone(), age), &attempt(11, "first"));
                assert_ne!(verdict, suspicious(), "{policy:?} at {age}");
            }
        }
    }
}

#[test]
fn between_the_windows_the_policy_decides() {
    for policy in POLICIES {
        for state in states() {
            for age in [2_000, 3_999] {
                let record = aged(state.clone(), age);
                let without =
                    decide(Some(&record), &attempt(11, "first"), &CONTRACT.policy(policy), NOW);
                assert_eq!(on(policy, &record, &attempt(11, "first")), without);
            }
        }
    }
}

#[test]
fn another_identity_is_an_operation_of_its_own_from_the_window_on() {
    for policy in POLICIES {
        for state in [lost(), State::Completed(answer()), State::Failed, State::Unknown] {
            for age in [4_000, 4_001] {
                let record = aged(state.clone(), age);
                assert_eq!(on(policy, &record, &attempt(11, "first")), fresh(), "at {age}");
            }
        }
        assert_eq!(on(policy, &aged(live(), 4_000), &attempt(11, "first")), BUSY);
    }
}

#[test]
fn the_same_intent_is_decided_without_windows() {
    for policy in POLICIES {
        for state in states() {
            for age in [0, 2_000, 4_000] {
                for attempt in [attempt(10, "first"), attempt(10, "other")] {
                    let record = aged(state.clone(), age);
                    let without = decide(Some(&record), &attempt, &CONTRACT.policy(policy), NOW);
                    assert_eq!(on(policy, &record, &attempt), without);
                }
            }
        }
    }
}

#[test]
fn without_critical_fields_the_windows_are_for_contracts_that_guard_the_whole_payload() {
    let whole = |note| Attempt { identity: None, ..attempt(10, note) };
    for policy in POLICIES {
        let on = |age| {
            let accepted = Arc::new(whole("first"));
            on(policy, &Record { accepted, ..aged(State::Failed, age) }, &whole("other"))
        };
        let is_suspicious = matches!(on(0), Verdict::Refuse(Refusal::Suspicious { .. }));
        assert_eq!(is_suspicious, policy.guards_whole_payload(), "{policy:?}");
        assert_eq!(on(4_000) == fresh(), policy.guards_whole_payload(), "{policy:?}");
    }
}

#[test]
fn what_people_have_decided_goes_over_the_windows() {
    let Attempt { fingerprint, identity, .. } = attempt(11, "first");
    let (id, state) = (ConflictId::from_bytes([9; 16]), ConflictState::Kept);
    let kept = Disputed { id, fingerprint, identity, state, taken: false };
    let record = Record { conflicts: vec![kept], ..aged(State::Completed(answer()), 4_000) };
    assert_eq!(on(Policy::Review, &record, &attempt(11, "first")), mismatch(&["amount"]));
}
