//! Another intent, held until people decide.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::IntoResponse;
use axum::routing::post as on_post;
use axum::{Json, Router, http::StatusCode};
use idem_axum::core::clock::ManualClock;
use idem_axum::review::{Conflict, ConflictState, Filter, QueueError};
use idem_axum::{conflicts, idempotent};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::{App, Ask, Log, Reply, Verb, get, post};

#[derive(Deserialize)]
struct Payment {
    amount: u64,
}

/// Waits at the gate for 1.
#[idempotent(critical = ["amount"], policy = "review", max_conflicts = 2, ttl = "60s")]
async fn pay(State(app): State<App>, Json(payment): Json<Payment>) -> (StatusCode, String) {
    let run = app.run();
    if payment.amount == 1 {
        app.gate.pass().await;
    }
    (StatusCode::CREATED, format!("run {run}: {}", payment.amount))
}

fn app() -> (App, Router, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::default());
    let app = App::on(clock.clone());
    let router = served(&app);
    (app, router, clock)
}

fn served(app: &App) -> Router {
    let routes = Router::new().route("/pay", on_post(pay)).merge(conflicts::router());
    routes.with_state(app.clone())
}

fn send(amount: u64) -> Ask {
    post("/pay").key("k").json(json!({ "amount": amount, "note": "private" }).to_string())
}

/// Where a held request is told to look.
#[track_caller]
fn held_at(reply: &Reply) -> String {
    reply.problem(202, "conflict-under-review");
    let location = reply.header("location").unwrap().to_owned();
    assert!(location.ends_with(reply.document()["conflict_id"].as_str().unwrap()));
    location
}

async fn only_conflict(app: &App) -> Conflict {
    let mut conflicts = app.idempotency.review().list(&Filter::default()).await.unwrap();
    assert_eq!(conflicts.len(), 1);
    conflicts.remove(0)
}

async fn accept(app: &App) {
    let conflict = only_conflict(app).await;
    let queue = app.idempotency.review();
    queue.accept(conflict.id, conflict.version, "mara", "called back").await.unwrap();
}

async fn status(router: &Router, location: &str) -> Value {
    let reply = get(location).to(router).await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    reply.document()
}

#[tokio::test]
async fn another_intent_is_held_and_told_where_to_look() {
    let (app, router, _) = app();
    let first = send(10).to(&router).await.ran();
    let reply = send(20).to(&router).await;
    let location = held_at(&reply);
    assert!(location.starts_with("/conflicts/"));
    assert_eq!(reply.document()["changed"], json!(["amount"]));
    let status = status(&router, &location).await;
    assert_eq!((&status["state"], &status["operation"]), (&json!("pending"), &json!("pay")));
    assert_eq!(status["changed"], json!(["amount"]));
    assert!(!status.to_string().contains("private"));

    assert_eq!(held_at(&send(20).to(&router).await), location, "one payload, one conflict");
    assert_ne!(held_at(&send(30).to(&router).await), location);
    send(40).to(&router).await.problem(409, "key-in-conflict");
    send(10).to(&router).await.replays(&first);
    assert_eq!(app.runs(), 1);
}

#[tokio::test]
async fn both_payloads_are_kept_for_those_who_decide() {
    let (app, router, _) = app();
    send(10).to(&router).await.ran();
    held_at(&send(20).to(&router).await);
    let conflict = only_conflict(&app).await;
    let payloads = [conflict.original.payload, conflict.disputed.payload.clone()];
    let amounts = payloads.map(|payload| {
        let payload = payload.unwrap();
        assert_eq!(payload.media_type.as_deref(), Some("application/json"));
        serde_json::from_slice::<Value>(&payload.bytes).unwrap()["amount"].clone()
    });
    assert_eq!(amounts, [json!(10), json!(20)]);
    assert_eq!(conflict.changed, ["amount"]);
}

