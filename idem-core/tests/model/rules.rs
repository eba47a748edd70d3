//! The documented rules, written as simply as they can be said and without the library's help:
//! what is remembered of each key. What an attempt is told by it stands in [`judgement`](super::judgement).

use std::collections::{BTreeSet, HashMap};

use super::history::{
    Boundary, End, FRESH_AFTER, Payload, Request, SUSPICIOUS_WITHIN, Slot, Terms,
};
use super::judgement::{Judgement, Why};

/// The notes that an execution runs with: its own, and those that it was merged into.
pub(crate) type Content = BTreeSet<u64>;

/// What an attempt is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// To run, as the so manieth execution of its record.
    Run {
        attempts: u32,
        content: Content,
    },
    /// The answer of that execution.
    Replay {
        execution: usize,
        differs: bool,
    },
    Busy,
    OtherOperation {
        original: Payload,
    },
    OtherIntent {
        original: Payload,
        amount_changed: bool,
    },
    Suspicious {
        original: Payload,
        amount_changed: bool,
    },
    /// By the conflict of that number.
    Held {
        conflict: usize,
    },
    KeyInConflict,
    OutcomeUnknown,
    PreviousFailed,
}

/// What becomes of an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Recorded,
    Fenced,
    /// The record is past its retention and nobody has claimed it since: whether it is still there
    /// to be written is up to the store.
    Either,
}

#[derive(Default)]
pub(crate) struct Rules {
    records: HashMap<Slot, Entry>,
    /// All conflicts there ever were, by number.
    pub(crate) conflicts: Vec<Conflict>,
}

pub(crate) struct Entry {
    pub(crate) accepted: Request,
    /// The latest execution.
    pub(crate) execution: usize,
    pub(crate) attempts: u32,
    pub(crate) state: State,
    /// What the latest execution runs with, and what the last one to complete before it ran with.
    pub(crate) content: Content,
    pub(crate) base: Option<Content>,
    /// Superseded executions, newest first.
    pub(crate) past: Vec<Past>,
    pub(crate) created_at: i64,
    expires_at: i64,
    /// When its last conflict runs out.
    disputed_until: i64,
}

/// A superseded execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Past {
    pub(crate) request: Request,
    /// The execution whose answer it has.
    pub(crate) answered: Option<usize>,
}

#[derive(Clone, Copy)]
pub(crate) enum State {
    Running { until: i64 },
    Completed,
    Failed,
    Unknown,
}

pub(crate) struct Conflict {
    pub(crate) request: Request,
    /// `None` while nobody has decided; then whether it was accepted.
    pub(crate) accepted: Option<bool>,
    /// Whether the accepted payload has had its run.
    pub(crate) taken: bool,
    pub(crate) expires_at: i64,
    pub(crate) ttl: i64,
    pub(crate) is_deleted: bool,
}

impl Rules {
    /// Decides on `request`; if it runs, it does as `execution`.
    pub(crate) fn admit(
        &mut self,
        request: Request,
        terms: Terms,
        now: i64,
        execution: usize,
    ) -> Told {
        let slot = request.slot;
        if self.records.get(&slot).is_some_and(|entry| entry.is_expired(now)) {
            self.records.remove(&slot);
        }
        let judgement = match self.records.get(&slot) {
            None => Judgement::Run(Why::New),
            Some(entry) => {
                let conflicts = self.conflicts.iter().enumerate();
                let open = conflicts.filter(|(_, conflict)| {
                    conflict.request.slot == slot && now < conflict.expires_at
                });
                Judgement::of(entry, &open.collect::<Vec<_>>(), request, terms, now)
            }
        };
        match judgement {
            Judgement::Run(why) => self.run(request, terms, now, execution, why),
            Judgement::Hold => self.hold(request, terms, now),
            Judgement::Tell(told) => told,
        }
    }

    fn run(
        &mut self,
        request: Request,
        terms: Terms,
        now: i64,
        execution: usize,
        why: Why,
    ) -> Told {
        let before = self.records.remove(&request.slot);
        let mut content = Content::from([request.payload.note]);
        let (mut attempts, mut created_at, mut base) = (1, now, None);
        let (mut past, mut disputed_until) = (Vec::new(), 0);
        if let Some(before) = before {
            if why == Why::Fresh {
                self.end_open_conflicts(request.slot, now);
            } else {
                (attempts, created_at) = (before.attempts + 1, before.created_at);
                base = before.settled().cloned();
            }
            if why == Why::Merging {
                content.extend(base.iter().flatten());
            }
            (past, disputed_until) = (before.past_for(request), before.disputed_until);
        }
        if let Why::Accepted { conflict } = why {
            self.conflicts[conflict].taken = true;
        }
        let until = now + ms(terms.lease);
        let entry = Entry {
            accepted: request,
            execution,
            attempts,
            state: State::Running { until },
            content: content.clone(),
            base,
            past,
            created_at,
            expires_at: disputed_until.max(until + ms(terms.ttl)),
            disputed_until,
        };
        self.records.insert(request.slot, entry);
        Told::Run { attempts, content }
    }

