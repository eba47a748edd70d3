//! Where records live: a few atomic verbs, one round trip each.

mod ended;
mod erased;
mod error;
#[cfg(feature = "memory")]
pub mod memory;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod migrations;
#[cfg(feature = "postgres")]
pub mod postgres;
mod review;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod rows;
#[cfg(feature = "sqlite")]
pub mod sqlite;
mod transactional;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

pub use ended::{Ended, Listener};
pub(crate) use erased::ErasedStore;
pub use error::StoreError;
pub(crate) use review::ErasedReviewStore;
pub use review::ReviewStore;
pub use transactional::{Opened, TransactionalStore};

use crate::attempt::{Attempt, RecordId};
use crate::clock::Timestamp;
use crate::lease::{Fence, Lease, Owner};
use crate::record::{Answer, Record, Revision, Superseded};
use crate::review::ConflictId;

/// A place for records that any number of attempts, threads and processes may use at once.
///
/// Each verb is one atomic step by the store's own clock. A store decides nothing: it hands back
/// the record, the engine's decision follows, and what the engine asks for is carried out by
/// compare-and-set or not at all. The suite in `testing` (a feature of that name)
/// checks every rule written here.
///
/// # Cancellation
/// A dropped future may or may not have taken effect. The engine never drops one whose effect it
/// would miss.
pub trait Store: Send + Sync + 'static {
    /// Claims the record when there is none, when it is [expired](Record::is_expired), or when its
    /// revision is exactly that of `claim.over`; returns it untouched otherwise.
    ///
    /// The lease starts at the moment of the write, after any wait for a lock, and the retention
    /// when the lease ends: a crash is remembered for a whole ttl. The fencing token is
    /// greater than any the record had before. A claim that is made twice with the same owner is
    /// one claim while it is in progress: the second call returns the same grant.
    ///
    /// A claim whose payload is not the record's supersedes that execution: it is remembered with
    /// its version, the time and its answer, the newest `claim.history` of them. What is
    /// remembered of the claim's own payload is forgotten, the record itself stands for it now.
    /// The payload of the last completed execution becomes the record's [base](Record::base),
    /// unless the claim is [fresh](TakeOver::Fresh). A claim over an expired record starts with
    /// nothing of it.
    fn begin(&self, claim: &Claim) -> impl Future<Output = Result<Begun, StoreError>> + Send;

    /// Lets the lease, and the retention after it, run anew from now, while the execution is in
    /// progress.
    fn renew(&self, lease: &Lease) -> impl Future<Output = Result<Written, StoreError>> + Send;

    /// Ends the execution and lets the retention run anew from now. Finishing twice with the same
    /// lease is the same as finishing once.
    fn finish(
        &self,
        lease: &Lease,
        outcome: &Outcome,
    ) -> impl Future<Output = Result<Written, StoreError>> + Send;

    /// Removes a first claim under which nothing ran, as if it had never been made, and ends the
    /// conflicts about it. One over an earlier execution cannot be released, be it
    /// [fresh](TakeOver::Fresh): it is finished as that one ended.
    fn release(&self, lease: &Lease) -> impl Future<Output = Result<Written, StoreError>> + Send;

    /// The record as it is, with the time at which it was read; an expired one is absent.
    fn find(&self, id: &RecordId)
    -> impl Future<Output = Result<Option<Found>, StoreError>> + Send;

    /// Deletes up to `limit` expired records and says how many: fewer than `limit` means that none
    /// are left. Never touches a record with a live lease. Of two calls that overlap, one deletes
    /// a record and counts it; a [`Janitor`](crate::janitor::Janitor) in every instance relies on that.
    fn purge(&self, limit: u32) -> impl Future<Output = Result<u32, StoreError>> + Send;

    /// What is remembered of superseded executions, newest first; nothing of an expired record.
    fn history(
        &self,
        id: &RecordId,
    ) -> impl Future<Output = Result<Vec<Superseded>, StoreError>> + Send;

    /// Tells `listener`, from now on, of the executions in other processes that end while
    /// [somebody waits](Claim::waits) for them, as far as the store hears of it. Nobody relies on
    /// that alone: who waits also looks again now and then, and a store that hears of nothing does
    /// nothing here.
    fn listen(&self, listener: Listener);
}

/// The wish of one attempt to run the handler.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The attempt, with the record it is for.
    pub attempt: Arc<Attempt>,
    /// Who claims.
    pub owner: Owner,
    /// How long the lease lasts without a sign of life.
    pub lease: Duration,
    /// How long the record is kept from its end, be it a recorded one or that of its lease.
    pub ttl: Duration,
    /// What may be taken over although it is not expired.
    pub over: Option<Over>,
    /// How many superseded executions the record remembers.
    pub history: u32,
    /// Whether the attempt waits for the end of an execution that is in its way.
    pub waits: bool,
}

/// An unexpired record that may be taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Over {
    /// Compared and set: a record that has moved on is not taken over.
    pub revision: Revision,
    /// What becomes of it.
    pub how: TakeOver,
}

impl Over {
    /// The record at `revision`, to [go on](TakeOver::Continue).
    #[must_use]
    pub const fn continuing(revision: Revision) -> Self {
        Self { revision, how: TakeOver::Continue }
    }
}

/// What becomes of a record that is taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakeOver {
    /// It goes on: the time of its creation stays, its attempts are counted on.
    Continue,
    /// It begins anew, created now, with its first attempt. Its undecided conflicts expire.
    Fresh,
    /// It goes on with a disputed payload that was accepted; the conflict is
    /// [taken](crate::review::Disputed::taken) in the same step.
    Accepted(ConflictId),
}

impl Claim {
    /// How long the record is kept from the claim on, if nothing more is heard of its holder.
    #[must_use]
    pub fn retention(&self) -> Duration {
        self.lease.saturating_add(self.ttl)
    }

    /// The lease of this claim once the store has given it `fence`.
    #[must_use]
    pub fn lease_with(&self, fence: Fence) -> Lease {
        Lease { id: self.attempt.id, owner: self.owner, fence, duration: self.lease, ttl: self.ttl }
    }
}

/// The answer to a [`Claim`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "a replay would pay for a box, and a claim is short-lived"
)]
pub enum Begun {
    /// The record is the claimant's.
    Claimed {
        /// The fencing token of this execution.
        fence: Fence,
        /// The number of this execution: 1 for the first.
        attempts: u32,
    },
    /// The record is not free.
    Found(Found),
}

/// A record with the store's time at which it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The record.
    pub record: Record,
    /// The store's time at the read.
    pub now: Timestamp,
}

/// How an execution ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With an answer that every retry gets.
    Completed(Arc<Answer>),
    /// Without a final answer.
    Failed,
    /// In a way that nobody can tell.
    Unknown,
}

/// Whether a holder's write was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a write that was fenced off has not happened"]
pub enum Written {
    /// It was.
    Done,
    /// The lease is no longer the record's: nothing was written.
    Fenced,
}
