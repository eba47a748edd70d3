//! The connection that writes, in batches that share one commit.

use sqlx::SqliteConnection;
use tokio::sync::mpsc;

use super::connection::{Connection, Reply, Settled, settle};
use super::{claim, review, statement};
use crate::lease::Lease;
use crate::review::{Decide, Decided, Hold, Holding};
use crate::store::{Begun, Claim, Outcome, Written};

/// The most calls that share one transaction.
const BATCH: usize = 256;

/// A call that writes.
#[derive(Debug)]
pub(super) enum Write {
    Begin(Claim, Reply<Begun>),
    Renew(Lease, Reply<Written>),
    Finish(Lease, Outcome, Reply<Written>),
    Release(Lease, Reply<Written>),
    Purge(u32, Reply<u32>),
    Hold(Hold, Reply<Holding>),
    Decide(Decide, Reply<Option<Decided>>),
}

impl Write {
    /// Whether this is a claim whose caller has given up. To be asked under the write lock: while
    /// that was waited for, the caller may have gone, looked for the claim in order to undo it, and
    /// found none. Made now, the claim would be nobody's.
    fn is_abandoned(&self) -> bool {
        matches!(self, Self::Begin(_, reply) if reply.is_closed())
    }

    async fn run(self, db: &mut SqliteConnection) -> Result<Settled, sqlx::Error> {
        match self {
            Self::Begin(claim, reply) => settle(claim::begin(db, &claim).await, reply),
            Self::Renew(lease, reply) => settle(statement::renew(db, &lease).await, reply),
            Self::Finish(lease, outcome, reply) => {
                settle(statement::finish(db, &lease, &outcome).await, reply)
            }
            Self::Release(lease, reply) => settle(statement::release(db, &lease).await, reply),
            Self::Purge(limit, reply) => settle(statement::purge(db, limit).await, reply),
            Self::Hold(hold, reply) => settle(review::hold(db, &hold).await, reply),
            Self::Decide(decide, reply) => settle(review::decide(db, &decide).await, reply),
        }
    }
}

/// Serves until the last handle of the store is gone. What arrives while a batch is being
/// committed forms the next one.
pub(super) async fn run(mut connection: Connection, mut queue: mpsc::Receiver<Write>) {
    let mut batch = Vec::with_capacity(BATCH);
    while queue.recv_many(&mut batch, BATCH).await > 0 {
        let committed = match connection.get().await {
            Ok(db) => commit(db, batch.drain(..)).await,
            Err(error) => Err(error),
        };
        match committed {
            Ok(answers) => answers.into_iter().for_each(|answer| answer()),
            Err(error) => connection.fail(&error),
        }
        // Those that were not reached have failed with the others: their replies are dropped.
        batch.clear();
    }
    connection.close().await;
}

/// Carries the batch out in one transaction; the answers are true once it is durable.
async fn commit(
    db: &mut SqliteConnection,
    batch: impl Iterator<Item = Write>,
) -> Result<Vec<Settled>, sqlx::Error> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *db).await?;
    let committed = run_all(db, batch).await;
    if committed.is_err() {
        // Fails where SQLite has rolled back by itself, which comes to the same.
        let _ = sqlx::query("ROLLBACK").execute(db).await;
    }
    committed
}

async fn run_all(
    db: &mut SqliteConnection,
    batch: impl Iterator<Item = Write>,
) -> Result<Vec<Settled>, sqlx::Error> {
    let mut answers = Vec::new();
    for write in batch.filter(|write| !write.is_abandoned()) {
        answers.push(write.run(db).await?);
    }
    sqlx::query("COMMIT").execute(db).await?;
    Ok(answers)
}
