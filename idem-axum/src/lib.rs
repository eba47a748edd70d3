//! axum handlers that are safe to retry, and that decide what happens when the second request
//! under the same key is *different*.
//!
//! ```
//! use axum::{Json, Router, extract::FromRequestParts, http::{StatusCode, request::Parts}, routing::post};
//! use idem_axum::{EmptyScope, Idempotency, IdempotencyState, MemoryStore, Principal, Scope, SemanticIdentity, idempotent};
//! use serde::Deserialize;
//!
//! #[derive(Deserialize, SemanticIdentity)]
//! struct Payment {
//!     #[idem(critical)]
//!     amount: u64,
//!     #[idem(critical)]
//!     currency: String,
//!     note: Option<String>,
//!     #[idem(ignore)]
//!     client_ts: Option<String>,
//! }
//!
//! #[idempotent(policy = "reject", ttl = "72h")]
//! async fn pay(Json(payment): Json<Payment>) -> (StatusCode, String) {
//!     (StatusCode::CREATED, format!("paid {} {}", payment.amount, payment.currency))
//! }
//!
//! /// Whose keys they are: the extractor that authenticates the caller.
//! struct Account(String);
//! # impl<S: Sync> FromRequestParts<S> for Account {
//! #     type Rejection = StatusCode;
//! #     async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, StatusCode> {
//! #         let id = parts.headers.get("x-account").and_then(|id| id.to_str().ok());
//! #         id.map(|id| Account(id.to_owned())).ok_or(StatusCode::UNAUTHORIZED)
//! #     }
//! # }
//!
//! impl Principal for Account {
//!     fn scope(&self) -> Result<Scope, EmptyScope> {
//!         Scope::of(self.0.as_str())
//!     }
//! }
//!
//! #[derive(Clone, IdempotencyState)]
//! struct AppState {
//!     idempotency: Idempotency<Account, MemoryStore>,
//! }
//!
//! let state = AppState { idempotency: Idempotency::per::<Account>(MemoryStore::new()) };
//! let app: Router = Router::new().route("/pay", post(pay)).with_state(state);
//! ```
//!
//! | to learn about | see |
//! | --- | --- |
//! | what a handler can promise | [`macro@idempotent`] |
//! | what makes two payloads the same intent | [`macro@SemanticIdentity`], [`macro@IdentityValue`] |
//! | whose keys they are | [`Principal`], [`Idempotency::per`], [`Idempotency::global`] |
//! | body extractors of your own | [`Payload`] |
//! | which answers are for good | [`Outcome`] |
//! | fencing tokens | [`Execution`] |
//! | merging payloads that differ | [`macro@Merge`] |
//! | deciding conflicts | [`review`], [`conflicts`], [`Idempotency::review`] |
//! | what clients are told | [`problems`], [`Dialect`] |
//! | rules of your own for contracts | [`mod@contracts`], [`assert_contracts!`] |
//! | removing expired records | [`Idempotency::janitor`] |
//! | hearing of conflicts | [`Observer`], [`Idempotency::observer`] |
//! | stores of your own | [`Store`] |
//! | what a handler becomes | [`routed`], [`ReviewingState`], [`TransactionalState`] |
//!
//! # Features
//!
//! | feature | default | adds |
//! | --- | --- | --- |
//! | `memory` | yes | `MemoryStore`: in process, not durable |
//! | `json`, `form` | yes | `Json<T>` and `Form<T>` payloads |
//! | `contracts` | yes | [`contracts()`]: every contract of the binary, for tests of your own rules |
//! | `sqlite` | | `SqliteStore`: one durable file, shared by the processes of a machine |
//! | `postgres` | | `PostgresStore`: PostgreSQL, shared by any number of instances |
//! | `uuid`, `rust_decimal`, `time`, `jiff`, `chrono` | | their types as critical fields |

mod accepted;
mod answer;
mod caller;
mod captured;
pub mod conflicts;
#[cfg(feature = "contracts")]
pub mod contracts;
mod detach;
mod execution;
mod handling;
mod idempotency;
mod media_type;
mod merging;
mod opening;
mod outcome;
mod payload;
mod principal;
mod problem;
mod rejection;
pub mod routed;
mod run;
mod semantics;
mod state;
mod transaction;
mod wire;

#[doc(hidden)]
pub mod __private;
#[doc = include_str!("../docs/problems.md")]
pub mod problems {}

#[cfg(feature = "contracts")]
pub use contracts::contracts;
pub use execution::Execution;
pub use idem_core as core;
pub use idem_core::fingerprint::Encoding;
pub use idem_core::identity::{IdentityValue, SemanticIdentity};
pub use idem_core::janitor::{Janitor, JanitorHandle, JanitorProgress, JanitorStats};
pub use idem_core::merge::Merge;
pub use idem_core::observe::{Arbitration, Conflict, Observer};
pub use idem_core::review;
pub use idem_core::scope::{EmptyScope, Scope};
#[cfg(feature = "memory")]
pub use idem_core::store::memory::MemoryStore;
#[cfg(feature = "postgres")]
pub use idem_core::store::postgres::{PostgresStore, PostgresStoreOptions, PostgresTransaction};
#[cfg(feature = "sqlite")]
pub use idem_core::store::sqlite::{
    Durability, SqliteStore, SqliteStoreOptions, SqliteTransaction,
};
pub use idem_core::store::{ReviewStore, Store, TransactionalStore};
#[doc = include_str!("../docs/idempotency-state.md")]
pub use idem_macros::IdempotencyState;
#[doc = include_str!("../docs/identity-value.md")]
pub use idem_macros::IdentityValue;
#[doc = include_str!("../docs/merge.md")]
pub use idem_macros::Merge;
#[doc = include_str!("../docs/semantic-identity.md")]
pub use idem_macros::SemanticIdentity;
#[doc = include_str!("../docs/idempotent.md")]
pub use idem_macros::idempotent;
pub use idempotency::Idempotency;
pub use outcome::Outcome;
pub use payload::Payload;
pub use principal::{Global, Principal};
pub use problem::Dialect;
pub use state::{IdempotencyState, ReviewingState, TransactionalState};
pub use transaction::Tx;
