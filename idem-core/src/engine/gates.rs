//! One at a time for each record, within this process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::OwnedMutexGuard;
use tokio::time::timeout;

use crate::attempt::RecordId;

/// The records that somebody has entered, or waits to.
#[derive(Default)]
pub(super) struct Gates(Mutex<HashMap<RecordId, Arc<tokio::sync::Mutex<()>>>>);

/// The right to be the one at a record.
pub(super) struct Passage {
    gates: Arc<Gates>,
    id: RecordId,
    /// Empty only while it is given back.
    guard: Option<OwnedMutexGuard<()>>,
}

impl Gates {
    /// Waits for those who came before, in their order; `None` when `patience` runs out.
    pub(super) async fn enter(
        self: &Arc<Self>,
        id: RecordId,
        patience: Duration,
    ) -> Option<Passage> {
        let gate = self.gates().entry(id).or_default().clone();
        // From here on the place is given back by whatever way this is left, a dropped future
        // included.
        let mut passage = Passage { gates: self.clone(), id, guard: None };
        passage.guard = Some(timeout(patience, gate.lock_owned()).await.ok()?);
        Some(passage)
    }

    fn gates(&self) -> MutexGuard<'_, HashMap<RecordId, Arc<tokio::sync::Mutex<()>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Passage {
    fn drop(&mut self) {
        let mut gates = self.gates.gates();
        // Given back under the lock of the map, where all others who wait have a share in the gate:
        // who sees that there is no other share removes it, and nobody enters it meanwhile.
        drop(self.guard.take());
        if gates.get(&self.id).is_some_and(|gate| Arc::strong_count(gate) == 1) {
            gates.remove(&self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Digest;

    const PATIENCE: Duration = Duration::from_secs(5);

    fn id(name: &str) -> RecordId {
        RecordId::from_digest(Digest::of(&[name.as_bytes()]))
    }

    #[tokio::test(start_paused = true)]
    async fn one_enters_after_the_other_and_other_records_are_free() {
        let gates = Arc::new(Gates::default());
        let first = gates.enter(id("k"), PATIENCE).await.unwrap();
        assert!(gates.enter(id("other"), PATIENCE).await.is_some());
        assert!(gates.enter(id("k"), PATIENCE).await.is_none(), "patience runs out");
        let second = tokio::spawn({
            let gates = gates.clone();
            async move { gates.enter(id("k"), PATIENCE).await.is_some() }
        });
        tokio::task::yield_now().await;
        drop(first);
        assert!(second.await.unwrap());
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_is_left_of_those_who_have_gone_or_given_up() {
        let gates = Arc::new(Gates::default());
        let first = gates.enter(id("k"), PATIENCE).await.unwrap();
        assert!(gates.enter(id("k"), PATIENCE).await.is_none());
        let mut waiting = Box::pin(gates.enter(id("k"), PATIENCE));
        assert!(futures_util::poll!(waiting.as_mut()).is_pending());
        drop(waiting);
        drop(first);
        assert!(gates.gates().is_empty());
    }
}
