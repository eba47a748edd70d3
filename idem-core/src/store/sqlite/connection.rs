//! A connection that is opened anew after a failure, and how answers leave it.

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
    pub(super) async fn open(options: SqliteConnectOptions) -> Result<Self, sqlx::Error> {
        let open = Some(options.connect().await?);
        Ok(Self { options, open })
    }

    pub(super) async fn get(&mut self) -> Result<&mut SqliteConnection, sqlx::Error> {
        match &mut self.open {
            Some(open) => Ok(open),
            none => Ok(none.insert(self.options.connect().await?)),
        }
    }

    /// Closes what has failed, whatever state it is in: that rolls back what it had begun, and the
    /// next call gets a new one.
    pub(super) fn fail(&mut self, error: &sqlx::Error) {
        tracing::error!(%error, "the SQLite store lost its connection, what was under way failed");
        self.open = None;
    }

    pub(super) async fn close(self) {
        if let Some(open) = self.open {
            let _ = open.close().await;
        }
    }
}

/// The answer that a statement has come to. One that failed for the connection is not answered
/// here: its reply is dropped, which tells the caller.
pub(super) fn settle<T: Send + 'static>(
    result: Result<T, Failure>,
    reply: Reply<T>,
) -> Result<Settled, sqlx::Error> {
    let answer = match result {
        Ok(value) => Ok(value),
        Err(Failure::Record(error)) => Err(error),
        Err(Failure::Connection(error)) => return Err(error),
    };
    // Nobody may be waiting any more.
    Ok(Box::new(move || drop(reply.send(answer))))
}
