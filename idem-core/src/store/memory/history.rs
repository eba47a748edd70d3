//! What a record of the memory store remembers of superseded executions.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::attempt::Attempt;
use crate::clock::Timestamp;
use crate::record::{Answer, Record, State, Superseded};

/// The superseded executions of one record, newest first.
#[derive(Default)]
pub(super) struct History(VecDeque<Superseded>);

impl History {
    /// Remembers the execution that `attempt` takes the place of, and forgets what was remembered
    /// of its own payload.
    pub(super) fn supersede(
        &mut self,
        record: &Record,
        attempt: &Attempt,
        limit: u32,
        now: Timestamp,
    ) {
        let Attempt { fingerprint, identity, .. } = &*record.accepted;
        if attempt.is_same_payload(fingerprint, identity.as_ref()) {
            return;
        }
        self.0
            .retain(|entry| !attempt.is_same_payload(&entry.fingerprint, entry.identity.as_ref()));
        self.0.push_front(Superseded {
            fingerprint: *fingerprint,
            identity: identity.clone(),
            version: record.revision.version,
            superseded_at: now,
            answer: match &record.state {
                State::Completed(answer) => Some(answer.clone()),
                _ => None,
            },
        });
        self.0.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    }

    /// What is remembered of the payload of `attempt`.
    pub(super) fn of(&self, attempt: &Attempt) -> Option<Superseded> {
        let is_its = |entry: &&Superseded| {
            attempt.is_same_payload(&entry.fingerprint, entry.identity.as_ref())
        };
        self.0.iter().find(is_its).cloned()
    }

    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn to_vec(&self) -> Vec<Superseded> {
        self.0.iter().cloned().collect()
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.iter().map(|entry| answer_bytes(entry.answer.as_ref())).sum()
    }
}

pub(super) fn answer_bytes(answer: Option<&Arc<Answer>>) -> usize {
    answer.map_or(0, |answer| answer.len())
}