#[tokio::test]
async fn a_held_attempt_is_two_round_trips_and_its_retry_is_one() {
    let (app, router, _) = app();
    send(10).to(&router).await.ran();
    app.store.calls();
    held_at(&send(20).to(&router).await);
    assert_eq!(app.store.calls(), [Verb::Begin, Verb::Hold]);
    held_at(&send(20).to(&router).await);
    assert_eq!(app.store.calls(), [Verb::Begin]);
}

#[tokio::test]
async fn another_intent_is_held_at_once_while_the_first_runs() {
    let (app, router, _) = app();
    let running = send(1).spawn(&router);
    app.gate.arrival().await;
    held_at(&send(20).to(&router).await);
    accept(&app).await;
    send(20).to(&router).await.problem(409, "request-in-progress");
    app.gate.open();
    let first = running.await.unwrap().ran();
    send(20).to(&router).await.ran();
    send(1).to(&router).await.replays(&first);
}

#[tokio::test]
async fn an_accepted_payload_runs_once_and_its_answer_is_the_keys() {
    let (app, router, _) = app();
    let first = send(10).to(&router).await.ran();
    let location = held_at(&send(20).to(&router).await);
    accept(&app).await;
    assert_eq!(status(&router, &location).await["state"], "accepted");
    let second = send(20).to(&router).await.ran();
    send(20).to(&router).await.replays(&second);
    send(10).to(&router).await.replays(&first);
    held_at(&send(30).to(&router).await);
    assert_eq!(app.runs(), 2);
}

#[tokio::test]
async fn a_kept_first_refuses_the_disputed_payload() {
    let (app, router, _) = app();
    let first = send(10).to(&router).await.ran();
    let location = held_at(&send(20).to(&router).await);
    let conflict = only_conflict(&app).await;
    let queue = app.idempotency.review();
    let kept = queue.keep(conflict.id, conflict.version, "mara", "typed twice").await.unwrap();
    let decision = kept.decision.unwrap();
    assert_eq!((decision.by.as_str(), decision.reason.as_str()), ("mara", "typed twice"));
    assert_eq!(status(&router, &location).await["state"], "kept");
    send(20).to(&router).await.problem(409, "payload-mismatch");
    send(10).to(&router).await.replays(&first);

    let late = queue.accept(conflict.id, conflict.version, "theo", "").await.unwrap_err();
    assert!(matches!(late, QueueError::Stale(kept) if kept.state == ConflictState::Kept));
}

#[tokio::test]
async fn a_conflict_that_nobody_decides_expires_and_is_held_anew() {
    let (app, router, clock) = app();
    send(10).to(&router).await.ran();
    clock.advance(Duration::from_secs(30));
    let location = held_at(&send(20).to(&router).await);
    clock.advance(Duration::from_secs(30));
    // The record is kept for as long as somebody may decide about it.
    assert!(send(10).to(&router).await.is_replay());
    clock.advance(Duration::from_secs(30));
    assert_eq!(status(&router, &location).await["state"], "expired");
    send(20).to(&router).await.ran();
    assert_eq!(app.runs(), 2);
}

#[tokio::test]
async fn the_address_of_a_conflict_is_the_one_that_clients_see() {
    let app = App::new().set(|idempotency| idempotency.conflicts_at("/api/conflicts/"));
    let router = Router::new().nest("/api", served(&app));
    let send =
        |amount: u64| post("/api/pay").key("k").json(json!({ "amount": amount }).to_string());
    send(10).to(&router).await.ran();
    let location = held_at(&send(20).to(&router).await);
    assert!(location.starts_with("/api/conflicts/"));
    assert_eq!(status(&router, &location).await["state"], "pending");
}

#[tokio::test]
async fn what_is_no_conflict_is_not_found() {
    let (_, router, _) = app();
    for name in ["0123456789abcdef0123456789abcdef", "none", "%00"] {
        let reply = get(&format!("/conflicts/{name}")).to(&router).await;
        reply.problem(404, "conflict-not-found");
    }
}

