//! Payloads that are merged into the first.

use axum::extract::{FromRequest, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post as on_post;
use axum::{Json, Router};
use idem_axum::{Merge, SemanticIdentity, idempotent};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

use crate::support::{App, Ask, Fault, Log, Reply, Valid, Verb, post};

#[derive(Deserialize, Serialize, SemanticIdentity, Merge)]
#[idem(check = at_most_four)]
struct Basket {
    #[idem(critical)]
    customer: u64,
    note: Option<String>,
    #[serde(default)]
    #[idem(merge = "union")]
    items: Vec<String>,
    /// Whether the handler fails this time.
    #[serde(default, skip_serializing)]
    #[idem(ignore)]
    fails: bool,
}

fn at_most_four(basket: &Basket) -> Result<(), String> {
    if basket.items.len() <= 4 { Ok(()) } else { Err("a basket holds four items".to_owned()) }
}

/// Waits at the gate where the note says so.
#[idempotent(policy = "merge")]
async fn save(State(app): State<App>, Json(basket): Json<Basket>) -> Response {
    if basket.note.as_deref() == Some("wait") {
        app.gate.pass().await;
    }
    app.run();
    let status = if basket.fails { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK };
    (status, Json(basket)).into_response()
}

fn app() -> (App, Router) {
    let app = App::new();
    let router = app.at("/", on_post(save));
    (app, router)
}

fn basket(items: &[&str]) -> Value {
    json!({ "customer": 7, "items": items })
}

fn send(basket: &Value) -> Ask {
    post("/").key("k").json(basket.to_string())
}

#[track_caller]
fn assert_merged(reply: &Reply, items: &[&str]) {
    assert_eq!(reply.header("idempotency-verdict"), Some("merged"), "{reply:?}");
    assert_eq!(reply.document()["items"], json!(items));
}

#[tokio::test]
async fn the_handler_runs_with_both_and_says_so_also_when_it_is_replayed() {
    let (app, router) = app();
    let first = send(&basket(&["a"])).to(&router).await.ran();
    assert_eq!(first.header("idempotency-verdict"), None);
    let merged = send(&basket(&["b", "a"])).to(&router).await.ran();
    assert_merged(&merged, &["a", "b"]);
    let again = send(&basket(&["b", "a"])).to(&router).await;
    again.replays(&merged);
    assert_merged(&again, &["a", "b"]);
    send(&basket(&["a"])).to(&router).await.replays(&first);
    assert_eq!(app.runs(), 2);
}

#[tokio::test]
async fn a_merge_is_three_round_trips_and_a_refused_one_is_one() {
    let (app, router) = app();
    send(&basket(&["a"])).to(&router).await.ran();
    app.store.calls();
    send(&basket(&["b"])).to(&router).await.ran();
    assert_eq!(app.store.calls(), [Verb::Begin, Verb::Begin, Verb::Finish]);
    send(&basket(&["c", "d", "e"])).to(&router).await.problem(422, "merge-refused");
    assert_eq!(app.store.calls(), [Verb::Begin]);
}

#[tokio::test]
async fn a_refused_merge_has_the_applications_reason_and_changes_nothing() {
    let (app, router) = app();
    let first = send(&basket(&["a", "b"])).to(&router).await.ran();
    let refused = send(&basket(&["c", "d", "e"])).to(&router).await;
    refused.problem(422, "merge-refused");
    assert_eq!(refused.document()["detail"], "a basket holds four items");
    send(&basket(&["a", "b"])).to(&router).await.replays(&first);
    let merged = send(&basket(&["c"])).to(&router).await.ran();
    assert_merged(&merged, &["a", "b", "c"]);
    assert_eq!(app.runs(), 2);
}

#[tokio::test]
async fn what_is_sent_in_one_piece_is_the_handlers_own_to_check() {
    let (_, router) = app();
    send(&basket(&["a", "b", "c", "d", "e"])).to(&router).await.ran();
}

#[tokio::test]
async fn a_merge_beyond_the_limit_is_refused() {
    let app = App::new().set(|idempotency| idempotency.merged_limit(60));
    let router = app.at("/", on_post(save));
    send(&basket(&["a"])).to(&router).await.ran();
    send(&basket(&["b"])).to(&router).await.ran();
    let long = "x".repeat(40);
    send(&basket(&[&long])).to(&router).await.problem(422, "merge-refused");
    assert_eq!(app.runs(), 2);
}

#[tokio::test]
async fn another_customer_is_refused() {
    let (app, router) = app();
    send(&basket(&["a"])).to(&router).await.ran();
    let other = send(&json!({ "customer": 8, "items": ["b"] })).to(&router).await;
    other.problem(409, "payload-mismatch");
    assert_eq!(app.runs(), 1);
}

#[tokio::test]
async fn a_failed_merge_is_no_base_and_its_retry_is_merged_again() {
    let (_, router) = app();
    let first = send(&basket(&["a"])).to(&router).await.ran();
    let failing = json!({ "customer": 7, "items": ["b"], "fails": true });
    assert_eq!(send(&failing).to(&router).await.status, 503);
    send(&basket(&["a"])).to(&router).await.replays(&first);
    let third = send(&basket(&["c"])).to(&router).await.ran();
    assert_merged(&third, &["a", "c"]);
    let second = send(&basket(&["b"])).to(&router).await.ran();
    assert_merged(&second, &["a", "c", "b"]);
}

#[tokio::test]
async fn what_follows_a_failed_first_runs_as_it_was_sent() {
    let (_, router) = app();
    let failing = json!({ "customer": 7, "items": ["a"], "fails": true });
    assert_eq!(send(&failing).to(&router).await.status, 503);
    let second = send(&basket(&["b"])).to(&router).await.ran();
    assert_eq!(second.header("idempotency-verdict"), None);
    assert_eq!(second.document()["items"], json!(["b"]));
}

#[tokio::test]
async fn executions_never_overlap_and_none_is_lost() {
    let (app, router) = app();
    send(&basket(&["a"])).to(&router).await.ran();
    let slow = send(&json!({ "customer": 7, "items": ["b"], "note": "wait" })).spawn(&router);
    app.gate.arrival().await;
    send(&basket(&["c"])).to(&router).await.problem(409, "request-in-progress");
    app.gate.open();
    assert_merged(&slow.await.unwrap().ran(), &["a", "b"]);
    app.gate.open();
    assert_merged(&send(&basket(&["c"])).to(&router).await.ran(), &["a", "b", "c"]);
}

#[tokio::test]
async fn a_client_that_leaves_does_not_stop_a_merge() {
    let (app, router) = app();
    send(&basket(&["a"])).to(&router).await.ran();
    let leaving = send(&json!({ "customer": 7, "items": ["b"], "note": "wait" })).spawn(&router);
    app.gate.arrival().await;
    leaving.abort();
    app.gate.open();
    app.idempotency.shutdown().await;
    let retry = send(&json!({ "customer": 7, "items": ["b"], "note": "wait" })).to(&router).await;
    assert!(retry.is_replay());
    assert_merged(&retry, &["a", "b"]);
}

#[tokio::test(start_paused = true)]
async fn a_merge_whose_claim_got_no_answer_runs_nothing_and_leaves_the_key_usable() {
    for fault in [Fault::Unavailable, Fault::Hang, Fault::LaterReplyLost, Fault::ReplyHangs] {
        let (app, router) = app();
        let first = send(&basket(&["a"])).to(&router).await.ran();
        app.store.fail(Verb::Begin, fault);
        send(&basket(&["b"])).to(&router).await.problem(503, "store-unavailable");
        app.store.heal();
        app.idempotency.shutdown().await;
        assert_eq!(app.runs(), 1);
        send(&basket(&["a"])).to(&router).await.replays(&first);
        assert_merged(&send(&basket(&["b"])).to(&router).await.ran(), &["a", "b"]);
    }
}

/// It knows more of a basket than serde does.
impl<S: Send + Sync> FromRequest<S> for Valid<Basket> {
    type Rejection = (StatusCode, &'static str);

    async fn from_request(request: Request, state: &S) -> Result<Self, Self::Rejection> {
        let read = Json::<Basket>::from_request(request, state).await;
        let Json(basket) = read.map_err(|_| (StatusCode::IM_A_TEAPOT, "unreadable"))?;
        if basket.items.len() == 3 {
            return Err((StatusCode::IM_A_TEAPOT, "three is a crowd"));
        }
        Ok(Self(basket))
    }
}

#[idempotent(policy = "merge")]
async fn save_valid(State(app): State<App>, Valid(basket): Valid<Basket>) -> Response {
    app.run();
    Json(basket).into_response()
}

#[tokio::test]
async fn what_comes_of_a_merge_passes_through_the_users_own_extractor() {
    let app = App::new();
    let router = app.at("/", on_post(save_valid));
    let first = send(&basket(&["a"])).to(&router).await.ran();
    assert_merged(&send(&basket(&["b"])).to(&router).await.ran(), &["a", "b"]);
    let refused = send(&basket(&["c"])).to(&router).await;
    assert_eq!((refused.status.as_u16(), refused.text()), (418, "three is a crowd"));
    send(&basket(&["a"])).to(&router).await.replays(&first);
    assert_eq!(app.runs(), 2);
}

/// Two items, as the type itself says while it is read.
#[derive(Deserialize, Serialize, Merge)]
struct Pair {
    #[idem(merge = "union")]
    #[serde(deserialize_with = "two_at_most")]
    items: Vec<String>,
}

fn two_at_most<'de, D: Deserializer<'de>>(items: D) -> Result<Vec<String>, D::Error> {
    let items = Vec::deserialize(items)?;
    if items.len() > 2 { Err(D::Error::custom("a pair has two items")) } else { Ok(items) }
}

#[idempotent(policy = "merge")]
async fn save_pair(State(app): State<App>, Json(pair): Json<Pair>) -> Response {
    app.run();
    Json(pair).into_response()
}

#[tokio::test]
async fn a_merge_that_cannot_be_read_is_told_like_a_payload_that_cannot() {
    let app = App::new();
    let router = app.at("/", on_post(save_pair));
    send(&basket(&["a"])).to(&router).await.ran();
    let refused = send(&basket(&["b", "c"])).to(&router).await;
    refused.problem(422, "payload-invalid");
    assert!(refused.text().contains("a pair has two items"), "{refused:?}");
    assert_eq!(app.runs(), 1);
}

#[idempotent(policy = "merge", key = "optional")]
async fn save_any(State(app): State<App>, Json(basket): Json<Basket>) -> Response {
    app.run();
    Json(basket).into_response()
}

#[tokio::test]
async fn without_a_key_nothing_is_merged() {
    let app = App::new();
    let router = app.at("/", on_post(save_any));
    for item in ["a", "b"] {
        let reply = post("/").json(basket(&[item]).to_string()).to(&router).await.ran();
        assert_eq!(reply.document()["items"], json!([item]));
    }
    assert_eq!(app.runs(), 2);
}

#[tokio::test]
async fn no_payload_reaches_the_log() {
    let (_, router) = app();
    let log = Log::capture();
    send(&basket(&["topaz"])).to(&router).await.ran();
    send(&basket(&["beryl"])).to(&router).await.ran();
    send(&basket(&["onyx", "opal", "agate"])).to(&router).await.problem(422, "merge-refused");
    let text: String = log.lines().into_iter().map(|line| line.text).collect();
    assert!(text.contains("merged"), "{text}");
    for item in ["topaz", "beryl", "opal"] {
        assert!(!text.contains(item), "{text}");
    }
}
