//! The state of the server and its table of routes.

use axum::Router;
use axum::extract::FromRef;
use axum::http::StatusCode;
use axum::routing::{get, post};
use idem_axum::{Idempotency, IdempotencyState, PostgresStore, ReviewStore, SqliteStore};

use crate::account::Account;
use crate::command_line::CommandLine;
use crate::effects::{self, Effects};
use crate::handlers;

/// What every handler shares, over any store.
#[derive(Clone, IdempotencyState)]
pub(crate) struct App<St: ReviewStore + Clone> {
    effects: Effects,
    idempotency: Idempotency<Account, St>,
}

impl<St: ReviewStore + Clone> App<St> {
    /// The state as the command line wants it.
    pub(crate) fn new(store: St, effects: Effects, command_line: &CommandLine) -> Self {
        let idempotency = Idempotency::per::<Account>(store).dialect(command_line.dialect.into());
        let idempotency = match command_line.lease {
            Some(lease) => idempotency.lease(lease),
            None => idempotency,
        };
        Self { effects, idempotency }
    }

    /// The engine, to be drained at the end.
    pub(crate) fn idempotency(&self) -> Idempotency<Account, St> {
        self.idempotency.clone()
    }
}

// By hand: axum's derive knows no generic states.
impl<St: ReviewStore + Clone> FromRef<App<St>> for Effects {
    fn from_ref(app: &App<St>) -> Self {
        app.effects.clone()
    }
}

/// One route per contract, the baseline without one, and three to look from outside.
pub(crate) fn routes<St: ReviewStore + Clone>() -> Router<App<St>> {
    Router::new()
        .route("/reject", post(handlers::reject))
        .route("/strict", post(handlers::strict))
        .route("/merge", post(handlers::merge))
        .route("/lww", post(handlers::lww))
        .route("/review", post(handlers::review))
        .route("/window", post(handlers::window))
        .route("/wait", post(handlers::wait))
        .route("/failed-retry", post(handlers::failed_retry))
        .route("/failed-reject", post(handlers::failed_reject))
        .route("/crash-retry", post(handlers::crash_retry))
        .route("/crash-hold", post(handlers::crash_hold))
        .route("/short", post(handlers::short))
        .route("/accounts/{id}/transfers", post(handlers::transfer))
        .route("/form", post(handlers::form))
        .route("/raw", post(handlers::raw))
        .route("/optional", post(handlers::optional))
        .route("/derived", post(handlers::derived))
        .route("/bare", post(handlers::bare))
        .route("/effects", get(effects::of_key))
        .route("/healthz", get(StatusCode::OK))
        .merge(idem_axum::conflicts::router())
}

/// The same, and the route that takes a transaction of the database.
pub(crate) fn routes_on_database() -> Router<App<PostgresStore>> {
    routes().route("/tx", post(handlers::tx))
}

/// The same, and the route that takes a transaction of the file.
pub(crate) fn routes_on_file() -> Router<App<SqliteStore>> {
    routes().route("/tx", post(handlers::tx_in_file))
}
