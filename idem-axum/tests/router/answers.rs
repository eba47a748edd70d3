//! What a retry gets of the first answer.

use std::convert::Infallible;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_TYPE, DATE, ETAG, LINK, LOCATION, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{AppendHeaders, IntoResponse, Response};
use axum::routing::{get as on_get, post as on_post};
use bytes::Bytes;
use futures_util::stream;
use http_body::Frame;
use http_body_util::StreamBody;
use idem_axum::core::attempt::RecordId;
use idem_axum::core::key::IdempotencyKey;
use idem_axum::core::record::State as Recorded;
use idem_axum::{Scope, Store, idempotent};

use crate::support::{App, Ask, Wire, post};

#[idempotent]
async fn create(State(app): State<App>) -> impl IntoResponse {
    let headers = AppendHeaders([
        (LOCATION, "/payments/7"),
        (ETAG, "\"v1\""),
        (LINK, "</a>; rel=\"self\""),
        (LINK, "</b>; rel=\"next\""),
        (SET_COOKIE, "session=1"),
        (SET_COOKIE, "theme=dark"),
        (DATE, "Tue, 01 Dec 2026 00:00:00 GMT"),
    ]);
    (StatusCode::CREATED, headers, format!("run {}", app.run()))
}

#[tokio::test]
async fn headers_of_the_answer_are_kept_with_their_multiplicity() {
    let app = App::new();
    let router = app.at("/", on_post(create));
    let first = post("/").key("k").to(&router).await.ran();
    assert_eq!(first.headers.get_all(SET_COOKIE).iter().count(), 2);
    let retry = post("/").key("k").to(&router).await;
    retry.replays(&first);
    for name in [LOCATION, ETAG, LINK] {
        let kept = retry.headers.get_all(&name).iter();
        assert!(kept.eq(first.headers.get_all(&name).iter()), "{name}");
    }
    assert_eq!(retry.headers.get_all(LINK).iter().count(), 2);
    assert!(!retry.headers.contains_key(SET_COOKIE), "a cookie is for one client only");
    assert!(!retry.headers.contains_key(DATE), "a date is of one moment only");
}

#[idempotent]
async fn hop(State(app): State<App>) -> impl IntoResponse {
    app.run();
    let headers =
        [("connection", "x-hop"), ("x-hop", "1"), ("keep-alive", "timeout=5"), ("x-end", "2")];
    (headers, "")
}

#[tokio::test]
async fn headers_of_one_connection_are_not_replayed() {
    let app = App::new();
    let router = app.at("/", on_post(hop));
    post("/").key("k").to(&router).await.ran();
    let retry = post("/").key("k").to(&router).await;
    assert_eq!(retry.header("x-end"), Some("2"));
    for name in ["connection", "x-hop", "keep-alive"] {
        assert_eq!(retry.header(name), None, "{name}");
    }
}

#[idempotent]
async fn delete(State(app): State<App>) -> StatusCode {
    app.run();
    StatusCode::NO_CONTENT
}

#[idempotent]
async fn refuse(State(app): State<App>) -> (StatusCode, String) {
    (StatusCode::NOT_ACCEPTABLE, format!("run {}", app.run()))
}

#[idempotent]
async fn bytes(State(app): State<App>) -> Response {
    app.run();
    let body: &[u8] = b"{\"b\":1,\"a\":2.0,\"z\":\"\\u0000\"}\xff";
    ([(CONTENT_TYPE, "application/octet-stream")], body).into_response()
}

#[idempotent]
async fn stream_of_parts(State(app): State<App>) -> Body {
    let run = app.run();
    let parts = [format!("run {run}: "), String::new(), "one, ".into(), "two".into()];
    Body::from_stream(stream::iter(parts.map(Ok::<_, Infallible>)))
}

#[tokio::test]
async fn every_kind_of_answer_is_given_again_byte_for_byte() {
    let table = [
        ("204 without a body", on_post(delete), 204),
        ("406", on_post(refuse), 406),
        ("bytes that are no text", on_post(bytes), 200),
        ("a stream", on_post(stream_of_parts), 200),
    ];
    for (name, handlers, status) in table {
        let app = App::new();
        let router = app.at("/", handlers);
        let first = post("/").key("k").to(&router).await;
        assert_eq!(first.status, status, "{name}");
        post("/").key("k").to(&router).await.replays(&first);
        assert_eq!(app.runs(), 1, "{name}");
    }
}

