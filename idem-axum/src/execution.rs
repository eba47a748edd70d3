//! What a handler may know of its own execution.

use idem_core::lease::Fence;

tokio::task_local! {
    static CURRENT: Execution;
}

/// The execution that the present code runs in.
///
/// ```
/// use idem_axum::Execution;
///
/// async fn write_to_ledger() {
///     if let Some(execution) = Execution::current() {
///         // Hand the token to whatever can refuse an older one.
///         let _fence = execution.fence().get();
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Execution {
    pub(crate) fence: Fence,
    pub(crate) attempts: u32,
}

impl Execution {
    /// The execution of the idempotent handler that this is called in; `None` outside of one, in
    /// tasks it has spawned, and in one that runs without a key.
    #[must_use]
    pub fn current() -> Option<Self> {
        CURRENT.try_with(|execution| *execution).ok()
    }

    /// The fencing token: greater than that of any earlier execution for the same key.
    #[must_use]
    pub fn fence(&self) -> Fence {
        self.fence
    }

    /// The number of this execution: 1 for the first, more after failures and crashes.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        self.attempts
    }

    /// Runs `future` as this execution.
    pub(crate) async fn scope<F: Future>(self, future: F) -> F::Output {
        CURRENT.scope(self, future).await
    }
}
