//! The embedded durable store: one SQLite file in WAL mode.
//!
//! Any number of processes of one machine may share the file, and it may be the application's own
//! database: the store keeps to its tables, whose names begin with `idem_`.
//!
//! Two connections per process do the work, and a third is what handlers write over that take their
//! [transaction](SqliteTransaction). One reads, and waits for nobody: a replay needs only
//! that one. The other writes, in batches: what arrives while a batch is being committed forms the
//! next, so that concurrent claims and completions share one `fsync`.

mod claim;
mod connection;
mod find;
mod history;
mod opening;
mod reader;
mod review;
mod row;
mod schema;
mod statement;
mod transaction;
mod writer;

use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::SqlitePool;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use tokio::sync::{mpsc, oneshot};

use self::connection::Reply;
use self::reader::Read;
pub use self::transaction::SqliteTransaction;
use self::writer::Write;
use super::{Begun, Claim, Found, Listener, Outcome, ReviewStore, Store, StoreError, Written};
use crate::attempt::RecordId;
use crate::lease::Lease;
use crate::record::Superseded;
use crate::review::{Conflict, ConflictId, Decide, Decided, Filter, Hold, Holding};

/// How many calls may wait for a connection before callers wait for a place.
const QUEUE: usize = 1024;

/// How long SQLite waits for the lock of another process before a call fails.
const BUSY_TIMEOUT: Duration = Duration::from_secs(4);

/// Records in one SQLite file; clones share its connections.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = std::env::temp_dir().join(format!("idem-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("payments.db");
/// use idem_core::store::sqlite::SqliteStore;
/// let store = SqliteStore::open(&path).await?;
/// # drop(store);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct SqliteStore {
    reads: mpsc::Sender<Read>,
    writes: mpsc::Sender<Write>,
    /// What handlers write over.
    transactions: SqlitePool,
}

/// What a power failure may take, against how long a commit takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// `synchronous=FULL`: a commit is on the disk before it is acknowledged. A claim or an answer
    /// that was acknowledged survives a power failure.
    #[default]
    Full,
    /// `synchronous=NORMAL`: survives the death of the process, but a power failure may take the
    /// last commits, and with them the memory that an operation has run.
    Normal,
}

/// How a [`SqliteStore`] is opened.
#[derive(Clone, Debug)]
pub struct SqliteStoreOptions {
    path: PathBuf,
    durability: Durability,
    busy_timeout: Duration,
}

impl SqliteStoreOptions {
    /// Sets the durability; [`Durability::Full`] unless set.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    /// Sets how long SQLite waits for another process's lock; 4 seconds unless set.
    #[must_use]
    pub fn busy_timeout(mut self, timeout: Duration) -> Self {
        self.busy_timeout = timeout;
        self
    }

    /// Opens the file, and makes it and its tables where they are missing.
    ///
    /// # Errors
    /// When the file cannot be opened, is no database, stays locked, or was written by a newer idem.
    pub async fn open(self) -> Result<SqliteStore, StoreError> {
        let options = SqliteConnectOptions::new()
            .filename(&self.path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(match self.durability {
                Durability::Full => SqliteSynchronous::Full,
                Durability::Normal => SqliteSynchronous::Normal,
            })
            // What a record remembers is deleted with it.
            .foreign_keys(true)
            .busy_timeout(self.busy_timeout);
        let transactions = transaction::connection(options.clone());
        let (writer, reader) = opening::open(options, self.busy_timeout).await?;
        let (reads, read_queue) = mpsc::channel(QUEUE);
        let (writes, write_queue) = mpsc::channel(QUEUE);
        tokio::spawn(reader::run(reader, read_queue));
        tokio::spawn(writer::run(writer, write_queue));
        Ok(SqliteStore { reads, writes, transactions })
    }
}

impl SqliteStore {
    /// Opens the file at `path` with full durability.
    ///
    /// # Errors
    /// As [`SqliteStoreOptions::open`].
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::options(path).open().await
    }

    /// How to open the file at `path`, to be adjusted.
    pub fn options(path: impl AsRef<Path>) -> SqliteStoreOptions {
        SqliteStoreOptions {
            path: path.as_ref().to_owned(),
            durability: Durability::default(),
            busy_timeout: BUSY_TIMEOUT,
        }
    }

    async fn read<T>(&self, read: impl FnOnce(Reply<T>) -> Read) -> Result<T, StoreError> {
        call(&self.reads, read).await
    }

    async fn write<T>(&self, write: impl FnOnce(Reply<T>) -> Write) -> Result<T, StoreError> {
        call(&self.writes, write).await
    }
}

async fn call<T, C>(
    queue: &mpsc::Sender<C>,
    command: impl FnOnce(Reply<T>) -> C,
) -> Result<T, StoreError> {
    let (reply, answer) = oneshot::channel();
    // A reply that is dropped belongs to a call that failed, or its task has ended.
    match queue.send(command(reply)).await {
        Ok(()) => answer.await.unwrap_or_else(|lost| Err(unavailable(lost))),
        Err(_) => Err(unavailable("the runtime that opened the store has ended")),
    }
}

fn unavailable(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StoreError {
    StoreError::Unavailable {
        reason: "SQLite failed, see the error logged before",
        source: source.into(),
    }
}

impl Store for SqliteStore {
    /// A claim that the reader sees no obstacle to is tried under the write lock, which tells what
    /// another process wrote in between.
    async fn begin(&self, claim: &Claim) -> Result<Begun, StoreError> {
        match self.read(|reply| Read::Peek(claim.clone(), reply)).await? {
            Some(begun) => Ok(begun),
            None => self.write(|reply| Write::Begin(claim.clone(), reply)).await,
        }
    }

    async fn renew(&self, lease: &Lease) -> Result<Written, StoreError> {
        self.write(|reply| Write::Renew(*lease, reply)).await
    }

    async fn finish(&self, lease: &Lease, outcome: &Outcome) -> Result<Written, StoreError> {
        self.write(|reply| Write::Finish(*lease, outcome.clone(), reply)).await
    }

    async fn release(&self, lease: &Lease) -> Result<Written, StoreError> {
        self.write(|reply| Write::Release(*lease, reply)).await
    }

    async fn find(&self, id: &RecordId) -> Result<Option<Found>, StoreError> {
        self.read(|reply| Read::Find(*id, reply)).await
    }

    async fn purge(&self, limit: u32) -> Result<u32, StoreError> {
        self.write(|reply| Write::Purge(limit, reply)).await
    }

    async fn history(&self, id: &RecordId) -> Result<Vec<Superseded>, StoreError> {
        self.read(|reply| Read::History(*id, reply)).await
    }

    /// SQLite tells nobody of what another process writes.
    fn listen(&self, _: Listener) {}
}

impl ReviewStore for SqliteStore {
    async fn hold(&self, hold: &Hold) -> Result<Holding, StoreError> {
        self.write(|reply| Write::Hold(hold.clone(), reply)).await
    }

    async fn conflict(&self, id: &ConflictId) -> Result<Option<Conflict>, StoreError> {
        self.read(|reply| Read::Conflict(*id, reply)).await
    }

    async fn conflicts(&self, filter: &Filter) -> Result<Vec<Conflict>, StoreError> {
        self.read(|reply| Read::Conflicts(filter.clone(), reply)).await
    }

    async fn decide(&self, decide: &Decide) -> Result<Option<Decided>, StoreError> {
        self.write(|reply| Write::Decide(decide.clone(), reply)).await
    }
}

#[cfg(test)]
mod tests;
