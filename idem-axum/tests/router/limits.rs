//! What is bounded, and what a bound does not break.

use std::time::Duration;

use axum::extract::State;
use axum::routing::post as on_post;
use axum::{Json, Router};
use idem_axum::{SemanticIdentity, idempotent};
use serde::Deserialize;
use tokio::time::sleep;

use crate::support::{App, Fault, RuntimeClock, Verb, post};

#[idempotent(lease = "2s")]
async fn slow(State(app): State<App>) -> String {
    sleep(Duration::from_millis(500)).await;
    format!("run {}", app.run())
}

fn app() -> (App, Router) {
    let app = App::on(RuntimeClock::start());
    let router = app.at("/", on_post(slow));
    (app, router)
}

#[tokio::test(start_paused = true)]
async fn handlers_beyond_the_limit_are_refused_before_they_claim_anything() {
    let app = app().0.set(|idempotency| idempotency.max_running(2));
    let router = app.at("/", on_post(slow));
    let running = ["a", "b"].map(|key| post("/").key(key).spawn(&router));
    sleep(Duration::from_millis(100)).await;
    post("/").key("c").to(&router).await.problem(503, "store-unavailable");
    assert_eq!(app.store.len(), 2);
    for running in running {
        running.await.unwrap().ran();
    }
    post("/").key("c").to(&router).await.ran();
}

#[tokio::test(start_paused = true)]
async fn an_engine_with_other_settings_shuts_down_with_the_first() {
    let (app, router) = app();
    let running = post("/").key("k").spawn(&router);
    sleep(Duration::from_millis(100)).await;
    let other = app.idempotency.clone().answer_limit(10);
    other.shutdown().await;
    assert_eq!(app.runs(), 1);
    running.await.unwrap().ran();
}

/// The claim's reply was late, and then its lease could not be renewed: nothing ran, and nothing
/// is left behind.
#[tokio::test(start_paused = true)]
async fn a_claim_whose_late_lease_cannot_be_renewed_is_given_back() {
    let (app, router) = app();
    app.store.fail(Verb::Begin, Fault::ReplySlow(Duration::from_millis(1500)));
    app.store.fail(Verb::Renew, Fault::Unavailable);
    post("/").key("k").to(&router).await.problem(503, "store-unavailable");
    app.store.heal();
    sleep(Duration::from_secs(1)).await;
    assert_eq!((app.runs(), app.store.len()), (0, 0));
    assert_eq!(post("/").key("k").to(&router).await.ran().text(), "run 1");
}

#[derive(Deserialize, SemanticIdentity)]
struct Transfer {
    #[idem(ignore)]
    recipient: String,
}

/// The type's author did not care for a field that the handler's author does.
#[idempotent(critical = ["recipient"])]
async fn transfer(Json(transfer): Json<Transfer>) -> String {
    transfer.recipient
}

#[tokio::test]
async fn a_critical_field_that_the_type_ignores_never_changes_silently() {
    let router = App::new().at("/", on_post(transfer));
    let first = post("/").key("k").json(r#"{"recipient":"alice"}"#).to(&router).await.ran();
    let second = post("/").key("k").json(r#"{"recipient":"mallory"}"#).to(&router).await;
    second.problem(409, "payload-mismatch");
    post("/").key("k").json(r#"{"recipient":"alice"}"#).to(&router).await.replays(&first);
}
