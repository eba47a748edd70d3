//! The engine of an application, with what HTTP adds to it.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use idem_core::engine::{Engine, Settings};
use idem_core::janitor::Janitor;
use idem_core::observe::Observer;
use idem_core::review::{Queue, Runners};
use idem_core::store::{ReviewStore, Store};

use crate::principal::{Global, Principal};
use crate::problem::Dialect;
use crate::wire::Wire;

/// The idempotency engine of an application: a store, whose keys they are, and a few limits.
///
/// It lives in the application's state, where `#[derive(IdempotencyState)]` finds it. Clones are
/// cheap and share everything. Whose keys they are must be said: [`per`](Self::per) principal, or
/// [`global`](Self::global).
///
/// ```
/// use std::time::Duration;
/// use idem_axum::{Dialect, Idempotency, MemoryStore};
///
/// let idempotency = Idempotency::global(MemoryStore::new())
///     .lease(Duration::from_secs(20))
///     .dialect(Dialect::Ietf);
/// ```
pub struct Idempotency<P, St> {
    engine: Engine,
    store: Arc<St>,
    wire: Wire,
    runners: Runners,
    typed: PhantomData<fn() -> (P, St)>,
}

impl<St: Store> Idempotency<Global, St> {
    /// Keys belong to the principal `P` that sends them: two principals never see each other's
    /// records. `P` is extracted from each request before its key and body are looked at; where
    /// that fails, the request is refused with the extractor's own answer.
    pub fn per<P: Principal>(store: St) -> Idempotency<P, St> {
        Idempotency::new(store)
    }

    /// All callers share one set of keys. Right for a service with one client; for others it lets
    /// one caller's key meet another's.
    pub fn global(store: St) -> Self {
        Self::new(store)
    }
}

impl<P, St: Store> Idempotency<P, St> {
    fn new(store: St) -> Self {
        let store = Arc::new(store);
        Self {
            engine: Engine::sharing(store.clone(), Settings::default()),
            store,
            wire: Wire::default(),
            runners: Runners::default(),
            typed: PhantomData,
        }
    }

    /// Sets how long an execution may go without a sign of life before it counts as crashed;
    /// 30 seconds unless set here or in the handler's contract. It is also how long the body of an
    /// answer is waited for before it passes to its client unstored.
    #[must_use]
    pub fn lease(self, lease: Duration) -> Self {
        self.set(|settings| settings.lease = lease)
    }

    /// Sets how long one call of the store may take before the request is refused with `503`;
    /// 5 seconds unless set.
    #[must_use]
    pub fn store_timeout(self, limit: Duration) -> Self {
        self.set(|settings| settings.store_timeout = limit)
    }

    /// Sets the most bytes of an answer, headers and body, that are stored for replays; 1 MiB
    /// unless set. A longer answer reaches its client, and a retry is told that it was not stored.
    #[must_use]
    pub fn answer_limit(self, bytes: usize) -> Self {
        self.set(|settings| settings.answer_limit = bytes)
    }

    /// Sets the most bytes of a payload that others were merged into; 2 MiB unless set. A merge that
    /// comes to more is refused with `merge-refused`.
    #[must_use]
    pub fn merged_limit(self, bytes: usize) -> Self {
        self.set(|settings| settings.merged_limit = bytes)
    }

    /// Sets the most handlers that run at once, those whose clients have left among them; 100,000
    /// unless set. Beyond it requests are refused with `503` before they claim anything.
    #[must_use]
    pub fn max_running(self, handlers: usize) -> Self {
        self.set(|settings| settings.max_running = handlers)
    }

