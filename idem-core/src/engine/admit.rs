//! From an attempt to an admission: claim, decide, and claim again where the decision says so.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout};

use super::waiting::Ear;
use super::{Admission, Engine, Execution, Settings};
use crate::attempt::Attempt;
use crate::contract::Contract;
use crate::decision::{Refusal, Verdict, decide};
use crate::lease::{Lease, Owner};
use crate::observe::Conflict;
use crate::record::{Record, Revision, State};
use crate::store::{Begun, Claim, Found, Outcome, StoreError, Written};

/// How often a record may move on between decision and claim before the attempt is told to come
/// back: each time another attempt has made progress.
const ROUNDS: usize = 8;

/// Stores count in milliseconds: a shorter lease would be none, and its renewal would never rest.
const SHORTEST_LEASE: Duration = Duration::from_millis(1);

impl Engine {
    /// Decides what `attempt` may do under `contract`, and claims the record if it may run.
    ///
    /// One round trip for an attempt that runs first or is answered from the record; one more for
    /// one that runs after a failure or a crash.
    ///
    /// # Errors
    /// When the store fails or does not answer in time: nothing ran. A claim that was made all the
    /// same is given back in the background, for as long as [`Settings::lease`] and at least half a
    /// minute; after a longer outage its record counts as crashed.
    ///
    /// # Cancellation
    /// Must not be dropped before it is ready: the claim it made would be left to its lease. Carry
    /// it on in a task instead.
    pub async fn admit(
        &self,
        attempt: &Arc<Attempt>,
        contract: &Contract,
    ) -> Result<Admission, StoreError> {
        let Settings { max_running, .. } = *self.settings();
        if self.inner.running.len() >= max_running {
            return Err(StoreError::Full { limit: max_running, unit: "running executions" });
        }
        // A shutdown waits for a claim as well: a handler may run under it.
        let running = self.inner.running.token();
        let owner = Owner::random();
        let mut over: Option<Over> = None;
        let mut ear = contract.wait.map(|patience| self.inner.waiters.listen(attempt.id, patience));
        let mut rounds = 0;
        while rounds < ROUNDS {
            rounds += 1;
            ear.iter_mut().for_each(Ear::open);
            let claim = self.claim(attempt, contract, owner, over.as_ref());
            let ended = over.take().map(|over| over.ended);
            let asked = Instant::now();
            match self.begin(claim.clone(), ended.clone()).await? {
                Begun::Claimed { fence, attempts } => {
                    let lease = claim.lease_with(fence);
                    if self.still_holds(lease, asked, claim, ended).await? {
                        return Ok(Admission::Run(Execution::begin(
                            self, lease, attempts, running,
                        )));
                    }
                }
                Begun::Found(Found { record, now }) => {
                    match decide(Some(&record), attempt, contract, now) {
                        Verdict::Run { over: revision } => {
                            over = revision.map(|revision| Over::of(&record, revision));
                        }
                        Verdict::Wait if Ear::wait(ear.as_mut()).await => rounds = 0,
                        verdict => {
                            self.report(&record, attempt, &verdict);
                            return Ok(told(verdict));
                        }
                    }
                }
            }
        }
        Ok(Admission::Refused(Refusal::Busy))
    }
}

/// An earlier execution that an attempt takes over.
struct Over {
    revision: Revision,
    /// How it ended, to be put back if nothing runs in its place after all.
    ended: Outcome,
}

impl Over {
    fn of(record: &Record, revision: Revision) -> Self {
        let failed = record.state == State::Failed;
        Self { revision, ended: if failed { Outcome::Failed } else { Outcome::Unknown } }
    }
}

impl Engine {
    /// What an attempt would be told now, without claiming anything; `None` when there is no
    /// record. One that could run over a record is told to come back for that.
    ///
    /// For an execution that was fenced off: its own answer is no longer the key's.
    ///
    /// # Errors
    /// When the store fails or does not answer in time.
    pub async fn observe(
        &self,
        attempt: &Attempt,
        contract: &Contract,
    ) -> Result<Option<Admission>, StoreError> {
        let found = self.within_limit(self.inner.store.clone().find(attempt.id)).await?;
        Ok(found.map(|Found { record, now }| told(decide(Some(&record), attempt, contract, now))))
    }

    fn report(&self, record: &Record, attempt: &Attempt, verdict: &Verdict) {
        if let Some(conflict) = Conflict::of(record, attempt, verdict) {
            self.inner.observer.conflict(&conflict);
        }
    }

    fn claim(
        &self,
        attempt: &Arc<Attempt>,
        contract: &Contract,
        owner: Owner,
        over: Option<&Over>,
    ) -> Claim {
        Claim {
            attempt: attempt.clone(),
            owner,
            lease: contract.lease.unwrap_or(self.settings().lease).max(SHORTEST_LEASE),
            ttl: contract.ttl,
            over: over.map(|over| over.revision),
        }
    }

    /// Claims within the time limit. A claim whose answer is lost or late may still have been
    /// made, with nobody to run under it: it is given back in the background.
    async fn begin(&self, claim: Claim, ended: Option<Outcome>) -> Result<Begun, StoreError> {
        let limit = self.settings().store_timeout;
        let mut begun = self.inner.store.clone().begin(claim.clone());
        match timeout(limit, &mut begun).await {
            Ok(Err(error)) if error.may_have_taken_effect() => {
                self.give_back(claim, ended, None);
                Err(error)
            }
            Ok(result) => result,
            Err(_) => {
                self.give_back(claim, ended, Some(begun));
                Err(StoreError::TimedOut { after: limit })
            }
        }
    }

    /// Whether a lease that was granted is still worth running under. The answer may have taken
    /// longer than the lease lasts, and then another attempt may hold the record.
    async fn still_holds(
        &self,
        lease: Lease,
        asked: Instant,
        claim: Claim,
        ended: Option<Outcome>,
    ) -> Result<bool, StoreError> {
        if asked.elapsed() < lease.duration / 2 {
            return Ok(true);
        }
        match self.within_limit(self.inner.store.clone().renew(lease)).await {
            Ok(written) => Ok(written == Written::Done),
            Err(error) => {
                self.give_back(claim, ended, None);
                Err(error)
            }
        }
    }
}

/// What a verdict means for an attempt that neither runs nor waits any longer.
fn told(verdict: Verdict) -> Admission {
    match verdict {
        Verdict::Replay { answer, differs } => Admission::Replay { answer, differs },
        Verdict::Refuse(refusal) => Admission::Refused(refusal),
        Verdict::Run { .. } | Verdict::Wait => Admission::Refused(Refusal::Busy),
    }
}
