//! Payloads that take the place of the first.

use axum::Router;
use axum::extract::State;
use axum::routing::post as on_post;
use axum::{Json, http::StatusCode};
use idem_axum::core::attempt::RecordId;
use idem_axum::core::fingerprint::{Fingerprint, Mask};
use idem_axum::core::key::IdempotencyKey;
use idem_axum::core::store::Store;
use idem_axum::{Encoding, Scope, idempotent};

use crate::support::{App, Ask, Reply, Verb, post};

/// Fails for 0 the first time, waits at the gate for 1.
#[idempotent(policy = "last_write_wins", max_history = 3)]
async fn write(State(app): State<App>, Json(value): Json<u64>) -> (StatusCode, String) {
    let run = app.run();
    if value == 1 {
        app.gate.pass().await;
    }
    let failed = value == 0 && run == 1;
    let status = if failed { StatusCode::BAD_GATEWAY } else { StatusCode::OK };
    (status, format!("run {run}: {value}"))
}

fn app() -> (App, Router) {
    let app = App::new();
    let router = app.at("/", on_post(write));
    (app, router)
}

fn send(value: u64) -> Ask {
    post("/").key("k").json(value.to_string())
}

#[track_caller]
fn assert_superseded(reply: &Reply) {
    assert_eq!(reply.header("idempotency-verdict"), Some("superseded"), "{reply:?}");
}

fn record() -> RecordId {
    RecordId::of(&Scope::GLOBAL, &IdempotencyKey::parse(b"k").unwrap())
}

#[tokio::test]
async fn the_last_write_runs_and_is_the_keys() {
    let (app, router) = app();
    let first = send(5).to(&router).await.ran();
    assert_eq!(first.header("idempotency-verdict"), None);
    let second = send(6).to(&router).await.ran();
    assert_superseded(&second);
    let again = send(6).to(&router).await;
    again.replays(&second);
    assert_superseded(&again);
    assert_eq!(app.runs(), 2);
}

#[tokio::test]
async fn a_superseded_payload_gets_its_own_answer() {
    let (app, router) = app();
    let mut answers = Vec::new();
    for value in 5..8 {
        answers.push(send(value).to(&router).await.ran());
    }
    for (value, answer) in (5..8).zip(&answers) {
        send(value).to(&router).await.replays(answer);
    }
    assert_eq!(app.runs(), 3);
}

#[tokio::test]
async fn a_write_that_failed_supersedes_when_it_is_tried_again() {
    let (_, router) = app();
    assert_eq!(send(0).to(&router).await.status, 502);
    assert_superseded(&send(5).to(&router).await.ran());
    assert_superseded(&send(0).to(&router).await.ran());
}

#[tokio::test]
async fn while_one_runs_the_others_are_busy() {
    let (app, router) = app();
    let first = send(1).spawn(&router);
    app.gate.arrival().await;
    send(5).to(&router).await.problem(409, "request-in-progress");
    app.gate.open();
    first.await.unwrap().ran();
    assert_superseded(&send(5).to(&router).await.ran());
}

#[tokio::test]
async fn a_write_over_another_is_three_round_trips() {
    let (app, router) = app();
    send(5).to(&router).await.ran();
    app.store.calls();
    send(6).to(&router).await.ran();
    assert_eq!(app.store.calls(), [Verb::Begin, Verb::Begin, Verb::Finish]);
}

#[tokio::test]
async fn the_history_says_what_was_superseded_and_is_bounded() {
    let (app, router) = app();
    for value in 5..10 {
        send(value).to(&router).await.ran();
    }
    let history = app.idempotency.engine().history(record()).await.unwrap();
    let fingerprint = |value: u64| {
        Fingerprint::of(Encoding::Json, None, value.to_string().as_bytes(), &Mask::NONE).unwrap()
    };
    let remembered: Vec<_> = history.iter().map(|entry| entry.fingerprint).collect();
    assert_eq!(remembered, [8, 7, 6].map(fingerprint));
    assert!(history.is_sorted_by(|newer, older| newer.version > older.version));
    assert!(history.is_sorted_by(|newer, older| newer.superseded_at >= older.superseded_at));
}

#[tokio::test]
async fn payloads_are_not_kept_where_nobody_needs_them() {
    let (app, router) = app();
    for value in [5, 6] {
        send(value).to(&router).await.ran();
    }
    let record = app.store.find(&record()).await.unwrap().unwrap().record;
    assert_eq!((record.accepted.payload.as_ref(), record.base), (None, None));
}
