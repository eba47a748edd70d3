//! Handlers that fail.

use serde_json::json;

use crate::harness::{Call, Place, script};

#[tokio::test]
async fn a_panic_is_a_problem_and_a_retry_runs_again() {
    let place = Place::new();
    for (lab, key) in [(place.lab_in_memory(&[]), "m"), (place.lab(&[]), "s")] {
        let call = Call::to("/failed-retry").key(key);
        for panic in [json!({ "panic": true }), json!({ "panic": true, "sleep_ms": 20 })] {
            let reply = lab.send(&call.clone().with(script(panic))).await;
            reply.assert_problem(500, "handler-panicked");
        }
        assert!(place.effects(key).is_empty());
        let first = lab.send(&call).await;
        first.assert_ran();
        lab.send(&call).await.assert_replays(&first);
        assert_eq!(place.effects(key).len(), 1);
    }
}

#[tokio::test]
async fn where_failures_are_final_a_retry_of_a_panic_is_told_so() {
    let place = Place::new();
    for (lab, key) in [(place.lab_in_memory(&[]), "m"), (place.lab(&[]), "s")] {
        let call = Call::to("/failed-reject").key(key);
        let panic = call.clone().with(script(json!({ "panic": true })));
        lab.send(&panic).await.assert_problem(500, "handler-panicked");
        lab.send(&call).await.assert_problem(409, "previous-attempt-failed");
        assert!(place.effects(key).is_empty());
    }
}

#[tokio::test]
async fn where_failures_are_final_an_effect_before_a_failure_is_not_repeated() {
    let place = Place::new();
    let lab = place.lab_in_memory(&[]);
    let call = Call::to("/failed-reject").key("k");
    let failing = call.clone().with(script(json!({ "fail_after_effect": true })));
    assert_eq!(lab.send(&failing).await.status, 500);
    lab.send(&call).await.assert_problem(409, "previous-attempt-failed");
    let other = call.clone().with(("amount", "20"));
    lab.send(&other).await.assert_problem(409, "payload-mismatch");
    assert_eq!(place.effects("k").len(), 1);
}

#[tokio::test]
async fn a_status_that_asks_for_another_try_is_tried_again_and_others_are_final() {
    let place = Place::new();
    let lab = place.lab_in_memory(&[]);
    for (status, is_final) in [(200, true), (204, true), (303, true), (402, true), (406, true)]
        .into_iter()
        .chain([408, 425, 429, 500, 503].map(|status| (status, false)))
    {
        let key = format!("k{status}");
        let call = Call::to("/reject").key(&key);
        let first = lab.send(&call.clone().with(script(json!({ "status": status })))).await;
        assert_eq!(first.status, status);
        let retry = lab.send(&call).await;
        if is_final {
            retry.assert_replays(&first);
        } else {
            retry.assert_ran();
            assert!(retry.fence() > first.fence());
        }
        assert_eq!(place.effects(&key).len(), if is_final { 1 } else { 2 });
    }
}
