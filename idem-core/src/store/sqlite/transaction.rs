//! Handlers that write in the transaction which holds their record.

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::{Sqlite, SqliteConnection, SqlitePool};
use tokio::time::timeout;

use super::connection::is_busy;
use super::statement::Failure;
use super::{SqliteStore, claim, statement, unavailable};
use crate::lease::Lease;
use crate::store::{Begun, Claim, Opened, Outcome, StoreError, TransactionalStore, Written};

/// An open transaction that holds the record of the handler it is given to, and with it the file's
/// one right to write.
///
/// It is a connection: `sqlx::query(…).execute(&mut *transaction)`. What is written over it is
/// committed with the answer; a savepoint is made by its `begin`. It is neither committed nor rolled
/// back by hand.
#[derive(Debug)]
pub struct SqliteTransaction(sqlx::Transaction<'static, Sqlite>);

impl Deref for SqliteTransaction {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        &self.0
    }
}

impl DerefMut for SqliteTransaction {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        &mut self.0
    }
}

/// The connection that handlers write over: one, since SQLite has one writer at a time. Who wants it
/// waits here in order, and not in SQLite, which looks again now and then.
pub(super) fn connection(options: SqliteConnectOptions) -> SqlitePool {
    SqlitePoolOptions::new()
        .max_connections(1)
        .test_before_acquire(false)
        .connect_lazy_with(options)
}

impl TransactionalStore for SqliteStore {
    type Transaction = SqliteTransaction;

    async fn open(
        &self,
        claim: &Claim,
        patience: Duration,
    ) -> Result<Opened<SqliteTransaction>, StoreError> {
        // One that is given up half-way is rolled back by the thread that runs SQLite, which sees
        // that nobody takes the transaction it has begun.
        match timeout(patience, open(&self.transactions, claim)).await {
            Ok(Ok(opened)) => Ok(opened),
            Ok(Err(Failure::Sqlite(error))) if is_busy(&error) => Ok(Opened::Busy),
            Ok(Err(Failure::Sqlite(error))) => Err(unavailable(error)),
            Ok(Err(Failure::Content(error))) => Err(error),
            Err(_) => Ok(Opened::Busy),
        }
    }

    async fn commit(
        &self,
        SqliteTransaction(transaction): SqliteTransaction,
        lease: &Lease,
        outcome: &Outcome,
    ) -> Result<(), StoreError> {
        match commit(transaction, lease, outcome).await {
            Ok(Written::Done) => Ok(()),
            // No transaction but this one could have written the record.
            Ok(Written::Fenced) => Err(StoreError::Damaged { column: "owner" }),
            Err(Failure::Sqlite(error)) => Err(unavailable(error)),
            Err(Failure::Content(error)) => Err(error),
        }
    }
}

async fn open(pool: &SqlitePool, claim: &Claim) -> Result<Opened<SqliteTransaction>, Failure> {
    let mut transaction = pool.begin_with("BEGIN IMMEDIATE").await?;
    match claim::begin(&mut transaction, claim).await? {
        Begun::Found(found) => Ok(Opened::Found(found)),
        Begun::Claimed { fence, attempts } => {
            // To which a handler that fails is rolled back.
            sqlx::raw_sql("SAVEPOINT idem_handler").execute(&mut *transaction).await?;
            let transaction = SqliteTransaction(transaction);
            Ok(Opened::Claimed { transaction, fence, attempts })
        }
    }
}

async fn commit(
    mut transaction: sqlx::Transaction<'static, Sqlite>,
    lease: &Lease,
    outcome: &Outcome,
) -> Result<Written, Failure> {
    let undo = match outcome {
        Outcome::Completed(_) => "RELEASE idem_handler",
        Outcome::Failed | Outcome::Unknown => "ROLLBACK TO idem_handler",
    };
    sqlx::raw_sql(undo).execute(&mut *transaction).await?;
    let written = statement::finish(&mut transaction, lease, outcome).await?;
    if written == Written::Done {
        transaction.commit().await?;
    }
    Ok(written)
}
