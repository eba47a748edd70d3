//! A place where handlers wait until the test lets them go on.

use std::sync::Arc;

use tokio::sync::Semaphore;

#[derive(Clone)]
pub(crate) struct Gate {
    waiting: Arc<Semaphore>,
    let_through: Arc<Semaphore>,
}

impl Default for Gate {
    fn default() -> Self {
        let closed = || Arc::new(Semaphore::new(0));
        Self { waiting: closed(), let_through: closed() }
    }
}

impl Gate {
    /// The handler's side: says that it is here, and waits.
    pub(crate) async fn pass(&self) {
        self.waiting.add_permits(1);
        self.let_through.acquire().await.unwrap().forget();
    }

    /// Waits until one more handler has come to the gate.
    pub(crate) async fn arrival(&self) {
        self.waiting.acquire().await.unwrap().forget();
    }

    /// Lets one handler through, now or when it comes.
    pub(crate) fn open(&self) {
        self.let_through.add_permits(1);
    }
}
