//! What joins decision, store and lease: from an attempt to an admission, from an admission to a
//! recorded outcome.

mod admit;
mod aftercare;
mod execution;
mod gates;
mod give_back;
mod settings;
mod takeover;
mod transacted;
mod waiting;

use std::fmt;
use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::task::TaskTracker;

pub use execution::{Execution, Finish};
use gates::Gates;
pub use settings::Settings;
pub use takeover::{Dispute, Merging};
pub use transacted::{Entry, Transacted};
use waiting::Waiters;

use crate::attempt::RecordId;
use crate::decision::Refusal;
use crate::janitor::Janitor;
use crate::lease::Heartbeat;
use crate::observe::{LogConflicts, Observer};
use crate::record::{Answer, Superseded};
use crate::store::{ErasedStore, Store, StoreError};

/// Admits attempts and records outcomes on one store; clones share it.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::Arc;
/// use idem_core::attempt::{Attempt, RecordId};
/// use idem_core::contract::Contract;
/// use idem_core::engine::{Admission, Engine, Settings};
/// use idem_core::fingerprint::{Encoding, Fingerprint, Mask};
/// use idem_core::key::IdempotencyKey;
/// use idem_core::operation::Operation;
/// use idem_core::record::Answer;
/// use idem_core::scope::Scope;
/// use idem_core::store::{Outcome, memory::MemoryStore};
///
/// const PAY: Contract = Contract::new("pay");
/// let engine = Engine::new(MemoryStore::new(), Settings::default());
/// let key = IdempotencyKey::parse(b"order-81f2")?;
/// let attempt = Arc::new(Attempt {
///     id: RecordId::of(&Scope::GLOBAL, &key),
///     scope: Scope::GLOBAL,
///     operation: Operation::http(PAY.name, "POST", "/pay", None),
///     fingerprint: Fingerprint::of(Encoding::Json, None, b"{\"amount\":10}", &Mask::NONE)?,
///     identity: None,
///     payload: None,
/// });
///
/// let Admission::Run(execution) = engine.admit(&attempt, &PAY).await? else { unreachable!() };
/// let answer = Arc::new(Answer { status: 201, headers: vec![], body: Some("paid".into()) });
/// execution.finish(Outcome::Completed(answer.clone())).await;
///
/// let Admission::Replay { answer: replayed, .. } = engine.admit(&attempt, &PAY).await? else { unreachable!() };
/// assert_eq!(replayed, answer);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
}

#[derive(Clone)]
struct Inner {
    store: Arc<dyn ErasedStore>,
    settings: Settings,
    heartbeat: Arc<Heartbeat>,
    running: TaskTracker,
    aftercare: Arc<Semaphore>,
    waiters: Arc<Waiters>,
    gates: Arc<Gates>,
    observer: Arc<dyn Observer>,
}

/// What an attempt may do.
#[derive(Debug)]
pub enum Admission {
    /// Run the handler, then [finish](Execution::finish).
    Run(Execution),
    /// Give this answer again.
    Replay {
        /// The answer of the first execution.
        answer: Arc<Answer>,
        /// Whether the payload differs from the first in fields that are not critical.
        differs: bool,
    },
    /// Merge the payload into [another](Merging::base), then ask [again](Engine::admit_merged).
    Merge(Merging),
    /// [Hold](Engine::hold) the attempt for people to decide.
    Hold(Dispute),
    /// None of these.
    Refused(Refusal),
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Engine");
        shown.field("settings", self.settings()).field("running", &self.inner.running.len());
        shown.finish_non_exhaustive()
    }
}

impl Engine {
    /// An engine on `store`.
    #[must_use]
    pub fn new(store: impl Store, settings: Settings) -> Self {
        Self::sharing(Arc::new(store), settings)
    }

    /// An engine on a store that others use too, such as a [review queue](crate::review::Queue).
    #[must_use]
    pub fn sharing(store: Arc<impl Store>, settings: Settings) -> Self {
        let store: Arc<dyn ErasedStore> = store;
        let heartbeat = Heartbeat::new(store.clone());
        let waiters = Arc::new(Waiters::default());
        store.listen(waiters.clone().listener());
        let inner = Inner {
            store,
            settings,
            heartbeat,
            running: TaskTracker::new(),
            aftercare: Arc::new(Semaphore::new(aftercare::LIMIT)),
            waiters,
            gates: Arc::default(),
            observer: Arc::new(LogConflicts),
        };
        Self { inner: Arc::new(inner) }
    }

    /// The same engine with other settings: store, running executions and shutdown are shared.
    #[must_use]
    pub fn with_settings(&self, settings: Settings) -> Self {
        Self { inner: Arc::new(Inner { settings, ..(*self.inner).clone() }) }
    }

    /// The same engine, which tells `observer` of conflicts instead of logging them.
    #[must_use]
    pub fn with_observer(&self, observer: impl Observer) -> Self {
        let observer = Arc::new(observer);
        Self { inner: Arc::new(Inner { observer, ..(*self.inner).clone() }) }
    }

    /// How the engine was set up.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    /// What the record remembers of superseded executions, newest first.
    ///
    /// # Errors
    /// When the store fails or does not answer in time.
    pub async fn history(&self, id: RecordId) -> Result<Vec<Superseded>, StoreError> {
        self.within_limit(self.inner.store.clone().history(id)).await
    }

    /// A janitor for the expired records of this engine's store, with the engine's time limit. It is
    /// not the engine's, and [`shutdown`](Self::shutdown) does not stop it.
    pub fn janitor(&self) -> Janitor {
        Janitor::on(self.inner.store.clone()).store_timeout(self.settings().store_timeout)
    }

    /// One call of the store, within its time limit.
    async fn within_limit<T>(
        &self,
        call: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let after = self.settings().store_timeout;
        timeout(after, call).await.unwrap_or(Err(StoreError::TimedOut { after }))
    }

    /// Waits until no execution is running and none is still being recorded.
    ///
    /// Call it after the server has stopped accepting requests: handlers whose clients left are
    /// running on. What is cut off by the end of the process is recovered when its lease runs out.
    /// A [janitor](Self::janitor) is neither waited for nor stopped: whoever started it holds its
    /// handle, and other engines may use the store.
    ///
    /// # Cancellation
    /// Safe: put it under a timeout to bound the grace.
    pub async fn shutdown(&self) {
        self.inner.running.close();
        self.inner.running.wait().await;
    }
}
