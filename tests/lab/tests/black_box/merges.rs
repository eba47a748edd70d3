//! Payloads that are merged into the first.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::harness::{Call, Place, Reply, script};

fn save(key: &str) -> Call {
    Call::to("/merge").key(key)
}

#[track_caller]
fn assert_merged(reply: &Reply) {
    reply.assert_ran();
    assert_eq!(reply.header("idempotency-verdict"), Some("merged"));
}

#[tokio::test]
async fn what_comes_later_is_merged_into_the_first_and_run() {
    let place = Place::new();
    for (lab, key) in [(place.lab_in_memory(&[]), "m"), (place.lab(&[]), "s")] {
        let first = lab.send(&save(key).with(("tags", json!(["a", "b"])))).await;
        first.assert_ran();
        assert_eq!(first.header("idempotency-verdict"), None);

        let later = save(key).with(("note", "ring twice")).with(("tags", json!(["c", "a"])));
        let merged = lab.send(&later).await;
        assert_merged(&merged);
        assert_eq!(merged.json()["tags"], json!(["a", "b", "c"]));
        assert_eq!(merged.json()["note"], "ring twice");
        assert!(merged.fence() > first.fence());

        let again = lab.send(&later).await;
        again.assert_replays(&merged);
        assert_eq!(again.header("idempotency-verdict"), Some("merged"));
        assert_eq!(place.effects(key).len(), 2);
    }
}

#[tokio::test]
async fn a_retry_of_the_first_gets_its_own_answer_after_a_merge() {
    let place = Place::new();
    for (lab, key) in [(place.lab_in_memory(&[]), "m"), (place.lab(&[]), "s")] {
        let first = lab.send(&save(key)).await;
        assert_merged(&lab.send(&save(key).with(("note", "x"))).await);
        lab.send(&save(key)).await.assert_replays(&first);
        assert_eq!(place.effects(key).len(), 2);
    }
}

#[tokio::test]
async fn null_and_absent_keep_what_is_there() {
    let place = Place::new();
    let lab = place.lab_in_memory(&[]);
    lab.send(&save("k").with(("note", "first")).with(("tags", json!(["a"])))).await.assert_ran();
    let nulls = save("k").with(("note", Value::Null)).with(("tags", Value::Null));
    for call in [save("k"), nulls] {
        let merged = lab.send(&call).await;
        assert_merged(&merged);
        assert_eq!(merged.json()["note"], "first");
        assert_eq!(merged.json()["tags"], json!(["a"]));
    }
}

#[tokio::test]
async fn a_refused_merge_leaves_everything_as_it_was() {
    let place = Place::new();
    for (lab, key) in [(place.lab_in_memory(&[]), "m"), (place.lab(&[]), "s")] {
        let first = lab.send(&save(key).with(("note", "short"))).await;
        let long = save(key).with(("note", "ä".repeat(101)));
        let problem = lab.send(&long).await.assert_problem(422, "merge-refused");
        assert!(problem["detail"].as_str().unwrap().contains("101"), "{problem}");
        lab.send(&save(key).with(("note", "short"))).await.assert_replays(&first);
        assert_eq!(place.effects(key).len(), 1);

        assert_merged(&lab.send(&save(key).with(("note", "ä".repeat(100)))).await);
    }
}

#[tokio::test]
async fn a_critical_field_is_never_merged() {
    let place = Place::new();
    let lab = place.lab(&[]);
    let first = lab.send(&save("k")).await;
    let other = save("k").with(("amount", "20")).with(("note", "x"));
    let problem = lab.send(&other).await.assert_problem(409, "payload-mismatch");
    assert_eq!(problem["changed"], json!(["amount"]));
    // The recipient is not critical here.
    let merged = lab.send(&save("k").with(("recipient", "bob"))).await;
    assert_merged(&merged);
    assert_eq!(merged.json()["recipient"], "bob");
    lab.send(&save("k")).await.assert_replays(&first);
}

#[tokio::test]
async fn a_merge_that_failed_is_merged_into_what_completed_before() {
    let place = Place::new();
    for (lab, key) in [(place.lab_in_memory(&[]), "m"), (place.lab(&[]), "s")] {
        let first = lab.send(&save(key).with(("tags", json!(["a"])))).await;
        let failing = script(json!({ "status": 503 }));
        let second = save(key).with(("tags", json!(["b"])));
        assert_eq!(lab.send(&second.clone().with(failing)).await.status, 503);

        // What failed is not the key's: a third does not see it, and its own retry is merged on.
        let third = lab.send(&save(key).with(("tags", json!(["c"])))).await;
        assert_eq!(third.json()["tags"], json!(["a", "c"]));
        let second = lab.send(&second).await;
        assert_merged(&second);
        assert_eq!(second.json()["tags"], json!(["a", "c", "b"]));
        lab.send(&save(key).with(("tags", json!(["a"])))).await.assert_replays(&first);
    }
}

#[tokio::test]
async fn parallel_clients_lose_nothing_over_two_processes() {
    let place = Place::new();
    let labs = [place.lab(&[]), place.lab(&[])];
    let save = |tag: usize| {
        let call = save("k").with(("tags", json!([format!("tag-{tag}")])));
        call.with(script(json!({ "sleep_ms": 20 })))
    };
    let calls: Vec<Call> = (0..6).map(save).collect();
    let clients = calls.iter().enumerate();
    let replies =
        join_all(clients.map(|(number, call)| labs[number % 2].send_until_decided(call))).await;

    replies.iter().for_each(Reply::assert_ran);
    let last = replies.iter().max_by_key(|reply| reply.fence()).unwrap().json();
    let mut tags: Vec<String> = serde_json::from_value(last["tags"].clone()).unwrap();
    tags.sort();
    assert_eq!(tags, (0..6).map(|tag| format!("tag-{tag}")).collect::<Vec<_>>());
    assert_eq!(place.effects("k").len(), 6);
}
