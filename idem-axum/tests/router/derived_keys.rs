//! Keys that the payload holds, where no header carries them.

use std::fmt;

use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::routing::post as on_post;
use idem_axum::{SemanticIdentity, idempotent};
use serde::Deserialize;
use serde_json::json;

use crate::support::{App, Reply, post};

#[derive(Deserialize, SemanticIdentity)]
#[allow(dead_code)]
struct Payment {
    #[serde(rename = "requestId")]
    request_id: String,
    #[idem(critical)]
    amount: u64,
    note: Option<String>,
}

#[idempotent(key = field("request_id"))]
async fn pay(State(app): State<App>, Json(payment): Json<Payment>) -> String {
    format!("run {}: {}", app.run(), payment.amount)
}

#[idempotent(key = identity)]
async fn settle(State(app): State<App>, Json(payment): Json<Payment>) -> String {
    format!("run {}: {}", app.run(), payment.amount)
}

fn app() -> (App, Router) {
    let app = App::new();
    let router = app.at("/pay", on_post(pay)).merge(app.at("/settle", on_post(settle)));
    let router = router.merge(app.at("/refund/{id}", on_post(settle)));
    (app, router)
}

async fn send(router: &Router, path: &str, id: &str, amount: u64) -> Reply {
    let body = json!({ "requestId": id, "amount": amount }).to_string();
    post(path).json(body).to(router).await
}

#[tokio::test]
async fn the_field_is_the_key() {
    let (app, router) = app();
    let first = send(&router, "/pay", "a", 1).await.ran();
    send(&router, "/pay", "a", 1).await.replays(&first);
    send(&router, "/pay", "b", 1).await.ran();
    let reply = send(&router, "/pay", "a", 2).await;
    reply.problem(409, "payload-mismatch");
    assert_eq!(reply.document()["changed"], json!(["amount"]));
    assert_eq!((app.runs(), app.store.len()), (2, 2));
}

#[tokio::test]
async fn a_header_is_ignored_even_where_it_is_no_key() {
    let (app, router) = app();
    for path in ["/pay", "/settle"] {
        let first = send(&router, path, "a", 1).await.ran();
        let again = || post(path).json(r#"{"requestId":"a","amount":1}"#);
        again().key("k").to(&router).await.replays(&first);
        again().key("a b").to(&router).await.replays(&first);
        again().key("k").key("l").to(&router).await.replays(&first);
    }
    assert_eq!((app.runs(), app.store.len()), (2, 2));
}

#[tokio::test]
async fn a_field_that_is_no_key_is_refused_and_not_repeated() {
    let (app, router) = app();
    let long = "x".repeat(256);
    for id in ["", " ", "customer 4711", "4711 ", "\u{e9}4711", long.as_str()] {
        let reply = send(&router, "/pay", id, 1).await;
        reply.problem(400, "idempotency-key-invalid");
        assert!(!reply.text().contains("4711"), "{reply:?}");
    }
    assert_eq!((app.runs(), app.store.calls().len()), (0, 0));
}

#[tokio::test]
async fn the_text_of_a_field_is_taken_as_it_is() {
    let (app, router) = app();
    for id in ["k", "\"k\"", "K"] {
        send(&router, "/pay", id, 1).await.ran();
    }
    assert_eq!(app.runs(), 3);
}

#[tokio::test]
async fn a_payload_without_the_field_is_refused_as_a_payload() {
    let (app, router) = app();
    let reply = post("/pay").key("k").json(r#"{"amount":1}"#).to(&router).await;
    reply.problem(422, "payload-invalid");
    assert_eq!((app.runs(), app.store.calls().len()), (0, 0));
}

#[tokio::test]
async fn the_critical_fields_are_the_key_and_the_others_are_harmless() {
    let (app, router) = app();
    let first = send(&router, "/settle", "a", 1).await.ran();
    send(&router, "/settle", "a", 1).await.replays(&first);
    let other = send(&router, "/settle", "b", 1).await;
    other.replays(&first);
    assert_eq!(other.header("idempotency-verdict"), Some("difference-ignored"));
    send(&router, "/settle", "a", 2).await.ran();
    assert_eq!((app.runs(), app.store.len()), (2, 2));
}

/// The same fields mean another thing elsewhere, and no client could choose another key.
#[tokio::test]
async fn the_same_fields_are_another_key_for_another_operation() {
    let (app, router) = app();
    for path in ["/settle", "/refund/1", "/refund/2", "/refund/2?dry=1"] {
        send(&router, path, "a", 1).await.ran();
    }
    assert_eq!((app.runs(), app.store.len()), (4, 4));
}

#[derive(Deserialize)]
struct Order {
    meta: Meta,
    amount: u64,
}

#[derive(Deserialize)]
struct Meta {
    number: Number,
}

#[derive(Deserialize)]
struct Number(u32);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "order-{}", self.0)
    }
}

#[idempotent(critical = ["amount"], key = field("meta.number"))]
async fn order(State(app): State<App>, Json(order): Json<Order>) -> String {
    format!("run {}: {} {}", app.run(), order.meta.number, order.amount)
}

#[idempotent(critical = ["amount"], key = identity)]
async fn total(State(app): State<App>, Json(order): Json<Order>) -> String {
    format!("run {}: {}", app.run(), order.amount)
}

#[tokio::test]
async fn a_displayed_field_of_a_field_is_the_same_key_as_its_text_in_a_header() {
    let app = App::new();
    let router = app.at("/orders", on_post(order)).merge(app.at("/pay", on_post(by_header)));
    let first = post("/orders").json(r#"{"meta":{"number":7},"amount":1}"#).to(&router).await.ran();
    post("/orders").json(r#"{"meta":{"number":7},"amount":1}"#).to(&router).await.replays(&first);
    let elsewhere = post("/pay").key("order-7").json("1").to(&router).await;
    elsewhere.problem(409, "operation-mismatch");
}

#[idempotent]
async fn by_header(State(app): State<App>, Json(_): Json<u64>) -> String {
    format!("run {}", app.run())
}

#[tokio::test]
async fn the_handlers_own_list_makes_the_key_as_well() {
    let app = App::new();
    let router = app.at("/totals", on_post(total));
    let first = post("/totals").json(r#"{"meta":{"number":7},"amount":1}"#).to(&router).await.ran();
    post("/totals").json(r#"{"meta":{"number":8},"amount":1}"#).to(&router).await.replays(&first);
    post("/totals").json(r#"{"meta":{"number":7},"amount":2}"#).to(&router).await.ran();
    assert_eq!(app.runs(), 2);
}
