//! One shard of the memory store: what the verbs do under its lock.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::conflicts::payload_bytes;
use super::history::{History, answer_bytes};
use crate::attempt::{Attempt, RecordId};
use crate::clock::Timestamp;
use crate::lease::{Fence, Lease, Owner};
use crate::record::{Record, Revision, State, Superseded};
use crate::store::{Begun, Claim, Found, Outcome, TakeOver, Written};

#[derive(Default)]
pub(super) struct Shard {
    records: HashMap<RecordId, Kept>,
    /// When to look at which record. An entry that is no longer its record's is passed over when
    /// its time has come.
    looks: BinaryHeap<Reverse<(Timestamp, RecordId)>>,
    bytes: usize,
}

struct Kept {
    record: Record,
    history: History,
    /// Whether its claim took over no earlier execution.
    is_first: bool,
    /// Until when there may be conflicts about it, if there were any.
    disputed_until: Option<Timestamp>,
    /// When its entry in `looks` is due: never after its expiry.
    look_at: Timestamp,
}

/// What is held, for the store's limits.
#[derive(Clone, Copy)]
pub(super) struct Usage {
    pub(super) records: usize,
    pub(super) bytes: usize,
}

impl Shard {
    pub(super) fn usage(&self) -> Usage {
        Usage { records: self.records.len(), bytes: self.bytes }
    }

    #[cfg(test)]
    pub(super) fn looks(&self) -> usize {
        self.looks.len()
    }

    pub(super) fn is_vacant(&self, id: &RecordId) -> bool {
        !self.records.contains_key(id)
    }

    pub(super) fn is_disputed(&self, id: &RecordId) -> bool {
        self.records.get(id).is_some_and(|kept| kept.disputed_until.is_some())
    }

    /// The grant of a claim that was made before, and whose answer was lost.
    pub(super) fn repeated(&self, claim: &Claim, now: Timestamp) -> Option<Begun> {
        let record = &self.unexpired(&claim.attempt.id, now)?.record;
        let in_progress = matches!(record.state, State::InProgress { .. });
        (in_progress && record.revision.owner == claim.owner).then(|| granted(record))
    }

    /// Grants a claim that was not made before.
    pub(super) fn begin(&mut self, claim: &Claim, now: Timestamp) -> Begun {
        let id = claim.attempt.id;
        let Some(kept) = self.records.get_mut(&id) else {
            return self.insert(claim, now);
        };
        let found = &kept.record;
        if !found.is_expired(now) && claim.over.map(|over| over.revision) != Some(found.revision) {
            return Begun::Found(kept.found(&claim.attempt, now));
        }
        self.bytes -= kept.bytes();
        kept.take_over(claim, now);
        self.bytes += kept.bytes();
        let (begun, expires_at) = (granted(&kept.record), kept.record.expires_at);
        self.look_by(expires_at, id);
        begun
    }

    fn insert(&mut self, claim: &Claim, now: Timestamp) -> Begun {
        let record = claimed(claim, now, None);
        let (begun, look_at) = (granted(&record), record.expires_at);
        let history = History::default();
        let kept = Kept { record, history, is_first: true, disputed_until: None, look_at };
        self.bytes += kept.bytes();
        self.looks.push(Reverse((look_at, claim.attempt.id)));
        self.records.insert(claim.attempt.id, kept);
        begun
    }

    pub(super) fn renew(&mut self, lease: &Lease, now: Timestamp) -> Written {
        match self.held(lease) {
            Some(kept) if matches!(kept.record.state, State::InProgress { .. }) => {
                kept.record.state = State::InProgress { lease_until: now.after(lease.duration) };
                kept.record.revision.version += 1;
                kept.expire_at(now.after(lease.retention()));
                Written::Done
            }
            _ => Written::Fenced,
        }
    }

    pub(super) fn finish(&mut self, lease: &Lease, outcome: &Outcome, now: Timestamp) -> Written {
        let Some(kept) = self.held(lease) else {
            return Written::Fenced;
        };
        let before = kept.bytes();
        kept.record.state = match outcome {
            Outcome::Completed(answer) => State::Completed(answer.clone()),
            Outcome::Failed => State::Failed,
            Outcome::Unknown => State::Unknown,
        };
        kept.record.revision.version += 1;
        kept.expire_at(now.after(lease.ttl));
        let (after, expires_at) = (kept.bytes(), kept.record.expires_at);
        self.look_by(expires_at, lease.id);
        self.bytes = self.bytes - before + after;
        Written::Done
    }

    pub(super) fn release(&mut self, lease: &Lease) -> Written {
        let is_first_claim = |kept: &&mut Kept| {
            kept.is_first && matches!(kept.record.state, State::InProgress { .. })
        };
        match self.held(lease).filter(is_first_claim).map(|kept| kept.bytes()) {
            Some(bytes) => {
                self.bytes -= bytes;
                self.records.remove(&lease.id);
                Written::Done
            }
            None => Written::Fenced,
        }
    }

    pub(super) fn find(&self, id: &RecordId, now: Timestamp) -> Option<Found> {
        let kept = self.unexpired(id, now)?;
        Some(Found { record: kept.record.clone(), now })
    }

    pub(super) fn history(&self, id: &RecordId, now: Timestamp) -> Vec<Superseded> {
        self.unexpired(id, now).map(|kept| kept.history.to_vec()).unwrap_or_default()
    }

