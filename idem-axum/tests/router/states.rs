//! The shapes of state that a router may have.

use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::routing::post as on_post;
use idem_axum::{EmptyScope, Idempotency, IdempotencyState, Principal, Scope, idempotent};

use crate::support::{App, ProbedStore, post};

/// An account of this bank, which its state knows in any wrapping.
struct Account(String);

impl<S: AsRef<Bank> + Sync> FromRequestParts<S> for Account {
    type Rejection = StatusCode;

    async fn from_request_parts(parts: &mut Parts, bank: &S) -> Result<Self, StatusCode> {
        let name = parts.headers.get("x-account").and_then(|name| name.to_str().ok());
        let known = name.filter(|name| bank.as_ref().accounts.contains(name));
        known.map(|name| Self(name.to_owned())).ok_or(StatusCode::UNAUTHORIZED)
    }
}

impl Principal for Account {
    fn scope(&self) -> Result<Scope, EmptyScope> {
        Scope::of(self.0.as_str())
    }
}

/// Not `Clone`: the router has it in an `Arc`.
#[derive(IdempotencyState)]
struct Bank {
    idempotency: Idempotency<Account, ProbedStore>,
    accounts: [&'static str; 2],
    app: App,
}

impl AsRef<Bank> for Bank {
    fn as_ref(&self) -> &Bank {
        self
    }
}

#[idempotent]
async fn pay(State(bank): State<Arc<Bank>>, body: String) -> String {
    format!("run {}: {body}", bank.app.run())
}

#[tokio::test]
async fn a_state_in_an_arc_has_the_engine_of_what_is_in_it() {
    let app = App::new();
    let idempotency = Idempotency::per::<Account>(app.store.clone());
    let bank = Bank { idempotency, accounts: ["alice", "bob"], app: app.clone() };
    let router: Router = Router::new().route("/", on_post(pay)).with_state(Arc::new(bank));
    let by = |account| post("/").key("k").header("x-account", account).body("text/plain", "1");
    let alice = by("alice").to(&router).await.ran();
    by("alice").to(&router).await.replays(&alice);
    by("bob").to(&router).await.ran();
    assert_eq!(by("mallory").to(&router).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(app.runs(), 2);
}
