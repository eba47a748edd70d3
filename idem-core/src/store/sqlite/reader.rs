//! The connection that reads: in WAL mode it waits for nobody's write lock, nor for any commit.

use sqlx::SqliteConnection;
use tokio::sync::mpsc;

use super::connection::{Connection, Reply, Settled, settle};
use super::{claim, find, history, review};
use crate::attempt::RecordId;
use crate::record::Superseded;
use crate::review::{Conflict, ConflictId, Filter};
use crate::store::{Begun, Claim, Found};

/// A call that needs no write.
#[derive(Debug)]
pub(super) enum Read {
    /// What stands against a claim; nothing, when a write must be tried.
    Peek(Claim, Reply<Option<Begun>>),
    Find(RecordId, Reply<Option<Found>>),
    History(RecordId, Reply<Vec<Superseded>>),
    Conflict(ConflictId, Reply<Option<Conflict>>),
    Conflicts(Filter, Reply<Vec<Conflict>>),
}

impl Read {
    async fn run(self, db: &mut SqliteConnection) -> Result<Settled, sqlx::Error> {
        match self {
            Self::Peek(claim, reply) => settle(claim::peek(db, &claim).await, reply),
            Self::Find(id, reply) => settle(find::find_current(db, id).await, reply),
            Self::History(id, reply) => settle(history::history(db, id).await, reply),
            Self::Conflict(id, reply) => settle(review::conflict(db, &id).await, reply),
            Self::Conflicts(filter, reply) => settle(review::conflicts(db, &filter).await, reply),
        }
    }
}

/// Serves until the last handle of the store is gone.
pub(super) async fn run(mut connection: Connection, mut queue: mpsc::Receiver<Read>) {
    while let Some(read) = queue.recv().await {
        let settled = match connection.get().await {
            Ok(db) => read.run(db).await,
            Err(error) => Err(error),
        };
        match settled {
            Ok(answer) => answer(),
            Err(error) => connection.fail(&error),
        }
    }
    connection.close().await;
}
