//! Transfers, once each, whatever goes wrong with them.

use std::str::FromStr;
use std::sync::atomic::{AtomicU32, Ordering};

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use futures_util::future::join_all;
use http_body_util::BodyExt;
use idem_axum::{Idempotency, PostgresStore};
use serde_json::{Value, json};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions};
use tower::ServiceExt;
use transfers::api::{AppState, router};
use transfers::bank::Bank;

/// A bank in a schema of its own, where alice has 100.00 and bob has nothing.
async fn bank() -> Router {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let schema = format!("transfers_{}_{number}", std::process::id());
    let options = PgConnectOptions::from_str(servers::postgres()).expect("a URL");
    let mut connection = options.connect().await.expect("the server runs");
    let create = AssertSqlSafe(format!("CREATE SCHEMA {schema}"));
    sqlx::raw_sql(create).execute(&mut connection).await.expect("a schema is made");
    let options = options.options([("search_path", schema)]);
    let pool = PgPoolOptions::new().max_connections(2).connect_with(options).await;
    let pool = pool.expect("the server runs");
    let store = PostgresStore::options(&pool).build();
    store.migrate().await.expect("the tables are made");
    let bank = Bank::open(pool).await.expect("the books are made");
    router(AppState { bank, idempotency: Idempotency::global(store) })
}

struct Answer {
    status: u16,
    is_replayed: bool,
    text: String,
}

async fn transfer(bank: &Router, key: &str, transfer: Value) -> Answer {
    let request = Request::post("/transfers")
        .header("content-type", "application/json")
        .header("idempotency-key", key)
        .body(Body::from(transfer.to_string()));
    send(bank, request.expect("a request")).await
}

async fn balance(bank: &Router, name: &str) -> i64 {
    let request = Request::get(format!("/accounts/{name}")).body(Body::empty());
    let answer = send(bank, request.expect("a request")).await;
    let account: Value = serde_json::from_str(&answer.text).expect("an account is JSON");
    account["balance"].as_i64().expect("a balance is a number")
}

async fn send(bank: &Router, request: Request<Body>) -> Answer {
    let response = bank.clone().oneshot(request).await.expect("a router never fails");
    let (status, is_replayed) =
        (response.status().as_u16(), response.headers().contains_key("idempotent-replayed"));
    let body = response.into_body().collect().await.expect("the whole body").to_bytes();
    Answer { status, is_replayed, text: String::from_utf8_lossy(&body).into_owned() }
}

fn to_bob(amount: i64) -> Value {
    json!({ "from": "alice", "to": "bob", "amount": amount })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_retries_at_once_one_moves_the_money() {
    let bank = bank().await;
    let answers = join_all((0..50).map(|_| transfer(&bank, "t1", to_bob(1000)))).await;
    assert_eq!(answers.iter().filter(|answer| !answer.is_replayed).count(), 1);
    for answer in &answers {
        assert_eq!((answer.status, &answer.text), (201, &answers[0].text));
    }
    assert_eq!((balance(&bank, "alice").await, balance(&bank, "bob").await), (9000, 1000));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_transfer_under_a_used_key_moves_nothing() {
    let bank = bank().await;
    assert_eq!(transfer(&bank, "t1", to_bob(1000)).await.status, 201);
    assert_eq!(transfer(&bank, "t1", to_bob(2000)).await.status, 409);
    assert_eq!(balance(&bank, "bob").await, 1000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_fails_after_it_was_written_is_undone_and_can_be_tried_again() {
    let bank = bank().await;
    let mut long = to_bob(1000);
    // The books take 100 characters, which is seen when the money has moved in them.
    long["note"] = json!("x".repeat(101));
    assert_eq!(transfer(&bank, "t1", long.clone()).await.status, 500);
    assert_eq!((balance(&bank, "alice").await, balance(&bank, "bob").await), (10000, 0));

    long["note"] = json!("short");
    let second = transfer(&bank, "t1", long).await;
    assert_eq!((second.status, second.is_replayed), (201, false));
    assert_eq!(balance(&bank, "bob").await, 1000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refusal_is_an_answer_for_good() {
    let bank = bank().await;
    for (key, transfer_refused, status) in [
        ("poor", to_bob(20000), 402),
        ("nothing", to_bob(0), 422),
        ("nobody", json!({ "from": "alice", "to": "carol", "amount": 1 }), 404),
    ] {
        let first = transfer(&bank, key, transfer_refused.clone()).await;
        assert_eq!((first.status, first.is_replayed), (status, false));
        let second = transfer(&bank, key, transfer_refused).await;
        assert_eq!((second.status, second.is_replayed), (status, true));
    }
    assert_eq!(balance(&bank, "alice").await, 10000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn transfers_that_cross_all_end_and_no_money_is_made() {
    let bank = bank().await;
    let back = || json!({ "from": "bob", "to": "alice", "amount": 1 });
    let crossing = (0..60).map(|number| {
        let (key, bank) = (format!("t{number}"), &bank);
        async move {
            let asked = if number % 2 == 0 { to_bob(2) } else { back() };
            transfer(bank, &key, asked).await.status
        }
    });
    for status in join_all(crossing).await {
        assert!(status == 201 || status == 402, "{status}");
    }
    assert_eq!(balance(&bank, "alice").await + balance(&bank, "bob").await, 10000);
}
