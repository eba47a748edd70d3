//! What removes expired records beside the requests.

use std::time::Duration;

use axum::extract::State;
use axum::routing::post as on_post;
use idem_axum::{JanitorHandle, idempotent};
use tokio::time::{Instant, sleep, timeout};
use tracing::{Instrument, Level, info_span};

use crate::support::{App, Fault, Log, ProbedStore, RuntimeClock, Verb, post};

const MINUTE: Duration = Duration::from_secs(60);

#[idempotent(ttl = "10m")]
async fn pay(State(app): State<App>) -> String {
    format!("run {}", app.run())
}

#[idempotent]
async fn slow(State(app): State<App>) -> String {
    sleep(MINUTE * 10).await;
    format!("run {}", app.run())
}

fn app() -> App {
    App::on(RuntimeClock::start())
}

/// The engine's own janitor at work: its first round is over.
async fn at_work(app: &App) -> JanitorHandle {
    let janitor = app.idempotency.janitor().spawn();
    let mut progress = janitor.progress();
    while progress.changed().await.unwrap().rounds == 0 {}
    janitor
}

#[tokio::test(start_paused = true)]
async fn records_leave_the_store_after_their_ttl_and_not_before() {
    let app = app();
    let router = app.at("/", on_post(pay));
    let janitor = at_work(&app).await;
    for key in ["a", "b", "c"] {
        post("/").key(key).to(&router).await.ran();
    }
    sleep(MINUTE * 9).await;
    assert_eq!(app.store.len(), 3);
    assert!(post("/").key("a").to(&router).await.is_replay());
    sleep(MINUTE * 3).await;
    assert_eq!(app.store.len(), 0);
    assert_eq!(janitor.stats().purged, 3);
    assert_eq!(post("/").key("a").to(&router).await.ran().text(), "run 4");
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_neither_stops_the_janitor_nor_waits_for_it() {
    let app = app();
    let router = app.at("/", on_post(pay));
    let janitor = at_work(&app).await;
    post("/").key("k").to(&router).await.ran();
    let shutting_down = Instant::now();
    app.idempotency.shutdown().await;
    assert_eq!(shutting_down.elapsed(), Duration::ZERO);
    sleep(MINUTE * 12).await;
    assert_eq!((app.store.len(), janitor.stats().purged), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn a_janitor_that_was_stopped_leaves_the_engine_at_work() {
    let app = app();
    let router = app.at("/", on_post(pay));
    at_work(&app).await.stop().await;
    let first = post("/").key("k").to(&router).await.ran();
    sleep(MINUTE).await;
    post("/").key("k").to(&router).await.replays(&first);
    app.store.calls();
    sleep(MINUTE * 60).await;
    assert_eq!(app.store.calls(), []);
}

#[tokio::test(start_paused = true)]
async fn the_record_of_a_running_handler_is_not_removed() {
    let app = app();
    let router = app.at("/", on_post(slow));
    let running = post("/").key("k").spawn(&router);
    let janitor = at_work(&app).await;
    let first = running.await.unwrap().ran();
    assert!(janitor.stats().rounds >= 7, "{:?}", janitor.stats());
    post("/").key("k").to(&router).await.replays(&first);
}

#[tokio::test(start_paused = true)]
async fn the_time_limit_of_the_engine_is_that_of_its_janitor() {
    let app = app().set(|idempotency| idempotency.store_timeout(Duration::from_millis(200)));
    let janitor = app.idempotency.janitor().spawn();
    app.store.fail(Verb::Purge, Fault::Hang);
    sleep(MINUTE + Duration::from_millis(210)).await;
    assert!(janitor.stats().failures >= 1);
    timeout(Duration::from_millis(210), janitor.stop()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn the_log_tells_of_batches_rounds_and_failures() {
    let log = Log::capture();
    let app = app();
    let router = app.at("/", on_post(pay));
    post("/").key("alice-9").to(&router).await.ran();
    let request = info_span!("the first request");
    let _janitor = at_work(&app).instrument(request).await;
    assert!(log.with("expired records").iter().all(|line| line.level == Level::DEBUG));
    app.store.fail(Verb::Purge, Fault::Unavailable);
    sleep(MINUTE * 11).await;
    app.store.heal();
    sleep(MINUTE * 7).await;

    let removed = log.with("expired records were removed");
    assert_eq!(removed.len(), 1, "a round that finds nothing is not told of: {removed:?}");
    assert_eq!(removed[0].level, Level::INFO);
    assert!(removed[0].text.contains("removed=1 batches=1"), "{removed:?}");
    let batches = log.with("a batch of expired records");
    assert!(batches.len() >= 3 && batches.iter().all(|line| line.level == Level::DEBUG));
    let failures = log.with("could not be removed");
    assert!(failures.len() >= 8 && failures.iter().all(|line| line.level == Level::WARN));
    assert!(failures[0].text.contains("failures=1"), "{failures:?}");
    let lines = [removed, batches, failures].concat();
    assert!(lines.iter().all(|line| line.spans.is_empty()), "they belong to no request");
}

#[tokio::test(start_paused = true)]
async fn no_key_or_password_is_logged() {
    let log = Log::capture();
    let app = app();
    let router = app.at("/", on_post(pay));
    post("/").key("alice-9").to(&router).await.ran();
    app.store.fail(Verb::Purge, Fault::Unavailable);
    let _janitor = app.idempotency.janitor().spawn();
    sleep(MINUTE * 2).await;
    assert!(!log.with("could not be removed").is_empty());
    assert!(ProbedStore::DRIVER_MESSAGE.contains("hunter2"));
    for secret in ["alice", "hunter2"] {
        assert!(log.with(secret).is_empty(), "{:?}", log.with(secret));
    }
}
