//! Retries of payloads that others have taken the place of, under every policy.

use super::*;

fn own_answer() -> Arc<Answer> {
    Arc::new(Answer { status: 200, headers: vec![], body: Some("own".into()) })
}

/// A record that remembers an earlier payment of `amount`, which ended with `answer`.
fn after(amount: u64, answer: Option<Arc<Answer>>, state: State) -> Record {
    let Attempt { fingerprint, identity, .. } = attempt(amount, "earlier");
    let superseded = Superseded { fingerprint, identity, version: 1, superseded_at: NOW, answer };
    Record { history: 1, superseded: Some(superseded), ..record(state) }
}

fn on(policy: Policy, record: &Record, attempt: &Attempt) -> Verdict {
    decide(Some(record), attempt, &CONTRACT.policy(policy), NOW)
}

#[test]
fn a_superseded_payload_gets_its_own_answer_whatever_the_record_is_at() {
    let replay = Verdict::Replay { answer: own_answer(), differs: false };
    for policy in POLICIES {
        for state in states() {
            for amount in [10, 11] {
                let record = after(amount, Some(own_answer()), state.clone());
                assert_eq!(on(policy, &record, &attempt(amount, "earlier")), replay);
            }
        }
    }
}

#[test]
fn nobody_else_gets_the_answer_of_a_superseded_payload() {
    for policy in POLICIES {
        for state in states() {
            let record = after(10, Some(own_answer()), state.clone());
            let forgotten = Record { superseded: None, ..record.clone() };
            for attempt in [attempt(10, "first"), attempt(10, "another"), attempt(11, "earlier")] {
                assert_eq!(on(policy, &record, &attempt), on(policy, &forgotten, &attempt));
            }
        }
    }
}

#[test]
fn a_superseded_fingerprint_with_another_critical_field_is_another_payload() {
    let record = after(10, Some(own_answer()), State::Completed(answer()));
    let fingerprint = attempt(10, "earlier").fingerprint;
    let unlike = Attempt { fingerprint, ..attempt(11, "earlier") };
    for policy in POLICIES {
        assert!(!matches!(on(policy, &record, &unlike), Verdict::Replay { .. }));
    }
}

#[test]
fn a_superseded_payload_without_an_answer_is_like_any_other() {
    for policy in POLICIES {
        for state in states() {
            for amount in [10, 11] {
                let record = after(amount, None, state.clone());
                let forgotten = Record { superseded: None, ..record.clone() };
                let attempt = attempt(amount, "earlier");
                assert_eq!(on(policy, &record, &attempt), on(policy, &forgotten, &attempt));
            }
        }
    }
}

#[test]
fn another_operation_gets_no_answer_of_a_superseded_payload() {
    let record = after(10, Some(own_answer()), State::Completed(answer()));
    let operation = Operation::http("pay", "POST", "/refund", None);
    let other = Attempt { operation, ..attempt(10, "earlier") };
    for policy in POLICIES {
        let refused = matches!(
            on(policy, &record, &other),
            Verdict::Refuse(Refusal::OperationMismatch { .. })
        );
        assert!(refused, "{policy:?}");
    }
}

#[test]
fn past_the_ttl_nothing_is_remembered() {
    let record = after(10, Some(own_answer()), State::Completed(answer()));
    let expired = Record { expires_at: NOW, ..record };
    for policy in POLICIES {
        assert_eq!(on(policy, &expired, &attempt(10, "earlier")), RUN);
    }
}
