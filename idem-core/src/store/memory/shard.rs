//! One shard of the memory store: what the verbs do under its lock.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use crate::attempt::RecordId;
use crate::clock::Timestamp;
use crate::lease::{Fence, Lease};
use crate::record::{Record, Revision, State};
use crate::store::{Begun, Claim, Found, Outcome, Written};

#[derive(Default)]
pub(super) struct Shard {
    records: HashMap<RecordId, Kept>,
    /// When to look at which record. An entry that is no longer its record's is passed over when
    /// its time has come.
    looks: BinaryHeap<Reverse<(Timestamp, RecordId)>>,
    answer_bytes: usize,
}

struct Kept {
    record: Record,
    /// When its entry in `looks` is due: never after its expiry.
    look_at: Timestamp,
}

/// What a shard holds, for the store's limits.
#[derive(Clone, Copy)]
pub(super) struct Usage {
    pub(super) records: usize,
    pub(super) bytes: usize,
}

impl Shard {
    pub(super) fn usage(&self) -> Usage {
        Usage { records: self.records.len(), bytes: self.answer_bytes }
    }

    #[cfg(test)]
    pub(super) fn looks(&self) -> usize {
        self.looks.len()
    }

    pub(super) fn is_vacant(&self, id: &RecordId) -> bool {
        !self.records.contains_key(id)
    }

    pub(super) fn begin(&mut self, claim: &Claim, now: Timestamp) -> Begun {
        let id = claim.attempt.id;
        let Some(Kept { record: found, .. }) = self.records.get_mut(&id) else {
            let record = claimed(claim, now, None);
            let begun = granted(&record);
            let look_at = record.expires_at;
            self.looks.push(Reverse((look_at, id)));
            self.records.insert(id, Kept { record, look_at });
            return begun;
        };
        if !found.is_expired(now) {
            let in_progress = matches!(found.state, State::InProgress { .. });
            if in_progress && found.revision.owner == claim.owner {
                return granted(found);
            }
            if claim.over != Some(found.revision) {
                return Begun::Found(Found { record: found.clone(), now });
            }
        }
        self.answer_bytes -= answer_bytes(&found.state);
        *found = claimed(claim, now, Some(found));
        let (begun, expires_at) = (granted(found), found.expires_at);
        self.look_by(expires_at, id);
        begun
    }

    pub(super) fn renew(&mut self, lease: &Lease, now: Timestamp) -> Written {
        match self.held(lease) {
            Some(record) if matches!(record.state, State::InProgress { .. }) => {
                record.state = State::InProgress { lease_until: now.after(lease.duration) };
                record.expires_at = now.after(lease.retention());
                record.revision.version += 1;
                Written::Done
            }
            _ => Written::Fenced,
        }
    }

    pub(super) fn finish(&mut self, lease: &Lease, outcome: &Outcome, now: Timestamp) -> Written {
        let Some(record) = self.held(lease) else {
            return Written::Fenced;
        };
        let before = answer_bytes(&record.state);
        record.state = match outcome {
            Outcome::Completed(answer) => State::Completed(answer.clone()),
            Outcome::Failed => State::Failed,
            Outcome::Unknown => State::Unknown,
        };
        record.expires_at = now.after(lease.ttl);
        record.revision.version += 1;
        let after = answer_bytes(&record.state);
        let expires_at = record.expires_at;
        self.look_by(expires_at, lease.id);
        self.answer_bytes = self.answer_bytes - before + after;
        Written::Done
    }

    pub(super) fn release(&mut self, lease: &Lease) -> Written {
        match self.held(lease) {
            Some(Record { state: State::InProgress { .. }, attempts: 1, .. }) => {
                self.records.remove(&lease.id);
                Written::Done
            }
            _ => Written::Fenced,
        }
    }

    pub(super) fn find(&self, id: &RecordId, now: Timestamp) -> Option<Found> {
        let kept = self.records.get(id).filter(|kept| !kept.record.is_expired(now))?;
        Some(Found { record: kept.record.clone(), now })
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
                self.answer_bytes -= answer_bytes(&kept.record.state);
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

    fn held(&mut self, lease: &Lease) -> Option<&mut Record> {
        let Kept { record, .. } = self.records.get_mut(&lease.id)?;
        (record.revision.owner == lease.owner && record.fence == lease.fence).then_some(record)
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
    let taken_over = before.filter(|record| !record.is_expired(now));
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
    }
}

fn granted(record: &Record) -> Begun {
    Begun::Claimed { fence: record.fence, attempts: record.attempts }
}

fn answer_bytes(state: &State) -> usize {
    match state {
        State::Completed(answer) => answer.len(),
        _ => 0,
    }
}
