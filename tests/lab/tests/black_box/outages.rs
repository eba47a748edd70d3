//! A store that cannot be reached.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Call, Place, script};

#[tokio::test]
async fn without_its_store_nothing_runs_and_afterwards_everything_does() {
    let place = Place::new();
    let lab = place.lab(&[]);
    lab.send(&Call::to("/reject").key("warm")).await.assert_ran();

    let blocked = place.block().await;
    let call = Call::to("/reject").key("order-4711").with(("recipient", "mrs-robinson"));
    let asked = Instant::now();
    let reply = lab.send(&call).await;
    assert!(asked.elapsed() < Duration::from_secs(8), "{:?}", asked.elapsed());
    reply.assert_problem(503, "store-unavailable");
    assert!(place.effects("order-4711").is_empty());

    blocked.release().await;
    let first = lab.send(&call).await;
    first.assert_ran();
    lab.send(&call).await.assert_replays(&first);
    assert_eq!(place.effects("order-4711").len(), 1);

    let log = lab.log();
    assert!(log.contains("ERROR"), "an outage is told to the operator: {log}");
    for secret in ["order-4711", "mrs-robinson", "acme"] {
        assert!(!log.contains(secret), "{secret} is in the log: {log}");
    }
}

#[tokio::test]
async fn what_has_been_answered_is_replayed_while_another_process_writes() {
    let place = Place::new();
    let lab = place.lab(&[]);
    let call = Call::to("/reject").key("k");
    let first = lab.send(&call).await;
    let _blocked = place.block().await;
    let asked = Instant::now();
    lab.send(&call).await.assert_replays(&first);
    assert!(asked.elapsed() < Duration::from_secs(3), "{:?}", asked.elapsed());
}

#[tokio::test]
async fn an_answer_that_cannot_be_recorded_still_reaches_its_client() {
    let place = Place::new();
    let lab = place.lab(&[]);
    let call = Call::to("/crash-hold").key("k").with(script(json!({ "sleep_ms": 200 })));
    let running = lab.begin(&call).await;
    let blocked = place.block().await;
    let first = running.await.unwrap().expect("an answer within the client's patience");
    first.assert_ran();
    lab.send(&call).await.assert_busy();
    assert!(lab.log().contains("could not be recorded"), "{}", lab.log());

    // The outage was short: what could not be written then is written now.
    blocked.release().await;
    lab.send_until_decided(&call).await.assert_replays(&first);
    assert_eq!(place.effects("k").len(), 1);
}
