//! How long a record counts.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post as on_post;
use idem_axum::core::clock::ManualClock;
use idem_axum::idempotent;
use tokio::time::sleep;

use crate::support::{App, RuntimeClock, post};

#[idempotent(ttl = "60s", lease = "5s")]
async fn pay(State(app): State<App>, Json(status): Json<u16>) -> (StatusCode, String) {
    (StatusCode::from_u16(status).unwrap(), format!("run {}", app.run()))
}

#[tokio::test]
async fn a_record_counts_until_its_ttl_and_not_a_millisecond_longer() {
    let clock = Arc::new(ManualClock::default());
    let app = App::on(clock.clone());
    let router = app.at("/", on_post(pay));
    let first = post("/").key("k").json("200").to(&router).await.ran();
    clock.advance(Duration::from_millis(59_999));
    post("/").key("k").json("200").to(&router).await.replays(&first);
    post("/").key("k").json("201").to(&router).await.problem(409, "payload-mismatch");
    clock.advance(Duration::from_millis(1));
    let second = post("/").key("k").json("201").to(&router).await.ran();
    assert_eq!(second.text(), "run 2");
    post("/").key("k").json("200").to(&router).await.problem(409, "payload-mismatch");
}

#[tokio::test]
async fn an_expired_failure_is_as_if_it_had_never_been() {
    let clock = Arc::new(ManualClock::default());
    let app = App::on(clock.clone());
    let router = app.at("/", on_post(pay));
    assert_eq!(post("/").key("k").json("500").to(&router).await.status, 500);
    clock.advance(Duration::from_secs(60));
    post("/?x=1").key("k").json("200").to(&router).await.ran();
    assert_eq!(app.store.len(), 1);
}

/// The same key, for every hour of a week.
#[tokio::test]
async fn a_key_can_be_used_again_and_again() {
    let clock = Arc::new(ManualClock::default());
    let app = App::on(clock.clone());
    let router = app.at("/", on_post(pay));
    for run in 1..=168 {
        let first = post("/").key("k").json("200").to(&router).await.ran();
        assert_eq!(first.text(), format!("run {run}"));
        post("/").key("k").json("200").to(&router).await.replays(&first);
        clock.advance(Duration::from_secs(3600));
    }
}

#[idempotent(ttl = "60s")]
async fn nearly_a_minute(State(app): State<App>) -> String {
    let run = app.run();
    sleep(Duration::from_secs(59)).await;
    format!("run {run}")
}

#[idempotent(ttl = "2s", lease = "1s")]
async fn longer_than_its_ttl(State(app): State<App>) -> String {
    let run = app.run();
    sleep(Duration::from_secs(10)).await;
    format!("run {run}")
}

#[tokio::test(start_paused = true)]
async fn the_ttl_runs_from_the_end_of_the_handler() {
    let app = App::on(RuntimeClock::start());
    let router = app.at("/", on_post(nearly_a_minute));
    let first = post("/").key("k").to(&router).await.ran();
    sleep(Duration::from_millis(59_900)).await;
    post("/").key("k").to(&router).await.replays(&first);
    sleep(Duration::from_millis(200)).await;
    assert_eq!(post("/").key("k").to(&router).await.ran().text(), "run 2");
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_outlives_its_ttl_is_never_run_beside_itself() {
    let app = App::on(RuntimeClock::start());
    let router = app.at("/", on_post(longer_than_its_ttl));
    let first = post("/").key("k").spawn(&router);
    for _ in 0..18 {
        sleep(Duration::from_millis(500)).await;
        post("/").key("k").to(&router).await.problem(409, "request-in-progress");
    }
    let first = first.await.unwrap().ran();
    post("/").key("k").to(&router).await.replays(&first);
    assert_eq!(app.runs(), 1);
}
