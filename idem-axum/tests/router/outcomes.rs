//! What a handler says of its own answer, where the status would say otherwise.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, post as on_post};
use axum::{Extension, Json, Router};
use idem_axum::core::attempt::RecordId;
use idem_axum::core::key::IdempotencyKey;
use idem_axum::core::record::State as Recorded;
use idem_axum::{Execution, Outcome, Scope, Store, idempotent};
use serde_json::Value;
use tower::ServiceExt;

use crate::support::{App, Log, Reply, post};

/// The first run answers with the status that is asked for and says that it is `outcome`; any
/// later one succeeds.
fn answer(app: &App, status: u16, outcome: Outcome) -> Response {
    let execution = Execution::current().expect("there is a key");
    let run = app.run();
    let told = [("run", run.to_string()), ("fence", execution.fence().get().to_string())];
    if run > 1 {
        return (told, format!("run {run}")).into_response();
    }
    let status = StatusCode::from_u16(status).unwrap();
    (status, outcome, told, "secret of the first run").into_response()
}

/// One handler for each outcome under the defaults, and under the opposite of them.
macro_rules! say {
    ($under_defaults:ident, $under_opposites:ident, $outcome:expr) => {
        #[idempotent(on_failure = "retry", on_crash = "hold")]
        async fn $under_defaults(State(app): State<App>, Json(status): Json<u16>) -> Response {
            answer(&app, status, $outcome)
        }

        #[idempotent(on_failure = "reject", on_crash = "retry")]
        async fn $under_opposites(State(app): State<App>, Json(status): Json<u16>) -> Response {
            answer(&app, status, $outcome)
        }
    };
}

say!(final_by_default, final_by_opposite, Outcome::Final);
say!(transient_by_default, transient_by_opposite, Outcome::Transient);
say!(indeterminate_by_default, indeterminate_by_opposite, Outcome::Indeterminate);

/// Two requests under one key to `handlers`: the first gets the handler's own answer.
async fn twice(handlers: MethodRouter<App>, status: u16) -> (App, Reply, Reply) {
    let app = App::new();
    let router = app.at("/", handlers);
    let send = || post("/").key("k").json(status.to_string()).to(&router);
    let first = send().await;
    assert_eq!(first.status, status);
    assert_eq!(first.text(), "secret of the first run");
    assert!(!first.is_replay());
    let second = send().await;
    (app, first, second)
}

/// The execution behind `second` is a new one, and can be told from the one behind `first`.
#[track_caller]
fn ran_anew(app: &App, first: &Reply, second: Reply) {
    let second = second.ran();
    assert_eq!(second.text(), "run 2");
    assert_eq!(app.runs(), 2);
    let fence = |reply: &Reply| reply.header("fence").unwrap().parse::<u64>().unwrap();
    assert!(fence(&second) > fence(first));
}

#[tokio::test]
async fn a_final_answer_is_replayed_byte_for_byte_whatever_its_status() {
    for status in [408, 425, 429, 500, 503, 599] {
        for handlers in [on_post(final_by_default), on_post(final_by_opposite)] {
            let (app, first, second) = twice(handlers, status).await;
            second.replays(&first);
            assert_eq!(second.header("run"), Some("1"), "{status}");
            assert_eq!(app.runs(), 1, "{status}");
        }
    }
}

#[tokio::test]
async fn a_transient_answer_is_a_failure_whatever_its_status() {
    for status in [200, 201, 302, 402, 404, 422, 503] {
        let (app, first, second) = twice(on_post(transient_by_default), status).await;
        ran_anew(&app, &first, second);

        let (app, _, second) = twice(on_post(transient_by_opposite), status).await;
        second.problem(409, "previous-attempt-failed");
        assert!(!second.text().contains("secret"));
        assert_eq!(app.runs(), 1, "{status}");
    }
}

#[tokio::test]
async fn an_indeterminate_answer_is_a_crash_whatever_its_status() {
    for status in [200, 201, 404, 408, 500, 504] {
        let (app, _, second) = twice(on_post(indeterminate_by_default), status).await;
        second.problem(409, "outcome-unknown");
        assert!(!second.text().contains("secret"));
        assert_eq!(app.runs(), 1, "{status}");

        let (app, first, second) = twice(on_post(indeterminate_by_opposite), status).await;
        ran_anew(&app, &first, second);
    }
}

#[tokio::test]
async fn a_held_outcome_stays_unknown_and_its_key_stands_for_its_payload() {
    let app = App::new();
    let router = app.at("/", on_post(indeterminate_by_default));
    assert_eq!(post("/").key("k").json("200").to(&router).await.status, 200);
    post("/").key("k").json("201").to(&router).await.problem(409, "payload-mismatch");
    for _ in 0..2 {
        post("/").key("k").json("200").to(&router).await.problem(409, "outcome-unknown");
    }
    assert_eq!(app.runs(), 1);
}

#[tokio::test]
async fn what_follows_a_second_run_is_decided_by_its_own_outcome() {
    for handlers in [on_post(transient_by_default), on_post(indeterminate_by_opposite)] {
        let app = App::new();
        let router = app.at("/", handlers);
        let send = || post("/").key("k").json("404").to(&router);
        send().await;
        let second = send().await.ran();
        send().await.replays(&second);
        assert_eq!(app.runs(), 2);
    }
}

/// An error whose variants know what they mean for a retry.
enum BankError {
    UnknownAccount,
    InsufficientFunds,
}

impl IntoResponse for BankError {
    fn into_response(self) -> Response {
        let (status, outcome) = match self {
            Self::UnknownAccount => (StatusCode::NOT_FOUND, None),
            Self::InsufficientFunds => (StatusCode::PAYMENT_REQUIRED, Some(Outcome::Transient)),
        };
        (status, outcome, "not paid").into_response()
    }
}

