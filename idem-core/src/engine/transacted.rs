//! Executions whose record and business are one transaction.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout};
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::admit::ROUNDS;
use super::execution::Granted;
use super::gates::Passage;
use super::takeover::TakenOver;
use super::{Admission, Engine};
use crate::attempt::Attempt;
use crate::contract::Contract;
use crate::decision::{Cause, Refusal, Verdict, decide};
use crate::lease::{Fence, Owner};
use crate::record::{Record, State};
use crate::store::{Claim, Found, Opened, Outcome, StoreError, TransactionalStore};

/// How long an attempt waits for the transaction of another, unless its contract says so.
const PATIENCE: Duration = Duration::from_secs(5);

/// What an attempt may do whose handler writes in the transaction of its record.
pub enum Entry<S: TransactionalStore> {
    /// Run the handler, which writes in the transaction, then [finish](Transacted::finish).
    Run(S::Transaction, Transacted<S>),
    /// Something else: never [`Admission::Run`].
    Told(Admission),
}

/// The right to run the handler once, in a transaction that holds its record.
///
/// Where it is dropped without [`finish`](Self::finish), and the transaction with it, nothing is
/// left behind, as after a crash.
#[must_use = "an execution that is not finished leaves nothing behind"]
pub struct Transacted<S: TransactionalStore> {
    engine: Engine,
    store: Arc<S>,
    granted: Granted,
    /// Given back after the transaction has ended.
    _passage: Passage,
    _running: TaskTrackerToken,
}

impl Engine {
    /// Decides what `attempt` may do under `contract`, and claims the record in a new transaction of
    /// `store`, which is the store of this engine, if it may run.
    ///
    /// Another attempt that holds the record is waited for: as long as the contract waits, or 5
    /// seconds, and then the attempt is told to come back. Those of this process wait without a
    /// connection, so that they cannot keep one from whoever they wait for.
    ///
    /// # Errors
    /// When the store fails or does not answer in time: nothing ran, and nothing was claimed.
    ///
    /// # Cancellation
    /// Safe: nothing is claimed.
    pub async fn enter<S: TransactionalStore>(
        &self,
        store: &Arc<S>,
        attempt: &Arc<Attempt>,
        contract: &Contract,
    ) -> Result<Entry<S>, StoreError> {
        let running = self.running()?;
        let patience = contract.wait.unwrap_or(PATIENCE);
        let deadline = Instant::now() + patience;
        let Some(passage) = self.inner.gates.enter(attempt.id, patience).await else {
            return Ok(Entry::Told(Admission::Refused(Refusal::Busy)));
        };
        let owner = Owner::random();
        let mut over: Option<TakenOver> = None;
        for _ in 0..ROUNDS {
            let claim = self.claim(attempt, contract, owner, over.as_ref());
            match self.open(store, &claim, deadline - Instant::now()).await? {
                Opened::Claimed { transaction, fence, attempts } => {
                    let lease = claim.lease_with(fence);
                    let cause = self.report_run(attempt, over);
                    let execution = Transacted {
                        engine: self.clone(),
                        store: store.clone(),
                        granted: Granted { lease, attempts, cause },
                        _passage: passage,
                        _running: running,
                    };
                    return Ok(Entry::Run(transaction, execution));
                }
                Opened::Busy => break,
                Opened::Found(Found { record, now }) => {
                    match decide(Some(&record), attempt, contract, now) {
                        Verdict::Run { over: seen, cause } => {
                            over = seen.map(|over| TakenOver { over, cause, record });
                        }
                        verdict => return Ok(Entry::Told(self.tell(record, attempt, verdict))),
                    }
                }
            }
        }
        Ok(Entry::Told(Admission::Refused(Refusal::Busy)))
    }

    /// Claims once, within the time limit of the store beyond what is waited for others.
    async fn open<S: TransactionalStore>(
        &self,
        store: &Arc<S>,
        claim: &Claim,
        patience: Duration,
    ) -> Result<Opened<S::Transaction>, StoreError> {
        let after = self.settings().store_timeout.saturating_add(patience);
        let opened = timeout(after, store.open(claim, patience)).await;
        opened.unwrap_or(Err(StoreError::TimedOut { after }))
    }
}

impl<S: TransactionalStore> Transacted<S> {
    /// The fencing token of this execution.
    #[must_use]
    pub fn fence(&self) -> Fence {
        self.granted.lease.fence
    }

    /// The number of this execution of its record: 1 for the first. One that was rolled back by a
    /// crash has left nothing and is not counted.
    #[must_use]
    pub fn attempts(&self) -> u32 {
        self.granted.attempts
    }

    /// Why it may run.
    #[must_use]
    pub fn cause(&self) -> Cause {
        self.granted.cause
    }

    /// Commits what the handler wrote in its transaction, together with how it ended; where that is not
    /// [`Outcome::Completed`], undoes what it wrote and records that it failed.
    ///
    /// # Errors
    /// When it could not be committed: then nothing happened, and the answer of the handler is not
    /// to be given. Where the store could not even be asked, all of it may have happened; a retry
    /// finds out, and runs only if nothing did.
    ///
    /// # Cancellation
    /// Dropped before it is ready, all of it may have happened, or nothing.
    pub async fn finish(
        self,
        transaction: S::Transaction,
        outcome: Outcome,
    ) -> Result<(), StoreError> {
        let Self { ref engine, ref store, granted: Granted { lease, .. }, .. } = self;
        let committed = engine.within_limit(store.commit(transaction, &lease, &outcome)).await;
        let Err(error) = committed else {
            engine.inner.waiters.wake(&lease.id);
            return Ok(());
        };
        // The reply alone may be lost.
        let found = engine.within_limit(store.find(&lease.id)).await;
        match found {
            Ok(Some(Found { record, .. })) if is_end_of(&record, lease.owner) => Ok(()),
            _ => {
                tracing::error!(record = %lease.id, %error, "a handler's transaction was not committed");
                Err(error)
            }
        }
    }
}

/// Whether the record shows how the execution of `owner` has ended.
fn is_end_of(record: &Record, owner: Owner) -> bool {
    record.revision.owner == owner && !matches!(record.state, State::InProgress { .. })
}

impl<S: TransactionalStore> fmt::Debug for Transacted<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Transacted");
        shown.field("granted", &self.granted).finish_non_exhaustive()
    }
}