    /// The record that an attempt was compared with, if it is still at the execution `seen`.
    pub(super) fn compared(
        &mut self,
        id: &RecordId,
        seen: Owner,
        now: Timestamp,
    ) -> Option<&Record> {
        let record = &self.unexpired(id, now)?.record;
        (record.revision.owner == seen).then_some(record)
    }

    /// Keeps a record at least until `expires_at`, because of a conflict about it.
    pub(super) fn dispute_until(&mut self, id: &RecordId, expires_at: Timestamp, now: Timestamp) {
        let kept = self.records.get_mut(id).filter(|kept| !kept.record.is_expired(now));
        if let Some(kept) = kept {
            kept.disputed_until = kept.disputed_until.max(Some(expires_at));
            kept.expire_at(kept.record.expires_at);
        }
    }

    /// Removes up to `limit` expired records; the cost is theirs, not that of the others.
    pub(super) fn sweep(&mut self, now: Timestamp, limit: usize) -> usize {
        let mut swept = 0;
        while swept < limit {
            match self.looks.peek() {
                Some(Reverse((due, _))) if *due <= now => {}
                _ => break,
            }
            let Some(Reverse((due, id))) = self.looks.pop() else { break };
            let Some(kept) = self.records.get_mut(&id).filter(|kept| kept.look_at == due) else {
                continue;
            };
            if kept.record.is_expired(now) {
                self.bytes -= kept.bytes();
                self.records.remove(&id);
                swept += 1;
            } else {
                kept.look_at = next_look(&kept.record);
                self.looks.push(Reverse((kept.look_at, id)));
            }
        }
        swept
    }

    /// Sees to it that the record is looked at by `expires_at`: an execution that ends, or is taken
    /// over under a shorter lease or ttl, may bring the expiry forward.
    fn look_by(&mut self, expires_at: Timestamp, id: RecordId) {
        if let Some(kept) = self.records.get_mut(&id).filter(|kept| expires_at < kept.look_at) {
            kept.look_at = expires_at;
            self.looks.push(Reverse((expires_at, id)));
        }
    }

    fn unexpired(&self, id: &RecordId, now: Timestamp) -> Option<&Kept> {
        self.records.get(id).filter(|kept| !kept.record.is_expired(now))
    }

    fn held(&mut self, lease: &Lease) -> Option<&mut Kept> {
        let kept = self.records.get_mut(&lease.id)?;
        let Record { revision, fence, .. } = &kept.record;
        (revision.owner == lease.owner && *fence == lease.fence).then_some(kept)
    }
}

impl Kept {
    /// The record as `attempt` finds it.
    fn found(&self, attempt: &Attempt, now: Timestamp) -> Found {
        let superseded = self.history.of(attempt);
        Found { record: Record { superseded, ..self.record.clone() }, now }
    }

    fn take_over(&mut self, claim: &Claim, now: Timestamp) {
        if self.record.is_expired(now) {
            self.history = History::default();
            self.disputed_until = None;
            self.is_first = true;
        } else {
            self.is_first = false;
            self.history.supersede(&self.record, &claim.attempt, claim.history, now);
        }
        let record = claimed(claim, now, Some(&self.record));
        self.record = Record { history: self.history.len(), ..record };
        self.expire_at(self.record.expires_at);
    }

    /// Keeps it until `expires_at`, or for as long as there may be conflicts about it.
    fn expire_at(&mut self, expires_at: Timestamp) {
        self.record.expires_at =
            self.disputed_until.map_or(expires_at, |until| until.max(expires_at));
    }

    fn bytes(&self) -> usize {
        let Record { accepted, state, base, .. } = &self.record;
        let answer = match state {
            State::Completed(answer) => answer_bytes(Some(answer)),
            _ => 0,
        };
        answer
            + payload_bytes(accepted.payload.as_ref())
            + payload_bytes(base.as_ref())
            + self.history.bytes()
    }
}

/// When a record that has not expired is worth another look: a live one when its lease ends.
fn next_look(record: &Record) -> Timestamp {
    match record.state {
        State::InProgress { lease_until } => lease_until.max(record.expires_at),
        _ => record.expires_at,
    }
}

fn claimed(claim: &Claim, now: Timestamp, before: Option<&Record>) -> Record {
    // The clock makes the token grow even over a purge, where the count is forgotten.
    let fence = u64::try_from(now.as_millis()).unwrap_or(0);
    let is_fresh = claim.over.is_some_and(|over| over.how == TakeOver::Fresh);
    let taken_over = before.filter(|record| !record.is_expired(now) && !is_fresh);
    Record {
        accepted: claim.attempt.clone(),
        state: State::InProgress { lease_until: now.after(claim.lease) },
        revision: Revision {
            owner: claim.owner,
            version: before.map_or(1, |record| record.revision.version + 1),
        },
        fence: Fence::new(before.map_or(fence, |record| fence.max(record.fence.get() + 1))),
        attempts: taken_over.map_or(1, |record| record.attempts + 1),
        created_at: taken_over.map_or(now, |record| record.created_at),
        expires_at: now.after(claim.retention()),
        base: taken_over.and_then(|record| record.settled().cloned()),
        history: 0,
        superseded: None,
        conflicts: Vec::new(),
    }
}

fn granted(record: &Record) -> Begun {
    Begun::Claimed { fence: record.fence, attempts: record.attempts }
}
