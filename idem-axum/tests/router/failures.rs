//! Which ends are failures, and what follows them.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{MethodRouter, post as on_post};
use idem_axum::{Execution, idempotent};
use serde_json::Value;

use crate::support::{App, post};

/// Fails once with the status that is asked for, then succeeds.
#[idempotent]
async fn fail_once(State(app): State<App>, Json(status): Json<u16>) -> (StatusCode, String) {
    let status = if app.run() == 1 { status } else { 200 };
    (StatusCode::from_u16(status).unwrap(), format!("run {}", app.runs()))
}

#[tokio::test]
async fn server_errors_and_calls_for_another_try_are_failures() {
    for status in [408, 425, 429, 500, 501, 502, 503, 504, 599] {
        let app = App::new();
        let router = app.at("/", on_post(fail_once));
        let send = || post("/").key("k").json(status.to_string()).to(&router);
        let failed = send().await;
        assert_eq!(failed.status, status);
        assert_eq!(failed.text(), "run 1", "the client gets the handler's own answer");
        let second = send().await.ran();
        send().await.replays(&second);
        assert_eq!(app.runs(), 2, "{status}");
    }
}

#[tokio::test]
async fn every_other_answer_is_final() {
    for status in [200, 201, 202, 204, 301, 302, 303, 400, 401, 402, 404, 409, 410, 422, 451] {
        let app = App::new();
        let router = app.at("/", on_post(fail_once));
        let send = || post("/").key("k").json(status.to_string()).to(&router);
        let first = send().await;
        assert_eq!(first.status, status);
        send().await.replays(&first);
        assert_eq!(app.runs(), 1, "{status}");
    }
}

#[tokio::test]
async fn a_failed_key_still_stands_for_its_payload() {
    let app = App::new();
    let router = app.at("/", on_post(fail_once));
    assert_eq!(post("/").key("k").json("503").to(&router).await.status, 503);
    post("/").key("k").json("500").to(&router).await.problem(409, "payload-mismatch");
    post("/").key("k").json("503").to(&router).await.ran();
}

#[idempotent(on_failure = "reject")]
async fn only_once(State(app): State<App>, Json(status): Json<u16>) -> (StatusCode, &'static str) {
    app.run();
    (StatusCode::from_u16(status).unwrap(), "secret of the first answer")
}

#[tokio::test]
async fn where_failures_are_final_a_retry_is_told_of_the_failure_and_nothing_of_its_answer() {
    let app = App::new();
    let router = app.at("/", on_post(only_once));
    let send = || post("/").key("k").json("503").to(&router);
    assert_eq!(send().await.status, 503);
    for _ in 0..2 {
        let reply = send().await;
        reply.problem(409, "previous-attempt-failed");
        assert!(!reply.text().contains("secret"));
    }
    assert_eq!(app.runs(), 1);
}

async fn panic_at(app: &App, after_await: bool) -> String {
    if after_await {
        tokio::task::yield_now().await;
    }
    let run = app.run();
    assert_ne!(run, 1, "secret of the first run");
    format!("run {run}, attempt {}", Execution::current().unwrap().attempt())
}

#[idempotent]
async fn panic_early(State(app): State<App>) -> String {
    panic_at(&app, false).await
}

#[idempotent]
async fn panic_late(State(app): State<App>) -> String {
    panic_at(&app, true).await
}

/// Panics before it is a future at all.
#[idempotent]
async fn panic_in_response(State(app): State<App>) -> PanicsOnce {
    PanicsOnce(app)
}

struct PanicsOnce(App);

impl axum::response::IntoResponse for PanicsOnce {
    fn into_response(self) -> axum::response::Response {
        let run = self.0.run();
        assert_ne!(run, 1, "secret of the first run");
        format!("run {run}, attempt 2").into_response()
    }
}

fn panicking() -> [(&'static str, MethodRouter<App>); 3] {
    [
        ("before the first await", on_post(panic_early)),
        ("after the first await", on_post(panic_late)),
        ("while the response is made", on_post(panic_in_response)),
    ]
}

#[tokio::test]
async fn a_panic_is_a_failure_wherever_it_happens() {
    for (place, handlers) in panicking() {
        let app = App::new();
        let router = app.at("/", handlers);
        let first = post("/").key("k").to(&router).await;
        first.problem(500, "handler-panicked");
        assert_eq!(first.document()["retryable"], true, "{place}");
        assert!(!first.text().contains("secret"), "{place}");
        let second = post("/").key("k").to(&router).await.ran();
        assert_eq!(second.text(), "run 2, attempt 2", "{place}");
        post("/").key("k").to(&router).await.replays(&second);
    }
}

#[idempotent(on_failure = "reject")]
async fn panic_for_good(State(app): State<App>, Json(_): Json<Value>) -> String {
    panic_at(&app, true).await
}

#[tokio::test]
async fn a_panic_is_final_where_failures_are() {
    let app = App::new();
    let router = app.at("/", on_post(panic_for_good));
    let first = post("/").key("k").json("1").to(&router).await;
    first.problem(500, "handler-panicked");
    assert_eq!(first.document()["retryable"], false);
    post("/").key("k").json("1").to(&router).await.problem(409, "previous-attempt-failed");
    assert_eq!(app.runs(), 1);
}

/// Panics when its client is gone.
#[idempotent]
async fn panic_alone(State(app): State<App>) -> String {
    app.gate.pass().await;
    panic_at(&app, false).await
}

#[tokio::test]
async fn a_panic_after_the_client_has_left_is_a_failure_too() {
    let app = App::new();
    let router = app.at("/", on_post(panic_alone));
    let client = post("/").key("k").spawn(&router);
    app.gate.arrival().await;
    client.abort();
    assert!(client.await.unwrap_err().is_cancelled());
    app.gate.open();
    app.idempotency.shutdown().await;
    app.gate.open();
    let second = post("/").key("k").to(&router).await.ran();
    assert_eq!(second.text(), "run 2, attempt 2");
}
