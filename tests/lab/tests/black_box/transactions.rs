//! The route whose effect is written in the transaction of its record.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::harness::{Call, Lab, Place, script};

fn pay(key: &str, steps: Value) -> Call {
    Call::to("/tx").key(key).with(script(steps))
}

/// How often it happened, as it was committed.
async fn effects(lab: &Lab, key: &str) -> u64 {
    let (status, text) = lab.get(&format!("/effects?key={key}")).await;
    assert_eq!(status, 200, "{text}");
    let tally: Value = serde_json::from_str(&text).expect("a tally is JSON");
    tally["count"].as_u64().expect("a count is a number")
}

#[tokio::test]
async fn an_effect_is_there_with_its_answer_and_a_retry_gets_that() {
    let place = Place::new();
    let lab = place.lab(&[]);
    let first = lab.send(&pay("k", json!({}))).await;
    first.assert_ran();
    lab.send(&pay("k", json!({}))).await.assert_replays(&first);
    lab.send(&pay("k", json!({})).with(("amount", "20.00")))
        .await
        .assert_problem(409, "payload-mismatch");
    assert_eq!(effects(&lab, "k").await, 1);
    assert!(place.effects("k").is_empty(), "the effect is in the table, not in the file");
}

#[tokio::test]
async fn what_fails_after_its_effect_has_had_none_and_runs_again() {
    let place = Place::new();
    let lab = place.lab(&[]);
    for (key, steps) in
        [("5xx", json!({ "fail_after_effect": true })), ("panic", json!({ "panic": true }))]
    {
        assert_eq!(lab.send(&pay(key, steps)).await.status, 500);
        assert_eq!(effects(&lab, key).await, 0, "{key}");
        // What a script says is ignored by fingerprints.
        let second = lab.send(&pay(key, json!({}))).await;
        second.assert_ran();
        lab.send(&pay(key, json!({}))).await.assert_replays(&second);
        assert_eq!(effects(&lab, key).await, 1, "{key}");
    }
}

#[tokio::test]
async fn a_refusal_that_is_final_is_committed() {
    let place = Place::new();
    let lab = place.lab(&[]);
    let refused = lab.send(&pay("k", json!({ "status": 422 }))).await;
    assert_eq!(refused.status, 422);
    lab.send(&pay("k", json!({}))).await.assert_replays(&refused);
    assert_eq!(effects(&lab, "k").await, 1);
}

#[tokio::test]
async fn after_a_crash_a_retry_runs_at_once() {
    let place = Place::new();
    let lab = place.lab(&[]);
    let broken = lab.begin(&pay("k", json!({ "sleep_ms": 60_000 }))).await;
    lab.kill();
    assert!(broken.await.unwrap().is_none(), "the connection breaks");

    let lab = place.lab(&[]);
    let first = lab.send_until_decided(&pay("k", json!({}))).await;
    first.assert_ran();
    lab.send(&pay("k", json!({}))).await.assert_replays(&first);
    assert_eq!(effects(&lab, "k").await, 1);
}

#[tokio::test]
async fn a_client_that_leaves_stops_nothing_of_it() {
    let place = Place::new();
    let lab = place.lab(&[]);
    let call = pay("k", json!({ "sleep_ms": 300 }));
    lab.begin(&call).await.abort();
    let answer = lab.send_until_decided(&call).await;
    assert!(answer.is_replay());
    assert_eq!(effects(&lab, "k").await, 1);
}

#[tokio::test]
async fn fifty_parallel_requests_over_two_processes_have_one_effect() {
    let place = Place::new();
    let labs = [place.lab(&[]), place.lab(&[])];
    let call = pay("k", json!({ "sleep_ms": 100 }));
    let replies = join_all((0..50).map(|number| labs[number % 2].send(&call))).await;
    // They wait for the first, without being told to come back.
    let ran: Vec<_> = replies.iter().filter(|reply| !reply.is_replay()).collect();
    assert_eq!(ran.len(), 1);
    ran[0].assert_ran();
    for replayed in replies.iter().filter(|reply| reply.is_replay()) {
        replayed.assert_replays(ran[0]);
    }
    assert_eq!(effects(&labs[0], "k").await, 1);
}

#[tokio::test]
async fn many_keys_at_once_all_end_with_one_effect_each() {
    let place = Place::new();
    let lab = place.lab(&[]);
    let calls: Vec<Call> =
        (0..200).map(|number| pay(&format!("k{}", number % 20), json!({}))).collect();
    for reply in join_all(calls.iter().map(|call| lab.send(call))).await {
        assert_eq!(reply.status, 201);
    }
    for key in 0..20 {
        assert_eq!(effects(&lab, &format!("k{key}")).await, 1);
    }
}

#[tokio::test]
async fn in_memory_there_are_no_transactions() {
    let place = Place::new();
    let reply = place.lab_in_memory(&[]).send(&pay("k", json!({}))).await;
    assert_eq!(reply.status, 404);
}