/// Panics for 66.
async fn settle(app: App, payment: Payment) -> impl IntoResponse {
    let run = app.run();
    assert!(payment.amount != 66, "there is no 66");
    (StatusCode::CREATED, format!("run {run}: {}", payment.amount))
}

#[idempotent(critical = ["amount"], policy = "review", on_accept = settle)]
async fn buy(State(app): State<App>, Json(payment): Json<Payment>) -> impl IntoResponse {
    settle(app, payment).await
}

fn shop() -> (App, Router) {
    let app = App::new();
    let router = app.at("/pay", on_post(buy));
    (app, router)
}

/// Waits until handlers have run so often, and the last one has ended.
async fn ended(app: &App, runs: usize) {
    while app.runs() < runs {
        tokio::task::yield_now().await;
    }
    app.idempotency.shutdown().await;
}

#[tokio::test]
async fn what_is_accepted_runs_at_once_where_the_contract_says_so() {
    let (app, router) = shop();
    let first = send(10).to(&router).await.ran();
    held_at(&send(20).to(&router).await);
    accept(&app).await;
    ended(&app, 2).await;
    let retry = send(20).to(&router).await;
    assert!(retry.is_replay(), "{retry:?}");
    assert_eq!((retry.status.as_u16(), retry.text()), (201, "run 2: 20"));
    send(10).to(&router).await.replays(&first);
    assert_eq!(app.runs(), 2);
    assert!(only_conflict(&app).await.taken_at.is_some());
}

#[tokio::test]
async fn a_retry_that_races_with_the_run_at_once_does_not_run_as_well() {
    let (app, router) = shop();
    send(10).to(&router).await.ran();
    held_at(&send(20).to(&router).await);
    accept(&app).await;
    let mut retry = send(20).to(&router).await;
    while retry.code().is_some() {
        retry.problem(409, "request-in-progress");
        tokio::task::yield_now().await;
        retry = send(20).to(&router).await;
    }
    assert_eq!((retry.text(), app.runs()), ("run 2: 20", 2));
}

#[tokio::test]
async fn a_panic_of_what_runs_at_once_is_a_failure_like_any_other() {
    let (app, router) = shop();
    let first = send(10).to(&router).await.ran();
    held_at(&send(66).to(&router).await);
    accept(&app).await;
    ended(&app, 2).await;
    send(66).to(&router).await.problem(500, "handler-panicked");
    assert_eq!(app.runs(), 3);
    send(10).to(&router).await.replays(&first);
}

#[idempotent(critical = ["amount"], policy = "review", on_accept = settle, name = "buy")]
async fn namesake(State(app): State<App>, Json(payment): Json<Payment>) -> impl IntoResponse {
    settle(app, payment).await
}

#[tokio::test]
async fn of_two_handlers_with_one_name_none_runs_at_once() {
    let app = App::new();
    let routes = Router::new().route("/pay", on_post(buy)).route("/other", on_post(namesake));
    let router = routes.with_state(app.clone());
    send(10).to(&router).await.ran();
    held_at(&send(20).to(&router).await);
    post("/other").key("o").json(r#"{"amount":1}"#).to(&router).await.ran();
    accept(&app).await;
    tokio::task::yield_now().await;
    assert_eq!(app.runs(), 2);
    send(20).to(&router).await.ran();
}

#[tokio::test]
async fn no_payload_and_no_key_reaches_the_log() {
    let (_, router, _) = app();
    let log = Log::capture();
    let send = |amount: u64| {
        post("/pay").key("secret-key").json(json!({ "amount": amount, "note": "x" }).to_string())
    };
    send(71_717).to(&router).await.ran();
    for amount in [81_818, 91_919, 61_616] {
        send(amount).to(&router).await;
    }
    let text: String = log.lines().into_iter().map(|line| line.text).collect();
    assert!(text.contains("conflict-under-review") && text.contains("key-in-conflict"), "{text}");
    for value in ["secret-key", "71717", "81818", "91919", "61616"] {
        assert!(!text.contains(value), "{text}");
    }
}
