//! The in-process store: nothing survives the process.
//!
//! Good for tests, and for a single process whose clients accept that its end forgets every key.

mod conflicts;
mod history;
mod shard;

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use conflicts::Conflicts;
use shard::{Shard, Usage};

use super::{
    Begun, Claim, Found, Listener, Outcome, ReviewStore, Store, StoreError, TakeOver, Written,
};
use crate::attempt::RecordId;
use crate::clock::{Clock, SystemClock, Timestamp};
use crate::lease::Lease;
use crate::record::Superseded;
use crate::review::{Conflict, ConflictId, Decide, Decided, Filter, Hold, Holding};

const SHARDS: usize = 64;

/// Records in memory, in shards that are locked one at a time and never across an await.
///
/// Bounded: when a limit is reached and nothing has expired, new keys are refused
/// ([`StoreError::Full`]); what runs or is retained is never evicted.
///
/// ```
/// use idem_core::store::memory::MemoryStore;
/// let store = MemoryStore::new().max_records(10_000).max_bytes(64 * 1024 * 1024);
/// ```
#[derive(Clone)]
pub struct MemoryStore {
    inner: Arc<Inner>,
    max_records: usize,
    max_bytes: usize,
}

struct Inner {
    clock: Box<dyn Clock>,
    shards: [Mutex<Shard>; SHARDS],
    conflicts: Mutex<Conflicts>,
    records: AtomicUsize,
    bytes: AtomicUsize,
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryStore").field("records", &self.len()).finish_non_exhaustive()
    }
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new()
    }
}

impl MemoryStore {
    /// A store for up to 1,000,000 records and 1 GiB of answers and payloads.
    #[must_use]
    pub fn new() -> Self {
        Self::with_clock(SystemClock::default())
    }

    /// A store that reads the time from `clock`, for tests.
    #[must_use]
    pub fn with_clock(clock: impl Clock) -> Self {
        let inner = Inner {
            clock: Box::new(clock),
            shards: std::array::from_fn(|_| Mutex::default()),
            conflicts: Mutex::default(),
            records: AtomicUsize::new(0),
            bytes: AtomicUsize::new(0),
        };
        Self { inner: Arc::new(inner), max_records: 1_000_000, max_bytes: 1 << 30 }
    }

    /// The most records and conflicts kept at once.
    #[must_use]
    pub fn max_records(mut self, limit: usize) -> Self {
        self.max_records = limit;
        self
    }

    /// How many bytes of answers and payloads may be kept before new keys are refused. Executions that were
    /// admitted before still store theirs.
    #[must_use]
    pub fn max_bytes(mut self, limit: usize) -> Self {
        self.max_bytes = limit;
        self
    }

    /// How many records and conflicts are held, expired ones that were not yet swept among them.
    #[must_use]
    pub fn len(&self) -> usize {
        self.inner.records.load(Ordering::Relaxed)
    }

    /// Whether no record is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Runs `work` on the shard of `id` and keeps the books of what it added and removed.
    fn on_shard<T>(&self, shard: usize, work: impl FnOnce(&mut Shard) -> T) -> T {
        let mut shard = self.lock(shard);
        let before = shard.usage();
        let result = work(&mut shard);
        let after = shard.usage();
        drop(shard);
        self.account(before, after);
        result
    }

    /// Runs `work` on the conflicts and keeps the books as well.
    fn on_conflicts<T>(&self, work: impl FnOnce(&mut Conflicts) -> T) -> T {
        let mut conflicts = self.inner.conflicts.lock().unwrap_or_else(PoisonError::into_inner);
        let before = conflicts.usage();
        let result = work(&mut conflicts);
        let after = conflicts.usage();
        drop(conflicts);
        self.account(before, after);
        result
    }

    /// What is to be known of the conflicts about a record that was found.
    fn with_conflicts(&self, shard: &Shard, mut found: Found) -> Found {
        let id = found.record.accepted.id;
        if shard.is_disputed(&id) {
            found.record.conflicts = self.on_conflicts(|conflicts| conflicts.about(&id, found.now));
        }
        found
    }

    /// Does to the conflicts what a take-over does to them.
    fn settle_conflicts(&self, claim: &Claim, now: Timestamp) {
        match claim.over.map(|over| over.how) {
            Some(TakeOver::Accepted(id)) => {
                self.on_conflicts(|conflicts| conflicts.take(&id, now));
            }
            Some(TakeOver::Fresh) => {
                self.on_conflicts(|conflicts| conflicts.expire(&claim.attempt.id, now));
            }
            Some(TakeOver::Continue) | None => {}
        }
    }

