//! What holds whatever the record, the contract and the time.

use proptest::prelude::*;

use super::*;

#[derive(Clone, Debug)]
struct Case {
    record: Record,
    attempt: Attempt,
    contract: Contract,
    now: Timestamp,
    same_payload: bool,
    same_intent: bool,
    same_operation: bool,
    asked_before: bool,
}

prop_compose! {
    fn contract()(
        policy in prop::sample::select(POLICIES.to_vec()),
        on_crash in prop::sample::select(vec![OnCrash::Retry, OnCrash::Hold]),
        on_failure in prop::sample::select(vec![OnFailure::Retry, OnFailure::Reject]),
        windows in any::<bool>(),
        max_conflicts in 0_u32..3,
    ) -> Contract {
        let contract = CONTRACT.policy(policy).on_crash(on_crash).on_failure(on_failure);
        let contract = contract.max_conflicts(max_conflicts);
        if windows { contract.suspicious_within_millis(2).fresh_after_millis(4) } else { contract }
    }
}

prop_compose! {
    fn conflicts()(
        about in prop::collection::vec((0_u64..3, any::<bool>(), 0_usize..4), 0..3),
    ) -> Vec<Disputed> {
        let state = [
            ConflictState::Pending, ConflictState::Accepted, ConflictState::Kept, ConflictState::Expired,
        ];
        let disputed = |(amount, taken, number): (u64, bool, usize)| {
            let Attempt { fingerprint, identity, .. } = attempt(amount, "first");
            let id = ConflictId::from_bytes([number as u8; 16]);
            Disputed { id, fingerprint, identity, state: state[number], taken }
        };
        about.into_iter().map(disputed).collect()
    }
}

prop_compose! {
    fn case()(
        state in prop::sample::select(states().to_vec()),
        (first, second) in (0_u64..3, 0_u64..3),
        same_note in any::<bool>(),
        same_operation in any::<bool>(),
        whole in any::<bool>(),
        base in any::<bool>(),
        superseded in prop::option::of(0_u64..3),
        conflicts in conflicts(),
        contract in contract(),
        age in 0_i64..6,
        offset in -3_i64..3,
    ) -> Case {
        let narrow = |attempt: Attempt| if whole { Attempt { identity: None, ..attempt } } else { attempt };
        let path = if same_operation { "/pay" } else { "/refund" };
        let attempt = Attempt {
            operation: Operation::http("pay", "POST", path, None),
            ..narrow(attempt(second, if same_note { "first" } else { "other" }))
        };
        let remembered = superseded.map(|amount| {
            let Attempt { fingerprint, identity, .. } = narrow(super::attempt(amount, "other"));
            let answer = Some(Arc::new(Answer { status: 299, headers: vec![], body: None }));
            Superseded { fingerprint, identity, version: 1, superseded_at: NOW, answer }
        });
        let asked_before = superseded == Some(second) && !same_note;
        let record = Record {
            accepted: Arc::new(narrow(super::attempt(first, "first"))),
            created_at: Timestamp::from_millis(NOW.as_millis() - age),
            base: base.then(|| payload(first, "base")),
            superseded: remembered,
            conflicts,
            ..record(state)
        };
        let now = Timestamp::from_millis(NOW.as_millis() + offset);
        let same_payload = first == second && same_note;
        let same_intent = if whole {
            same_payload || !contract.policy.guards_whole_payload()
        } else {
            first == second
        };
        Case { record, attempt, contract, now, same_payload, same_intent, same_operation, asked_before }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn an_answer_is_given_again_to_its_own_operation_and_intent_only(case in case()) {
        let Case { record, attempt, contract, now, .. } = &case;
        if let Verdict::Replay { answer, differs } = decide(Some(record), attempt, contract, *now) {
            prop_assert!(case.same_operation && !record.is_expired(*now));
            if answer.status == 299 {
                prop_assert!(case.asked_before && !differs);
            } else {
                prop_assert!(case.same_intent);
                prop_assert_eq!(differs, !case.same_payload);
            }
        }
    }

    #[test]
    fn nothing_live_is_taken_over_and_every_take_over_names_what_was_seen(case in case()) {
        let Case { record, attempt, contract, now, .. } = &case;
        let over = match decide(Some(record), attempt, contract, *now) {
            Verdict::Run { over, cause } => {
                prop_assert_eq!(over.is_none(), record.is_expired(*now));
                prop_assert_eq!(over.is_none(), cause == Cause::New);
                over
            }
            Verdict::Merge { over, .. } => Some(over),
            _ => return Ok(()),
        };
        prop_assert!(!record.is_live(*now));
        prop_assert!(over.is_none_or(|over| over.revision == REVISION));
    }

    #[test]
    fn a_critical_field_never_changes_silently(case in case()) {
        let Case { record, attempt, contract, now, .. } = &case;
        match decide(Some(record), attempt, contract, *now) {
            Verdict::Merge { .. } => prop_assert!(case.same_intent),
            Verdict::Run { cause: Cause::Superseding | Cause::Retry, .. } => {
                prop_assert!(case.same_intent);
            }
            Verdict::Run { cause: Cause::Accepted, over } => {
                let accepted = |disputed: &Disputed| {
                    disputed.state == ConflictState::Accepted
                        && over.unwrap().how == TakeOver::Accepted(disputed.id)
                };
                prop_assert!(record.conflicts.iter().any(accepted));
            }
            Verdict::Run { cause: Cause::Fresh, .. } => {
                let window = contract.fresh_after.unwrap();
                prop_assert!(record.created_at.after(window) <= *now);
            }
            _ => {}
        }
    }

    #[test]
    fn a_completed_payload_never_runs_again(case in case()) {
        let Case { record, attempt, contract, now, .. } = &case;
        let completed = matches!(record.state, State::Completed(_)) && case.same_payload;
        let known = (completed || case.asked_before) && case.same_operation;
        if known && !record.is_expired(*now) {
            let verdict = decide(Some(record), attempt, contract, *now);
            let runs = matches!(verdict, Verdict::Run { .. } | Verdict::Merge { .. });
            prop_assert!(!runs, "{verdict:?}");
        }
    }

    #[test]
    fn people_are_asked_only_where_the_contract_says_so(case in case()) {
        let Case { record, attempt, contract, now, .. } = &case;
        if let Verdict::Hold { changed } = decide(Some(record), attempt, contract, *now) {
            prop_assert_eq!(contract.policy, Policy::Review);
            prop_assert!(!case.same_intent);
            prop_assert_eq!(changed.is_empty(), attempt.identity.is_none());
        }
    }
}
