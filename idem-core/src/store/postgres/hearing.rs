//! One connection that hears of executions which end in other processes.

use std::convert::Infallible;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use sqlx::{ConnectOptions as _, PgPool};
use tokio::time::sleep;
use tokio_util::task::AbortOnDropHandle;

use crate::attempt::RecordId;
use crate::digest::Digest;
use crate::store::{Ended, Listener};

/// What the functions of the schema notify.
const CHANNEL: &str = "idem_ended";

const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// Who is told, and the task that tells them.
pub(super) struct Hearing {
    options: PgConnectOptions,
    listeners: Arc<Listeners>,
    task: OnceLock<AbortOnDropHandle<()>>,
}

#[derive(Default)]
struct Listeners(Mutex<Vec<Listener>>);

impl Hearing {
    pub(super) fn new(options: PgConnectOptions) -> Self {
        Self { options, listeners: Arc::default(), task: OnceLock::new() }
    }

    /// Tells `listener` as well.
    pub(super) fn tell(&self, listener: Listener) {
        self.listeners.0.lock().unwrap_or_else(PoisonError::into_inner).push(listener);
    }

    /// Listens, unless that was begun before.
    pub(super) fn start(&self) {
        self.task.get_or_init(|| {
            let options = self.options.clone().disable_statement_logging();
            let pool = PgPoolOptions::new().max_connections(1).connect_lazy_with(options);
            AbortOnDropHandle::new(tokio::spawn(hear(pool, self.listeners.clone())))
        });
    }
}

impl fmt::Debug for Hearing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hearing").field("started", &self.task.get().is_some()).finish()
    }
}

/// Listens for as long as it is not aborted.
async fn hear(pool: PgPool, listeners: Arc<Listeners>) {
    let mut pause = FIRST_PAUSE;
    loop {
        let Err(error) = listen(&pool, &listeners, &mut pause).await;
        tracing::warn!(%error, "PostgreSQL does not tell of ends: those that wait look again instead");
        sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Passes on what is heard, over one connection after another.
async fn listen(
    pool: &PgPool,
    listeners: &Listeners,
    pause: &mut Duration,
) -> Result<Infallible, sqlx::Error> {
    let mut connection = PgListener::connect_with(pool).await?;
    connection.listen(CHANNEL).await?;
    loop {
        *pause = FIRST_PAUSE;
        // What has ended while nobody listened was told to nobody.
        listeners.tell(Ended::Any);
        while let Some(news) = connection.try_recv().await? {
            if let Some(id) = record(news.payload()) {
                listeners.tell(Ended::One(id));
            }
        }
    }
}

impl Listeners {
    fn tell(&self, ended: Ended) {
        let listeners = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        listeners.iter().for_each(|listener| listener(ended));
    }
}

/// The record that a notification names.
fn record(hexadecimal: &str) -> Option<RecordId> {
    let mut bytes = [0; 32];
    if hexadecimal.len() != 2 * bytes.len() || !hexadecimal.is_ascii() {
        return None;
    }
    for (byte, position) in bytes.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(&hexadecimal[position..position + 2], 16).ok()?;
    }
    Some(RecordId::from_digest(Digest::from_bytes(bytes)))
}
