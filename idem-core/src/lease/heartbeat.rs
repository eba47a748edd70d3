//! Signs of life for all running executions of an engine, from one task.
//!
//! The task is apart from the handlers, so that one which blocks its thread keeps its lease. It
//! ends when there is nothing to renew, and a short execution costs it nothing: in steady traffic
//! it wakes once in a third of a lease.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, timeout};
use tracing::Instrument;

use super::Lease;
use crate::store::{ErasedStore, Written};

/// A lease is renewed when this part of it has passed, so that one renewal may fail.
const PART: u32 = 3;

/// The leases that are kept alive.
pub(crate) struct Heartbeat {
    store: Arc<dyn ErasedStore>,
    watched: Mutex<Watched>,
    earlier: Notify,
}

#[derive(Default)]
struct Watched {
    leases: HashMap<u64, Pulse>,
    next: u64,
    /// When the task wakes next; `None` when there is no task.
    wakes_at: Option<Instant>,
}

#[derive(Clone)]
struct Pulse {
    lease: Lease,
    due: Instant,
    lost: Arc<AtomicBool>,
}

impl Pulse {
    fn interval(&self) -> Duration {
        self.lease.duration / PART
    }
}

/// One lease being kept alive, until it is dropped.
pub(crate) struct Beat {
    heartbeat: Arc<Heartbeat>,
    number: u64,
    lost: Arc<AtomicBool>,
}

impl Heartbeat {
    pub(crate) fn new(store: Arc<dyn ErasedStore>) -> Arc<Self> {
        Arc::new(Self { store, watched: Mutex::default(), earlier: Notify::new() })
    }

    /// Keeps `lease` alive from now on.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    pub(crate) fn keep(self: &Arc<Self>, lease: Lease) -> Beat {
        let lost = Arc::new(AtomicBool::new(false));
        let due = Instant::now() + lease.duration / PART;
        let mut watched = self.watched();
        let number = watched.next;
        watched.next += 1;
        watched.leases.insert(number, Pulse { lease, due, lost: lost.clone() });
        match watched.wakes_at {
            Some(at) if at <= due => {}
            Some(_) => {
                self.earlier.notify_one();
                hand_on();
            }
            None => {
                // The task ends under this lock only, and says so: either it saw our lease, or
                // we see that it has ended.
                watched.wakes_at = Some(due);
                tokio::spawn(self.clone().beat().instrument(tracing::Span::none()));
                hand_on();
            }
        }
        Beat { heartbeat: self.clone(), number, lost }
    }

    async fn beat(self: Arc<Self>) {
        let ended = EndOfTask(&self);
        while let Some(wakes_at) = self.renew_due() {
            let _ = timeout(wakes_at - Instant::now(), self.earlier.notified()).await;
        }
        std::mem::forget(ended);
    }

    /// Starts the renewals that are due and returns when the next one is; `None` ends the task.
    fn renew_due(self: &Arc<Self>) -> Option<Instant> {
        let now = Instant::now();
        let mut watched = self.watched();
        // Those that fall due soon are taken along, so that many leases do not make many wakes.
        let is_due = |pulse: &&mut Pulse| pulse.due <= now + pulse.interval() / 8;
        for pulse in watched.leases.values_mut().filter(is_due) {
            pulse.due = now + pulse.interval();
            tokio::spawn(renew(self.store.clone(), pulse.clone()));
        }
        watched.wakes_at = watched.leases.values().map(|pulse| pulse.due).min();
        watched.wakes_at
    }

    fn watched(&self) -> MutexGuard<'_, Watched> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gives a task that was just woken to all threads. A worker of tokio keeps the latest in a slot
/// that no other can take from, and a handler that blocks this worker would keep it there: the next
/// one moves it to the common queue and calls another worker, which then minds the timers too.
fn hand_on() {
    tokio::spawn(std::future::ready(()));
}

/// Says that the task is gone when its runtime drops it, so that the next lease starts another.
struct EndOfTask<'h>(&'h Heartbeat);

impl Drop for EndOfTask<'_> {
    fn drop(&mut self) {
        self.0.watched().wakes_at = None;
    }
}

async fn renew(store: Arc<dyn ErasedStore>, pulse: Pulse) {
    match timeout(pulse.interval(), store.renew(pulse.lease)).await {
        Ok(Ok(Written::Done)) => {}
        // A renewal that comes after the end of its execution is fenced as well: only the
        // execution itself knows which it is, and finds out when it finishes.
        Ok(Ok(Written::Fenced)) => pulse.lost.store(true, Ordering::Release),
        Ok(Err(error)) => {
            tracing::warn!(record = %pulse.lease.id, %error, "a lease could not be renewed");
        }
        Err(_) => tracing::warn!(record = %pulse.lease.id, "a lease could not be renewed in time"),
    }
}

impl Beat {
    /// Whether the store has said that the lease is another's.
    pub(crate) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Acquire)
    }
}

impl Drop for Beat {
    fn drop(&mut self) {
        self.heartbeat.watched().leases.remove(&self.number);
    }
}