#[tokio::test]
async fn the_framing_of_a_replay_matches_its_bytes() {
    let app = App::new();
    let handlers =
        [("204", on_post(delete)), ("406", on_post(refuse)), ("200", on_post(stream_of_parts))];
    for (status, handlers) in handlers {
        let wire = Wire::serve(app.at("/", handlers)).await;
        let request = format!(
            "POST / HTTP/1.1\r\nhost: a\r\nidempotency-key: {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        );
        let (_, first) = wire.exchange(&request).await;
        let (head, body) = wire.exchange(&request).await;
        assert!(head.starts_with(&format!("http/1.1 {status}")), "{head}");
        assert!(head.contains("idempotent-replayed: true"), "{head}");
        assert!(!head.contains("transfer-encoding"), "{head}");
        let length = format!("content-length: {}", body.len());
        assert_eq!(head.contains(&length), status != "204", "{head}");
        assert_eq!(body, first, "the first answer is framed like its replay");
    }
}

#[idempotent]
async fn look(State(app): State<App>) -> String {
    format!("run {}", app.run())
}

#[tokio::test]
async fn the_replay_of_a_head_request_has_the_headers_and_no_body() {
    let app = App::new();
    let router = app.at("/", on_get(look));
    let first = Ask::new(Method::HEAD, "/").key("k").to(&router).await.ran();
    let retry = Ask::new(Method::HEAD, "/").key("k").to(&router).await;
    retry.replays(&first);
    assert!(retry.body.is_empty());
    assert_eq!(retry.header("content-length"), first.header("content-length"));
}

#[idempotent]
async fn export(State(app): State<App>, size: String) -> Body {
    app.run();
    let size: usize = size.parse().unwrap();
    let chunks = (0..size.div_ceil(1000)).map(move |at| vec![b'x'; 1000.min(size - at * 1000)]);
    Body::from_stream(stream::iter(chunks.map(Ok::<_, Infallible>)))
}

/// Far over the limit, just over it, and in pieces that meet it exactly.
#[tokio::test]
async fn an_answer_over_the_limit_reaches_its_client_and_never_runs_again() {
    let app = App::new().set(|idempotency| idempotency.answer_limit(10_000));
    let router = app.at("/", on_post(export));
    for size in [10_001_usize, 10_500, 11_000, 5_000_000] {
        let send = || post("/").key(&size.to_string()).body("text/plain", size.to_string());
        let first = send().to(&router).await.ran();
        assert_eq!(first.body.len(), size);
        assert!(first.body.iter().all(|byte| *byte == b'x'));
        for _ in 0..2 {
            send().to(&router).await.problem(409, "response-not-stored");
        }
    }
    assert_eq!(app.runs(), 4);
}

#[tokio::test]
async fn an_answer_at_the_limit_is_stored() {
    let app = App::new().set(|idempotency| idempotency.answer_limit(10_000));
    let router = app.at("/", on_post(export));
    let send = || post("/").key("k").body("text/plain", "10000").to(&router);
    let first = send().await.ran();
    send().await.replays(&first);
}

#[idempotent]
async fn with_a_long_header(State(app): State<App>) -> impl IntoResponse {
    app.run();
    ([("x-long", "x".repeat(10_000))], "short")
}

#[tokio::test]
async fn an_answer_whose_headers_are_over_the_limit_is_not_stored() {
    let app = App::new().set(|idempotency| idempotency.answer_limit(100));
    let router = app.at("/", on_post(with_a_long_header));
    let first = post("/").key("k").to(&router).await.ran();
    assert_eq!((first.header("x-long").unwrap().len(), first.text()), (10_000, "short"));
    post("/").key("k").to(&router).await.problem(409, "response-not-stored");
    assert_eq!(app.runs(), 1);
}

#[tokio::test]
async fn without_the_body_nothing_of_an_answer_is_stored() {
    let app = App::new().set(|idempotency| idempotency.answer_limit(100));
    let router =
        app.at("/headers", on_post(with_a_long_header)).merge(app.at("/body", on_post(export)));
    post("/headers").key("headers").to(&router).await.ran();
    post("/body").key("body").body("text/plain", "101").to(&router).await.ran();
    for key in ["headers", "body"] {
        let id = RecordId::of(&Scope::GLOBAL, &IdempotencyKey::parse(key.as_bytes()).unwrap());
        let found = app.store.find(&id).await.unwrap().unwrap();
        let Recorded::Completed(answer) = found.record.state else { panic!("{key} has no answer") };
        assert_eq!((answer.status, answer.len()), (200, 0), "{key}");
    }
}

/// Ten megabytes under the default limit, on a single frame.
#[idempotent]
async fn dump(State(app): State<App>) -> Bytes {
    app.run();
    Bytes::from(vec![b'x'; 10 * 1024 * 1024])
}

#[tokio::test]
async fn ten_megabytes_are_sent_whole_and_once() {
    let app = App::new();
    let router = app.at("/", on_post(dump));
    let first = post("/").key("k").to(&router).await.ran();
    assert_eq!(first.body.len(), 10 * 1024 * 1024);
    post("/").key("k").to(&router).await.problem(409, "response-not-stored");
    assert_eq!(app.runs(), 1);
}

#[idempotent(on_crash = "hold")]
async fn break_off(State(app): State<App>) -> Body {
    app.run();
    let parts = [Ok("half of "), Err(std::io::Error::other("the disk is gone"))];
    Body::from_stream(stream::iter(parts))
}

#[tokio::test]
async fn half_an_answer_is_never_stored_as_a_success() {
    let app = App::new();
    let router = app.at("/", on_post(break_off));
    let first = post("/").key("k").to(&router).await;
    first.problem(500, "response-failed");
    assert_eq!(first.document()["retryable"], false);
    assert!(!first.text().contains("disk"), "the cause is for the log");
    post("/").key("k").to(&router).await.problem(409, "outcome-unknown");
    assert_eq!(app.runs(), 1);
}

#[idempotent]
async fn with_trailers(State(app): State<App>) -> Body {
    app.run();
    let trailers =
        HeaderMap::from_iter([("x-sum".parse().unwrap(), HeaderValue::from_static("1"))]);
    let frames = [Frame::data(Bytes::from("body")), Frame::trailers(trailers)];
    Body::new(StreamBody::new(stream::iter(frames.map(Ok::<_, Infallible>))))
}

#[tokio::test]
async fn trailers_reach_their_client_and_are_not_lost_in_a_replay() {
    let app = App::new();
    let router = app.at("/", on_post(with_trailers));
    let request = post("/").key("k").into_request();
    let response = tower::ServiceExt::oneshot(router.clone(), request).await.unwrap();
    let body = http_body_util::BodyExt::collect(response.into_body()).await.unwrap();
    assert_eq!(body.trailers().unwrap()["x-sum"], "1");
    assert_eq!(body.to_bytes(), "body");
    post("/").key("k").to(&router).await.problem(409, "response-not-stored");
    assert_eq!(app.runs(), 1);
}
