//! Clients that leave, and layers that give up, while the handler runs.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post as on_post;
use idem_axum::{Execution, idempotent};
use tokio::io::AsyncWriteExt;
use tokio::time::{sleep, timeout};
use tower_http::timeout::TimeoutLayer;

use crate::support::{App, Fault, Verb, Wire, post};

/// Its effect comes after the client has left, its end later still.
#[idempotent]
async fn slow(State(app): State<App>) -> String {
    sleep(Duration::from_millis(100)).await;
    let run = app.run();
    sleep(Duration::from_millis(400)).await;
    format!("run {run} under {}", Execution::current().expect("there is a key").fence())
}

#[tokio::test(start_paused = true)]
async fn a_handler_whose_client_left_runs_to_its_end_and_is_recorded() {
    let app = App::new();
    let router = app.at("/", on_post(slow));
    let left = timeout(Duration::from_millis(50), post("/").key("k").to(&router)).await;
    assert!(left.is_err());
    post("/").key("k").to(&router).await.problem(409, "request-in-progress");
    sleep(Duration::from_millis(500)).await;
    let retry = post("/").key("k").to(&router).await;
    assert!(retry.is_replay() && retry.text().starts_with("run 1 under "), "{retry:?}");
    assert_eq!(app.runs(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_timeout_layer_does_not_stop_the_handler() {
    let app = App::new();
    let limit = Duration::from_millis(50);
    let layer = TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, limit);
    let router = app.at("/", on_post(slow)).layer(layer);
    assert_eq!(post("/").key("k").to(&router).await.status, 408);
    sleep(Duration::from_millis(500)).await;
    assert!(post("/").key("k").to(&router).await.is_replay());
    assert_eq!(app.runs(), 1);
}

#[tokio::test]
async fn a_closed_connection_does_not_stop_the_handler() {
    let app = App::new();
    let router = app.at("/", on_post(slow));
    let wire = Wire::serve(router.clone()).await;
    let mut connection = wire.connect().await;
    let request = "POST / HTTP/1.1\r\nhost: a\r\nidempotency-key: k\r\ncontent-length: 0\r\n\r\n";
    connection.write_all(request.as_bytes()).await.unwrap();
    sleep(Duration::from_millis(50)).await;
    drop(connection);
    let mut retry = post("/").key("k").to(&router).await;
    for _ in 0..100 {
        if retry.is_replay() {
            break;
        }
        retry.problem(409, "request-in-progress");
        sleep(Duration::from_millis(20)).await;
        retry = post("/").key("k").to(&router).await;
    }
    assert!(retry.is_replay(), "{retry:?}");
    assert_eq!(app.runs(), 1);
}

/// The claim may have been made: nobody else would run under it.
#[tokio::test(start_paused = true)]
async fn a_client_that_leaves_during_the_claim_leaves_no_stuck_key() {
    let app = App::new();
    let router = app.at("/", on_post(slow));
    app.store.fail(Verb::Begin, Fault::Slow(Duration::from_millis(100)));
    let left = timeout(Duration::from_millis(50), post("/").key("k").to(&router)).await;
    assert!(left.is_err());
    sleep(Duration::from_secs(1)).await;
    assert!(post("/").key("k").to(&router).await.is_replay());
    assert_eq!(app.runs(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_leaves_while_the_outcome_is_recorded_leaves_it_recorded() {
    let app = App::new();
    let router = app.at("/", on_post(slow));
    app.store.fail(Verb::Finish, Fault::Slow(Duration::from_secs(1)));
    let left = timeout(Duration::from_millis(700), post("/").key("k").to(&router)).await;
    assert!(left.is_err());
    assert_eq!(app.runs(), 1);
    sleep(Duration::from_secs(2)).await;
    assert!(post("/").key("k").to(&router).await.is_replay());
}

#[idempotent(key = "optional")]
async fn unprotected(State(app): State<App>) -> &'static str {
    sleep(Duration::from_millis(100)).await;
    app.run();
    "done"
}

/// As any axum handler: what has no record is nobody's to carry on.
#[tokio::test(start_paused = true)]
async fn a_handler_without_a_key_stops_when_its_client_leaves() {
    let app = App::new();
    let router = app.at("/", on_post(unprotected));
    assert!(timeout(Duration::from_millis(50), post("/").to(&router)).await.is_err());
    sleep(Duration::from_secs(1)).await;
    assert_eq!(app.runs(), 0);
}
