//! Retries that wait for the answer of the first.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post as on_post;
use axum::{Json, Router};
use idem_axum::idempotent;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::support::{App, RuntimeClock, Verb, post};

#[derive(Deserialize)]
struct Payment {
    amount: u64,
    takes_ms: u64,
    #[serde(default)]
    note: String,
}

#[idempotent(critical = ["amount"], concurrent = "wait", wait = "5s")]
async fn pay(State(app): State<App>, Json(payment): Json<Payment>) -> Json<Value> {
    sleep(Duration::from_millis(payment.takes_ms)).await;
    Json(json!({ "run": app.run(), "amount": payment.amount, "note": payment.note }))
}

fn app() -> (App, Router) {
    let app = App::on(RuntimeClock::start());
    let router = app.at("/", on_post(pay));
    (app, router)
}

const QUICK: &str = r#"{"amount":1,"takes_ms":300}"#;
const ENDLESS: &str = r#"{"amount":1,"takes_ms":20000}"#;

#[tokio::test(start_paused = true)]
async fn a_retry_gets_the_answer_of_the_first_the_moment_it_is_there() {
    let (app, router) = app();
    let start = Instant::now();
    let first = post("/").key("k").json(QUICK).spawn(&router);
    let retries = [(); 50].map(|()| post("/").key("k").json(QUICK).spawn(&router));
    let first = first.await.unwrap().ran();
    for retry in retries {
        retry.await.unwrap().replays(&first);
    }
    assert_eq!(app.runs(), 1);
    assert!(start.elapsed() < Duration::from_millis(310), "{:?}", start.elapsed());
}

/// As two processes on one store: nobody wakes the other, it looks again.
#[tokio::test(start_paused = true)]
async fn a_retry_in_another_process_gets_the_answer_soon_after() {
    let (app, router) = app();
    let start = Instant::now();
    let first = post("/").key("k").json(QUICK).spawn(&router);
    sleep(Duration::from_millis(1)).await;
    let retry = post("/").key("k").json(QUICK).to(&app.elsewhere().at("/", on_post(pay))).await;
    retry.replays(&first.await.unwrap().ran());
    assert!(start.elapsed() < Duration::from_millis(800), "{:?}", start.elapsed());
    let looks = app.store.calls().iter().filter(|call| **call == Verb::Begin).count();
    assert!(looks < 12, "{looks} round trips");
}

#[tokio::test(start_paused = true)]
async fn waiting_ends_with_a_call_to_come_back() {
    let (app, router) = app();
    let first = post("/").key("k").json(ENDLESS).spawn(&router);
    sleep(Duration::from_millis(1)).await;
    let start = Instant::now();
    post("/").key("k").json(ENDLESS).to(&router).await.problem(409, "request-in-progress");
    assert_eq!(start.elapsed().as_millis(), 5000);
    first.await.unwrap().ran();
    assert_eq!(app.runs(), 1);
}

#[tokio::test(start_paused = true)]
async fn what_differs_is_decided_at_once() {
    let (_, router) = app();
    let first = post("/").key("k").json(ENDLESS).spawn(&router);
    sleep(Duration::from_millis(1)).await;
    let start = Instant::now();
    let other = r#"{"amount":2,"takes_ms":300}"#;
    post("/").key("k").json(other).to(&router).await.problem(409, "payload-mismatch");
    let harmless = r#"{"amount":1,"takes_ms":300,"note":"thanks"}"#;
    post("/").key("k").json(harmless).to(&router).await.problem(409, "request-in-progress");
    assert_eq!(start.elapsed(), Duration::ZERO);
    first.await.unwrap().ran();
}

/// Fails in its first execution.
#[idempotent(concurrent = "wait")]
async fn fail_once(State(app): State<App>) -> Result<String, StatusCode> {
    sleep(Duration::from_millis(300)).await;
    match app.run() {
        1 => Err(StatusCode::BAD_GATEWAY),
        run => Ok(format!("run {run}")),
    }
}

#[tokio::test(start_paused = true)]
async fn of_those_that_waited_for_a_failure_one_runs_and_the_others_wait_for_it() {
    let app = App::on(RuntimeClock::start());
    let router = app.at("/", on_post(fail_once));
    let first = post("/").key("k").spawn(&router);
    sleep(Duration::from_millis(1)).await;
    let waiting = [(); 10].map(|()| post("/").key("k").spawn(&router));
    assert_eq!(first.await.unwrap().status, StatusCode::BAD_GATEWAY);
    let mut replays = 0;
    for waiting in waiting {
        let reply = waiting.await.unwrap();
        assert_eq!((reply.status, reply.text()), (StatusCode::OK, "run 2"));
        replays += usize::from(reply.is_replay());
    }
    assert_eq!((replays, app.runs()), (9, 2));
}
