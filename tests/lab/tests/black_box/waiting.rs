//! Retries that wait for the first.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;

use crate::harness::{Call, Place, Reply, script};

#[tokio::test]
async fn fifty_parallel_duplicates_over_two_processes_all_get_the_one_answer() {
    let place = Place::new();
    let labs = [place.lab(&[]), place.lab(&[])];
    let call = Call::to("/wait").key("k").with(script(json!({ "sleep_ms": 300 })));
    let replies = join_all((0..50).map(|number| labs[number % 2].send(&call))).await;

    assert_eq!(place.effects("k").len(), 1);
    let (ran, replayed) = ran_and_replayed(replies);
    ran.assert_ran();
    assert_eq!(replayed.len(), 49);
    for reply in replayed {
        reply.assert_replays(&ran);
    }
}

#[tokio::test]
async fn a_waiter_hears_from_every_store_and_from_another_process() {
    let place = Place::new();
    let (memory, left, right) = (place.lab_in_memory(&[]), place.lab(&[]), place.lab(&[]));
    for (key, runs, waits) in [("m", &memory, &memory), ("s", &left, &left), ("t", &left, &right)] {
        let call = Call::to("/wait").key(key).with(script(json!({ "sleep_ms": 400 })));
        let first = runs.begin(&call).await;
        let waiter = waits.send(&call).await;
        waiter.assert_replays(&first.await.unwrap().unwrap());
        assert_eq!(place.effects(key).len(), 1);
    }
}

#[tokio::test]
async fn when_the_first_fails_one_waiter_runs_and_the_others_get_its_answer() {
    let place = Place::new();
    let labs = [place.lab(&[]), place.lab(&[])];
    let call = Call::to("/wait").key("k");
    let failing = script(json!({ "sleep_ms": 400, "fail_after_effect": true }));
    let first = labs[0].begin(&call.clone().with(failing)).await;
    let again = call.with(script(json!({ "sleep_ms": 100 })));
    let waiters = join_all((0..6).map(|number| labs[number % 2].send(&again))).await;

    let first = first.await.unwrap().unwrap();
    assert_eq!(first.status, 500);
    let (ran, replayed) = ran_and_replayed(waiters);
    ran.assert_ran();
    assert!(ran.fence() > first.fence());
    for reply in replayed {
        reply.assert_replays(&ran);
    }
    assert_eq!(place.effects("k").len(), 2, "one of the first, one of the waiter that ran");
}

#[tokio::test]
async fn a_first_longer_than_the_wait_leaves_its_waiter_busy() {
    let place = Place::new();
    for (lab, key) in [(place.lab_in_memory(&[]), "m"), (place.lab(&[]), "s")] {
        let call = Call::to("/wait").key(key).with(script(json!({ "sleep_ms": 7_000 })));
        let first = lab.begin(&call).await;
        let asked = Instant::now();
        lab.send(&call).await.assert_busy();
        let waited = asked.elapsed();
        assert!(waited >= Duration::from_millis(4_900), "{waited:?}");
        assert!(!first.is_finished(), "the wait is 5 s, not {waited:?}");

        let first = first.await.unwrap().unwrap();
        first.assert_ran();
        lab.send(&call).await.assert_replays(&first);
        assert_eq!(place.effects(key).len(), 1);
    }
}

#[tokio::test]
async fn another_intent_is_refused_at_once() {
    let place = Place::new();
    for (lab, key) in [(place.lab_in_memory(&[]), "m"), (place.lab(&[]), "s")] {
        let call = Call::to("/wait").key(key).with(script(json!({ "sleep_ms": 2_000 })));
        let first = lab.begin(&call).await;
        let other = lab.send(&call.clone().with(("amount", "20"))).await;
        assert!(!first.is_finished(), "it has not waited for the first");
        let problem = other.assert_problem(409, "payload-mismatch");
        assert_eq!(problem["changed"], json!(["amount"]));
        first.await.unwrap().unwrap().assert_ran();
        assert_eq!(place.effects(key).len(), 1);
    }
}

#[tokio::test]
async fn a_harmless_difference_is_not_kept_waiting_and_is_answered_afterwards() {
    let place = Place::new();
    let lab = place.lab(&[]);
    let call = Call::to("/wait").key("k").with(script(json!({ "sleep_ms": 2_000 })));
    let noted = call.clone().with(("note", "thanks"));
    let first = lab.begin(&call).await;
    lab.send(&noted).await.assert_busy();
    assert!(!first.is_finished(), "it has not waited for the first");
    let first = first.await.unwrap().unwrap();
    first.assert_ran();
    let noted = lab.send(&noted).await;
    noted.assert_replays(&first);
    assert_eq!(noted.header("idempotency-verdict"), Some("difference-ignored"));
    assert_eq!(place.effects("k").len(), 1);
}

/// The one reply that was not replayed, and the others.
fn ran_and_replayed(replies: Vec<Reply>) -> (Reply, Vec<Reply>) {
    let (mut ran, replayed): (Vec<_>, Vec<_>) =
        replies.into_iter().partition(|reply| !reply.is_replay());
    assert_eq!(ran.len(), 1, "{:?}", ran.iter().map(Reply::json).collect::<Vec<_>>());
    (ran.remove(0), replayed)
}
