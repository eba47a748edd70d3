//! A store of expired records, and of nothing else.

use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use idem_core::attempt::RecordId;
use idem_core::lease::Lease;
use idem_core::record::Superseded;
use idem_core::store::{Begun, Claim, Found, Listener, Outcome, Store, StoreError, Written};
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

/// Expired records that wait to be removed; clones share them.
#[derive(Clone, Default)]
pub(crate) struct Backlog {
    state: Arc<Mutex<State>>,
    asked: watch::Sender<usize>,
}

#[derive(Default)]
struct State {
    waiting: u32,
    batch_takes: Duration,
    fault: Option<Fault>,
    batches: Vec<Batch>,
}

/// What happens to a batch.
#[derive(Clone, Copy)]
pub(crate) enum Fault {
    /// It fails.
    Away,
    /// It never returns.
    Hangs,
    /// It fails in a way that no retry mends.
    Damaged,
}

/// A batch that was asked for.
#[derive(Clone, Copy)]
pub(crate) struct Batch {
    pub(crate) limit: u32,
    pub(crate) began: Instant,
    /// `None` for one that failed, or was given up.
    pub(crate) ended: Option<Instant>,
}

impl Backlog {
    pub(crate) fn of(records: u32) -> Self {
        let backlog = Self::default();
        backlog.add(records);
        backlog
    }

    pub(crate) fn add(&self, records: u32) {
        self.state.lock().unwrap().waiting += records;
    }

    /// From now on a batch takes this long.
    pub(crate) fn batch_takes(&self, time: Duration) {
        self.state.lock().unwrap().batch_takes = time;
    }

    /// From now on every batch has `fault`.
    pub(crate) fn fail(&self, fault: Fault) {
        self.state.lock().unwrap().fault = Some(fault);
    }

    /// From now on all is well.
    pub(crate) fn heal(&self) {
        self.state.lock().unwrap().fault = None;
    }

    /// How many records wait.
    pub(crate) fn len(&self) -> u32 {
        self.state.lock().unwrap().waiting
    }

    /// The batches so far.
    pub(crate) fn batches(&self) -> Vec<Batch> {
        self.state.lock().unwrap().batches.clone()
    }

    /// How many batches there were so far.
    pub(crate) fn asked(&self) -> usize {
        *self.asked.borrow()
    }

    /// Waits until a number of batches was asked for.
    pub(crate) async fn asked_for(&self, batches: usize) {
        self.asked.subscribe().wait_for(|asked| *asked >= batches).await.unwrap();
    }

    /// The times from each batch's beginning to that of the next.
    pub(crate) fn intervals(&self) -> Vec<Duration> {
        self.batches().windows(2).map(|pair| pair[1].began - pair[0].began).collect()
    }

    fn note(&self, limit: u32) -> (usize, Duration, Option<Fault>) {
        let mut state = self.state.lock().unwrap();
        state.batches.push(Batch { limit, began: Instant::now(), ended: None });
        self.asked.send_modify(|asked| *asked += 1);
        (state.batches.len() - 1, state.batch_takes, state.fault)
    }

    fn take(&self, number: usize, limit: u32) -> u32 {
        let mut state = self.state.lock().unwrap();
        let taken = state.waiting.min(limit);
        state.waiting -= taken;
        state.batches[number].ended = Some(Instant::now());
        taken
    }
}

impl Store for Backlog {
    async fn purge(&self, limit: u32) -> Result<u32, StoreError> {
        let (number, takes, fault) = self.note(limit);
        match fault {
            Some(Fault::Hangs) => pending().await,
            Some(Fault::Damaged) => return Err(StoreError::Damaged { column: "state" }),
            Some(Fault::Away) => {
                let (reason, source) = ("the connection was refused", "away".into());
                return Err(StoreError::Unavailable { reason, source });
            }
            None => {}
        }
        if !takes.is_zero() {
            sleep(takes).await;
        }
        Ok(self.take(number, limit))
    }

    async fn begin(&self, _: &Claim) -> Result<Begun, StoreError> {
        unreachable!("a janitor claims nothing")
    }

    async fn renew(&self, _: &Lease) -> Result<Written, StoreError> {
        unreachable!("a janitor renews nothing")
    }

    async fn finish(&self, _: &Lease, _: &Outcome) -> Result<Written, StoreError> {
        unreachable!("a janitor finishes nothing")
    }

    async fn release(&self, _: &Lease) -> Result<Written, StoreError> {
        unreachable!("a janitor releases nothing")
    }

    async fn find(&self, _: &RecordId) -> Result<Option<Found>, StoreError> {
        unreachable!("a janitor looks for nothing")
    }

    async fn history(&self, _: &RecordId) -> Result<Vec<Superseded>, StoreError> {
        unreachable!("a janitor asks for no history")
    }

    fn listen(&self, _: Listener) {
        unreachable!("a janitor listens to nothing")
    }
}
