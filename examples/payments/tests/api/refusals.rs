//! What the bank does not do.

use axum::body::Body;
use axum::http::{Request, StatusCode};

use crate::bank::Bank;

#[tokio::test]
async fn payments_that_make_no_sense_are_refused_and_move_nothing() {
    let bank = Bank::open().await;
    let alice = bank.customer("alice");

    let rows = [
        (r#"{"to":"nobody","amount":"1","currency":"EUR"}"#, 404, "unknown-account"),
        (r#"{"to":"house-EUR","amount":"1","currency":"EUR"}"#, 404, "unknown-account"),
        (r#"{"to":"alice","amount":"1","currency":"EUR"}"#, 422, "pays-itself"),
        (r#"{"to":"carol","amount":"1","currency":"EUR"}"#, 422, "currency-mismatch"),
        (r#"{"to":"carol","amount":"1","currency":"USD"}"#, 422, "currency-mismatch"),
        (r#"{"to":"bob","amount":"0","currency":"EUR"}"#, 422, "amount-not-positive"),
        (r#"{"to":"bob","amount":"-1","currency":"EUR"}"#, 422, "amount-not-positive"),
        (r#"{"to":"bob","amount":"0.001","currency":"EUR"}"#, 422, "amount-not-payable"),
        (r#"{"to":"bob","amount":"1000.01","currency":"EUR"}"#, 402, "insufficient-funds"),
    ];
    for (number, (payment, status, code)) in rows.into_iter().enumerate() {
        alice.pay(&format!("order-{number}"), payment).await.assert(status, code);
    }
    assert_eq!(alice.balance().await, "1000.00");
    assert_eq!(bank.customer("bob").balance().await, "250.00");
}

#[tokio::test]
async fn a_body_that_cannot_be_read_uses_up_no_key() {
    let bank = Bank::open().await;
    let alice = bank.customer("alice");

    for unreadable in [
        r#"{"to":"bob","amount":100.00,"currency":"EUR"}"#,
        r#"{"to":"bob","amount":"100.00","currency":"XXX"}"#,
        r#"{"to":"bob","amount":"a lot","currency":"EUR"}"#,
        r#"{"to":"bob","amout":"100.00","currency":"EUR"}"#,
    ] {
        alice.pay("order-1", unreadable).await.assert(422, "payload-invalid");
    }
    let right = alice.pay("order-1", r#"{"to":"bob","amount":"100.00","currency":"EUR"}"#).await;
    assert_eq!((right.status, right.is_replayed()), (StatusCode::CREATED, false));
}

#[tokio::test]
async fn strangers_are_told_to_authenticate() {
    let bank = Bank::open().await;

    for token in ["", "Bearer", "Bearer demo-mallory", "Basic demo-alice"] {
        let request = Request::post("/payments")
            .header("authorization", token)
            .header("idempotency-key", "order-1")
            .body(Body::empty())
            .expect("a request");
        let answer = bank.customer("alice").send(request).await;
        answer.assert(401, "not-authenticated");
        assert_eq!(answer.headers["www-authenticate"], "Bearer");
    }
}

#[tokio::test]
async fn the_accounts_of_others_are_as_unknown_as_those_that_do_not_exist() {
    let bank = Bank::open().await;
    let alice = bank.customer("alice");

    let (others, missing) = (alice.look_at("bob").await, alice.look_at("nobody").await);

    others.assert(404, "unknown-account");
    assert_eq!(others.json, missing.json);
}
