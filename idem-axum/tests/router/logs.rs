//! What is written to the log, and what never is.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post as on_post;
use idem_axum::{Execution, idempotent};
use serde_json::Value;
use std::time::Duration;
use tokio::time::{sleep, timeout};
use tower::ServiceBuilder;
use tower::util::MapFutureLayer;
use tracing::{Instrument, info_span};

use crate::support::{App, Fault, Log, ProbedStore, Verb, post};

#[idempotent]
async fn pay(State(app): State<App>, Json(payment): Json<Value>) -> (StatusCode, String) {
    let run = app.run();
    assert_ne!(payment["panic"], run, "panic of alice");
    let status = if payment["fail"] == run { 502 } else { 201 };
    (StatusCode::from_u16(status).unwrap(), "answer for alice".to_owned())
}

/// Every way in which a request can go wrong, each under the same secrets.
async fn all_that_can_go_wrong(app: &App, router: &axum::Router) {
    let send = |key: &str, body: &'static str| post("/").key(key).json(body).to(router);
    send("customer-4711", r#"{"iban":"DE02"}"#).await;
    send("customer-4711", r#"{"iban":"DE02"}"#).await;
    send("customer-4711", r#"{"iban":"DE03"}"#).await;
    send("customer-4712", r#"{"iban":"DE02","panic":2}"#).await;
    send("customer-4713", r#"{"iban":"DE02","fail":3}"#).await;
    send("customer 4714", r#"{"iban":"DE02"}"#).await;
    send("customer-4715", r#"{"iban":"DE02""#).await;
    for verb in [Verb::Begin, Verb::Finish, Verb::Release, Verb::Find, Verb::Renew] {
        for fault in [Fault::Unavailable, Fault::ReplyLost, Fault::Hang] {
            app.store.fail(verb, fault);
            send("customer-4716", r#"{"iban":"DE02"}"#).await;
            app.store.heal();
            sleep(Duration::from_secs(60)).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn no_key_payload_answer_or_password_is_ever_logged() {
    let log = Log::capture();
    let app = App::new();
    let router = app.at("/", on_post(pay));
    all_that_can_go_wrong(&app, &router).await;
    for word in ["panicked", "nothing ran", "could not be recorded", "payload-mismatch"] {
        assert!(!log.with(word).is_empty(), "`{word}` is logged");
    }
    for secret in ["customer", "4711", "4716", "DE0", "iban", "alice", "hunter2"] {
        assert!(log.with(secret).is_empty(), "{:?}", log.with(secret));
    }
    assert!(ProbedStore::DRIVER_MESSAGE.contains("hunter2"));
}

#[tokio::test]
async fn what_is_told_of_one_record_can_be_followed_by_its_name() {
    let log = Log::capture();
    let app = App::new();
    let router = app.at("/", on_post(pay));
    for _ in 0..2 {
        post("/").key("k").json("1").to(&router).await;
        post("/").key("k").json("2").to(&router).await.problem(409, "payload-mismatch");
    }
    let lines = log.with("payload-mismatch");
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0].text, lines[1].text);
    assert!(lines[0].text.contains("record=") && lines[0].text.contains("operation=\"pay\""));
}

#[idempotent]
async fn telling(State(app): State<App>) -> String {
    tracing::info!("begun");
    sleep(Duration::from_millis(100)).await;
    let fence = Execution::current().expect("there is a key").fence();
    tracing::info!(fence = fence.get(), "ended");
    format!("run {}", app.run())
}

#[tokio::test(start_paused = true)]
async fn a_log_line_of_a_handler_belongs_to_its_request_even_after_the_client_has_left() {
    let log = Log::capture();
    let app = App::new();
    let spans = MapFutureLayer::new(|future| Instrument::instrument(future, info_span!("request")));
    let router = app.at("/", on_post(telling)).layer(ServiceBuilder::new().layer(spans));
    let left = timeout(Duration::from_millis(50), post("/").key("k").to(&router)).await;
    assert!(left.is_err());
    sleep(Duration::from_secs(1)).await;
    for word in ["begun", "ended"] {
        let lines = log.with(word);
        assert_eq!(lines.len(), 1, "{word}");
        assert_eq!(lines[0].spans, ["request"], "{word}");
    }
    assert_eq!(app.runs(), 1);
}

#[test]
fn debug_of_the_engine_shows_its_settings_only() {
    let app = App::new();
    let shown = format!("{:?}", app.idempotency);
    assert!(shown.starts_with("Idempotency {") && shown.contains("answer_limit"), "{shown}");
}
