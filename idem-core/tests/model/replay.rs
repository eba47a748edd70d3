//! One history, step by step, on library, rules and ledger at once.

use idem_core::engine::{Execution, Finish};
use idem_core::review::ConflictState;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use super::Tally;
use super::history::{Boundary, End, Request, Slot, Step, Terms};
use super::ledger::{Granted, Ledger};
use super::rules::{Fate, Rules, Told};
use super::subject::{Subject, outcome};

/// What must have happened for the histories to mean something.
pub(crate) const ALL: [&str; 22] = [
    "run",
    "run of an expired key",
    "run over an earlier execution",
    "replay",
    "replay of a difference",
    "busy",
    "other operation",
    "other intent",
    "outcome unknown",
    "previous failed",
    "recorded",
    "recorded after the lease",
    "fenced",
    "vanished",
    "merged",
    "replay of a superseded payload",
    "suspicious",
    "held",
    "key in conflict",
    "accepted",
    "kept",
    "decided too late",
];

/// Carries `steps` out, and says what has happened in them.
pub(crate) async fn replay(steps: &[Step]) -> Result<Tally, TestCaseError> {
    let mut replay = Replay::new();
    for step in steps {
        replay.saw("step");
        replay.step(step).await?;
    }
    Ok(replay.tally)
}

struct Replay {
    subject: Subject,
    rules: Rules,
    ledger: Ledger,
    running: Vec<(usize, Execution)>,
    tally: Tally,
}

impl Replay {
    fn new() -> Self {
        Self {
            subject: Subject::new(),
            rules: Rules::default(),
            ledger: Ledger::default(),
            running: Vec::new(),
            tally: Tally::new(),
        }
    }

    async fn step(&mut self, step: &Step) -> Result<(), TestCaseError> {
        match *step {
            Step::Attempt { process, request, terms } => {
                self.attempt(process, request, terms).await?;
            }
            Step::End { which, end } if !self.running.is_empty() => {
                let which = which.index(self.running.len());
                let (number, execution) = self.running.swap_remove(which);
                self.end(number, execution, end).await?;
            }
            Step::End { .. } => {}
            Step::Pass { millis } => self.subject.pass(millis),
            Step::PassTo { slot, boundary, offset } => self.pass_to(slot, boundary, offset),
            Step::Decide { which, accept, stale } if !self.rules.conflicts.is_empty() => {
                let which = which.index(self.rules.conflicts.len());
                self.decide(which, accept, stale).await?;
            }
            Step::Decide { .. } => {}
            Step::Purge => {
                let expected = self.rules.purge(self.subject.now());
                prop_assert_eq!(self.subject.purge().await, expected, "records after a purge");
            }
        }
        Ok(())
    }

    async fn attempt(
        &mut self,
        process: usize,
        request: Request,
        terms: Terms,
    ) -> Result<(), TestCaseError> {
        let (now, number) = (self.subject.now(), self.ledger.next());
        let (used, terms) = (self.ledger.has_seen(request.slot), terms.on(request.slot));
        let expected = self.rules.admit(request, terms, now, number);
        let (told, execution) = self.subject.admit(process, request, terms).await;
        self.saw(name(&told, used));
        if let Some(execution) = execution {
            let fence = execution.fence().get();
            self.running.push((number, execution));
            self.ledger.grant(Granted::new(request, terms, fence, now))?;
        }
        if let Told::Replay { execution, .. } = told {
            self.ledger.replay(execution, request, now)?;
            if self
                .rules
                .past(request.slot, now)
                .iter()
                .any(|past| past.answered == Some(execution))
            {
                self.saw("replay of a superseded payload");
            }
        }
        prop_assert_eq!(told, expected, "{:?} under {:?}", request, terms);
        self.compare(request.slot, now).await
    }

