//! A store that fails, hangs, or loses its replies.

use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post as on_post;
use idem_axum::{Execution, idempotent};
use tokio::time::{Instant, sleep, timeout};

use crate::support::{App, Fault, Log, RuntimeClock, Verb, post};

#[idempotent]
async fn pay(State(app): State<App>) -> String {
    let attempt = Execution::current().expect("there is a key").attempt();
    format!("run {}, attempt {attempt}", app.run())
}

/// An application on paused time, whose store reads the same.
fn app() -> (App, Router) {
    let app = App::on(RuntimeClock::start());
    let router = app.at("/", on_post(pay));
    (app, router)
}

#[tokio::test(start_paused = true)]
async fn nothing_runs_while_the_store_cannot_be_reached() {
    let (app, router) = app();
    app.store.fail(Verb::Begin, Fault::Unavailable);
    for _ in 0..3 {
        post("/").key("k").to(&router).await.problem(503, "store-unavailable");
    }
    assert_eq!((app.runs(), app.store.len()), (0, 0));
    app.store.heal();
    assert_eq!(post("/").key("k").to(&router).await.ran().text(), "run 1, attempt 1");
}

#[tokio::test(start_paused = true)]
async fn a_stored_answer_waits_for_the_store_too() {
    let (app, router) = app();
    let first = post("/").key("k").to(&router).await.ran();
    app.store.fail(Verb::Begin, Fault::Unavailable);
    post("/").key("k").to(&router).await.problem(503, "store-unavailable");
    app.store.heal();
    post("/").key("k").to(&router).await.replays(&first);
}

#[tokio::test(start_paused = true)]
async fn a_store_that_hangs_is_given_up_in_time() {
    for fault in [Fault::Hang, Fault::ReplyHangs] {
        let (app, _) = app();
        let app = app.set(|idempotency| idempotency.store_timeout(Duration::from_millis(700)));
        let router = app.at("/", on_post(pay));
        app.store.fail(Verb::Begin, fault);
        let started = Instant::now();
        post("/").key("k").to(&router).await.problem(503, "store-unavailable");
        assert!((700..720).contains(&started.elapsed().as_millis()), "{:?}", started.elapsed());
        assert_eq!(app.runs(), 0);
    }
}

/// The claim was made and nobody runs under it: left alone, it would end as an unknown outcome.
#[tokio::test(start_paused = true)]
async fn a_claim_whose_reply_was_lost_is_given_back() {
    let (app, router) = app();
    app.store.fail(Verb::Begin, Fault::ReplyLost);
    post("/").key("k").to(&router).await.problem(503, "store-unavailable");
    assert_eq!((app.runs(), app.store.len()), (0, 1));
    app.store.heal();
    sleep(Duration::from_secs(1)).await;
    assert_eq!(app.store.len(), 0);
    assert_eq!(post("/").key("k").to(&router).await.ran().text(), "run 1, attempt 1");
}