    fn hold(&mut self, request: Request, terms: Terms, now: i64) -> Told {
        let (ttl, conflict) = (ms(terms.ttl), self.conflicts.len());
        self.conflicts.push(Conflict {
            request,
            accepted: None,
            taken: false,
            expires_at: now + ttl,
            ttl,
            is_deleted: false,
        });
        self.dispute(request.slot, now + ttl);
        Told::Held { conflict }
    }

    /// Decides the conflict of this number, and says whether that counts.
    pub(crate) fn decide(&mut self, conflict: usize, accept: bool, stale: bool, now: i64) -> bool {
        let decided = &mut self.conflicts[conflict];
        if stale || decided.accepted.is_some() || decided.expires_at <= now {
            return false;
        }
        decided.accepted = Some(accept);
        decided.expires_at = now + decided.ttl;
        let (slot, expires_at) = (decided.request.slot, decided.expires_at);
        if self.records.get(&slot).is_some_and(|entry| !entry.is_expired(now)) {
            self.dispute(slot, expires_at);
        }
        true
    }

    /// A record outlives its conflicts.
    fn dispute(&mut self, slot: Slot, until: i64) {
        if let Some(entry) = self.records.get_mut(&slot) {
            entry.disputed_until = entry.disputed_until.max(until);
            entry.expires_at = entry.expires_at.max(entry.disputed_until);
        }
    }

    fn end_open_conflicts(&mut self, slot: Slot, now: i64) {
        let of_slot = self.conflicts.iter_mut().filter(|conflict| conflict.request.slot == slot);
        for conflict in of_slot.filter(|conflict| conflict.is_open(now)) {
            conflict.expires_at = now;
        }
    }

    /// What is remembered of superseded executions, newest first.
    pub(crate) fn past(&self, slot: Slot, now: i64) -> &[Past] {
        let entry = self.records.get(&slot).filter(|entry| !entry.is_expired(now));
        entry.map_or(&[], |entry| &entry.past)
    }

    /// What becomes of the outcome of `execution`. The end of its lease alone loses it nothing.
    pub(crate) fn fate(&self, slot: Slot, execution: usize, now: i64) -> Fate {
        match self.records.get(&slot).filter(|entry| entry.execution == execution) {
            None => Fate::Fenced,
            Some(entry) if entry.is_expired(now) => Fate::Either,
            Some(_) => Fate::Recorded,
        }
    }

    /// Writes an outcome that was recorded; the retention runs anew.
    pub(crate) fn record(&mut self, slot: Slot, end: End, ttl: u64, now: i64) {
        if let Some(entry) = self.records.get_mut(&slot) {
            entry.expires_at = entry.disputed_until.max(now + ms(ttl));
            entry.state = match end {
                End::Completed => State::Completed,
                End::Failed => State::Failed,
                End::Unknown | End::Dropped | End::Vanished => State::Unknown,
            };
        }
    }

    /// Forgets what is expired, conflicts a while later, and says how much is left.
    pub(crate) fn purge(&mut self, now: i64) -> usize {
        self.records.retain(|_, entry| !entry.is_expired(now));
        for conflict in &mut self.conflicts {
            conflict.is_deleted |= conflict.expires_at + conflict.ttl <= now;
        }
        let kept = self.conflicts.iter().filter(|conflict| !conflict.is_deleted).count();
        self.records.len() + kept
    }

    /// When a boundary of the slot's record is, if it has one.
    pub(crate) fn boundary(&self, slot: Slot, boundary: Boundary) -> Option<i64> {
        let entry = self.records.get(&slot)?;
        match (boundary, entry.state) {
            (Boundary::Retention, _) => Some(entry.expires_at),
            (Boundary::Lease, State::Running { until }) => Some(until),
            (Boundary::Lease, _) => None,
            (Boundary::Suspicion, _) => Some(entry.created_at + ms(SUSPICIOUS_WITHIN)),
            (Boundary::Freshness, _) => Some(entry.created_at + ms(FRESH_AFTER)),
        }
    }
}

impl Entry {
    /// What a merge builds on.
    pub(crate) fn settled(&self) -> Option<&Content> {
        if let State::Completed = self.state { Some(&self.content) } else { self.base.as_ref() }
    }

    /// What is past once `request` runs over this: its own payload is not.
    fn past_for(&self, request: Request) -> Vec<Past> {
        let answered = matches!(self.state, State::Completed).then_some(self.execution);
        let mut past = self.past.clone();
        if !is_same(self.accepted, request) {
            past.retain(|past| !is_same(past.request, request));
            past.insert(0, Past { request: self.accepted, answered });
        }
        past
    }

    fn is_expired(&self, now: i64) -> bool {
        // The retention begins where the lease ends, so that nothing live is ever past it.
        self.expires_at <= now
    }
}

impl Conflict {
    /// Whether it waits for people, or for its run.
    pub(crate) fn is_open(&self, now: i64) -> bool {
        let waits = match self.accepted {
            None => true,
            Some(accepted) => accepted && !self.taken,
        };
        waits && now < self.expires_at
    }
}

/// Whether both are the same payload. What its handler declares critical may have changed between.
pub(crate) fn is_same(one: Request, other: Request) -> bool {
    one.payload == other.payload
}

pub(crate) fn ms(millis: u64) -> i64 {
    millis.cast_signed()
}
