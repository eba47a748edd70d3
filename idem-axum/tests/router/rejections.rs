//! Which rejections of the user's extractor are put into the words of a problem document.

use axum::extract::{FromRequest, Request, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post as on_post;
use idem_axum::{Encoding, Payload, idempotent};

use crate::support::{App, post};

const WORDS: &str = "in plain words";

/// Refuses every body, with the status that is in it.
struct Refused;

impl<S: Send + Sync> FromRequest<S> for Refused {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let status = String::from_request(request, state).await.unwrap();
        let status: StatusCode = status.parse().unwrap();
        let mut rejection = (status, WORDS).into_response();
        let headers = rejection.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("Text/Plain"));
        headers.insert(CONTENT_LENGTH, HeaderValue::from(WORDS.len()));
        headers.append("x-quota", HeaderValue::from_static("7 a day"));
        headers.append("x-quota", HeaderValue::from_static("1 an hour"));
        if status == StatusCode::TOO_MANY_REQUESTS {
            headers.insert(RETRY_AFTER, HeaderValue::from_static("7"));
        }
        Err(rejection)
    }
}

impl Payload for Refused {
    type Value = ();
    const ENCODING: Encoding = Encoding::Raw;

    fn value(&self) -> &() {
        &()
    }

    fn into_value(self) {}
}

#[idempotent]
async fn refuse(State(app): State<App>, _: Refused) -> String {
    format!("run {}", app.run())
}

#[tokio::test]
async fn a_plain_rejection_that_is_not_about_the_body_stays_the_applications() {
    let app = App::new();
    let router = app.at("/", on_post(refuse));
    for status in ["401", "402", "403", "404", "409", "418", "429", "500", "503"] {
        let reply = post("/").key("k").body("text/plain", status).to(&router).await;
        assert_eq!(reply.status.as_str(), status);
        assert_eq!(reply.text(), WORDS);
        assert_eq!(reply.header("content-type"), Some("Text/Plain"));
        assert_eq!(reply.header("retry-after"), (status == "429").then_some("7"));
        assert_eq!(reply.header("stripe-should-retry"), None);
    }
    assert_eq!((app.runs(), app.store.len()), (0, 0));
}

#[tokio::test]
async fn a_plain_rejection_of_the_body_is_explained_and_keeps_its_other_headers() {
    let app = App::new();
    let router = app.at("/", on_post(refuse));
    for (status, code) in [
        (400, "payload-invalid"),
        (413, "payload-too-large"),
        (415, "payload-invalid"),
        (422, "payload-invalid"),
    ] {
        let reply = post("/").key("k").body("text/plain", status.to_string()).to(&router).await;
        reply.problem(status, code);
        assert_eq!(reply.document()["detail"] == WORDS, status != 413, "{reply:?}");
        let quota: Vec<_> = reply.headers.get_all("x-quota").iter().collect();
        assert_eq!(quota, ["7 a day", "1 an hour"]);
        assert_eq!(reply.headers.get_all(CONTENT_TYPE).iter().count(), 1);
        let length = reply.body.len().to_string();
        assert_eq!(reply.header("content-length").unwrap_or(&length), length);
    }
    assert_eq!((app.runs(), app.store.len()), (0, 0));
}
