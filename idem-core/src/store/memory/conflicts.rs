//! The conflicts of the memory store: what the review verbs do under their lock.
//!
//! That lock is taken while the shard of the record is locked, never the other way round.

use std::collections::{BTreeSet, HashMap};
use std::ops::Bound;
use std::time::Duration;

use super::shard::Usage;
use crate::attempt::{Attempt, Payload, RecordId};
use crate::clock::Timestamp;
use crate::record::Record;
use crate::review::{
    Conflict, ConflictId, ConflictState, Decide, Decided, Decision, Disputed, Filter, Hold,
    Holding, Original,
};

#[derive(Default)]
pub(super) struct Conflicts {
    kept: HashMap<ConflictId, Kept>,
    of_record: HashMap<RecordId, Vec<ConflictId>>,
    /// In the order in which they came.
    by_time: BTreeSet<(Timestamp, ConflictId)>,
    /// When each is deleted.
    due: BTreeSet<(Timestamp, ConflictId)>,
    bytes: usize,
}

/// A conflict with the state it was last written with.
struct Kept {
    conflict: Conflict,
    ttl: Duration,
}

impl Conflicts {
    pub(super) fn usage(&self) -> Usage {
        Usage { records: self.kept.len(), bytes: self.bytes }
    }

    /// The unexpired ones about a record, without their payloads, in the order in which they came.
    pub(super) fn about(&self, id: &RecordId, now: Timestamp) -> Vec<Disputed> {
        self.unexpired(id, now).map(|kept| kept.disputed(now)).collect()
    }

    /// Keeps an attempt against the `record` it was compared with.
    pub(super) fn hold(&mut self, hold: &Hold, record: &Record, now: Timestamp) -> Holding {
        let Hold { attempt, .. } = hold;
        let mut open = 0;
        for kept in self.unexpired(&attempt.id, now) {
            let disputed = kept.disputed(now);
            if attempt.is_same_payload(&disputed.fingerprint, disputed.identity.as_ref()) {
                return Holding::Held(disputed.id);
            }
            open += usize::from(disputed.is_open());
        }
        if open >= usize::try_from(hold.limit).unwrap_or(usize::MAX) {
            return Holding::Full;
        }
        self.insert(Kept { conflict: held(hold, record, now), ttl: hold.ttl });
        Holding::Held(hold.id)
    }

    /// Which record a conflict is about.
    pub(super) fn record_of(&self, id: &ConflictId) -> Option<RecordId> {
        self.kept.get(id).map(|kept| kept.conflict.disputed.id)
    }

    pub(super) fn show(&self, id: &ConflictId, now: Timestamp) -> Option<Conflict> {
        self.kept.get(id).map(|kept| kept.shown(now))
    }

    pub(super) fn list(&self, filter: &Filter, now: Timestamp) -> Vec<Conflict> {
        let end = filter.before.map_or(Bound::Unbounded, Bound::Excluded);
        let newest_first = self.by_time.range((Bound::Unbounded, end)).rev();
        let kept = newest_first.filter_map(|(_, id)| self.kept.get(id));
        let passing = kept.filter(|kept| kept.passes(filter, now)).map(|kept| kept.shown(now));
        passing.take(usize::try_from(filter.limit).unwrap_or(usize::MAX)).collect()
    }

    /// Writes a decision if the conflict is as it was seen.
    pub(super) fn decide(&mut self, decide: &Decide, now: Timestamp) -> Option<Decided> {
        let kept = self.kept.get_mut(&decide.id)?;
        let is_pending = kept.state(now) == ConflictState::Pending;
        if !is_pending || kept.conflict.version != decide.version {
            return Some(Decided::Stale(kept.shown(now)));
        }
        let conflict = &mut kept.conflict;
        conflict.version += 1;
        conflict.state = decide.ruling.state();
        let (by, reason) = (decide.by.clone(), decide.reason.clone());
        conflict.decision = Some(Decision { by, reason, at: now });
        let expires_at = now.after(kept.ttl);
        let decided = self.expire_at(&decide.id, expires_at);
        decided.map(|kept| Decided::Done(kept.shown(now)))
    }

    /// Notes that the accepted payload of a conflict runs.
    pub(super) fn take(&mut self, id: &ConflictId, now: Timestamp) {
        if let Some(kept) = self.kept.get_mut(id) {
            kept.conflict.taken_at = Some(now);
            kept.conflict.version += 1;
        }
    }

    /// Ends the open conflicts about a record that begins anew.
    pub(super) fn expire(&mut self, id: &RecordId, now: Timestamp) {
        let kept = self.unexpired(id, now);
        let open = kept.filter(|kept| kept.disputed(now).is_open()).map(|kept| kept.conflict.id);
        for id in open.collect::<Vec<_>>() {
            self.expire_at(&id, now);
        }
    }

