//! Where a handler finds the engine: in the application's state.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use idem_core::store::{ReviewStore, Store, TransactionalStore};

use crate::idempotency::Idempotency;
use crate::principal::Principal;

/// An application state that holds an [`Idempotency`]; derive it. In an `Arc` it is one too.
///
/// ```
/// use idem_axum::{Global, Idempotency, IdempotencyState, MemoryStore};
///
/// #[derive(Clone, IdempotencyState)]
/// struct AppState {
///     idempotency: Idempotency<Global, MemoryStore>,
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no idempotency engine",
    label = "the state of this router has no idempotency engine",
    note = "add a field `idempotency: Idempotency<Account, SqliteStore>` to the state and `#[derive(IdempotencyState)]`",
    note = "then give it to the router: `.with_state(state)`"
)]
pub trait IdempotencyState: Sized + Send + Sync + 'static {
    /// Whose keys they are.
    type Principal: Principal + FromRequestParts<Self>;
    /// Where records live.
    type Store: Store;

    /// The engine.
    fn idempotency(&self) -> &Idempotency<Self::Principal, Self::Store>;
}

impl<T> IdempotencyState for Arc<T>
where
    T: IdempotencyState,
    T::Principal: FromRequestParts<Self>,
{
    type Principal = T::Principal;
    type Store = T::Store;

    fn idempotency(&self) -> &Idempotency<T::Principal, T::Store> {
        (**self).idempotency()
    }
}

/// A state whose store keeps attempts for review.
pub trait ReviewingState: IdempotencyState<Store: ReviewStore> + Clone {}

impl<S: IdempotencyState<Store: ReviewStore> + Clone> ReviewingState for S {}

/// A state whose store has transactions that handlers can write in.
pub trait TransactionalState: IdempotencyState<Store: TransactionalStore> {}

impl<S: IdempotencyState<Store: TransactionalStore>> TransactionalState for S {}

/// The parts of the engine's type, for the derive.
pub trait EngineOf {
    /// Whose keys they are.
    type Principal;
    /// Where records live.
    type Store;
}

impl<P, St> EngineOf for Idempotency<P, St> {
    type Principal = P;
    type Store = St;
}
