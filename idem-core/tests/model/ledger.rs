//! What was granted and answered, and what must hold of it whatever the rules say of each attempt.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use super::history::{Request, Slot, Terms};

/// All executions of a history, by number.
#[derive(Default)]
pub(crate) struct Ledger {
    granted: Vec<Granted>,
}

pub(crate) struct Granted {
    pub(crate) request: Request,
    pub(crate) terms: Terms,
    pub(crate) fence: u64,
    pub(crate) at: i64,
    /// When its outcome was recorded, and whether that was an answer.
    ended: Option<(i64, bool)>,
}

impl Granted {
    pub(crate) fn new(request: Request, terms: Terms, fence: u64, at: i64) -> Self {
        Self { request, terms, fence, at, ended: None }
    }

    fn is_live(&self, now: i64) -> bool {
        self.ended.is_none() && now < self.at + self.terms.lease.cast_signed()
    }

    fn has_an_answer(&self, now: i64) -> bool {
        let ttl = self.terms.ttl.cast_signed();
        matches!(self.ended, Some((at, true)) if now < at + ttl)
    }
}

impl Ledger {
    /// The number of the next execution.
    pub(crate) fn next(&self) -> usize {
        self.granted.len()
    }

    pub(crate) fn has_seen(&self, slot: Slot) -> bool {
        self.on(slot).next().is_some()
    }

    pub(crate) fn of(&self, execution: usize) -> &Granted {
        &self.granted[execution]
    }

    /// Enters an execution. None of its key may be live or have an answer to give, and its fencing
    /// token must be greater than all before it.
    pub(crate) fn grant(&mut self, new: Granted) -> Result<(), TestCaseError> {
        for earlier in self.on(new.request.slot) {
            prop_assert!(!earlier.is_live(new.at), "two live executions of one key");
            let again = earlier.request.payload == new.request.payload;
            prop_assert!(!again || !earlier.has_an_answer(new.at), "what was completed ran again");
            prop_assert!(earlier.fence < new.fence, "a fencing token did not grow");
        }
        self.granted.push(new);
        Ok(())
    }

    /// Enters a recorded outcome. Nobody may have been granted the key since.
    pub(crate) fn record(
        &mut self,
        execution: usize,
        answered: bool,
        now: i64,
    ) -> Result<(), TestCaseError> {
        let (slot, fence) = (self.of(execution).request.slot, self.of(execution).fence);
        let latest = self.on(slot).all(|other| other.fence <= fence);
        prop_assert!(latest, "a stale execution has written");
        self.granted[execution].ended = Some((now, answered));
        Ok(())
    }

    /// Checks that the answer of `execution` may be given to `request`.
    pub(crate) fn replay(
        &self,
        execution: usize,
        request: Request,
        now: i64,
    ) -> Result<(), TestCaseError> {
        let first = self.of(execution);
        let answered = matches!(first.ended, Some((at, true)) if at <= now);
        prop_assert!(answered, "an answer was given that is none");
        prop_assert_eq!(first.request.slot, request.slot, "another key's answer");
        prop_assert_eq!(first.request.operation, request.operation, "another operation's answer");
        let amounts = (first.request.payload.amount, request.payload.amount);
        prop_assert_eq!(amounts.0, amounts.1, "another intent's answer");
        let narrow = first.request.narrow && request.narrow;
        prop_assert!(narrow || first.request.payload == request.payload, "another payload's");
        Ok(())
    }

    fn on(&self, slot: Slot) -> impl Iterator<Item = &Granted> {
        self.granted.iter().filter(move |granted| granted.request.slot == slot)
    }
}