    fn lock(&self, shard: usize) -> MutexGuard<'_, Shard> {
        self.inner.shards[shard].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn account(&self, before: Usage, after: Usage) {
        let records = after.records.wrapping_sub(before.records);
        let bytes = after.bytes.wrapping_sub(before.bytes);
        self.inner.records.fetch_add(records, Ordering::Relaxed);
        self.inner.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// The limit that is reached, if one is, after sweeping what has expired everywhere.
    ///
    /// Claims on other shards may pass at the same moment: the limit may be exceeded by the number
    /// of threads, not by more.
    fn full(&self) -> Option<StoreError> {
        self.limit_reached()?;
        self.sweep(usize::MAX);
        self.limit_reached()
    }

    fn limit_reached(&self) -> Option<StoreError> {
        if self.len() >= self.max_records {
            return Some(StoreError::Full { limit: self.max_records, unit: "records" });
        }
        let bytes = self.inner.bytes.load(Ordering::Relaxed);
        (bytes >= self.max_bytes)
            .then_some(StoreError::Full { limit: self.max_bytes, unit: "bytes" })
    }

    fn sweep(&self, limit: usize) -> usize {
        let now = self.inner.clock.now();
        let mut swept = 0;
        for shard in 0..SHARDS {
            swept += self.on_shard(shard, |shard| shard.sweep(now, limit - swept));
        }
        swept + self.on_conflicts(|conflicts| conflicts.sweep(now, limit - swept))
    }
}

fn shard_of(id: &RecordId) -> usize {
    usize::from(id.digest().as_bytes()[0]) % SHARDS
}

impl Store for MemoryStore {
    async fn begin(&self, claim: &Claim) -> Result<Begun, StoreError> {
        let number = shard_of(&claim.attempt.id);
        let full = self.full();
        self.on_shard(number, |shard| {
            let now = self.inner.clock.now();
            if let Some(begun) = shard.repeated(claim, now) {
                return Ok(begun);
            }
            shard.sweep(now, 2);
            match full {
                Some(error) if shard.is_vacant(&claim.attempt.id) => return Err(error),
                _ => {}
            }
            let begun = shard.begin(claim, now);
            Ok(match begun {
                Begun::Found(found) => Begun::Found(self.with_conflicts(shard, found)),
                Begun::Claimed { .. } => {
                    self.settle_conflicts(claim, now);
                    begun
                }
            })
        })
    }

    async fn renew(&self, lease: &Lease) -> Result<Written, StoreError> {
        let renew = |shard: &mut Shard| shard.renew(lease, self.inner.clock.now());
        Ok(self.on_shard(shard_of(&lease.id), renew))
    }

    async fn finish(&self, lease: &Lease, outcome: &Outcome) -> Result<Written, StoreError> {
        let finish = |shard: &mut Shard| shard.finish(lease, outcome, self.inner.clock.now());
        Ok(self.on_shard(shard_of(&lease.id), finish))
    }

    async fn release(&self, lease: &Lease) -> Result<Written, StoreError> {
        Ok(self.on_shard(shard_of(&lease.id), |shard| {
            let is_disputed = shard.is_disputed(&lease.id);
            let written = shard.release(lease);
            if is_disputed && written == Written::Done {
                let now = self.inner.clock.now();
                self.on_conflicts(|conflicts| conflicts.forget(&lease.id, now));
            }
            written
        }))
    }

    async fn find(&self, id: &RecordId) -> Result<Option<Found>, StoreError> {
        let now = self.inner.clock.now();
        let shard = self.lock(shard_of(id));
        Ok(shard.find(id, now).map(|found| self.with_conflicts(&shard, found)))
    }

    async fn purge(&self, limit: u32) -> Result<u32, StoreError> {
        let swept = self.sweep(limit as usize);
        Ok(u32::try_from(swept).unwrap_or(limit))
    }

    async fn history(&self, id: &RecordId) -> Result<Vec<Superseded>, StoreError> {
        let now = self.inner.clock.now();
        Ok(self.lock(shard_of(id)).history(id, now))
    }

    /// There are no other processes.
    fn listen(&self, _: Listener) {}
}

impl ReviewStore for MemoryStore {
    async fn hold(&self, hold: &Hold) -> Result<Holding, StoreError> {
        let id = hold.attempt.id;
        let full = self.full();
        self.on_shard(shard_of(&id), |shard| {
            let now = self.inner.clock.now();
            let Some(record) = shard.compared(&id, hold.seen, now) else {
                return Ok(Holding::Moved);
            };
            if let Some(error) = full {
                return Err(error);
            }
            let holding = self.on_conflicts(|conflicts| {
                conflicts.sweep(now, 2);
                conflicts.hold(hold, record, now)
            });
            if holding == Holding::Held(hold.id) {
                shard.dispute_until(&id, now.after(hold.ttl), now);
            }
            Ok(holding)
        })
    }

    async fn conflict(&self, id: &ConflictId) -> Result<Option<Conflict>, StoreError> {
        let now = self.inner.clock.now();
        Ok(self.on_conflicts(|conflicts| conflicts.show(id, now)))
    }

    async fn conflicts(&self, filter: &Filter) -> Result<Vec<Conflict>, StoreError> {
        let now = self.inner.clock.now();
        Ok(self.on_conflicts(|conflicts| conflicts.list(filter, now)))
    }

    async fn decide(&self, decide: &Decide) -> Result<Option<Decided>, StoreError> {
        let Some(record) = self.on_conflicts(|conflicts| conflicts.record_of(&decide.id)) else {
            return Ok(None);
        };
        // Under the lock of the record, so that no claim over it overlaps with the decision.
        Ok(self.on_shard(shard_of(&record), |shard| {
            let now = self.inner.clock.now();
            let decided = self.on_conflicts(|conflicts| conflicts.decide(decide, now))?;
            if let Decided::Done(conflict) = &decided {
                shard.dispute_until(&record, conflict.expires_at, now);
            }
            Some(decided)
        }))
    }
}

#[cfg(test)]
mod tests;
