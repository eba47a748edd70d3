//! Who may run, for how long, and what becomes of an execution that was taken for dead.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post as on_post;
use idem_axum::core::clock::ManualClock;
use idem_axum::{Execution, idempotent};
use serde_json::{Value, json};

use crate::support::{App, Fault, Verb, post};

fn this_run(app: &App) -> Value {
    let execution = Execution::current().expect("there is a key");
    json!({ "run": app.run(), "fence": execution.fence().get(), "attempt": execution.attempt() })
}

#[idempotent(lease = "1500ms", on_crash = "retry")]
async fn run_again(State(app): State<App>) -> Json<Value> {
    let answer = this_run(&app);
    app.gate.pass().await;
    Json(answer)
}

#[idempotent(lease = "1500ms")]
async fn hold(State(app): State<App>) -> Json<Value> {
    let answer = this_run(&app);
    app.gate.pass().await;
    Json(answer)
}

/// A store that no sign of life reaches, and the clock by which its leases run out.
fn stopped_clock() -> (Arc<ManualClock>, App) {
    let clock = Arc::new(ManualClock::default());
    let app = App::on(clock.clone());
    // Signs of life do not reach the store: to it, the execution is as good as dead.
    app.store.fail(Verb::Renew, Fault::Unavailable);
    (clock, app)
}

#[tokio::test]
async fn a_lease_is_live_until_its_very_end_and_lost_from_then_on() {
    let (clock, app) = stopped_clock();
    let router = app.at("/", on_post(run_again));
    let first = post("/").key("k").spawn(&router);
    app.gate.arrival().await;
    for step in [1400, 99] {
        clock.advance(Duration::from_millis(step));
        post("/").key("k").to(&router).await.problem(409, "request-in-progress");
    }
    clock.advance(Duration::from_millis(1));
    app.gate.open();
    app.gate.open();
    let second = post("/").key("k").to(&router).await;
    assert_eq!(second.document()["attempt"], 2);
    first.await.unwrap();
    assert_eq!(app.runs(), 2);
}

#[tokio::test]
async fn the_one_that_was_taken_over_answers_with_its_successors_answer() {
    let (clock, app) = stopped_clock();
    let router = app.at("/", on_post(run_again));
    let first = post("/").key("k").spawn(&router);
    app.gate.arrival().await;
    clock.advance(Duration::from_millis(1600));
    let second = post("/").key("k").spawn(&router);
    app.gate.arrival().await;
    // Waiters are let through in order: give the second its turn by letting both go.
    app.gate.open();
    let first = first.await.unwrap();
    first.problem(409, "request-in-progress");
    app.gate.open();
    let second = second.await.unwrap().ran();
    assert_eq!(second.document()["run"], 2);
    post("/").key("k").to(&router).await.replays(&second);
    assert_eq!(app.runs(), 2);
}

/// As `run_again`, and the first execution waits until the second has ended.
#[idempotent(lease = "1500ms", on_crash = "retry")]
async fn overtaken(State(app): State<App>) -> Json<Value> {
    let answer = this_run(&app);
    if answer["run"] == 1 {
        app.gate.pass().await;
    }
    Json(answer)
}

#[tokio::test]
async fn one_key_never_has_two_answers() {
    let (clock, app) = stopped_clock();
    let router = app.at("/", on_post(overtaken));
    let first = post("/").key("k").spawn(&router);
    app.gate.arrival().await;
    clock.advance(Duration::from_millis(1600));
    let second = post("/").key("k").to(&router).await.ran();
    assert_eq!(second.document()["run"], 2);
    app.gate.open();
    first.await.unwrap().replays(&second);
    post("/").key("k").to(&router).await.replays(&second);
    assert_eq!(app.runs(), 2);
}

/// The first waits and then succeeds; the second fails at once.
#[idempotent(lease = "1500ms", on_crash = "retry")]
async fn failing_successor(State(app): State<App>) -> (StatusCode, Json<Value>) {
    let answer = this_run(&app);
    match app.runs() {
        1 => app.gate.pass().await,
        2 => return (StatusCode::BAD_GATEWAY, Json(answer)),
        _ => {}
    }
    (StatusCode::OK, Json(answer))
}

/// Its own answer was never recorded: a later retry may get another one.
#[tokio::test]
async fn the_one_that_was_taken_over_by_a_failure_does_not_answer_in_its_place() {
    let (clock, app) = stopped_clock();
    let router = app.at("/", on_post(failing_successor));
    let first = post("/").key("k").spawn(&router);
    app.gate.arrival().await;
    clock.advance(Duration::from_millis(1600));
    assert_eq!(post("/").key("k").to(&router).await.status, StatusCode::BAD_GATEWAY);
    app.gate.open();
    first.await.unwrap().problem(409, "request-in-progress");
    let third = post("/").key("k").to(&router).await.ran();
    assert_eq!(third.document()["run"], 3);
}

#[tokio::test]
async fn the_one_that_was_taken_over_is_told_to_come_back_when_the_store_cannot_say_more() {
    let (clock, app) = stopped_clock();
    let router = app.at("/", on_post(overtaken));
    let first = post("/").key("k").spawn(&router);
    app.gate.arrival().await;
    clock.advance(Duration::from_millis(1600));
    let second = post("/").key("k").to(&router).await.ran();
    app.store.fail(Verb::Find, Fault::Unavailable);
    app.gate.open();
    first.await.unwrap().problem(409, "request-in-progress");
    post("/").key("k").to(&router).await.replays(&second);
}

#[tokio::test]
async fn a_successor_has_a_greater_fencing_token() {
    let (clock, app) = stopped_clock();
    let router = app.at("/", on_post(overtaken));
    let first = post("/").key("k").spawn(&router);
    app.gate.arrival().await;
    app.gate.open();
    let first = first.await.unwrap().ran().document()["fence"].as_u64().unwrap();
    clock.advance(Duration::from_secs(25 * 3600));
    let second = post("/").key("k").to(&router).await.ran().document();
    assert_eq!(second["attempt"], 1, "after its ttl a record is as if it had never been");
    assert!(second["fence"].as_u64().unwrap() > first);
}

#[tokio::test]
async fn by_default_an_execution_that_vanished_is_held_and_not_repeated() {
    let (clock, app) = stopped_clock();
    let router = app.at("/", on_post(hold));
    let first = post("/").key("k").spawn(&router);
    app.gate.arrival().await;
    clock.advance(Duration::from_millis(1499));
    post("/").key("k").to(&router).await.problem(409, "request-in-progress");
    clock.advance(Duration::from_millis(1));
    post("/").key("k").to(&router).await.problem(409, "outcome-unknown");
    // It was not dead: nobody took it over, so its answer still becomes the key's.
    app.gate.open();
    let first = first.await.unwrap().ran();
    post("/").key("k").to(&router).await.replays(&first);
    assert_eq!(app.runs(), 1);
}
