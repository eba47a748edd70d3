//! The documented rules, written as simply as they can be said and without the library's help.

use std::collections::HashMap;

use super::history::{Boundary, End, Payload, Request, Slot, Terms};

/// What an attempt is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// To run, as the so manieth execution of its record.
    Run {
        attempts: u32,
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
}

struct Entry {
    accepted: Request,
    /// The latest execution.
    execution: usize,
    attempts: u32,
    state: State,
    expires_at: i64,
}

#[derive(Clone, Copy)]
enum State {
    Running { until: i64 },
    Completed,
    Failed,
    Unknown,
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
        let found = self.records.get(&request.slot).filter(|entry| !entry.is_expired(now));
        let told = match found {
            None => Told::Run { attempts: 1 },
            Some(entry) => entry.tell(request, terms, now),
        };
        if let Told::Run { attempts } = told {
            let until = now + ms(terms.lease);
            let entry = Entry {
                accepted: request,
                execution,
                attempts,
                state: State::Running { until },
                expires_at: until + ms(terms.ttl),
            };
            self.records.insert(request.slot, entry);
        }
        told
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
            entry.expires_at = now + ms(ttl);
            entry.state = match end {
                End::Completed => State::Completed,
                End::Failed => State::Failed,
                End::Unknown | End::Dropped | End::Vanished => State::Unknown,
            };
        }
    }

    /// Forgets what is expired, and says how many records are left.
    pub(crate) fn purge(&mut self, now: i64) -> usize {
        self.records.retain(|_, entry| !entry.is_expired(now));
        self.records.len()
    }

    /// When a boundary of the slot's record is, if it has one.
    pub(crate) fn boundary(&self, slot: Slot, boundary: Boundary) -> Option<i64> {
        let entry = self.records.get(&slot)?;
        match (boundary, entry.state) {
            (Boundary::Retention, _) => Some(entry.expires_at),
            (Boundary::Lease, State::Running { until }) => Some(until),
            (Boundary::Lease, _) => None,
        }
    }
}

impl Entry {
    fn tell(&self, request: Request, terms: Terms, now: i64) -> Told {
        let original = self.accepted.payload;
        if self.accepted.operation != request.operation {
            return Told::OtherOperation { original };
        }
        let same_payload = original == request.payload;
        let same_amount = original.amount == request.payload.amount;
        let narrow = self.accepted.narrow && request.narrow;
        let same_intent = same_payload || (narrow && same_amount);
        if !same_intent {
            return Told::OtherIntent { original, amount_changed: narrow };
        }
        let again = Told::Run { attempts: self.attempts + 1 };
        match self.state {
            State::Running { until } if now < until => Told::Busy,
            State::Running { .. } | State::Unknown if terms.reruns_crashed => again,
            State::Running { .. } | State::Unknown => Told::OutcomeUnknown,
            State::Failed if terms.reruns_failed => again,
            State::Failed => Told::PreviousFailed,
            State::Completed => Told::Replay { execution: self.execution, differs: !same_payload },
        }
    }

    fn is_expired(&self, now: i64) -> bool {
        // The retention begins where the lease ends, so that nothing live is ever past it.
        self.expires_at <= now
    }
}

fn ms(millis: u64) -> i64 {
    millis.cast_signed()
}
