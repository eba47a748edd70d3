//! The service: its state, put together and taken apart.

use std::path::Path;

use axum::Router;
use axum::extract::FromRef;
use idem_axum::core::store::StoreError;
use idem_axum::{Idempotency, IdempotencyState, JanitorHandle, SqliteStore};

use crate::account::Account;
use crate::api;
use crate::bank::Bank;

/// The payment service on one SQLite file.
pub struct Service {
    state: AppState,
    janitor: JanitorHandle,
}

/// What the handlers share.
#[derive(Clone, FromRef, IdempotencyState)]
pub(crate) struct AppState {
    bank: Bank,
    idempotency: Idempotency<Account, SqliteStore>,
}

/// Why the service cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The accounts cannot be opened.
    #[error("the accounts cannot be opened")]
    Accounts(#[from] sqlx::Error),
    /// The records of keys cannot be opened.
    #[error("the records of keys cannot be opened")]
    Keys(#[from] StoreError),
}

impl Service {
    /// Opens the file, and makes it with a few demo accounts where it is missing.
    ///
    /// # Errors
    /// When the file cannot be opened or is no database.
    pub async fn open(file: &Path) -> Result<Self, StartError> {
        let bank = Bank::open(file).await?;
        // The same file: one backup holds the accounts and the keys of their payments.
        let store = SqliteStore::open(file).await?;
        let idempotency = Idempotency::per::<Account>(store);
        // Keys whose time is over make room for others.
        let janitor = idempotency.janitor().spawn();
        Ok(Self { state: AppState { bank, idempotency }, janitor })
    }

    /// The routes.
    pub fn router(&self) -> Router {
        api::routes().with_state(self.state.clone())
    }

    /// Waits until no payment is under way; for after the server has stopped accepting.
    pub async fn shutdown(self) {
        self.janitor.stop().await;
        self.state.idempotency.shutdown().await;
        self.state.bank.close().await;
    }
}
