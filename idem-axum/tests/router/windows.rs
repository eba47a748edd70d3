//! Another intent, judged by the time that has passed since the first.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::routing::post as on_post;
use axum::{Json, Router};
use idem_axum::core::clock::ManualClock;
use idem_axum::idempotent;
use serde::Deserialize;
use serde_json::json;

use crate::support::{App, Ask, post};

#[derive(Deserialize)]
struct Payment {
    amount: u64,
}

/// Waits at the gate for 1.
#[idempotent(
    critical = ["amount"],
    suspicious_within = "2s",
    fresh_after = "4s",
    lease = "60s",
    ttl = "5m"
)]
async fn pay(State(app): State<App>, Json(payment): Json<Payment>) -> String {
    let run = app.run();
    if payment.amount == 1 {
        app.gate.pass().await;
    }
    format!("run {run}: {}", payment.amount)
}

fn app() -> (App, Router, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::default());
    let app = App::on(clock.clone());
    let router = app.at("/", on_post(pay));
    (app, router, clock)
}

fn send(amount: u64) -> Ask {
    post("/").key("k").json(json!({ "amount": amount }).to_string())
}

#[tokio::test]
async fn each_window_begins_and_ends_at_its_millisecond() {
    let refused = |code| (Some(code), 1);
    let ran = (None, 2);
    for (millis, expected) in [
        (0, refused("suspicious-retry")),
        (1_999, refused("suspicious-retry")),
        (2_000, refused("payload-mismatch")),
        (2_001, refused("payload-mismatch")),
        (3_999, refused("payload-mismatch")),
        (4_000, ran),
        (4_001, ran),
    ] {
        let (app, router, clock) = app();
        send(10).to(&router).await.ran();
        clock.advance(Duration::from_millis(millis));
        let reply = send(20).to(&router).await;
        assert_eq!((reply.code().as_deref(), app.runs()), expected, "after {millis} ms");
    }
}

#[tokio::test]
async fn a_suspicious_retry_is_a_bad_request_that_names_what_changed() {
    let (_, router, _) = app();
    send(10).to(&router).await.ran();
    let reply = send(20).to(&router).await;
    reply.problem(400, "suspicious-retry");
    assert_eq!(reply.document()["changed"], json!(["amount"]));
}

#[tokio::test]
async fn the_old_operation_is_remembered_and_the_new_one_is_the_keys() {
    let (app, router, clock) = app();
    let first = send(10).to(&router).await.ran();
    clock.advance(Duration::from_secs(4));
    let second = send(20).to(&router).await.ran();
    assert_eq!(second.header("idempotency-verdict"), None);
    send(20).to(&router).await.replays(&second);
    send(10).to(&router).await.replays(&first);
    send(30).to(&router).await.problem(400, "suspicious-retry");
    clock.advance(Duration::from_secs(4));
    send(30).to(&router).await.ran();
    assert_eq!(app.runs(), 3);
}

#[tokio::test]
async fn what_still_runs_is_not_run_over() {
    let (app, router, clock) = app();
    let first = send(1).spawn(&router);
    app.gate.arrival().await;
    clock.advance(Duration::from_secs(4));
    send(20).to(&router).await.problem(409, "request-in-progress");
    app.gate.open();
    first.await.unwrap().ran();
    send(20).to(&router).await.ran();
}
