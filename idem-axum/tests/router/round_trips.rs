//! How often each kind of request goes to the store.

use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post as on_post;
use idem_axum::idempotent;

use crate::support::{App, Verb, post};

/// Fails for 0 the first time, waits at the gate for 1.
#[idempotent(critical = ["0"])]
async fn act(State(app): State<App>, Json(what): Json<(u64, String)>) -> (StatusCode, String) {
    let run = app.run();
    if what.0 == 1 {
        app.gate.pass().await;
    }
    let failed = what.0 == 0 && run == 1;
    (if failed { StatusCode::BAD_GATEWAY } else { StatusCode::OK }, format!("run {run}"))
}

fn app() -> (App, Router) {
    let app = App::new();
    let router = app.at("/", on_post(act));
    (app, router)
}

#[tokio::test]
async fn a_fresh_run_is_two_round_trips_and_a_replay_is_one() {
    let (app, router) = app();
    post("/").key("k").json(r#"[2,"a"]"#).to(&router).await.ran();
    assert_eq!(app.store.calls(), [Verb::Begin, Verb::Finish]);
    assert!(post("/").key("k").json(r#"[2,"a"]"#).to(&router).await.is_replay());
    assert_eq!(app.store.calls(), [Verb::Begin]);
    assert!(post("/").key("k").json(r#"[2,"b"]"#).to(&router).await.is_replay());
    assert_eq!(app.store.calls(), [Verb::Begin]);
}

#[tokio::test]
async fn a_refusal_is_one_round_trip() {
    let (app, router) = app();
    let running = post("/").key("k").json(r#"[1,"a"]"#).spawn(&router);
    app.gate.arrival().await;
    assert_eq!(app.store.calls(), [Verb::Begin]);
    for (uri, body, code) in [
        ("/", r#"[1,"a"]"#, "request-in-progress"),
        ("/", r#"[2,"a"]"#, "payload-mismatch"),
        ("/?x=1", r#"[1,"a"]"#, "operation-mismatch"),
    ] {
        post(uri).key("k").json(body).to(&router).await.problem(409, code);
        assert_eq!(app.store.calls(), [Verb::Begin], "{code}");
    }
    app.gate.open();
    running.await.unwrap().ran();
    assert_eq!(app.store.calls(), [Verb::Finish]);
}

#[tokio::test]
async fn a_retry_after_a_failure_is_three_round_trips() {
    let (app, router) = app();
    let failed = post("/").key("k").json(r#"[0,""]"#).to(&router).await;
    assert_eq!(failed.status, StatusCode::BAD_GATEWAY);
    assert_eq!(app.store.calls(), [Verb::Begin, Verb::Finish]);
    post("/").key("k").json(r#"[0,""]"#).to(&router).await.ran();
    assert_eq!(app.store.calls(), [Verb::Begin, Verb::Begin, Verb::Finish]);
}

#[tokio::test]
async fn a_request_that_is_refused_by_itself_never_reaches_the_store() {
    let (app, router) = app();
    post("/").json(r#"[2,""]"#).to(&router).await.problem(400, "idempotency-key-missing");
    post("/").key("k").json("[").to(&router).await.problem(400, "payload-invalid");
    assert_eq!(app.store.calls(), []);
}
