//! What a shutdown waits for.

use std::time::Duration;

use axum::extract::State;
use axum::routing::post as on_post;
use idem_axum::idempotent;
use tokio::time::{sleep, timeout};

use crate::support::{App, Fault, Verb, post};

#[idempotent]
async fn slow(State(app): State<App>) -> String {
    sleep(Duration::from_millis(500)).await;
    format!("run {}", app.run())
}

#[tokio::test(start_paused = true)]
async fn an_idle_engine_shuts_down_at_once() {
    let app = App::new();
    let router = app.at("/", on_post(slow));
    post("/").key("k").to(&router).await.ran();
    timeout(Duration::from_millis(1), app.idempotency.shutdown()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_waits_for_handlers_whose_clients_left() {
    let app = App::new();
    let router = app.at("/", on_post(slow));
    assert!(timeout(Duration::from_millis(50), post("/").key("k").to(&router)).await.is_err());
    app.idempotency.shutdown().await;
    assert_eq!(app.runs(), 1);
    assert!(post("/").key("k").to(&router).await.is_replay());
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_waits_for_claims_that_are_still_being_made() {
    let app = App::new();
    let router = app.at("/", on_post(slow));
    app.store.fail(Verb::Begin, Fault::Slow(Duration::from_millis(200)));
    assert!(timeout(Duration::from_millis(50), post("/").key("k").to(&router)).await.is_err());
    app.idempotency.shutdown().await;
    assert_eq!(app.runs(), 1, "the claim was made, and its handler has run");
    assert!(post("/").key("k").to(&router).await.is_replay());
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_waits_for_outcomes_that_are_not_yet_recorded() {
    let app = App::new();
    let router = app.at("/", on_post(slow));
    app.store.fail(Verb::Finish, Fault::Unavailable);
    post("/").key("k").to(&router).await.ran();
    let store = app.store.clone();
    tokio::spawn(async move {
        sleep(Duration::from_secs(3)).await;
        store.heal();
    });
    app.idempotency.shutdown().await;
    assert!(post("/").key("k").to(&router).await.is_replay());
    assert_eq!(app.runs(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_store_that_does_not_come_back_bounds_the_shutdown() {
    let app = App::new();
    let router = app.at("/", on_post(slow));
    app.store.fail(Verb::Finish, Fault::Hang);
    post("/").key("k").to(&router).await.ran();
    timeout(Duration::from_secs(60), app.idempotency.shutdown()).await.unwrap();
}
