//! placeholder
mod answer;
mod captured;
mod detach;
mod execution;
mod idempotency;
mod opening;
mod payload;
mod principal;
mod problem;
mod run;
mod semantics;
mod state;

#[doc(hidden)]
pub mod __private;
#[doc = include_str!("../docs/problems.md")]
pub mod problems {}

pub use execution::Execution;
pub use idem_core::fingerprint::Encoding;
pub use idem_core::identity::{IdentityValue, SemanticIdentity};
pub use idem_core::scope::{EmptyScope, Scope};
#[cfg(feature = "memory")]
pub use idem_core::store::memory::MemoryStore;
#[cfg(feature = "sqlite")]
pub use idem_core::store::sqlite::{Durability, SqliteStore};
pub use idempotency::Idempotency;
pub use payload::Payload;
pub use principal::{Global, Principal};
pub use problem::Dialect;
pub use state::IdempotencyState;
