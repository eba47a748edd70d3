//! Attempts that wait for the answer of another.
//!
//! Whoever finishes an execution in this process wakes those that wait for it here, and so does a
//! store that hears of the end of one in another process. What it does not hear of is noticed by
//! looking again, with growing pauses.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::sync::futures::OwnedNotified;
use tokio::time::{Instant, timeout_at};

use crate::attempt::RecordId;
use crate::store::{Ended, Listener};

const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// Who waits for which record.
#[derive(Default)]
pub(super) struct Waiters {
    ears: Mutex<HashMap<RecordId, Arc<Notify>>>,
    /// How many ears there are: most executions end with nobody waiting, and see it here.
    count: AtomicUsize,
}

/// One attempt that waits for `id`, until `deadline`.
pub(super) struct Ear {
    waiters: Arc<Waiters>,
    id: RecordId,
    notify: Arc<Notify>,
    /// The next end, listened for since the ear was opened.
    end: Option<Pin<Box<OwnedNotified>>>,
    deadline: Instant,
    pause: Duration,
}

impl Waiters {
    /// An ear for `id`, to be opened before the store is asked for the record. Then no end is
    /// missed: either it was written before that read, which shows it, or whoever writes it finds
    /// the ear counted here, and open.
    pub(super) fn listen(self: &Arc<Self>, id: RecordId, patience: Duration) -> Ear {
        self.count.fetch_add(1, Ordering::SeqCst);
        let notify = self.ears().entry(id).or_default().clone();
        let deadline = Instant::now() + patience;
        Ear { waiters: self.clone(), id, notify, end: None, deadline, pause: FIRST_PAUSE }
    }

    /// Who is to be told of what ends in other processes. The store may outlive its engines.
    pub(super) fn listener(self: Arc<Self>) -> Listener {
        let waiters = Arc::downgrade(&self);
        Arc::new(move |ended| match (waiters.upgrade(), ended) {
            (Some(waiters), Ended::One(id)) => waiters.wake(&id),
            (Some(waiters), Ended::Any) => waiters.wake_all(),
            (None, _) => {}
        })
    }

    /// Wakes all that wait.
    fn wake_all(&self) {
        self.ears().values().for_each(|notify| notify.notify_waiters());
    }

    /// Wakes all that wait for `id`, after its end was written.
    pub(super) fn wake(&self, id: &RecordId) {
        if self.count.load(Ordering::SeqCst) == 0 {
            return;
        }
        if let Some(notify) = self.ears().get(id) {
            notify.notify_waiters();
        }
    }

    fn ears(&self) -> MutexGuard<'_, HashMap<RecordId, Arc<Notify>>> {
        self.ears.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ear {
    /// Listens from now on.
    pub(super) fn open(&mut self) {
        let mut end = Box::pin(self.notify.clone().notified_owned());
        end.as_mut().enable();
        self.end = Some(end);
    }

    /// Waits for the end that is listened for, or for the next look, the last of which is at the
    /// deadline. `false` when that has been, or nobody listens.
    pub(super) async fn wait(ear: Option<&mut Self>) -> bool {
        let Some((ear, end)) = ear.and_then(|ear| ear.end.take().map(|end| (ear, end))) else {
            return false;
        };
        let now = Instant::now();
        if now >= ear.deadline {
            return false;
        }
        let next_look = now + jittered(ear.pause);
        ear.pause = (ear.pause * 2).min(LONGEST_PAUSE);
        let _ = timeout_at(next_look.min(ear.deadline), end).await;
        true
    }
}

impl Drop for Ear {
    fn drop(&mut self) {
        self.end = None;
        let mut ears = self.waiters.ears();
        // Given up under the lock, so that the last of those that leave together sees it is the last.
        drop(std::mem::take(&mut self.notify));
        if ears.get(&self.id).is_some_and(|notify| Arc::strong_count(notify) == 1) {
            ears.remove(&self.id);
        }
        self.waiters.count.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Between half of `pause` and all of it, so that those that wait for one record do not look at
/// the same moment.
fn jittered(pause: Duration) -> Duration {
    let [byte, ..] = *crate::lease::Owner::random().as_bytes();
    pause / 2 + pause * u32::from(byte) / 512
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Digest;

    const PATIENCE: Duration = Duration::from_secs(60);

    fn id(name: &str) -> RecordId {
        RecordId::from_digest(Digest::of(&[name.as_bytes()]))
    }

    #[tokio::test(start_paused = true)]
    async fn an_end_between_the_read_and_the_wait_is_not_missed() {
        let waiters = Arc::new(Waiters::default());
        let mut ear = waiters.listen(id("k"), PATIENCE);
        ear.open();
        waiters.wake(&id("k"));
        let start = Instant::now();
        assert!(Ear::wait(Some(&mut ear)).await);
        assert_eq!(start.elapsed(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn news_of_other_processes_wake_those_that_wait() {
        let waiters = Arc::new(Waiters::default());
        let tell = waiters.clone().listener();
        for news in [Ended::One(id("k")), Ended::Any] {
            let mut ear = waiters.listen(id("k"), PATIENCE);
            ear.open();
            tell(news);
            let start = Instant::now();
            assert!(Ear::wait(Some(&mut ear)).await);
            assert_eq!(start.elapsed(), Duration::ZERO, "{news:?}");
        }
        drop(waiters);
        tell(Ended::Any);
    }

    #[tokio::test(start_paused = true)]
    async fn the_end_of_another_record_wakes_nobody() {
        let waiters = Arc::new(Waiters::default());
        let mut ear = waiters.listen(id("k"), PATIENCE);
        ear.open();
        waiters.wake(&id("other"));
        let start = Instant::now();
        assert!(Ear::wait(Some(&mut ear)).await);
        assert!(start.elapsed() >= FIRST_PAUSE / 2);
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_waits_past_the_deadline_and_the_last_look_is_at_it() {
        let waiters = Arc::new(Waiters::default());
        let mut ear = waiters.listen(id("k"), Duration::from_secs(3));
        let start = Instant::now();
        ear.open();
        while Ear::wait(Some(&mut ear)).await {
            ear.open();
        }
        assert_eq!(start.elapsed(), Duration::from_secs(3));
    }

    #[tokio::test]
    async fn nothing_is_left_of_those_that_have_waited() {
        let waiters = Arc::new(Waiters::default());
        let mut ears: Vec<_> = (0..3).map(|_| waiters.listen(id("k"), PATIENCE)).collect();
        ears.iter_mut().for_each(Ear::open);
        ears.pop();
        assert_eq!(waiters.ears().len(), 1);
        ears.clear();
        assert!(waiters.ears().is_empty());
        assert_eq!(waiters.count.load(Ordering::SeqCst), 0);
    }
}
