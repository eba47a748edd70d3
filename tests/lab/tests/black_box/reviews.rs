//! Another intent, held until people decide.

use futures_util::future::join_all;
use idem_axum::review::{Conflict, Filter, Queue, QueueError};
use serde_json::{Value, json};

use crate::harness::{Call, Lab, Place, Reply, script};

fn pay(key: &str, amount: u32) -> Call {
    Call::to("/review").key(key).with(("amount", amount))
}

/// The place where a held request sees how it stands.
#[track_caller]
fn held_at(reply: &Reply) -> String {
    let problem = reply.assert_problem(202, "conflict-under-review");
    let location = reply.header("location").expect("a held request is told where to look");
    let id = problem["conflict_id"].as_str().expect("a held request is told its conflict");
    assert_eq!(location, format!("/conflicts/{id}"));
    location.to_owned()
}

async fn status(lab: &Lab, location: &str) -> Value {
    let (status, text) = lab.get_by("acme", location).await;
    assert_eq!(status, 200, "{text}");
    serde_json::from_str(&text).expect("a status is JSON")
}

async fn only_conflict(queue: &Queue) -> Conflict {
    let mut conflicts = queue.list(&Filter::default()).await.expect("the store works");
    assert_eq!(conflicts.len(), 1);
    conflicts.remove(0)
}

#[tokio::test]
async fn another_intent_is_held_and_the_first_is_untouched() {
    let place = Place::new();
    for (lab, key) in [(place.lab_in_memory(&[]), "m"), (place.lab(&[]), "s")] {
        let first = lab.send(&pay(key, 10)).await;
        let reply = lab.send(&pay(key, 20)).await;
        let location = held_at(&reply);
        assert_eq!(reply.json()["changed"], json!(["amount"]));
        assert_eq!(status(&lab, &location).await["state"], "pending");
        lab.send(&pay(key, 10)).await.assert_replays(&first);

        assert_eq!(held_at(&lab.send(&pay(key, 20)).await), location, "one payload, one conflict");
        assert_ne!(held_at(&lab.send(&pay(key, 30)).await), location);
        assert_eq!(place.effects(key).len(), 1);
    }
}

#[tokio::test]
async fn a_conflict_is_shown_to_its_own_principal_only() {
    let place = Place::new();
    let lab = place.lab(&[]);
    lab.send(&pay("k", 10)).await.assert_ran();
    let location = held_at(&lab.send(&pay("k", 20)).await);
    assert_eq!(lab.get_by("mallory", &location).await.0, 404);
    assert_eq!(lab.get_by("revoked", &location).await.0, 403);
    assert_eq!(lab.get_by("acme", "/conflicts/none").await.0, 404);
    let shown = status(&lab, &location).await.to_string();
    for secret in ["20", "10.00", "EUR", "alice"] {
        assert!(!shown.contains(&format!("\"{secret}\"")), "{shown}");
    }
}

#[tokio::test]
async fn another_intent_is_held_at_once_while_the_first_runs() {
    let place = Place::new();
    for (lab, key) in [(place.lab_in_memory(&[]), "m"), (place.lab(&[]), "s")] {
        let slow = pay(key, 10).with(script(json!({ "sleep_ms": 1_000 })));
        let first = lab.begin(&slow).await;
        held_at(&lab.send(&pay(key, 20)).await);
        assert!(!first.is_finished(), "it has not waited for the first");
        let first = first.await.unwrap().unwrap();
        first.assert_ran();
        lab.send(&pay(key, 10)).await.assert_replays(&first);
    }
}

#[tokio::test]
async fn beyond_the_limit_a_key_is_in_conflict() {
    let place = Place::new();
    for (lab, key) in [(place.lab_in_memory(&[]), "m"), (place.lab(&[]), "s")] {
        lab.send(&pay(key, 10)).await.assert_ran();
        for amount in 11..19 {
            held_at(&lab.send(&pay(key, amount)).await);
        }
        lab.send(&pay(key, 19)).await.assert_problem(409, "key-in-conflict");
        held_at(&lab.send(&pay(key, 11)).await);
    }
}

