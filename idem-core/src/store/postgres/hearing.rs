//! One connection that hears of executions which end in other processes.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use sqlx::error::DatabaseError;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use sqlx::{ConnectOptions as _, PgPool, Row as _};
use tokio::time::sleep;
use tokio_util::task::AbortOnDropHandle;

use crate::attempt::RecordId;
use crate::digest::Digest;
use crate::store::{Ended, Listener};

/// What the functions of the schema notify.
const CHANNEL: &str = "idem_ended";

/// What the server knows of a connection that is ours alone. A pooler does not pass it on: it refuses
/// it, or leaves it out.
///
/// Behind one that gives each transaction another connection nobody must listen: the server would
/// notify whoever has that connection next, and sqlx takes a notification that it has not asked for
/// for a broken connection.
const MARK: (&str, &str) = ("idem.listening", "on");
const IS_MARKED: &str = "SELECT current_setting('idem.listening', true) IS NOT DISTINCT FROM 'on'";

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
            let options = self.options.clone().options([MARK]).disable_statement_logging();
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
        let error = match listen(&pool, &listeners, &mut pause).await {
            Ok(Pooled) => {
                return tracing::info!(
                    "behind a pooler nothing is heard of ends: those that wait look again"
                );
            }
            Err(error) => error,
        };
        tracing::warn!(%error, "PostgreSQL does not tell of ends: those that wait look again instead");
        sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// There is a pooler between us and the server.
struct Pooled;

/// Passes on what is heard, over one connection after another.
async fn listen(
    pool: &PgPool,
    listeners: &Listeners,
    pause: &mut Duration,
) -> Result<Pooled, sqlx::Error> {
    let mut connection = match PgListener::connect_with(pool).await {
        Err(error) if is_refusal_of_mark(&error) => return Ok(Pooled),
        connected => connected?,
    };
    if !sqlx::raw_sql(IS_MARKED).fetch_one(&mut connection).await?.try_get(0)? {
        return Ok(Pooled);
    }
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

fn is_refusal_of_mark(error: &sqlx::Error) -> bool {
    const PROTOCOL_VIOLATION: &str = "08P01";
    let code = error.as_database_error().and_then(DatabaseError::code);
    code.as_deref() == Some(PROTOCOL_VIOLATION)
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
