//! From an attempt to an admission: claim, decide, and claim again where the decision says so.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout};
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::execution::Granted;
use super::takeover::TakenOver;
use super::waiting::Ear;
use super::{Admission, Dispute, Engine, Execution, Merging, Settings};
use crate::attempt::{Attempt, Payload};
use crate::contract::Contract;
use crate::decision::{Cause, Refusal, Verdict, decide};
use crate::lease::{Lease, Owner};
use crate::observe::Arbitration;
use crate::record::Record;
use crate::store::{Begun, Claim, Found, Outcome, StoreError, Written};

/// How often a record may move on between decision and claim before the attempt is told to come
/// back: each time another attempt has made progress.
pub(super) const ROUNDS: usize = 8;

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
        let running = self.running()?;
        let owner = Owner::random();
        let mut over: Option<TakenOver> = None;
        let mut ear = contract.wait.map(|patience| self.inner.waiters.listen(attempt.id, patience));
        let mut rounds = 0;
        while rounds < ROUNDS {
            rounds += 1;
            ear.iter_mut().for_each(Ear::open);
            match self.try_claim(attempt, contract, owner, over.take()).await? {
                Tried::Granted(granted) => {
                    return Ok(Admission::Run(Execution::begin(self, granted, running)));
                }
                Tried::Lost => {}
                Tried::Found(Found { record, now }) => {
                    match decide(Some(&record), attempt, contract, now) {
                        Verdict::Run { over: seen, cause } => {
                            over = seen.map(|over| TakenOver { over, cause, record });
                        }
                        Verdict::Wait if Ear::wait(ear.as_mut()).await => rounds = 0,
                        verdict => return Ok(self.tell(record, attempt, verdict)),
                    }
                }
            }
        }
        Ok(Admission::Refused(Refusal::Busy))
    }

    /// Admits an attempt whose payload was merged into [`Merging::base`], as
    /// [`admit`](Self::admit) does, if the record is still what it was merged with. Where it has
    /// moved on, the decision is made anew, and may ask for another merge or let the payload run
    /// as it was sent: see [`Execution::cause`].
    ///
    /// # Errors
    /// As [`admit`](Self::admit).
    ///
    /// # Cancellation
    /// As [`admit`](Self::admit).
    pub async fn admit_merged(
        &self,
        attempt: &Arc<Attempt>,
        contract: &Contract,
        merging: Merging,
        merged: Payload,
    ) -> Result<Admission, StoreError> {
        let running = self.running()?;
        let merged = Arc::new(Attempt { payload: Some(merged), ..(**attempt).clone() });
        let over = Some(*merging.taken_over);
        match self.try_claim(&merged, contract, Owner::random(), over).await? {
            Tried::Granted(granted) => Ok(Admission::Run(Execution::begin(self, granted, running))),
            Tried::Lost | Tried::Found(_) => self.admit(attempt, contract).await,
        }
    }
}

/// What came of one claim.
enum Tried {
    Granted(Granted),
    /// It was granted, and the answer came so late that another attempt holds the record now.
    Lost,
    Found(Found),
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
        Ok(found.map(|Found { record, now }| {
            let verdict = decide(Some(&record), attempt, contract, now);
            match told(record, verdict) {
                Admission::Merge(_) | Admission::Hold(_) => Admission::Refused(Refusal::Busy),
                admission => admission,
            }
        }))
    }

    /// What is told of a verdict that does not claim at once, and what the observer hears of it.
    pub(super) fn tell(&self, record: Record, attempt: &Attempt, verdict: Verdict) -> Admission {
        // What is not done yet is reported when it is.
        if !matches!(verdict, Verdict::Merge { .. } | Verdict::Hold { .. }) {
            self.report(&record, attempt, Arbitration::of(&verdict));
        }
        told(record, verdict)
    }

    /// Why an attempt runs that was granted its claim; the observer hears of it if that settles a
    /// conflict.
    pub(super) fn report_run(&self, attempt: &Attempt, over: Option<TakenOver>) -> Cause {
        let Some(TakenOver { cause, record, .. }) = over else { return Cause::New };
        self.report(&record, attempt, Arbitration::by(cause));
        cause
    }

    /// A place among the running executions, unless all are taken. A shutdown waits for a claim as
    /// well: a handler may run under it.
    pub(super) fn running(&self) -> Result<TaskTrackerToken, StoreError> {
        let Settings { max_running, .. } = *self.settings();
        if self.inner.running.len() >= max_running {
            return Err(StoreError::Full { limit: max_running, unit: "running executions" });
        }
        Ok(self.inner.running.token())
    }

    /// Claims once; the observer hears of a claim that settles a conflict.
    async fn try_claim(
        &self,
        attempt: &Arc<Attempt>,
        contract: &Contract,
        owner: Owner,
        over: Option<TakenOver>,
    ) -> Result<Tried, StoreError> {
        let claim = self.claim(attempt, contract, owner, over.as_ref());
        let ended = over.as_ref().map(TakenOver::ended);
        let asked = Instant::now();
        match self.begin(claim.clone(), ended.clone()).await? {
            Begun::Claimed { fence, attempts } => {
                let lease = claim.lease_with(fence);
                if !self.still_holds(lease, asked, claim, ended).await? {
                    return Ok(Tried::Lost);
                }
                let cause = self.report_run(attempt, over);
                Ok(Tried::Granted(Granted { lease, attempts, cause }))
            }
            Begun::Found(found) => Ok(Tried::Found(found)),
        }
    }

    pub(super) fn claim(
        &self,
        attempt: &Arc<Attempt>,
        contract: &Contract,
        owner: Owner,
        over: Option<&TakenOver>,
    ) -> Claim {
        Claim {
            attempt: attempt.clone(),
            owner,
            lease: contract.lease.unwrap_or(self.settings().lease).max(SHORTEST_LEASE),
            ttl: contract.ttl,
            over: over.map(|taken| taken.over),
            history: contract.max_history,
            waits: contract.wait.is_some(),
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

/// What a verdict means for an attempt that is not granted a claim.
fn told(record: Record, verdict: Verdict) -> Admission {
    match verdict {
        Verdict::Replay { answer, differs } => Admission::Replay { answer, differs },
        Verdict::Merge { over, base } => {
            let taken_over = Box::new(TakenOver { over, cause: Cause::Merging, record });
            Admission::Merge(Merging { taken_over, base })
        }
        Verdict::Hold { changed } => Admission::Hold(Dispute { record: Box::new(record), changed }),
        Verdict::Refuse(refusal) => Admission::Refused(refusal),
        Verdict::Run { .. } | Verdict::Wait => Admission::Refused(Refusal::Busy),
    }
}