#[tokio::test(start_paused = true)]
async fn a_claim_is_given_back_after_an_outage_of_many_seconds() {
    let (app, router) = app();
    app.store.fail(Verb::Begin, Fault::ReplyLost);
    app.store.fail(Verb::Find, Fault::Unavailable);
    app.store.fail(Verb::Release, Fault::Unavailable);
    post("/").key("k").to(&router).await.problem(503, "store-unavailable");
    sleep(Duration::from_secs(15)).await;
    app.store.heal();
    sleep(Duration::from_secs(6)).await;
    assert_eq!(app.store.len(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_claim_that_comes_too_late_is_given_back() {
    let (app, router) = app();
    app.store.fail(Verb::Begin, Fault::Slow(Duration::from_secs(8)));
    post("/").key("k").to(&router).await.problem(503, "store-unavailable");
    app.store.heal();
    sleep(Duration::from_secs(4)).await;
    assert_eq!((app.runs(), app.store.len()), (0, 0));
    assert_eq!(post("/").key("k").to(&router).await.ran().text(), "run 1, attempt 1");
}

/// As on a connection that went dead after the request was sent.
#[tokio::test(start_paused = true)]
async fn a_claim_whose_reply_never_comes_is_given_back() {
    let (app, router) = app();
    app.store.fail(Verb::Begin, Fault::ReplyHangs);
    post("/").key("k").to(&router).await.problem(503, "store-unavailable");
    assert_eq!((app.runs(), app.store.len()), (0, 1));
    app.store.heal();
    sleep(Duration::from_secs(24)).await;
    assert_eq!(app.store.len(), 0, "it is given back before its lease runs out");
}

/// Fails in its first execution.
#[idempotent]
async fn fail_once(State(app): State<App>) -> Result<String, StatusCode> {
    match app.run() {
        1 => Err(StatusCode::BAD_GATEWAY),
        run => Ok(format!("run {run}")),
    }
}

/// The second claim takes over a failure, and nothing runs under it: the failure is put back.
#[tokio::test(start_paused = true)]
async fn a_failure_that_was_taken_over_in_vain_is_a_failure_again() {
    let app = App::on(RuntimeClock::start());
    let router = app.at("/", on_post(fail_once));
    assert_eq!(post("/").key("k").to(&router).await.status, StatusCode::BAD_GATEWAY);
    app.store.fail(Verb::Begin, Fault::LaterReplyLost);
    post("/").key("k").to(&router).await.problem(503, "store-unavailable");
    app.store.heal();
    post("/").key("k").to(&router).await.problem(409, "request-in-progress");
    sleep(Duration::from_secs(1)).await;
    assert_eq!(post("/").key("k").to(&router).await.ran().text(), "run 2");
}

/// As after a pause of the whole process: the lease is renewed before the handler starts.
#[tokio::test(start_paused = true)]
async fn a_claim_whose_reply_took_most_of_its_lease_is_renewed_before_it_runs() {
    let (app, _) = app();
    let app = app.set(|idempotency| idempotency.lease(Duration::from_secs(2)));
    let router = app.at("/", on_post(pay));
    app.store.fail(Verb::Begin, Fault::ReplySlow(Duration::from_secs(3)));
    assert_eq!(post("/").key("k").to(&router).await.ran().text(), "run 1, attempt 1");
    assert_eq!(app.store.calls(), [Verb::Begin, Verb::Renew, Verb::Finish]);
}

/// It runs again after a crash.
#[idempotent(lease = "2s", on_crash = "retry")]
async fn pay_again(State(app): State<App>) -> String {
    format!("run {}", app.run())
}

#[tokio::test(start_paused = true)]
async fn a_claim_that_was_taken_over_before_its_reply_came_does_not_run() {
    let app = App::on(RuntimeClock::start());
    let router = app.at("/", on_post(pay_again));
    app.store.fail(Verb::Begin, Fault::ReplySlow(Duration::from_secs(3)));
    let first = post("/").key("k").spawn(&router);
    sleep(Duration::from_millis(2500)).await;
    app.store.heal();
    let second = post("/").key("k").to(&router).await.ran();
    first.await.unwrap().replays(&second);
    assert_eq!(app.runs(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_client_gets_the_true_answer_when_it_cannot_be_recorded() {
    let log = Log::capture();
    let (app, router) = app();
    app.store.fail(Verb::Finish, Fault::Unavailable);
    post("/").key("k").to(&router).await.ran();
    let lines = log.with("could not be recorded");
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0].level, tracing::Level::ERROR);
    assert!(lines[0].text.contains("idem_outcomes_unrecorded=1"), "for a metric: {lines:?}");
    // Until it is recorded, nobody runs it again.
    post("/").key("k").to(&router).await.problem(409, "request-in-progress");
    assert_eq!(app.runs(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_could_not_be_recorded_is_recorded_once_the_store_is_back() {
    for fault in [Fault::Unavailable, Fault::Hang, Fault::ReplyHangs] {
        let (app, router) = app();
        app.store.fail(Verb::Finish, fault);
        let first = timeout(Duration::from_secs(6), post("/").key("k").to(&router)).await;
        let first = first.expect("the client does not wait for the store").ran();
        sleep(Duration::from_secs(20)).await;
        app.store.heal();
        sleep(Duration::from_secs(10)).await;
        post("/").key("k").to(&router).await.replays(&first);
        assert_eq!(app.runs(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_recorded_answer_whose_reply_was_lost_is_replayed() {
    let (app, router) = app();
    app.store.fail(Verb::Finish, Fault::ReplyLost);
    let first = post("/").key("k").to(&router).await.ran();
    post("/").key("k").to(&router).await.replays(&first);
    app.store.heal();
    sleep(Duration::from_secs(60)).await;
    post("/").key("k").to(&router).await.replays(&first);
    assert_eq!(app.runs(), 1);
}

#[tokio::test(start_paused = true)]
async fn there_is_no_gap_between_the_end_of_the_handler_and_its_recorded_answer() {
    let (app, router) = app();
    app.store.fail(Verb::Finish, Fault::Slow(Duration::from_secs(2)));
    let first = post("/").key("k").spawn(&router);
    for _ in 0..19 {
        sleep(Duration::from_millis(100)).await;
        post("/").key("k").to(&router).await.problem(409, "request-in-progress");
    }
    let first = first.await.unwrap().ran();
    post("/").key("k").to(&router).await.replays(&first);
    assert_eq!(app.runs(), 1);
}

/// For longer than anybody tries: the record is left to its lease, and is never run on a guess.
#[tokio::test(start_paused = true)]
async fn an_answer_that_is_never_recorded_is_an_unknown_outcome() {
    let (app, router) = app();
    for verb in [Verb::Finish, Verb::Renew] {
        app.store.fail(verb, Fault::Unavailable);
    }
    post("/").key("k").to(&router).await.ran();
    sleep(Duration::from_secs(120)).await;
    app.store.heal();
    sleep(Duration::from_secs(120)).await;
    post("/").key("k").to(&router).await.problem(409, "outcome-unknown");
    assert_eq!(app.runs(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_full_store_refuses_new_keys_and_keeps_its_promises() {
    let app = App::limited_to(2);
    let router = app.at("/", on_post(pay));
    let first = post("/").key("1").to(&router).await.ran();
    post("/").key("2").to(&router).await.ran();
    post("/").key("3").to(&router).await.problem(503, "store-unavailable");
    post("/").key("1").to(&router).await.replays(&first);
    assert_eq!((app.runs(), app.store.len()), (2, 2));
}
