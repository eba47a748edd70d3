//! Answers that take their time, and those that never end.

use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, post as on_post};
use bytes::Bytes;
use futures_util::stream::{self, Stream, StreamExt};
use http_body_util::BodyExt;
use idem_axum::idempotent;
use tokio::time::{sleep, timeout};
use tower::ServiceExt;

use crate::support::{App, Wire, post};

const LEASE: Duration = Duration::from_secs(30);
const MOMENT: Duration = Duration::from_millis(1);

/// One line every five seconds.
fn lines(count: usize) -> impl Stream<Item = Result<String, Infallible>> {
    stream::iter(0..count).then(|line| async move {
        sleep(Duration::from_secs(5)).await;
        Ok(format!("{{\"line\":{line}}}\n"))
    })
}

#[idempotent]
async fn watch(State(app): State<App>) -> Body {
    app.run();
    Body::from_stream(lines(2).chain(stream::pending()))
}

#[idempotent]
async fn long_poll(State(app): State<App>) -> Body {
    app.run();
    Body::from_stream(stream::pending::<Result<String, Infallible>>())
}

/// Sends a request and returns the response as soon as there is one.
async fn head(router: &Router) -> Response {
    router.clone().oneshot(post("/").key("k").into_request()).await.unwrap()
}

async fn next_data(body: &mut Body) -> Option<Bytes> {
    let frame = timeout(MOMENT, body.frame()).await.ok()?;
    Some(frame.unwrap().unwrap().into_data().unwrap())
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_falls_silent_is_passed_on_with_what_it_has_sent() {
    let app = App::new();
    let router = app.at("/", on_post(watch));
    let response = timeout(LEASE + MOMENT, head(&router)).await.unwrap();
    assert_eq!(response.status(), 200);
    let mut body = response.into_body();
    assert_eq!(next_data(&mut body).await.unwrap(), "{\"line\":0}\n{\"line\":1}\n");
    assert_eq!(next_data(&mut body).await, None, "and it goes on");
    timeout(MOMENT, app.idempotency.shutdown()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_silent_answer_leaves_no_key_busy_whether_its_client_waits_or_not() {
    let table: [(&str, MethodRouter<App>); 2] =
        [("a stream", on_post(watch)), ("a long poll", on_post(long_poll))];
    for (name, handlers) in table {
        for patience in [LEASE * 2, Duration::from_secs(1)] {
            let app = App::new();
            let router = app.at("/", handlers.clone());
            let response = timeout(patience, head(&router)).await;
            assert_eq!(response.is_ok(), patience > LEASE, "{name}");
            timeout(LEASE, app.idempotency.shutdown()).await.unwrap();
            post("/").key("k").to(&router).await.problem(409, "response-not-stored");
            assert_eq!(app.runs(), 1, "{name}");
        }
    }
}

#[idempotent]
async fn count(State(app): State<App>) -> Body {
    app.run();
    Body::from_stream(lines(5))
}

#[tokio::test(start_paused = true)]
async fn a_slow_answer_that_ends_in_time_is_stored_whole() {
    let app = App::new();
    let router = app.at("/", on_post(count));
    let first = post("/").key("k").to(&router).await.ran();
    assert_eq!(first.text().lines().count(), 5);
    post("/").key("k").to(&router).await.replays(&first);
    assert_eq!(app.runs(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_slow_answer_that_ends_too_late_still_reaches_its_client_whole() {
    let app = App::new().set(|idempotency| idempotency.lease(Duration::from_secs(12)));
    let router = app.at("/", on_post(count));
    let first = post("/").key("k").to(&router).await.ran();
    assert_eq!(first.text().lines().count(), 5);
    post("/").key("k").to(&router).await.problem(409, "response-not-stored");
    assert_eq!(app.runs(), 1);
}

#[tokio::test(start_paused = true)]
async fn the_longest_lease_is_a_time_too() {
    let app = App::new().set(|idempotency| idempotency.lease(Duration::MAX));
    let router = app.at("/", on_post(count));
    let first = post("/").key("k").to(&router).await.ran();
    post("/").key("k").to(&router).await.replays(&first);
}

#[idempotent]
async fn follow(State(app): State<App>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    app.run();
    let one = stream::iter([Ok(Event::default().data("one"))]);
    Sse::new(one.chain(stream::pending()))
}

#[tokio::test]
async fn an_event_stream_passes_as_it_comes_and_cannot_be_given_again() {
    let app = App::new();
    let wire = Wire::serve(app.at("/", on_post(follow))).await;
    let mut connection = wire.connect().await;
    let request = "POST / HTTP/1.1\r\nhost: a\r\nidempotency-key: k\r\ncontent-length: 0\r\n\r\n";
    tokio::io::AsyncWriteExt::write_all(&mut connection, request.as_bytes()).await.unwrap();
    let mut seen = Vec::new();
    while !seen.windows(9).any(|window| window == b"data: one") {
        let read = tokio::io::AsyncReadExt::read_buf(&mut connection, &mut seen).await.unwrap();
        assert_ne!(read, 0, "the stream has no end");
    }
    drop(connection);
    let router = app.at("/", on_post(follow));
    post("/").key("k").to(&router).await.problem(409, "response-not-stored");
    assert_eq!(app.runs(), 1);
}

#[idempotent]
async fn follow_loudly(State(app): State<App>) -> Response {
    app.run();
    let body = Body::from_stream(stream::pending::<Result<String, Infallible>>());
    ([(CONTENT_TYPE, "Text/Event-Stream; charset=utf-8")], body).into_response()
}

#[tokio::test(start_paused = true)]
async fn an_event_stream_is_one_in_capitals_too() {
    let app = App::new();
    let router = app.at("/", on_post(follow_loudly));
    timeout(MOMENT, head(&router)).await.expect("an event stream is not waited for");
    post("/").key("k").to(&router).await.problem(409, "response-not-stored");
}
