//! Duplicates that arrive together.

use std::collections::HashSet;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::routing::post as on_post;
use futures_util::future::join_all;
use idem_axum::idempotent;

use crate::support::{App, Reply, post};

#[idempotent]
async fn pay(State(app): State<App>, Json(amount): Json<u64>) -> String {
    let run = app.run();
    tokio::time::sleep(Duration::from_millis(20)).await;
    format!("run {run}: {amount}")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_parallel_duplicates_are_one_run() {
    let app = App::new();
    let router = app.at("/pay", on_post(pay));
    let clients = (0..50).map(|_| post("/pay").key("k").json("10").spawn(&router));
    let replies: Vec<Reply> = join_all(clients).await.into_iter().map(Result::unwrap).collect();
    let mut answers = HashSet::new();
    for reply in &replies {
        match reply.status.as_u16() {
            200 => drop(answers.insert(reply.body.clone())),
            _ => reply.problem(409, "request-in-progress"),
        }
    }
    assert_eq!((app.runs(), answers.len()), (1, 1));
    let ran = replies.iter().filter(|reply| reply.status.is_success() && !reply.is_replay());
    assert_eq!(ran.count(), 1);
    let later = post("/pay").key("k").json("10").to(&router).await;
    assert!(later.is_replay() && answers.contains(&later.body));
}

/// A branch of a workflow that sends its own payload under the shared key.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn parallel_requests_that_differ_are_one_run_and_conflicts() {
    let app = App::new();
    let router = app.at("/pay", on_post(pay));
    let client = |amount: usize| post("/pay").key("k").json(amount.to_string()).spawn(&router);
    let replies = join_all((0..20).map(client)).await;
    let (ran, refused): (Vec<_>, Vec<_>) =
        replies.into_iter().map(Result::unwrap).partition(|reply| reply.status.is_success());
    assert_eq!((app.runs(), ran.len()), (1, 1));
    refused.iter().for_each(|reply| reply.problem(409, "payload-mismatch"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn different_keys_run_side_by_side() {
    let app = App::new();
    let router = app.at("/pay", on_post(pay));
    let client = |key: usize| post("/pay").key(&key.to_string()).json("10").spawn(&router);
    for reply in join_all((0..50).map(client)).await {
        reply.unwrap().ran();
    }
    assert_eq!((app.runs(), app.store.len()), (50, 50));
}

#[idempotent]
async fn fail_first(State(app): State<App>) -> Result<String, axum::http::StatusCode> {
    let run = app.run();
    tokio::time::sleep(Duration::from_millis(5)).await;
    if run == 1 { Err(axum::http::StatusCode::BAD_GATEWAY) } else { Ok(format!("run {run}")) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn parallel_retries_of_a_failure_are_one_more_run() {
    for _ in 0..5 {
        let app = App::new();
        let router = app.at("/", on_post(fail_first));
        assert_eq!(post("/").key("k").to(&router).await.status, 502);
        let clients = (0..20).map(|_| post("/").key("k").spawn(&router));
        for reply in join_all(clients).await.into_iter().map(Result::unwrap) {
            if !reply.status.is_success() {
                reply.problem(409, "request-in-progress");
            }
        }
        assert_eq!(app.runs(), 2);
    }
}
