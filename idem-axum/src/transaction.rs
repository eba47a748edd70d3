//! The transaction that holds a handler's record, as a parameter of the handler.

use std::convert::Infallible;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use futures_util::future::BoxFuture;
use idem_core::attempt::Attempt;
use idem_core::contract::Contract;
use idem_core::decision::Cause;
use idem_core::engine::{Admission, Engine, Entry, Transacted};
use idem_core::store::{Outcome, StoreError, TransactionalStore};

use crate::execution::Execution;
use crate::state::IdempotencyState;

#[doc = include_str!("../docs/transactions.md")]
pub struct Tx<St: TransactionalStore> {
    /// Empty only while it is given back.
    transaction: Option<St::Transaction>,
    slot: Arc<Slot<St::Transaction>>,
}

/// Where a transaction is while its handler does not run.
struct Slot<T>(Mutex<Option<T>>);

impl<T> Slot<T> {
    fn put(&self, transaction: Option<T>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = transaction;
    }

    fn take(&self) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl<St> Deref for Tx<St>
where
    St: TransactionalStore<Transaction: Deref>,
{
    type Target = <St::Transaction as Deref>::Target;

    fn deref(&self) -> &Self::Target {
        self.transaction.as_ref().expect("it is there until it is dropped")
    }
}

impl<St> DerefMut for Tx<St>
where
    St: TransactionalStore<Transaction: DerefMut>,
{
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.transaction.as_mut().expect("it is there until it is dropped")
    }
}

/// The end of a handler, by whatever way, gives its transaction back to be committed or undone.
impl<St: TransactionalStore> Drop for Tx<St> {
    fn drop(&mut self) {
        self.slot.put(self.transaction.take());
    }
}

/// What a handler's parameter of this type is before the handler runs: the transaction is opened
/// when it is known what for.
pub struct Pending<T: Transactional>(Arc<Slot<T::Transaction>>);

/// A [`Tx`].
pub trait Transactional {
    /// What the store calls a transaction.
    type Transaction;
}

impl<St: TransactionalStore> Transactional for Tx<St> {
    type Transaction = St::Transaction;
}

impl<St: TransactionalStore> Pending<Tx<St>> {
    /// The transaction, once the handler is to run.
    pub fn transaction(self) -> Tx<St> {
        let transaction = self.0.take();
        debug_assert!(transaction.is_some(), "a handler runs once its record was claimed");
        Tx { transaction, slot: self.0 }
    }
}

impl<S, St> FromRequestParts<S> for Pending<Tx<St>>
where
    S: IdempotencyState<Store = St>,
    St: TransactionalStore,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let slot = Arc::new(Slot(Mutex::new(None)));
        let store = state.idempotency().store().clone();
        parts.extensions.insert(InTransaction(Arc::new(Opens { store, slot: slot.clone() })));
        Ok(Self(slot))
    }
}

/// What a request carries whose handler writes in a transaction.
#[derive(Clone)]
pub(crate) struct InTransaction(Arc<dyn Enter>);

impl InTransaction {
    /// Admits the attempt, with the transaction put where the handler finds it.
    pub(crate) async fn enter(
        &self,
        engine: &Engine,
        attempt: &Arc<Attempt>,
        contract: &'static Contract,
    ) -> Result<Entered, StoreError> {
        self.0.enter(engine, attempt, contract).await
    }
}

/// An [`Entry`], whatever its store.
pub(crate) enum Entered {
    Run(Box<dyn Commit>),
    Told(Admission),
}

/// A store that opens transactions, whatever its type.
trait Enter: Send + Sync {
    fn enter<'a>(
        &'a self,
        engine: &'a Engine,
        attempt: &'a Arc<Attempt>,
        contract: &'static Contract,
    ) -> BoxFuture<'a, Result<Entered, StoreError>>;
}

/// An execution in a transaction, whatever its store.
pub(crate) trait Commit: Send + Sync {
    fn execution(&self) -> Execution;

    fn cause(&self) -> Cause;

    /// Commits the transaction that the handler has given back; `None` where it has not.
    fn commit(
        self: Box<Self>,
        outcome: Outcome,
    ) -> Option<BoxFuture<'static, Result<(), StoreError>>>;
}

struct Opens<St: TransactionalStore> {
    store: Arc<St>,
    slot: Arc<Slot<St::Transaction>>,
}

impl<St: TransactionalStore> Enter for Opens<St> {
    fn enter<'a>(
        &'a self,
        engine: &'a Engine,
        attempt: &'a Arc<Attempt>,
        contract: &'static Contract,
    ) -> BoxFuture<'a, Result<Entered, StoreError>> {
        Box::pin(async move {
            Ok(match engine.enter(&self.store, attempt, contract).await? {
                Entry::Told(admission) => Entered::Told(admission),
                Entry::Run(transaction, execution) => {
                    self.slot.put(Some(transaction));
                    Entered::Run(Box::new(Opened { execution, slot: self.slot.clone() }))
                }
            })
        })
    }
}

struct Opened<St: TransactionalStore> {
    execution: Transacted<St>,
    slot: Arc<Slot<St::Transaction>>,
}

impl<St: TransactionalStore> Commit for Opened<St> {
    fn execution(&self) -> Execution {
        Execution { fence: self.execution.fence(), attempts: self.execution.attempts() }
    }

    fn cause(&self) -> Cause {
        self.execution.cause()
    }

    fn commit(
        self: Box<Self>,
        outcome: Outcome,
    ) -> Option<BoxFuture<'static, Result<(), StoreError>>> {
        let transaction = self.slot.take()?;
        let execution = self.execution;
        Some(Box::pin(async move { execution.finish(transaction, outcome).await }))
    }
}