    /// Ends all conflicts about a record that is as if it had never been.
    pub(super) fn forget(&mut self, id: &RecordId, now: Timestamp) {
        let unexpired = self.unexpired(id, now).map(|kept| kept.conflict.id);
        for id in unexpired.collect::<Vec<_>>() {
            self.expire_at(&id, now);
        }
    }

    /// Deletes up to `limit` that have been expired for as long as they could be decided.
    pub(super) fn sweep(&mut self, now: Timestamp, limit: usize) -> usize {
        let mut swept = 0;
        while swept < limit {
            match self.due.first().copied() {
                Some((due, id)) if due <= now => self.remove(&id),
                _ => break,
            }
            swept += 1;
        }
        swept
    }

    fn unexpired(&self, id: &RecordId, now: Timestamp) -> impl Iterator<Item = &Kept> {
        let ids = self.of_record.get(id).into_iter().flatten();
        let kept = ids.filter_map(|id| self.kept.get(id));
        kept.filter(move |kept| now < kept.conflict.expires_at)
    }

    fn insert(&mut self, kept: Kept) {
        let Conflict { id, held_at, ref disputed, .. } = kept.conflict;
        self.of_record.entry(disputed.id).or_default().push(id);
        self.by_time.insert((held_at, id));
        self.due.insert((kept.deleted_at(), id));
        self.bytes += kept.bytes();
        self.kept.insert(id, kept);
    }

    fn expire_at(&mut self, id: &ConflictId, expires_at: Timestamp) -> Option<&Kept> {
        let kept = self.kept.get_mut(id)?;
        self.due.remove(&(kept.deleted_at(), *id));
        kept.conflict.expires_at = expires_at;
        self.due.insert((kept.deleted_at(), *id));
        Some(kept)
    }

    fn remove(&mut self, id: &ConflictId) {
        let Some(kept) = self.kept.remove(id) else { return };
        self.bytes -= kept.bytes();
        self.due.remove(&(kept.deleted_at(), *id));
        self.by_time.remove(&(kept.conflict.held_at, *id));
        let record = kept.conflict.disputed.id;
        if let Some(ids) = self.of_record.get_mut(&record) {
            ids.retain(|other| other != id);
            if ids.is_empty() {
                self.of_record.remove(&record);
            }
        }
    }
}

impl Kept {
    fn state(&self, now: Timestamp) -> ConflictState {
        let Conflict { state, taken_at, expires_at, .. } = self.conflict;
        Conflict::state_at(state, taken_at.is_some(), expires_at, now)
    }

    fn shown(&self, now: Timestamp) -> Conflict {
        Conflict { state: self.state(now), ..self.conflict.clone() }
    }

    fn disputed(&self, now: Timestamp) -> Disputed {
        let Conflict { id, disputed, taken_at, .. } = &self.conflict;
        let Attempt { fingerprint, identity, .. } = &**disputed;
        Disputed {
            id: *id,
            fingerprint: *fingerprint,
            identity: identity.clone(),
            state: self.state(now),
            taken: taken_at.is_some(),
        }
    }

    fn passes(&self, filter: &Filter, now: Timestamp) -> bool {
        let Attempt { id, scope, operation, .. } = &*self.conflict.disputed;
        filter.state.is_none_or(|state| state == self.state(now))
            && filter.operation.as_ref().is_none_or(|name| name == operation.name())
            && filter.scope.as_ref().is_none_or(|wanted| wanted == scope)
            && filter.record.is_none_or(|record| record == *id)
    }

    fn deleted_at(&self) -> Timestamp {
        self.conflict.expires_at.after(self.ttl)
    }

    fn bytes(&self) -> usize {
        let Conflict { disputed, original, .. } = &self.conflict;
        payload_bytes(disputed.payload.as_ref()) + payload_bytes(original.payload.as_ref())
    }
}

fn held(hold: &Hold, record: &Record, now: Timestamp) -> Conflict {
    let accepted = &record.accepted;
    Conflict {
        id: hold.id,
        version: 1,
        state: ConflictState::Pending,
        disputed: hold.attempt.clone(),
        original: Original { fingerprint: accepted.fingerprint, payload: accepted.payload.clone() },
        changed: hold.changed.clone(),
        held_at: now,
        expires_at: now.after(hold.ttl),
        taken_at: None,
        decision: None,
    }
}

pub(super) fn payload_bytes(payload: Option<&Payload>) -> usize {
    payload.map_or(0, |payload| payload.bytes.len())
}
