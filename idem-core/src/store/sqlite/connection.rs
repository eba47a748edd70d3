//! A connection that is opened when it is needed, again after a failure, and how answers leave it.

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection as _, SqliteConnection};
use tokio::sync::oneshot;

use super::statement::Failure;
use crate::store::StoreError;

/// Where the answer to a call goes.
pub(super) type Reply<T> = oneshot::Sender<Result<T, StoreError>>;

/// An answer, ready to be given.
pub(super) type Settled = Box<dyn FnOnce() + Send>;

pub(super) struct Connection {
    options: SqliteConnectOptions,
    open: Option<SqliteConnection>,
}

impl Connection {
    pub(super) fn new(options: SqliteConnectOptions) -> Self {
        Self { options, open: None }
    }

    pub(super) async fn get(&mut self) -> Result<&mut SqliteConnection, sqlx::Error> {
        match &mut self.open {
            Some(open) => Ok(open),
            none => Ok(none.insert(self.options.connect().await?)),
        }
    }

    /// Closes what has failed, whatever state it is in: that rolls back what it had begun, and the
    /// next call gets a new one. One that only met a lock is sound and stays.
    pub(super) fn fail(&mut self, error: &sqlx::Error) {
        if is_busy(error) {
            tracing::error!(%error, "the SQLite store's file stayed locked, what was under way failed");
            return;
        }
        tracing::error!(%error, "the SQLite store lost its connection, what was under way failed");
        self.open = None;
    }

    pub(super) async fn close(self) {
        if let Some(open) = self.open {
            let _ = open.close().await;
        }
    }
}

/// Whether a lock of another connection was in the way, for longer than SQLite waits.
pub(super) fn is_busy(error: &sqlx::Error) -> bool {
    // An extended result code carries its primary code in the low byte.
    const SQLITE_BUSY: i32 = 5;
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    code.and_then(|code| code.parse::<i32>().ok()).is_some_and(|code| code & 0xff == SQLITE_BUSY)
}

/// The answer that a statement has come to. One that failed in SQLite is not answered here: its
/// reply is dropped, which tells the caller.
pub(super) fn settle<T: Send + 'static>(
    result: Result<T, Failure>,
    reply: Reply<T>,
) -> Result<Settled, sqlx::Error> {
    let answer = match result {
        Ok(value) => Ok(value),
        Err(Failure::Content(error)) => Err(error),
        Err(Failure::Sqlite(error)) => return Err(error),
    };
    // Nobody may be waiting any more.
    Ok(Box::new(move || drop(reply.send(answer))))
}