#[tokio::test]
async fn an_accepted_payload_runs_once_whatever_the_number_of_retries() {
    let place = Place::new();
    let labs = [place.lab(&[]), place.lab(&[])];
    let first = labs[0].send(&pay("k", 10)).await;
    let location = held_at(&labs[0].send(&pay("k", 20)).await);
    let queue = place.queue().await;
    let conflict = only_conflict(&queue).await;
    queue.accept(conflict.id, conflict.version, "mara", "called back").await.unwrap();
    assert_eq!(status(&labs[1], &location).await["state"], "accepted");

    let retry = pay("k", 20).with(script(json!({ "sleep_ms": 200 })));
    let replies = join_all((0..4).map(|number| labs[number % 2].send_until_decided(&retry))).await;
    let (ran, replayed): (Vec<_>, Vec<_>) =
        replies.into_iter().partition(|reply| !reply.is_replay());
    assert_eq!(ran.len(), 1);
    ran[0].assert_ran();
    replayed.iter().for_each(|reply| reply.assert_replays(&ran[0]));

    labs[0].send(&pay("k", 20)).await.assert_replays(&ran[0]);
    labs[0].send(&pay("k", 10)).await.assert_replays(&first);
    let amounts: Vec<_> = place.effects("k").into_iter().map(|effect| effect.amount).collect();
    assert_eq!(amounts, ["10", "20"]);
}

#[tokio::test]
async fn a_kept_first_refuses_the_disputed_payload() {
    let place = Place::new();
    let lab = place.lab(&[]);
    let first = lab.send(&pay("k", 10)).await;
    let location = held_at(&lab.send(&pay("k", 20)).await);
    let queue = place.queue().await;
    let conflict = only_conflict(&queue).await;
    queue.keep(conflict.id, conflict.version, "mara", "typed twice").await.unwrap();

    assert_eq!(status(&lab, &location).await["state"], "kept");
    lab.send(&pay("k", 20)).await.assert_problem(409, "payload-mismatch");
    lab.send(&pay("k", 10)).await.assert_replays(&first);
    assert_eq!(place.effects("k").len(), 1);
}

#[tokio::test]
async fn of_two_people_who_decide_at_once_one_is_told_that_it_was_decided() {
    let place = Place::new();
    let lab = place.lab(&[]);
    lab.send(&pay("k", 10)).await.assert_ran();
    held_at(&lab.send(&pay("k", 20)).await);
    let [left, right] = [place.queue().await, place.queue().await];
    let conflict = only_conflict(&left).await;
    let (accepted, kept) = tokio::join!(
        left.accept(conflict.id, conflict.version, "mara", "called back"),
        right.keep(conflict.id, conflict.version, "theo", "typed twice"),
    );
    assert_ne!(accepted.is_ok(), kept.is_ok());
    let refused = accepted.err().or(kept.err()).unwrap();
    assert!(matches!(refused, QueueError::Stale(_)), "{refused}");
}

#[tokio::test]
async fn conflicts_outlive_the_process() {
    let place = Place::new();
    let lab = place.lab(&[]);
    lab.send(&pay("k", 10)).await.assert_ran();
    let location = held_at(&lab.send(&pay("k", 20)).await);
    lab.kill();
    let lab = place.lab(&[]);
    assert_eq!(held_at(&lab.send(&pay("k", 20)).await), location);
    assert_eq!(status(&lab, &location).await["state"], "pending");
}

#[tokio::test]
async fn seeded_conflicts_are_there_before_the_first_request() {
    let place = Place::new();
    let lab = place.lab(&["--seed-conflicts", "12"]);
    let conflicts = place.queue().await.list(&Filter::default()).await.unwrap();
    assert_eq!(conflicts.len(), 12);
    let location = format!("/conflicts/{}", conflicts[0].id);
    let owner = conflicts[0].disputed.scope.id().unwrap().to_owned();
    assert_eq!(lab.get_by(&owner, &location).await.0, 200);
}