#[idempotent]
async fn fail(State(app): State<App>) -> Result<&'static str, BankError> {
    app.run();
    Err(BankError::InsufficientFunds)
}

#[idempotent]
async fn fail_for_good(State(app): State<App>) -> Result<&'static str, BankError> {
    app.run();
    Err(BankError::UnknownAccount)
}

#[idempotent]
async fn wrap_an_error(State(app): State<App>) -> impl IntoResponse {
    app.run();
    ([("x-bank", "1")], Err::<(), _>(BankError::InsufficientFunds))
}

#[idempotent]
async fn speak_before_the_status(State(app): State<App>) -> impl IntoResponse {
    app.run();
    (Outcome::Transient, (StatusCode::CREATED, "paid"))
}

#[idempotent]
async fn insert_by_hand(State(app): State<App>) -> Response {
    app.run();
    let mut response = Response::new("paid".into());
    response.extensions_mut().insert(Outcome::Transient);
    response
}

#[idempotent]
async fn attach_an_extension(State(app): State<App>) -> impl IntoResponse {
    app.run();
    (StatusCode::OK, Extension(Outcome::Transient), "paid")
}

/// Hands over to a router of its own, with layers on both sides of the one that speaks.
#[idempotent]
async fn forward(State(app): State<App>) -> Response {
    app.run();
    let inner = Router::new()
        .route("/", on_post(|| async { "paid" }))
        .layer(map_response(|response: Response| async { (Outcome::Transient, response) }))
        .layer(map_response(|response: Response| async { ([("x-layer", "1")], response) }));
    inner.oneshot(post("/").into_request()).await.into_response()
}

#[idempotent]
async fn overrule(State(app): State<App>) -> impl IntoResponse {
    app.run();
    (Outcome::Transient, (StatusCode::OK, Outcome::Final, "paid"))
}

#[tokio::test]
async fn an_outcome_counts_however_it_is_attached() {
    let table = [
        ("by a type of error", on_post(fail)),
        ("by an error within a tuple", on_post(wrap_an_error)),
        ("before a response with its own status", on_post(speak_before_the_status)),
        ("by hand", on_post(insert_by_hand)),
        ("as an extension", on_post(attach_an_extension)),
        ("by a layer inside the handler", on_post(forward)),
        ("over another", on_post(overrule)),
    ];
    for (way, handlers) in table {
        let app = App::new();
        let router = app.at("/", handlers);
        for run in 1..=2 {
            assert!(!post("/").key("k").to(&router).await.is_replay(), "{way}");
            assert_eq!(app.runs(), run, "{way}");
        }
    }
}

#[tokio::test]
async fn none_leaves_it_to_the_status() {
    let app = App::new();
    let router = app.at("/", on_post(fail_for_good));
    let first = post("/").key("k").to(&router).await;
    assert_eq!(first.status, 404);
    post("/").key("k").to(&router).await.replays(&first);
    assert_eq!(app.runs(), 1);
}

#[idempotent]
async fn plainly_final(State(app): State<App>) -> impl IntoResponse {
    app.run();
    (StatusCode::SERVICE_UNAVAILABLE, Outcome::Final, "closed for good")
}

#[tokio::test]
async fn an_outcome_is_seen_by_layers_and_neither_sent_nor_stored() {
    let app = App::new();
    let router = app.at("/", on_post(plainly_final));
    let send = || router.clone().oneshot(post("/").key("k").into_request());
    let first = send().await.unwrap();
    assert_eq!(first.extensions().get(), Some(&Outcome::Final));
    let told = |headers: &HeaderMap| headers.keys().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(told(first.headers()), ["content-type", "content-length"]);

    let id = RecordId::of(&Scope::GLOBAL, &IdempotencyKey::parse(b"k").unwrap());
    let found = app.store.find(&id).await.unwrap().unwrap();
    let Recorded::Completed(answer) = found.record.state else { panic!("there is an answer") };
    assert_eq!(answer.headers.len(), 1, "the media type only");

    let replay = send().await.unwrap();
    assert_eq!(replay.extensions().get::<Outcome>(), None);
    assert_eq!(replay.status(), 503);
}

#[tokio::test]
async fn a_final_answer_over_the_limit_is_not_run_again() {
    let app = App::new().set(|idempotency| idempotency.answer_limit(10));
    let router = app.at("/", on_post(plainly_final));
    let first = post("/").key("k").to(&router).await;
    assert_eq!((first.status.as_u16(), first.text()), (503, "closed for good"));
    post("/").key("k").to(&router).await.problem(409, "response-not-stored");
    assert_eq!(app.runs(), 1);
}

#[idempotent(key = "optional")]
async fn unprotected(State(app): State<App>, Json(_): Json<Value>) -> impl IntoResponse {
    (Outcome::Final, format!("run {}", app.run()))
}

#[tokio::test]
async fn without_a_key_an_outcome_changes_nothing() {
    let app = App::new();
    let router = app.at("/", on_post(unprotected));
    for run in 1..=2 {
        let reply = post("/").json("1").to(&router).await.ran();
        assert_eq!(reply.text(), format!("run {run}"));
    }
}

#[tokio::test]
async fn an_indeterminate_outcome_is_told_to_the_log() {
    let log = Log::capture();
    twice(on_post(transient_by_default), 404).await;
    assert!(log.with("cannot tell").is_empty());
    twice(on_post(indeterminate_by_default), 404).await;
    let lines = log.with("cannot tell");
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0].level, tracing::Level::WARN);
    assert!(lines[0].text.contains("status=404") && !lines[0].text.contains("secret"));
}
