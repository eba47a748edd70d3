//! A different request under a used key, and in which words it is refused.

use axum::Json;
use axum::extract::State;
use axum::routing::post as on_post;
use idem_axum::{Dialect, idempotent};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::{App, Ask, post};

#[derive(Deserialize)]
#[allow(dead_code)]
struct Payment {
    amount: u64,
    #[serde(default)]
    note: String,
}

#[idempotent(critical = ["amount"])]
async fn pay(State(app): State<App>, Json(payment): Json<Payment>) -> String {
    if payment.amount > 100 {
        app.gate.pass().await;
    }
    format!("run {}: {}", app.run(), payment.amount)
}

fn send(body: &'static str) -> Ask {
    post("/pay").key("k").json(body)
}

#[tokio::test]
async fn the_dialects_differ_in_the_status_of_mismatches_only() {
    for (dialect, mismatch) in [(Dialect::Conflict, 409), (Dialect::Ietf, 422)] {
        let app = App::new().set(|idempotency| idempotency.dialect(dialect));
        let router = app.at("/pay", on_post(pay));
        post("/pay").json("{}").to(&router).await.problem(400, "idempotency-key-missing");
        send(r#"{"amount":1}"#).to(&router).await.ran();
        send(r#"{"amount":2}"#).to(&router).await.problem(mismatch, "payload-mismatch");
        let elsewhere = post("/pay?x").key("k").json(r#"{"amount":1}"#).to(&router).await;
        elsewhere.problem(mismatch, "operation-mismatch");

        let running = post("/pay").key("j").json(r#"{"amount":101}"#).spawn(&router);
        app.gate.arrival().await;
        let busy = post("/pay").key("j").json(r#"{"amount":101}"#).to(&router).await;
        busy.problem(409, "request-in-progress");
        app.gate.open();
        running.await.unwrap().ran();
    }
}

#[tokio::test]
async fn a_mismatch_is_told_at_once_while_the_first_is_running() {
    let app = App::new();
    let router = app.at("/pay", on_post(pay));
    let running = send(r#"{"amount":101,"note":"a"}"#).spawn(&router);
    app.gate.arrival().await;
    send(r#"{"amount":102}"#).to(&router).await.problem(409, "payload-mismatch");
    // The same intent waits for the end of the first, whatever its harmless fields say.
    for same in [r#"{"amount":101,"note":"a"}"#, r#"{"amount":101,"note":"b"}"#] {
        let busy = send(same).to(&router).await;
        busy.problem(409, "request-in-progress");
        let pause: u64 = busy.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=60).contains(&pause));
    }
    app.gate.open();
    let first = running.await.unwrap().ran();
    send(r#"{"amount":101,"note":"b"}"#).to(&router).await.replays(&first);
    assert_eq!(app.runs(), 1);
}

#[tokio::test]
async fn the_names_of_what_changed_are_told_and_never_the_values() {
    let app = App::new();
    let router = app.at("/pay", on_post(pay));
    send(r#"{"amount":47}"#).to(&router).await.ran();
    let reply = send(r#"{"amount":11,"note":"private"}"#).to(&router).await;
    reply.problem(409, "payload-mismatch");
    let document = reply.document();
    assert_eq!(document["changed"], json!(["amount"]));
    assert_ne!(document["fingerprint"], document["original_fingerprint"]);
    let told = document.as_object().unwrap().iter();
    let words = told.filter(|(name, _)| !name.contains("fingerprint"));
    for (name, value) in words {
        for secret in ["47", "11", "private"] {
            assert!(!value.to_string().contains(secret), "{name} tells {secret}");
        }
    }
}

#[tokio::test]
async fn a_conflict_changes_nothing_for_the_first() {
    let app = App::new();
    let router = app.at("/pay", on_post(pay));
    let first = send(r#"{"amount":1}"#).to(&router).await.ran();
    for _ in 0..3 {
        send(r#"{"amount":2}"#).to(&router).await.problem(409, "payload-mismatch");
        send(r#"{"amount":1}"#).to(&router).await.replays(&first);
    }
    assert_eq!((app.runs(), app.store.len()), (1, 1));
}

#[idempotent]
async fn whole(State(app): State<App>, Json(_): Json<Value>) -> String {
    format!("run {}", app.run())
}

#[tokio::test]
async fn without_critical_fields_any_difference_is_a_conflict_without_names() {
    let app = App::new();
    let router = app.at("/pay", on_post(whole));
    send(r#"{"amount":1}"#).to(&router).await.ran();
    let reply = send(r#"{"amount":1,"note":""}"#).to(&router).await;
    reply.problem(409, "payload-mismatch");
    assert_eq!(reply.document().get("changed"), None);
}