    /// Compares what is remembered of a key: superseded payloads, and conflicts.
    async fn compare(&self, slot: Slot, now: i64) -> Result<(), TestCaseError> {
        let past = self.rules.past(slot, now).iter();
        let expected: Vec<_> =
            past.map(|past| (past.request.payload, past.request.narrow, past.answered)).collect();
        prop_assert_eq!(self.subject.past(slot).await, expected, "the history of {:?}", slot);
        let listed = self.subject.listed(slot).await;
        for (number, conflict) in self.rules.conflicts.iter().enumerate() {
            if conflict.request.slot != slot || conflict.expires_at + conflict.ttl <= now {
                continue;
            }
            let found = self.subject.conflict(number).await.expect("it is kept");
            prop_assert!(listed.contains(&found.id), "a conflict is not listed");
            let expected = match conflict.accepted {
                Some(false) => ConflictState::Kept,
                Some(true) if conflict.taken || now < conflict.expires_at => {
                    ConflictState::Accepted
                }
                None if now < conflict.expires_at => ConflictState::Pending,
                _ => ConflictState::Expired,
            };
            prop_assert_eq!(found.state, expected);
            prop_assert_eq!(found.taken_at.is_some(), conflict.taken);
            prop_assert_eq!(found.expires_at.as_millis(), conflict.expires_at);
        }
        Ok(())
    }

    async fn decide(
        &mut self,
        conflict: usize,
        accept: bool,
        stale: bool,
    ) -> Result<(), TestCaseError> {
        let now = self.subject.now();
        let expected = self.rules.decide(conflict, accept, stale, now);
        let decided = self.subject.decide(conflict, accept, stale).await;
        self.saw(match (decided, accept) {
            (true, true) => "accepted",
            (true, false) => "kept",
            (false, _) => "decided too late",
        });
        prop_assert_eq!(decided, expected, "a decision");
        self.compare(self.rules.conflicts[conflict].request.slot, now).await
    }

    async fn end(
        &mut self,
        number: usize,
        execution: Execution,
        end: End,
    ) -> Result<(), TestCaseError> {
        let now = self.subject.now();
        let Granted { request, terms, at, .. } = *self.ledger.of(number);
        let fate = self.rules.fate(request.slot, number, now);
        let recorded = match end {
            End::Vanished => {
                std::mem::forget(execution);
                self.saw("vanished");
                return Ok(());
            }
            End::Dropped => self.subject.drop(request, execution).await,
            _ => match execution.finish(outcome(end, number)).await {
                Finish::Recorded => true,
                Finish::Fenced => false,
                Finish::Unrecorded => return Err(TestCaseError::fail("the store has failed")),
            },
        };
        let expected = if recorded { Fate::Recorded } else { Fate::Fenced };
        prop_assert!(fate == expected || fate == Fate::Either, "{:?}, not {:?}", expected, fate);
        self.saw(if recorded { "recorded" } else { "fenced" });
        if recorded {
            if now >= at + terms.lease.cast_signed() {
                self.saw("recorded after the lease");
            }
            self.rules.record(request.slot, end, terms.ttl, now);
            self.ledger.record(number, end == End::Completed, now)?;
        }
        Ok(())
    }

    fn pass_to(&self, slot: Slot, boundary: Boundary, offset: i64) {
        let target = self.rules.boundary(slot, boundary).map(|at| at + offset);
        let ahead = target.and_then(|target| u64::try_from(target - self.subject.now()).ok());
        self.subject.pass(ahead.unwrap_or(0));
    }

    fn saw(&mut self, what: &'static str) {
        *self.tally.entry(what).or_default() += 1;
    }
}

fn name(told: &Told, used: bool) -> &'static str {
    match told {
        Told::Run { content, .. } if content.len() > 1 => "merged",
        Told::Run { attempts: 1, .. } if used => "run of an expired key",
        Told::Run { attempts: 1, .. } => "run",
        Told::Run { .. } => "run over an earlier execution",
        Told::Replay { differs: false, .. } => "replay",
        Told::Replay { differs: true, .. } => "replay of a difference",
        Told::Busy => "busy",
        Told::OtherOperation { .. } => "other operation",
        Told::OtherIntent { .. } => "other intent",
        Told::Suspicious { .. } => "suspicious",
        Told::Held { .. } => "held",
        Told::KeyInConflict => "key in conflict",
        Told::OutcomeUnknown => "outcome unknown",
        Told::PreviousFailed => "previous failed",
    }
}
