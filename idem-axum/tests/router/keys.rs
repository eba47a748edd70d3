//! What is a key, which keys are the same, and what a request without one gets.

use axum::Json;
use axum::Router;
use axum::extract::{FromRequestParts, State};
use axum::http::HeaderValue;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::routing::post as on_post;
use idem_axum::{Execution, idempotent};
use serde_json::{Value, json};

use crate::support::{App, post};

#[idempotent]
async fn pay(State(app): State<App>, Json(_): Json<Value>) -> String {
    format!("run {}", app.run())
}

fn app() -> (App, Router) {
    let app = App::new();
    let router = app.at("/pay", on_post(pay));
    (app, router)
}

#[tokio::test]
async fn a_request_without_a_key_is_told_where_to_read_about_it() {
    let (app, router) = app();
    let reply = post("/pay").json("1").to(&router).await;
    reply.problem(400, "idempotency-key-missing");
    let link = reply.header("link").unwrap();
    assert!(link.starts_with("<https://") && link.ends_with(">; rel=\"describedby\""), "{link}");
    assert_eq!((app.runs(), app.store.len(), app.store.calls().len()), (0, 0, 0));
}

#[tokio::test]
async fn what_is_no_key_is_refused_and_never_switches_protection_off() {
    let (app, router) = app();
    let (long, very_long) = ("x".repeat(256), "x".repeat(10 * 1024));
    let table: &[&[u8]] = &[
        b"",
        b"   ",
        b"\"\"",
        b"a b",
        b"\"unclosed",
        "k\u{2026}".as_bytes(),
        b"k\xff",
        long.as_bytes(),
        very_long.as_bytes(),
    ];
    for key in table {
        let reply = post("/pay").header("idempotency-key", key).json("1").to(&router).await;
        reply.problem(400, "idempotency-key-invalid");
    }
    assert_eq!((app.runs(), app.store.len(), app.store.calls().len()), (0, 0, 0));
}

#[tokio::test]
async fn a_key_given_twice_is_refused_even_if_it_is_the_same() {
    let (app, router) = app();
    let reply = post("/pay").key("k").key("k").json("1").to(&router).await;
    reply.problem(400, "idempotency-key-invalid");
    assert_eq!((app.runs(), app.store.len()), (0, 0));
}

#[tokio::test]
async fn a_refused_key_is_not_repeated_to_anybody() {
    let (_, router) = app();
    let reply = post("/pay").key("customer 4711").json("1").to(&router).await;
    assert!(!reply.text().contains("4711"));
}

#[tokio::test]
async fn the_longest_key_protects() {
    let (app, router) = app();
    let key = "x".repeat(255);
    let first = post("/pay").key(&key).json("1").to(&router).await.ran();
    post("/pay").key(&key).json("1").to(&router).await.replays(&first);
    assert_eq!(app.runs(), 1);
}

#[tokio::test]
async fn quoted_and_bare_with_any_space_around_are_one_key() {
    let (app, router) = app();
    let first = post("/pay").key("k").json("1").to(&router).await.ran();
    for key in ["\"k\"", " k", "k  ", "\t\"k\" "] {
        post("/pay").key(key).json("1").to(&router).await.replays(&first);
    }
    assert_eq!(app.runs(), 1);
}

#[tokio::test]
async fn keys_are_compared_byte_for_byte() {
    let (app, router) = app();
    for key in ["Key-A", "key-a", "key-a.", "{key-a}", "key-a\\"] {
        post("/pay").key(key).json("1").to(&router).await.ran();
    }
    assert_eq!(app.runs(), 5);
}

#[tokio::test]
async fn a_client_that_claims_to_be_replayed_is_not_believed() {
    let (app, router) = app();
    let send = || post("/pay").key("k").header("idempotent-replayed", "true").json("1").to(&router);
    let first = send().await.ran();
    send().await.replays(&first);
    assert_eq!(app.runs(), 1);
}

#[idempotent(header = "X-Request-Id")]
async fn by_request_id(State(app): State<App>, Json(_): Json<Value>) -> String {
    format!("run {}", app.run())
}

#[tokio::test]
async fn a_handler_may_name_its_own_header() {
    let app = App::new();
    let router = app.at("/pay", on_post(by_request_id));
    let reply = post("/pay").key("k").json("1").to(&router).await;
    reply.problem(400, "idempotency-key-missing");
    let detail = reply.document()["detail"].as_str().unwrap().to_ascii_lowercase();
    assert!(detail.contains("x-request-id"), "{detail}");
    let first = post("/pay").header("x-request-id", "k").json("1").to(&router).await.ran();
    post("/pay").header("x-request-id", "k").key("j").json("1").to(&router).await.replays(&first);
    let twice = post("/pay").header("x-request-id", "k").header("x-request-id", "k").json("1");
    twice.to(&router).await.problem(400, "idempotency-key-invalid");
    assert_eq!(app.runs(), 1);
}

#[idempotent(key = "optional")]
async fn at_will(State(app): State<App>, Json(_): Json<Value>) -> Json<Value> {
    Json(json!({ "run": app.run(), "attempt": Execution::current().map(|it| it.attempt()) }))
}

#[tokio::test]
async fn where_the_key_is_optional_a_request_without_one_simply_runs() {
    let app = App::new();
    let router = app.at("/pay", on_post(at_will));
    for run in 1..=2 {
        let reply = post("/pay").json("1").to(&router).await.ran();
        assert_eq!(reply.document(), json!({ "run": run, "attempt": null }));
    }
    assert!(app.store.calls().is_empty());
    let first = post("/pay").key("k").json("1").to(&router).await.ran();
    assert_eq!(first.document(), json!({ "run": 3, "attempt": 1 }));
    post("/pay").key("k").json("1").to(&router).await.replays(&first);
}

#[tokio::test]
async fn where_the_key_is_optional_a_bad_one_is_still_refused() {
    let app = App::new();
    let router = app.at("/pay", on_post(at_will));
    for key in ["", "a b"] {
        post("/pay").key(key).json("1").to(&router).await.problem(400, "idempotency-key-invalid");
    }
    assert_eq!(app.runs(), 0);
}

/// An extractor that changes what it was given, as proxies and rewriting layers do.
struct Rewritten;

impl<S: Sync> FromRequestParts<S> for Rewritten {
    type Rejection = StatusCode;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, StatusCode> {
        parts.headers.insert("idempotency-key", HeaderValue::from_static("another"));
        parts.uri = "/elsewhere?x=1".parse().map_err(|_| StatusCode::BAD_REQUEST)?;
        Ok(Self)
    }
}

#[idempotent]
async fn rewriting(
    _: Rewritten,
    State(app): State<App>,
    Json(_): Json<Value>,
) -> Result<String, StatusCode> {
    let attempt = Execution::current().expect("there is a key").attempt();
    match app.run() {
        1 => Err(StatusCode::INTERNAL_SERVER_ERROR),
        _ => Ok(format!("attempt {attempt}")),
    }
}

#[tokio::test]
async fn the_record_is_that_of_the_request_as_it_was_sent() {
    let app = App::new();
    let router = app.at("/pay", on_post(rewriting));
    let failed = post("/pay").key("k").json("1").to(&router).await;
    assert_eq!(failed.status, StatusCode::INTERNAL_SERVER_ERROR);
    let second = post("/pay").key("k").json("1").to(&router).await.ran();
    assert_eq!(second.text(), "attempt 2");
    let other = post("/pay").key("another").json("1").to(&router).await.ran();
    assert_eq!(other.text(), "attempt 1");
    assert_eq!(app.store.len(), 2);
}
