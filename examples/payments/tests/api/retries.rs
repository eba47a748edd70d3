//! One key, one payment.

use axum::http::StatusCode;
use tokio::task::JoinSet;

use crate::bank::Bank;

const DINNER: &str = r#"{"to":"bob","amount":"100.00","currency":"EUR","note":"dinner"}"#;

#[tokio::test]
async fn a_retry_gets_the_first_receipt_and_moves_nothing() {
    let bank = Bank::open().await;
    let alice = bank.customer("alice");

    let first = alice.pay("order-1", DINNER).await;
    let retry = alice.pay("order-1", DINNER).await;

    assert_eq!((first.status, first.is_replayed()), (StatusCode::CREATED, false));
    assert_eq!((retry.status, retry.is_replayed()), (StatusCode::CREATED, true));
    assert_eq!(retry.json, first.json);
    assert_eq!(alice.balance().await, "900.00");
}

#[tokio::test]
async fn the_same_amount_in_other_words_is_a_retry() {
    let bank = Bank::open().await;
    let alice = bank.customer("alice");

    let first = alice.pay("order-1", DINNER).await;
    let reworded = r#"{"currency":"EUR","amount":"100","note":"dinner","to":"bob"}"#;
    let retry = alice.pay("order-1", reworded).await;

    assert!(retry.is_replayed());
    assert_eq!(retry.json, first.json);
}

#[tokio::test]
async fn a_changed_note_is_answered_with_the_payment_as_it_was_made() {
    let bank = Bank::open().await;
    let alice = bank.customer("alice");

    alice.pay("order-1", DINNER).await;
    let retry = alice.pay("order-1", &DINNER.replace("dinner", "dinner, and thanks")).await;

    assert_eq!(retry.status, StatusCode::CREATED);
    assert!(retry.is_replayed());
    assert_eq!(retry.headers["idempotency-verdict"], "difference-ignored");
    assert_eq!(retry.json["note"], "dinner");
    assert_eq!(alice.balance().await, "900.00");
}

#[tokio::test]
async fn every_critical_field_that_changes_is_refused_by_name() {
    let bank = Bank::open().await;
    let alice = bank.customer("alice");
    alice.pay("order-1", DINNER).await;

    for (field, from, to) in
        [("amount", "100.00", "200.00"), ("currency", "EUR", "USD"), ("to", "bob", "carol")]
    {
        let answer = alice.pay("order-1", &DINNER.replace(from, to)).await;
        answer.assert(409, "payload-mismatch");
        assert_eq!(answer.headers["content-type"], "application/problem+json");
        assert_eq!(answer.json["changed"], serde_json::json!([field]));
    }
    assert_eq!(alice.balance().await, "900.00");
}

#[tokio::test]
async fn fifty_parallel_duplicates_move_the_money_once() {
    let bank = Bank::open().await;
    let alice = bank.customer("alice");

    let mut attempts = JoinSet::new();
    for _ in 0..50 {
        let alice = alice.clone();
        attempts.spawn(async move { alice.pay("order-1", DINNER).await });
    }
    let answers = attempts.join_all().await;

    let ran = answers
        .iter()
        .filter(|answer| answer.status == StatusCode::CREATED && !answer.is_replayed())
        .count();
    assert_eq!(ran, 1);
    for answer in answers.iter().filter(|answer| answer.status != StatusCode::CREATED) {
        answer.assert(409, "request-in-progress");
        assert!(answer.headers.contains_key("retry-after"));
    }
    assert_eq!(alice.balance().await, "900.00");
    assert_eq!(bank.customer("bob").balance().await, "350.00");
}

#[tokio::test]
async fn two_accounts_with_the_same_key_do_not_meet() {
    let bank = Bank::open().await;
    let (alice, bob) = (bank.customer("alice"), bank.customer("bob"));

    alice.pay("order-1", DINNER).await;
    let back = r#"{"to":"alice","amount":"25.00","currency":"EUR"}"#;
    let answer = bob.pay("order-1", back).await;

    assert_eq!((answer.status, answer.is_replayed()), (StatusCode::CREATED, false));
    assert_eq!(alice.balance().await, "925.00");
}

#[tokio::test]
async fn keys_outlive_a_restart() {
    let bank = Bank::open().await;
    let first = bank.customer("alice").pay("order-1", DINNER).await;

    let bank = bank.restart().await;
    let alice = bank.customer("alice");
    let retry = alice.pay("order-1", DINNER).await;

    assert!(retry.is_replayed());
    assert_eq!(retry.json, first.json);
    assert_eq!(alice.balance().await, "900.00");
}

#[tokio::test]
async fn a_payment_that_was_refused_stays_refused_under_its_key() {
    let bank = Bank::open().await;
    let (alice, bob) = (bank.customer("alice"), bank.customer("bob"));
    let too_much = r#"{"to":"bob","amount":"1000.01","currency":"EUR"}"#;

    alice.pay("order-1", too_much).await.assert(402, "insufficient-funds");
    bob.pay("loan", r#"{"to":"alice","amount":"100","currency":"EUR"}"#).await;
    let retry = alice.pay("order-1", too_much).await;
    retry.assert(402, "insufficient-funds");
    assert!(retry.is_replayed());

    let anew = alice.pay("order-2", too_much).await;
    assert_eq!((anew.status, anew.is_replayed()), (StatusCode::CREATED, false));
}
