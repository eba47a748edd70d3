//! How bodies are read, and what is refused before a key is used up.

use std::io::Write;

use axum::body::Body;
use axum::extract::{DefaultBodyLimit, FromRequest, Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::post as on_post;
use axum::{Form, Json, Router};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::stream;
use idem_axum::idempotent;
use serde::Deserialize;
use serde_json::{Value, json};
use tower_http::decompression::RequestDecompressionLayer;

use crate::support::{App, Valid, Wire, post};

#[derive(Deserialize)]
struct Payment {
    amount: u64,
}

#[idempotent]
async fn pay(State(app): State<App>, Json(payment): Json<Payment>) -> String {
    format!("run {}: {}", app.run(), payment.amount)
}

#[idempotent]
async fn pay_by_form(State(app): State<App>, Form(payment): Form<Payment>) -> String {
    format!("run {}: {}", app.run(), payment.amount)
}

#[idempotent]
async fn upload(State(app): State<App>, body: Bytes) -> String {
    format!("run {}: {} bytes", app.run(), body.len())
}

fn app() -> (App, Router) {
    let app = App::new();
    let router = Router::new()
        .route("/pay", on_post(pay))
        .route("/form", on_post(pay_by_form))
        .route("/upload", on_post(upload))
        .with_state(app.clone());
    (app, router)
}

#[tokio::test]
async fn a_body_that_is_refused_leaves_the_key_to_the_right_one() {
    let (app, router) = app();
    for (body, status) in [
        ("", 400),
        ("{", 400),
        ("{not json}", 400),
        (r#"{"amount":1}x"#, 400),
        (r#"{"amount":"much"}"#, 422),
        ("{}", 422),
        ("{\"amount\":1,\"note\":\"\u{0}\"}", 400),
    ] {
        let reply = post("/pay").key("k").json(body).to(&router).await;
        reply.problem(status, "payload-invalid");
    }
    let not_utf8 = post("/pay").key("k").json(&b"{\"amount\":1,\"note\":\"\xff\"}"[..]);
    not_utf8.to(&router).await.problem(400, "payload-invalid");
    assert_eq!((app.runs(), app.store.len(), app.store.calls().len()), (0, 0, 0));
    post("/pay").key("k").json(r#"{"amount":1}"#).to(&router).await.ran();
}

#[tokio::test]
async fn a_body_of_another_media_type_is_refused() {
    let (app, router) = app();
    let typed = |media_type| post("/pay").key("k").body(media_type, r#"{"amount":1}"#).to(&router);
    typed("text/plain").await.problem(415, "payload-invalid");
    typed("application/x-www-form-urlencoded").await.problem(415, "payload-invalid");
    post("/form").key("k").json("amount=1").to(&router).await.problem(415, "payload-invalid");
    assert_eq!((app.runs(), app.store.len()), (0, 0));
    typed("application/json; charset=utf-8").await.ran();
}

#[tokio::test]
async fn forms_are_compared_as_decoded_pairs() {
    let (app, router) = app();
    let send = |body: &'static str| post("/form").key("k").form(body).to(&router);
    send("amount=many").await.problem(422, "payload-invalid");
    let first = send("amount=10&note=a+b").await.ran();
    for same in ["note=a%20b&amount=10", "%61mount=10&note=a+b"] {
        send(same).await.replays(&first);
    }
    for other in ["amount=20&note=a+b", "amount=10&note=a%2Bb", "amount=10"] {
        send(other).await.problem(409, "payload-mismatch");
    }
    assert_eq!(app.runs(), 1);
}

#[tokio::test]
async fn raw_bodies_are_compared_byte_for_byte_with_their_media_type() {
    let (app, router) = app();
    let send = |media_type, body: &'static [u8]| {
        post("/upload").key("k").body(media_type, body).to(&router)
    };
    let first = send("image/png", b"\x00\xff {}").await.ran();
    send("Image/PNG", b"\x00\xff {}").await.replays(&first);
    send("image/png", b"\x00\xff{}").await.problem(409, "payload-mismatch");
    send("image/gif", b"\x00\xff {}").await.problem(409, "payload-mismatch");
    assert_eq!(app.runs(), 1);
}

fn in_chunks(body: &[u8], size: usize) -> Body {
    let chunks: Vec<_> = body.chunks(size).map(Bytes::copy_from_slice).map(Ok).collect();
    Body::from_stream(stream::iter::<Vec<Result<Bytes, std::io::Error>>>(chunks))
}

#[tokio::test]
async fn a_body_sent_whole_and_in_chunks_is_one_payload() {
    let (app, router) = app();
    for size in [30_000, 1_000_000] {
        let text = json!({ "amount": 1, "note": "x".repeat(size) }).to_string();
        let key = size.to_string();
        let first = post("/pay").key(&key).json(text.clone()).to(&router).await.ran();
        for chunk in [1 + size / 7, 4096] {
            let body = in_chunks(text.as_bytes(), chunk);
            post("/pay").key(&key).json(body).to(&router).await.replays(&first);
        }
    }
    assert_eq!(app.runs(), 2);
}

#[tokio::test]
async fn chunks_on_the_wire_are_one_payload_with_the_whole() {
    let (app, router) = app();
    let wire = Wire::serve(router).await;
    let head = "POST /pay HTTP/1.1\r\nhost: a\r\nidempotency-key: k\r\nconnection: close\r\ncontent-type: application/json\r\n";
    let whole = format!("{head}content-length: 12\r\n\r\n{{\"amount\":1}}");
    let chunked = format!(
        "{head}transfer-encoding: chunked\r\n\r\n5\r\n{{\"amo\r\n7\r\nunt\":1}}\r\n0\r\n\r\n"
    );
    let (_, first) = wire.exchange(&whole).await;
    let (head, second) = wire.exchange(&chunked).await;
    assert!(head.contains("idempotent-replayed: true"), "{head}");
    assert_eq!(first, second);
    assert_eq!(app.runs(), 1);
}

#[tokio::test]
async fn a_body_without_an_end_is_cut_off_and_claims_nothing() {
    let (app, router) = app();
    let endless =
        stream::repeat_with(|| Ok::<_, std::io::Error>(Bytes::from(vec![b' '; 64 * 1024])));
    let reply = post("/pay").key("k").json(Body::from_stream(endless)).to(&router).await;
    reply.problem(413, "payload-too-large");
    let long = post("/pay").key("k").json(vec![b' '; 3_000_000]).to(&router).await;
    long.problem(413, "payload-too-large");
    assert_eq!((app.runs(), app.store.len(), app.store.calls().len()), (0, 0, 0));
    post("/pay").key("k").json(r#"{"amount":1}"#).to(&router).await.ran();
}

#[tokio::test]
async fn the_limit_is_the_one_that_the_application_sets() {
    let (app, router) = app();
    let router = router.layer(DefaultBodyLimit::max(10 * 1024 * 1024));
    let body = |megabytes: usize| vec![b'x'; megabytes * 1024 * 1024];
    let send = |megabytes| post("/upload").key("k").body("text/plain", body(megabytes)).to(&router);
    let first = send(5).await.ran();
    send(5).await.replays(&first);
    send(11).await.problem(413, "payload-too-large");
    assert_eq!(app.runs(), 1);
}

#[tokio::test]
async fn a_body_that_breaks_off_claims_nothing() {
    let (app, router) = app();
    let broken = [Ok("{\"amount\":1}"), Err(std::io::Error::other("reset by secret-host"))];
    let body = Body::from_stream(stream::iter(broken));
    let reply = post("/pay").key("k").json(body).to(&router).await;
    reply.problem(400, "payload-invalid");
    assert!(!reply.text().contains("secret-host"));
    assert_eq!((app.runs(), app.store.len()), (0, 0));
}

fn gzip(body: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn a_compressed_body_is_the_payload_that_is_in_it() {
    let (app, router) = app();
    let router = router.layer(RequestDecompressionLayer::new());
    let first = post("/pay").key("k").json(r#"{"amount":1}"#).to(&router).await.ran();
    let zipped = |body| post("/pay").key("k").header("content-encoding", "gzip").json(gzip(body));
    zipped(r#"{ "amount": 1.0 }"#).to(&router).await.problem(422, "payload-invalid");
    zipped(r#"{ "amount": 1 }"#).to(&router).await.replays(&first);
    zipped(r#"{"amount":2}"#).to(&router).await.problem(409, "payload-mismatch");
    assert_eq!(app.runs(), 1);
}

#[tokio::test]
async fn plain_bytes_that_are_called_compressed_claim_nothing() {
    let (app, router) = app();
    let router = router.layer(RequestDecompressionLayer::new());
    let marked = post("/pay").key("k").header("content-encoding", "gzip").json(r#"{"amount":1}"#);
    marked.to(&router).await.problem(400, "payload-invalid");
    let mut cut = gzip(r#"{"amount":1}"#);
    cut.truncate(cut.len() - 6);
    let cut = post("/pay").key("k").header("content-encoding", "gzip").json(cut);
    cut.to(&router).await.problem(400, "payload-invalid");
    let unknown = post("/pay").key("k").header("content-encoding", "rot13").json("{}");
    assert_eq!(unknown.to(&router).await.status, 415);
    assert_eq!((app.runs(), app.store.len()), (0, 0));
}

/// A bomb: its limit is that of the payload in it, not of the bytes that were sent.
#[tokio::test]
async fn the_limit_holds_for_what_is_unpacked() {
    let (app, router) = app();
    let router = router.layer(RequestDecompressionLayer::new());
    let bomb = gzip(&" ".repeat(20_000_000));
    assert!(bomb.len() < 100_000);
    let reply = post("/pay").key("k").header("content-encoding", "gzip").json(bomb);
    reply.to(&router).await.problem(413, "payload-too-large");
    assert_eq!((app.runs(), app.store.len()), (0, 0));
}

impl<S: Send + Sync> FromRequest<S> for Valid<Payment> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let read = Json::<Payment>::from_request(request, state).await;
        let Json(payment) = read.map_err(IntoResponse::into_response)?;
        if payment.amount == 0 {
            let errors = Json(json!({ "errors": ["amount must be positive"] }));
            return Err((axum::http::StatusCode::UNPROCESSABLE_ENTITY, errors).into_response());
        }
        Ok(Self(payment))
    }
}

#[idempotent(critical = ["amount"])]
async fn pay_valid(State(app): State<App>, Valid(payment): Valid<Payment>) -> String {
    format!("run {}: {}", app.run(), payment.amount)
}

#[tokio::test]
async fn an_extractor_of_the_users_own_validates_and_answers_in_its_own_words() {
    let app = App::new();
    let router = app.at("/pay", on_post(pay_valid));
    let send = |body: &'static str| post("/pay").key("k").json(body).to(&router);
    let invalid = send(r#"{"amount":0}"#).await;
    assert_eq!(invalid.status, 422);
    assert_eq!(invalid.document(), json!({ "errors": ["amount must be positive"] }));
    send("{").await.problem(400, "payload-invalid");
    assert_eq!((app.runs(), app.store.len()), (0, 0));
    let first = send(r#"{"amount":1,"note":"a"}"#).await.ran();
    let retry = send(r#"{"amount":1,"note":"b"}"#).await;
    retry.replays(&first);
    assert_eq!(retry.header("idempotency-verdict"), Some("difference-ignored"));
    send(r#"{"amount":2}"#).await.problem(409, "payload-mismatch");
}

#[idempotent]
async fn without_a_payload(State(app): State<App>) -> Json<Value> {
    Json(json!(app.run()))
}

#[tokio::test]
async fn a_body_that_the_handler_does_not_read_still_counts() {
    let app = App::new();
    let router = app.at("/", on_post(without_a_payload));
    let first = post("/").key("k").to(&router).await.ran();
    post("/").key("k").to(&router).await.replays(&first);
    post("/").key("k").body("text/plain", "x").to(&router).await.problem(409, "payload-mismatch");
}
