//! Payloads that take the place of the first.

use futures_util::future::join_all;
use serde_json::json;

use crate::harness::{Call, Place, Reply, script};

fn write(key: &str, amount: u32) -> Call {
    Call::to("/lww").key(key).with(("amount", amount))
}

#[track_caller]
fn assert_superseded(reply: &Reply) {
    reply.assert_ran();
    assert_eq!(reply.header("idempotency-verdict"), Some("superseded"));
}

#[tokio::test]
async fn the_last_write_takes_the_place_of_the_first() {
    let place = Place::new();
    for (lab, key) in [(place.lab_in_memory(&[]), "m"), (place.lab(&[]), "s")] {
        let first = lab.send(&write(key, 1)).await;
        first.assert_ran();
        assert_eq!(first.header("idempotency-verdict"), None);
        let second = lab.send(&write(key, 2)).await;
        assert_superseded(&second);
        lab.send(&write(key, 2)).await.assert_replays(&second);
        let amounts: Vec<_> = place.effects(key).into_iter().map(|effect| effect.amount).collect();
        assert_eq!(amounts, ["1", "2"]);
    }
}

#[tokio::test]
async fn a_superseded_payload_gets_its_own_answer_and_never_runs_again() {
    let place = Place::new();
    for (lab, key) in [(place.lab_in_memory(&[]), "m"), (place.lab(&[]), "s")] {
        let mut answers = Vec::new();
        for amount in 0..4 {
            answers.push(lab.send(&write(key, amount)).await);
        }
        for (amount, answer) in answers.iter().enumerate() {
            let amount = u32::try_from(amount).unwrap();
            lab.send(&write(key, amount)).await.assert_replays(answer);
        }
        assert_eq!(place.effects(key).len(), 4);
    }
}

#[tokio::test]
async fn answers_of_superseded_payloads_outlive_the_process() {
    let place = Place::new();
    let lab = place.lab(&[]);
    let first = lab.send(&write("k", 1)).await;
    assert_superseded(&lab.send(&write("k", 2)).await);
    lab.kill();
    place.lab(&[]).send(&write("k", 1)).await.assert_replays(&first);
}

#[tokio::test]
async fn executions_of_one_key_never_overlap() {
    let place = Place::new();
    let labs = [place.lab(&[]), place.lab(&[])];
    let slow = write("k", 1).with(script(json!({ "sleep_ms": 500 })));
    let first = labs[0].begin(&slow).await;
    labs[1].send(&write("k", 2)).await.assert_busy();
    first.await.unwrap().unwrap().assert_ran();
    assert_superseded(&labs[1].send(&write("k", 2)).await);
}

#[tokio::test]
async fn parallel_writes_all_run_in_the_order_of_their_tokens() {
    let place = Place::new();
    let labs = [place.lab(&[]), place.lab(&[])];
    let pause = script(json!({ "sleep_ms": 20 }));
    let calls: Vec<Call> = (0..6).map(|amount| write("k", amount).with(pause.clone())).collect();
    let clients = calls.iter().enumerate();
    let mut replies =
        join_all(clients.map(|(number, call)| labs[number % 2].send_until_decided(call))).await;

    replies.iter().for_each(Reply::assert_ran);
    replies.sort_by_key(Reply::fence);
    let in_order: Vec<_> = replies.iter().map(|reply| reply.json()["amount"].clone()).collect();
    let happened = place.effects("k").into_iter().map(|effect| json!(effect.amount));
    assert_eq!(in_order, happened.collect::<Vec<_>>());
}
