//! Signs of life: how a running handler keeps its lease.

use std::time::Duration;

use axum::extract::State;
use axum::routing::post as on_post;
use idem_axum::idempotent;
use tokio::time::sleep;

use crate::support::{App, Fault, RuntimeClock, Verb, Wire, post};

#[idempotent(lease = "300ms", on_crash = "retry")]
async fn long(State(app): State<App>) -> String {
    let run = app.run();
    sleep(Duration::from_secs(3)).await;
    format!("run {run}")
}

#[tokio::test(start_paused = true)]
async fn a_running_handler_keeps_its_lease() {
    let app = App::on(RuntimeClock::start());
    let router = app.at("/", on_post(long));
    let first = post("/").key("k").spawn(&router);
    for _ in 0..28 {
        sleep(Duration::from_millis(100)).await;
        post("/").key("k").to(&router).await.problem(409, "request-in-progress");
    }
    let first = first.await.unwrap().ran();
    post("/").key("k").to(&router).await.replays(&first);
    assert_eq!(app.runs(), 1);
}

#[tokio::test(start_paused = true)]
async fn one_failed_sign_of_life_does_not_cost_the_lease() {
    let app = App::on(RuntimeClock::start());
    let router = app.at("/", on_post(long));
    let first = post("/").key("k").spawn(&router);
    sleep(Duration::from_millis(50)).await;
    app.store.fail(Verb::Renew, Fault::Unavailable);
    sleep(Duration::from_millis(100)).await;
    app.store.heal();
    for _ in 0..20 {
        sleep(Duration::from_millis(100)).await;
        post("/").key("k").to(&router).await.problem(409, "request-in-progress");
    }
    first.await.unwrap().ran();
    assert_eq!(app.runs(), 1);
}

#[tokio::test(start_paused = true)]
async fn signs_of_life_end_with_the_handler() {
    let app = App::on(RuntimeClock::start());
    let router = app.at("/", on_post(long));
    post("/").key("k").to(&router).await.ran();
    assert!(app.store.calls().contains(&Verb::Renew));
    sleep(Duration::from_secs(10)).await;
    assert_eq!(app.store.calls(), []);
}

/// As after a wait for a row that another holds.
#[tokio::test(start_paused = true)]
async fn the_lease_starts_when_the_claim_is_made_and_not_when_it_was_asked_for() {
    let app = App::on(RuntimeClock::start());
    let router = app.at("/", on_post(long));
    app.store.fail(Verb::Begin, Fault::Slow(Duration::from_secs(2)));
    let first = post("/").key("k").spawn(&router);
    sleep(Duration::from_millis(2010)).await;
    app.store.heal();
    for _ in 0..10 {
        post("/").key("k").to(&router).await.problem(409, "request-in-progress");
        sleep(Duration::from_millis(100)).await;
    }
    first.await.unwrap().ran();
    assert_eq!(app.runs(), 1);
}

#[idempotent]
async fn short(State(app): State<App>) -> String {
    sleep(Duration::from_millis(50)).await;
    format!("run {}", app.run())
}

#[tokio::test]
async fn a_lease_of_no_time_is_a_finite_one() {
    let app = App::new().set(|idempotency| idempotency.lease(Duration::ZERO));
    let router = app.at("/", on_post(short));
    let first = post("/").key("k").to(&router).await.ran();
    post("/").key("k").to(&router).await.replays(&first);
    assert!(app.store.calls().len() < 200, "signs of life are told at a bounded rate");
}

#[idempotent(lease = "300ms", on_crash = "retry")]
async fn blocking(State(app): State<App>) -> String {
    let run = app.run();
    std::thread::sleep(Duration::from_millis(1200));
    format!("run {run}")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_handler_that_blocks_its_thread_keeps_its_lease() {
    let app = App::new();
    let router = app.at("/", on_post(blocking));
    let first = post("/").key("k").spawn(&router);
    for _ in 0..5 {
        sleep(Duration::from_millis(200)).await;
        post("/").key("k").to(&router).await.problem(409, "request-in-progress");
    }
    first.await.unwrap().ran();
    assert_eq!(app.runs(), 1);
}

/// Nothing else happens that could wake another thread.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_handler_that_blocks_an_otherwise_idle_server_keeps_its_lease() {
    let app = App::new();
    let wire = Wire::serve(app.at("/", on_post(blocking))).await;
    let request = "POST / HTTP/1.1\r\nhost: a\r\nidempotency-key: k\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    let (head, _) = wire.exchange(request).await;
    assert!(head.starts_with("http/1.1 200"), "{head}");
    let calls = app.store.calls();
    let signs = calls.iter().filter(|verb| **verb == Verb::Renew).count();
    assert!(signs >= 5, "{calls:?}");
}

#[idempotent(lease = "30s")]
async fn patient(State(app): State<App>) -> &'static str {
    app.gate.pass().await;
    "done"
}

/// The shorter lease wakes the task of the longer one.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_blocking_handler_beside_one_with_a_longer_lease_keeps_its_lease() {
    let app = App::new();
    let patient = post("/").key("p").spawn(&app.at("/", on_post(patient)));
    app.gate.arrival().await;
    let router = app.at("/", on_post(blocking));
    let first = post("/").key("k").spawn(&router);
    for _ in 0..5 {
        sleep(Duration::from_millis(200)).await;
        post("/").key("k").to(&router).await.problem(409, "request-in-progress");
    }
    first.await.unwrap().ran();
    app.gate.open();
    patient.await.unwrap().ran();
}