    /// Sets the status codes of refusals; [`Dialect::Conflict`] unless set.
    #[must_use]
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.wire.dialect = dialect;
        self
    }

    /// Sets the path under which the application serves [`conflicts::router`](crate::conflicts::router),
    /// as clients see it; `/conflicts` unless set. A request that is held for review is told to
    /// look there.
    #[must_use]
    pub fn conflicts_at(mut self, path: impl Into<Cow<'static, str>>) -> Self {
        self.wire.conflicts_at = path.into();
        self
    }

    /// Tells `observer` of every conflict, instead of logging it.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use idem_axum::{Conflict, Idempotency, MemoryStore, Observer};
    ///
    /// #[derive(Default)]
    /// struct Count(AtomicU64);
    ///
    /// impl Observer for Count {
    ///     fn conflict(&self, _: &Conflict<'_>) {
    ///         self.0.fetch_add(1, Ordering::Relaxed);
    ///     }
    /// }
    ///
    /// let idempotency = Idempotency::global(MemoryStore::new()).observer(Count::default());
    /// ```
    #[must_use]
    pub fn observer(mut self, observer: impl Observer) -> Self {
        self.engine = self.engine.with_observer(observer);
        self
    }

    /// Waits until no handler is running and no outcome is still being recorded.
    ///
    /// Call it after the server has stopped accepting: handlers whose clients left run on. It does
    /// not stop a [janitor](Self::janitor), nor wait for one: whoever started that holds its handle.
    ///
    /// ```no_run
    /// # async fn serve(listener: tokio::net::TcpListener, app: axum::Router, signal: std::future::Ready<()>,
    /// #     idempotency: idem_axum::Idempotency<idem_axum::Global, idem_axum::MemoryStore>) -> std::io::Result<()> {
    /// axum::serve(listener, app).with_graceful_shutdown(signal).await?;
    /// idempotency.shutdown().await;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn shutdown(&self) {
        self.engine.shutdown().await;
    }

    fn set(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = *self.engine.settings();
        change(&mut settings);
        self.engine = self.engine.with_settings(settings);
        self
    }
}

impl<P, St> Idempotency<P, St> {
    /// The engine below HTTP, for work that does not come as a request.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// What removes expired records from the engine's store, once it is spawned; every instance of
    /// an application may have one. A record past its ttl counts as absent, removed or not:
    /// without a janitor nothing goes wrong, but the store grows.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// use idem_axum::{Idempotency, MemoryStore};
    ///
    /// let idempotency = Idempotency::global(MemoryStore::new());
    /// let janitor = idempotency.janitor().spawn();
    /// // Serve, and in the end:
    /// janitor.stop().await;
    /// idempotency.shutdown().await;
    /// # }
    /// ```
    pub fn janitor(&self) -> Janitor {
        self.engine.janitor()
    }

    pub(crate) fn store(&self) -> &Arc<St> {
        &self.store
    }

    pub(crate) fn wire(&self) -> &Wire {
        &self.wire
    }

    pub(crate) fn runners(&self) -> &Runners {
        &self.runners
    }
}

impl<P, St: ReviewStore> Idempotency<P, St> {
    /// The attempts that are held for review, for the people who decide.
    ///
    /// ```
    /// use idem_axum::{Idempotency, MemoryStore};
    /// use idem_axum::review::{ConflictState, Filter};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let idempotency = Idempotency::global(MemoryStore::new());
    /// let pending = Filter { state: Some(ConflictState::Pending), ..Filter::default() };
    /// for conflict in idempotency.review().list(&pending).await? {
    ///     idempotency.review().accept(conflict.id, conflict.version, "mara", "called back").await?;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn review(&self) -> Queue {
        let queue = Queue::new(self.store.clone()).runners(self.runners.clone());
        queue.store_timeout(self.engine.settings().store_timeout)
    }
}

impl<P, St> Clone for Idempotency<P, St> {
    fn clone(&self) -> Self {
        Self {
            engine: self.engine.clone(),
            store: self.store.clone(),
            wire: self.wire.clone(),
            runners: self.runners.clone(),
            typed: PhantomData,
        }
    }
}

impl<P, St> fmt::Debug for Idempotency<P, St> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Idempotency");
        shown.field("settings", self.engine.settings()).field("wire", &self.wire).finish()
    }
}
