//! The queue of disputed attempts, for the people who decide.

use std::any::TypeId;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::time::timeout;

use super::{Conflict, ConflictId, Decide, Decided, Filter, Hold, Holding, Ruling};
use crate::store::{ErasedReviewStore, ReviewStore, StoreError};

/// How long one call of the store may take unless it is set: as long as in an engine.
const STORE_TIMEOUT: Duration = Duration::from_secs(5);

/// The conflicts of a store: list them, look at one, decide it.
///
/// Of two people who decide the same conflict the first counts, and the second is told. What was
/// accepted runs with the client's next retry, or at once where its contract says so and this
/// process has served its handler before.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::Arc;
/// use idem_core::review::{ConflictState, Filter, Queue};
/// use idem_core::store::memory::MemoryStore;
///
/// let queue = Queue::new(Arc::new(MemoryStore::new()));
/// let pending = Filter { state: Some(ConflictState::Pending), ..Filter::default() };
/// for conflict in queue.list(&pending).await? {
///     queue.keep(conflict.id, conflict.version, "mara", "typed twice").await?;
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Queue {
    store: Arc<dyn ErasedReviewStore>,
    runners: Runners,
    store_timeout: Duration,
}

/// Why a conflict could not be shown or decided.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueueError {
    /// There is no conflict of this name: it never was, or it was purged.
    #[error("there is no such conflict")]
    NotFound,
    /// It was decided before, has expired, or is not at the version that was seen.
    #[error("the conflict has changed since it was seen: it is {}", .0.state.word())]
    Stale(Box<Conflict>),
    /// The store failed: look at the conflict again before deciding anew.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Runs what people have accepted, at once.
pub trait RunAccepted: Send + Sync + 'static {
    /// Runs the disputed payload of `conflict`, under a claim like any other attempt's.
    fn run(&self, conflict: Conflict) -> BoxFuture<'static, ()>;
}

/// Who runs what was accepted, by the name of the operation; clones share it.
#[derive(Clone, Default)]
pub struct Runners {
    by_operation: Arc<Mutex<HashMap<String, Registered>>>,
}

/// `None` when several have registered for one name: which of them is meant nobody can tell.
type Registered = (TypeId, Option<Arc<dyn RunAccepted>>);

impl Queue {
    /// The conflicts of `store`.
    #[must_use]
    pub fn new(store: Arc<impl ReviewStore>) -> Self {
        Self { store, runners: Runners::default(), store_timeout: STORE_TIMEOUT }
    }

    /// Lets `runners` run what is accepted here.
    #[must_use]
    pub fn runners(self, runners: Runners) -> Self {
        Self { runners, ..self }
    }

    /// Sets how long one call of the store may take; 5 seconds unless set.
    #[must_use]
    pub fn store_timeout(self, store_timeout: Duration) -> Self {
        Self { store_timeout, ..self }
    }

    /// The conflicts that pass the filter, newest first.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn list(&self, filter: &Filter) -> Result<Vec<Conflict>, StoreError> {
        self.within_limit(self.store.clone().conflicts(filter.clone())).await
    }

    /// One conflict.
    ///
    /// # Errors
    /// When there is none of this name, or the store fails.
    pub async fn show(&self, id: ConflictId) -> Result<Conflict, QueueError> {
        let conflict = self.within_limit(self.store.clone().conflict(id)).await?;
        conflict.ok_or(QueueError::NotFound)
    }

    /// Lets the disputed payload run, once. `version` is that of the conflict that was looked at.
    ///
    /// # Errors
    /// When the conflict is not as it was seen, or the store fails.
    pub async fn accept(
        &self,
        id: ConflictId,
        version: u64,
        by: impl Into<String>,
        reason: impl Into<String>,
    ) -> Result<Conflict, QueueError> {
        let (by, reason) = (by.into(), reason.into());
        let decide = Decide { id, version, ruling: Ruling::Accept, by, reason };
        let accepted = self.decide(decide).await?;
        if let Some(runner) = self.runners.of(accepted.disputed.operation.name()) {
            tokio::spawn(runner.run(accepted.clone()));
        }
        Ok(accepted)
    }

    /// Lets the key stay with what it stands for: retries of the disputed payload are refused.
    ///
    /// # Errors
    /// As [`accept`](Self::accept).
    pub async fn keep(
        &self,
        id: ConflictId,
        version: u64,
        by: impl Into<String>,
        reason: impl Into<String>,
    ) -> Result<Conflict, QueueError> {
        let (by, reason) = (by.into(), reason.into());
        self.decide(Decide { id, version, ruling: Ruling::Keep, by, reason }).await
    }

    async fn decide(&self, decide: Decide) -> Result<Conflict, QueueError> {
        match self.within_limit(self.store.clone().decide(decide)).await? {
            Some(Decided::Done(conflict)) => Ok(conflict),
            Some(Decided::Stale(conflict)) => Err(QueueError::Stale(Box::new(conflict))),
            None => Err(QueueError::NotFound),
        }
    }

    /// Keeps an attempt for people to decide.
    pub(crate) async fn hold(&self, hold: Hold) -> Result<Holding, StoreError> {
        self.within_limit(self.store.clone().hold(hold)).await
    }

    async fn within_limit<T>(
        &self,
        call: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let after = self.store_timeout;
        timeout(after, call).await.unwrap_or(Err(StoreError::TimedOut { after }))
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue").finish_non_exhaustive()
    }
}

impl Runners {
    /// Lets `runner` run what is accepted of the operation called `operation`; a second call for
    /// the same `handler` changes nothing.
    ///
    /// Where two handlers have one name, none of them is run at once: what is accepted waits for
    /// the client's retry, which names its handler by its route.
    pub fn register<R: RunAccepted>(
        &self,
        operation: &str,
        handler: TypeId,
        runner: impl FnOnce() -> R,
    ) {
        let mut runners = self.lock();
        match runners.get_mut(operation) {
            None => {
                runners.insert(operation.to_owned(), (handler, Some(Arc::new(runner()))));
            }
            Some((registered, runner)) if *registered != handler && runner.is_some() => {
                *runner = None;
                tracing::error!(operation, "two handlers have this name: give each its own `name`");
            }
            Some(_) => {}
        }
    }

    fn of(&self, operation: &str) -> Option<Arc<dyn RunAccepted>> {
        self.lock().get(operation).and_then(|(_, runner)| runner.clone())
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Registered>> {
        self.by_operation.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Runners {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.lock().keys()).finish()
    }
}
