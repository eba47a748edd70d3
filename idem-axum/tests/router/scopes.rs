//! Whose keys they are, and that nobody's answer is given to anybody else.

use axum::Json;
use axum::Router;
use axum::extract::{FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::routing::post as on_post;
use idem_axum::{EmptyScope, Idempotency, IdempotencyState, Principal, Scope, idempotent};
use serde_json::{Value, json};

use crate::support::{App, Ask, ProbedStore, post};

/// The caller, as the application authenticates it: `revoked` is refused, an empty name is not.
struct Account(String);

impl<S: Sync> FromRequestParts<S> for Account {
    type Rejection = (StatusCode, &'static str);

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let name = parts.headers.get("x-account").and_then(|name| name.to_str().ok());
        match name {
            None => Err((StatusCode::UNAUTHORIZED, "who are you?")),
            Some("revoked") => Err((StatusCode::FORBIDDEN, "not any more")),
            Some(name) => Ok(Self(name.to_owned())),
        }
    }
}

impl Principal for Account {
    fn scope(&self) -> Result<Scope, EmptyScope> {
        Scope::of(self.0.as_str())
    }
}

#[derive(Clone, IdempotencyState)]
struct Bank {
    idempotency: Idempotency<Account, ProbedStore>,
    app: App,
}

#[idempotent]
async fn pay(State(bank): State<Bank>, Json(_): Json<Value>) -> Json<Value> {
    Json(json!({ "run": bank.app.run(), "iban": "DE02" }))
}

fn bank() -> (App, Router) {
    let app = App::new();
    let idempotency = Idempotency::per::<Account>(app.store.clone());
    let bank = Bank { idempotency, app: app.clone() };
    (app, Router::new().route("/pay", on_post(pay)).with_state(bank))
}

fn by(account: &str, body: &'static str) -> Ask {
    post("/pay").header("x-account", account).key("k").json(body)
}

#[tokio::test]
async fn two_principals_never_meet_under_one_key() {
    let (app, router) = bank();
    let alice = by("alice", "1").to(&router).await.ran();
    let bob = by("bob", "1").to(&router).await.ran();
    // Another payload is no conflict either: that would tell bob of alice's.
    by("carol", "2").to(&router).await.ran();
    by("alice", "1").to(&router).await.replays(&alice);
    by("bob", "1").to(&router).await.replays(&bob);
    assert_ne!(alice.body, bob.body);
    assert_eq!(app.runs(), 3);
}

#[tokio::test]
async fn a_caller_that_is_refused_gets_the_applications_answer_and_claims_nothing() {
    let (app, router) = bank();
    let nobody = post("/pay").key("k").json("1").to(&router).await;
    assert_eq!((nobody.status, nobody.text()), (StatusCode::UNAUTHORIZED, "who are you?"));
    let revoked = by("revoked", "1").to(&router).await;
    assert_eq!((revoked.status, revoked.text()), (StatusCode::FORBIDDEN, "not any more"));
    assert_eq!((app.runs(), app.store.len(), app.store.calls().len()), (0, 0, 0));
}

#[tokio::test]
async fn a_principal_without_an_identifier_is_refused_and_shares_nothing() {
    let (app, router) = bank();
    by("", "1").to(&router).await.problem(401, "principal-missing");
    assert_eq!((app.runs(), app.store.len(), app.store.calls().len()), (0, 0, 0));
}

#[tokio::test]
async fn who_calls_is_settled_before_key_and_body_are_looked_at() {
    let (app, router) = bank();
    let reply = post("/pay").header("x-account", "revoked").json("{not json").to(&router).await;
    assert_eq!(reply.status, StatusCode::FORBIDDEN);
    by("alice", "{not json").to(&router).await.problem(400, "payload-invalid");
    assert_eq!(app.store.len(), 0);
}

/// An authorisation of the handler's own, beside the principal of the engine.
struct Permitted;

impl<S: Sync> FromRequestParts<S> for Permitted {
    type Rejection = StatusCode;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, StatusCode> {
        let permitted = parts.headers.contains_key("x-permit");
        permitted.then_some(Self).ok_or(StatusCode::FORBIDDEN)
    }
}

#[idempotent]
async fn guarded(_: Permitted, State(app): State<App>, Json(_): Json<Value>) -> String {
    format!("run {}", app.run())
}

#[tokio::test]
async fn a_stored_answer_is_not_given_to_one_who_may_not_ask_any_more() {
    let app = App::new();
    let router = app.at("/", on_post(guarded));
    let send = || post("/").key("k").json("1");
    assert_eq!(send().to(&router).await.status, StatusCode::FORBIDDEN);
    assert_eq!(app.store.len(), 0, "a refused request uses up no key");
    let first = send().header("x-permit", "1").to(&router).await.ran();
    let refused = send().to(&router).await;
    assert_eq!((refused.status, refused.body.len()), (StatusCode::FORBIDDEN, 0));
    send().header("x-permit", "1").to(&router).await.replays(&first);
    assert_eq!(app.runs(), 1);
}

#[tokio::test]
async fn a_conflict_tells_of_the_first_request_no_more_than_its_fingerprint() {
    let (_, router) = bank();
    let first = r#"{"recipient":"alice","amount":4711}"#;
    let first_fingerprint = {
        by("dora", first).to(&router).await.ran();
        let reply = by("dora", r#"{"amount":1}"#).to(&router).await;
        reply.problem(409, "payload-mismatch");
        for secret in ["alice", "4711", "DE02", "recipient"] {
            assert!(!reply.text().contains(secret), "{secret} in {}", reply.text());
        }
        reply.document()["original_fingerprint"].clone()
    };
    // The same payload has the same fingerprint wherever it is met.
    by("emil", r#"{"amount":2}"#).to(&router).await.ran();
    let reply = by("emil", first).to(&router).await;
    assert_eq!(reply.document()["fingerprint"], first_fingerprint);
    assert!(first_fingerprint.as_str().unwrap().starts_with("v1:"));
}
