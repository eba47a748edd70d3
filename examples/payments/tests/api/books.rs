//! The books add up, whatever happened.

use axum::http::StatusCode;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Row};
use tokio::task::JoinSet;

use crate::bank::Bank;

/// Payments by all customers at once, more than some can afford.
#[tokio::test]
async fn every_balance_is_the_sum_of_its_postings_and_the_books_are_zero() {
    let bank = Bank::open().await;
    let mut attempts = JoinSet::new();
    for number in 0..40 {
        let (payer, payee) = if number % 4 == 0 { ("bob", "alice") } else { ("alice", "bob") };
        let payer = bank.customer(payer);
        let payment = format!(r#"{{"to":"{payee}","amount":"{number}.37","currency":"EUR"}}"#);
        attempts.spawn(async move { payer.pay(&format!("order-{number}"), &payment).await });
    }
    for answer in attempts.join_all().await {
        let decided = [StatusCode::CREATED, StatusCode::PAYMENT_REQUIRED];
        assert!(decided.contains(&answer.status), "{answer:?}");
    }

    let file = SqliteConnectOptions::new().filename(bank.file());
    let mut db = file.connect().await.expect("the file opens");
    let astray = "SELECT count(*) FROM account
        WHERE balance <> (SELECT coalesce(sum(amount), 0) FROM posting WHERE account = id)";
    let total = "SELECT sum(amount) FROM posting JOIN account ON id = account GROUP BY currency";
    let astray: i64 = sqlx::query(astray).fetch_one(&mut db).await.expect("a count").get(0);
    assert_eq!(astray, 0);
    let totals = sqlx::query(total).fetch_all(&mut db).await.expect("sums");
    let totals: Vec<i64> = totals.iter().map(|row| row.get(0)).collect();
    assert_eq!(totals, [0, 0, 0]);
}
