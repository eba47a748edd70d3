//! The transaction that holds a handler's record, as a parameter of the handler.

use std::any::Any;
use std::convert::Infallible;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use futures_util::future::BoxFuture;
use idem_core::attempt::Attempt;
use idem_core::contract::Contract;
use idem_core::decision::Cause;
use idem_core::engine::{Admission, Engine, Entry, Transacted};
use idem_core::store::{Outcome, StoreError, TransactionalStore};

use crate::execution::Execution;

#[doc = include_str!("../docs/transactions.md")]
// Without a bound, so that a store without transactions is reported once: by the handler.
pub struct Tx<St> {
    /// A [`Lent`] transaction of the store.
    lent: Box<dyn Any + Send + Sync>,
    store: PhantomData<fn() -> St>,
}

impl<St> Deref for Tx<St>
where
    St: TransactionalStore<Transaction: Deref>,
{
    type Target = <St::Transaction as Deref>::Target;

    fn deref(&self) -> &Self::Target {
        let lent: &Lent<St::Transaction> = self.lent.downcast_ref().expect("it is the store's own");
        lent.transaction.as_ref().expect("it is there until it is dropped")
    }
}

impl<St> DerefMut for Tx<St>
where
    St: TransactionalStore<Transaction: DerefMut>,
{
    fn deref_mut(&mut self) -> &mut Self::Target {
        let lent: &mut Lent<St::Transaction> =
            self.lent.downcast_mut().expect("it is the store's own");
        lent.transaction.as_mut().expect("it is there until it is dropped")
    }
}

/// A transaction that a handler has for as long as it runs.
struct Lent<T> {
    /// Empty only while it is given back.
    transaction: Option<T>,
    slot: Arc<Slot<T>>,
}

/// Where a transaction is given back to.
struct Slot<T>(Mutex<Option<T>>);

impl<T> Slot<T> {
    fn put(&self, transaction: Option<T>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = transaction;
    }

    fn take(&self) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The end of a handler, by whatever way, gives its transaction back to be committed or undone.
impl<T> Drop for Lent<T> {
    fn drop(&mut self) {
        self.slot.put(self.transaction.take());
    }
}

/// What a handler's parameter of this type is before the handler runs: the transaction is opened
/// when it is known what for.
pub struct Pending<T>(Place, PhantomData<fn() -> T>);

/// Where the handler finds its transaction, on the way through the request.
#[derive(Clone, Default)]
pub(crate) struct Place(Arc<Mutex<Option<Box<dyn Any + Send + Sync>>>>);

impl Place {
    fn lock(&self) -> MutexGuard<'_, Option<Box<dyn Any + Send + Sync>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A [`Tx`].
pub trait Transactional {
    /// The store whose transaction it is.
    type Store;
}

impl<St> Transactional for Tx<St> {
    type Store = St;
}

impl<St> Pending<Tx<St>> {
    /// The transaction, once the handler is to run.
    pub fn transaction(self) -> Tx<St> {
        let lent = self.0.lock().take().expect("a handler runs once its record was claimed");
        Tx { lent, store: PhantomData }
    }
}

impl<S: Sync, T> FromRequestParts<S> for Pending<T> {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let place = Place::default();
        parts.extensions.insert(place.clone());
        Ok(Self(place, PhantomData))
    }
}

/// A store that opens transactions, whatever its type.
pub(crate) trait Enter: Send + Sync {
    /// Admits the attempt, with the transaction put where the handler finds it.
    fn enter<'a>(
        &'a self,
        place: Place,
        engine: &'a Engine,
        attempt: &'a Arc<Attempt>,
        contract: &'static Contract,
    ) -> BoxFuture<'a, Result<Entered, StoreError>>;
}

/// An [`Entry`], whatever its store.
pub(crate) enum Entered {
    Run(Box<dyn Commit>),
    Told(Admission),
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

/// A store that does.
pub(crate) struct Opens<St>(pub(crate) Arc<St>);

impl<St: TransactionalStore> Enter for Opens<St> {
    fn enter<'a>(
        &'a self,
        place: Place,
        engine: &'a Engine,
        attempt: &'a Arc<Attempt>,
        contract: &'static Contract,
    ) -> BoxFuture<'a, Result<Entered, StoreError>> {
        Box::pin(async move {
            Ok(match engine.enter(&self.0, attempt, contract).await? {
                Entry::Told(admission) => Entered::Told(admission),
                Entry::Run(transaction, execution) => {
                    let slot = Arc::new(Slot(Mutex::new(None)));
                    let lent = Lent { transaction: Some(transaction), slot: slot.clone() };
                    *place.lock() = Some(Box::new(lent));
                    Entered::Run(Box::new(Opened { execution, slot }))
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
