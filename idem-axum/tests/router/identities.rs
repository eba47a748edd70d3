//! Which payloads are the same intent.

use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::routing::post as on_post;
use idem_axum::{IdentityValue, SemanticIdentity, idempotent};
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::json;

use crate::support::{App, Reply, post};

#[derive(Deserialize, SemanticIdentity)]
#[allow(dead_code)]
struct Payment {
    #[idem(critical)]
    amount: Decimal,
    #[idem(critical)]
    currency: Currency,
    note: Option<String>,
    #[idem(ignore)]
    client_ts: Option<String>,
}

#[derive(Deserialize, IdentityValue)]
enum Currency {
    #[serde(rename = "EUR", alias = "eur")]
    Euro,
    #[serde(rename = "USD")]
    Dollar,
}

#[idempotent(policy = "reject", ttl = "72h")]
async fn pay(State(app): State<App>, Json(payment): Json<Payment>) -> String {
    format!("run {}: {}", app.run(), payment.amount)
}

async fn send(router: &Router, body: &str) -> Reply {
    post("/pay").key("k").json(body.to_owned()).to(router).await
}

const FIRST: &str = r#"{"amount":"100","currency":"EUR","note":"rent","client_ts":"09:00"}"#;

#[tokio::test]
async fn a_changed_critical_field_is_refused_and_named() {
    let app = App::new();
    let router = app.at("/pay", on_post(pay));
    send(&router, FIRST).await.ran();
    let table = [
        (r#"{"amount":"200","currency":"EUR","note":"rent"}"#, json!(["amount"])),
        (r#"{"amount":"100","currency":"USD","note":"rent"}"#, json!(["currency"])),
        (r#"{"amount":"100.01","currency":"USD"}"#, json!(["amount", "currency"])),
        (r#"{"amount":"-100","currency":"EUR"}"#, json!(["amount"])),
    ];
    for (body, changed) in table {
        let reply = send(&router, body).await;
        reply.problem(409, "payload-mismatch");
        assert_eq!(reply.document()["changed"], changed);
    }
    assert_eq!(app.runs(), 1);
}

#[tokio::test]
async fn a_changed_harmless_field_gets_the_first_answer_and_is_told_so() {
    let app = App::new();
    let router = app.at("/pay", on_post(pay));
    let first = send(&router, FIRST).await.ran();
    for body in [
        r#"{"amount":"100","currency":"EUR","note":"food"}"#,
        r#"{"amount":"100","currency":"EUR"}"#,
        r#"{"amount":"100","currency":"EUR","note":"rent","unknown":1}"#,
    ] {
        let reply = send(&router, body).await;
        reply.replays(&first);
        assert_eq!(reply.header("idempotency-verdict"), Some("difference-ignored"));
    }
    assert_eq!(app.runs(), 1);
}

#[tokio::test]
async fn values_are_compared_as_their_type_and_not_as_their_spelling() {
    let app = App::new();
    let router = app.at("/pay", on_post(pay));
    let first = send(&router, FIRST).await.ran();
    for body in [
        r#"{"amount":"100.00","currency":"EUR","note":"rent"}"#,
        r#"{"amount":100,"currency":"EUR","note":"rent"}"#,
        r#"{"amount":"0100.0","currency":"eur","note":"rent"}"#,
    ] {
        send(&router, body).await.replays(&first);
    }
    assert_eq!(app.runs(), 1);
}

/// What the fingerprint ignores may change beside what the identity ignores.
#[tokio::test]
async fn an_ignored_field_changes_without_a_word() {
    let app = App::new();
    let router = app.at("/pay", on_post(pay));
    let first = send(&router, FIRST).await.ran();
    let retry = r#"{"client_ts":"09:01","currency":"EUR","note":"rent","amount":"100"}"#;
    let reply = send(&router, retry).await;
    reply.replays(&first);
    assert_eq!(reply.header("idempotency-verdict"), None);
    let other = r#"{"client_ts":"09:00","currency":"EUR","note":"rent","amount":"101"}"#;
    send(&router, other).await.problem(409, "payload-mismatch");
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Order {
    amount: u64,
    card: Option<Card>,
    #[serde(default)]
    items: Vec<Item>,
    note: Option<String>,
}

#[derive(Deserialize)]
struct Card {
    last4: String,
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Item {
    sku: String,
    #[serde(default)]
    gift_wrap: bool,
}

#[idempotent(critical = ["amount", "card?.last4", "items[].sku"])]
async fn order(State(app): State<App>, Json(order): Json<Order>) -> String {
    format!("run {}: {}", app.run(), order.amount)
}

#[tokio::test]
async fn paths_lead_through_options_and_lists() {
    let app = App::new();
    let router = app.at("/orders", on_post(order));
    let send = |body: &'static str| post("/orders").key("k").json(body).to(&router);
    let first = r#"{"amount":1,"card":{"last4":"4242"},"items":[{"sku":"a"},{"sku":"b"}]}"#;
    let first = send(first).await.ran();
    for harmless in [
        r#"{"amount":1,"card":{"last4":"4242","brand":"v"},"items":[{"sku":"a"},{"sku":"b"}]}"#,
        r#"{"amount":1,"card":{"last4":"4242"},"items":[{"sku":"a","gift_wrap":true},{"sku":"b"}],"note":"n"}"#,
    ] {
        send(harmless).await.replays(&first);
    }
    for (other, changed) in [
        (r#"{"amount":1,"items":[{"sku":"a"},{"sku":"b"}]}"#, "card?.last4"),
        (r#"{"amount":1,"card":{"last4":"1"},"items":[{"sku":"a"},{"sku":"b"}]}"#, "card?.last4"),
        (
            r#"{"amount":1,"card":{"last4":"4242"},"items":[{"sku":"b"},{"sku":"a"}]}"#,
            "items[].sku",
        ),
        (r#"{"amount":1,"card":{"last4":"4242"},"items":[{"sku":"a"}]}"#, "items[].sku"),
        (
            r#"{"amount":1,"card":{"last4":"4242"},"items":[{"sku":"ab"},{"sku":""}]}"#,
            "items[].sku",
        ),
    ] {
        let reply = send(other).await;
        reply.problem(409, "payload-mismatch");
        assert_eq!(reply.document()["changed"], json!([changed]), "{other}");
    }
    assert_eq!(app.runs(), 1);
}

/// The list on the handler takes the place of the derive's.
#[idempotent(critical = ["currency"])]
async fn quote(State(app): State<App>, Json(payment): Json<Payment>) -> String {
    format!("run {}: {}", app.run(), payment.amount)
}

#[tokio::test]
async fn the_handlers_own_list_goes_over_the_derived_one() {
    let app = App::new();
    let router = app.at("/pay", on_post(quote));
    let first = send(&router, FIRST).await.ran();
    send(&router, r#"{"amount":"7","currency":"EUR"}"#).await.replays(&first);
    let reply = send(&router, r#"{"amount":"100","currency":"USD"}"#).await;
    reply.problem(409, "payload-mismatch");
    // What the derive ignores stays ignored.
    let retry = r#"{"amount":"100","currency":"EUR","note":"rent","client_ts":"10:00"}"#;
    assert_eq!(send(&router, retry).await.header("idempotency-verdict"), None);
}
