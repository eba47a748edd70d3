//! Handlers that write in the transaction which holds their record.

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use sqlx::{AssertSqlSafe, PgConnection, PgPool, Postgres};

use super::connections::{gave_way, refused, waited_too_long};
use super::{PostgresStore, begin, begun, finish};
use crate::lease::Lease;
use crate::store::{Begun, Claim, Opened, Outcome, StoreError, TransactionalStore};

/// An open transaction that holds the record of the handler it is given to.
///
/// It is a connection: `sqlx::query(…).execute(&mut *transaction)`. What is written over it is
/// committed with the answer; a savepoint is made by its `begin`. It is neither committed nor rolled
/// back by hand.
#[derive(Debug)]
pub struct PostgresTransaction(sqlx::Transaction<'static, Postgres>);

impl Deref for PostgresTransaction {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.0
    }
}

impl DerefMut for PostgresTransaction {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.0
    }
}

impl TransactionalStore for PostgresStore {
    type Transaction = PostgresTransaction;

    async fn open(
        &self,
        claim: &Claim,
        patience: Duration,
    ) -> Result<Opened<PostgresTransaction>, StoreError> {
        let opening = open(self.transactions.clone(), claim.clone(), patience);
        // In a task of its own. sqlx 0.9 leaves a connection in a transaction that it knows nothing
        // of when the future that begins one is dropped between the request and the reply; this one
        // goes on to its end, and what it has begun is rolled back there.
        let opening = tokio::spawn(opening);
        opening.await.unwrap_or_else(|lost| {
            Err(StoreError::Unavailable { reason: "the runtime has ended", source: lost.into() })
        })
    }

    async fn commit(
        &self,
        PostgresTransaction(mut transaction): PostgresTransaction,
        lease: &Lease,
        outcome: &Outcome,
    ) -> Result<(), StoreError> {
        let undo = match outcome {
            Outcome::Completed(_) => "RELEASE SAVEPOINT idem_handler; ",
            Outcome::Failed | Outcome::Unknown => "ROLLBACK TO SAVEPOINT idem_handler; ",
        };
        // What is begun anew here is rolled back when the connection is given back, as sqlx does
        // with a transaction that was not committed by its own method.
        let sql = [undo, &finish(lease, outcome).write()?, "; COMMIT AND CHAIN"].concat();
        let rows = sqlx::raw_sql(AssertSqlSafe(sql)).fetch_all(&mut *transaction).await;
        match rows.map_err(refused)?.first().map(|row| super::row::column(row, "done")) {
            Some(Ok(true)) => Ok(()),
            // No transaction but this one could have written the record.
            _ => Err(StoreError::Damaged { column: "owner" }),
        }
    }
}

/// Begins a transaction and claims in it, in two round trips: the second makes the savepoint to which
/// a handler that fails is rolled back.
async fn open(
    pool: PgPool,
    claim: Claim,
    patience: Duration,
) -> Result<Opened<PostgresTransaction>, StoreError> {
    let claiming = [&begin(&claim, patience).write()?, "; SAVEPOINT idem_handler"].concat();
    loop {
        let mut transaction = pool.begin().await.map_err(refused)?;
        let tried = sqlx::raw_sql(AssertSqlSafe(claiming.clone())).fetch_all(&mut *transaction);
        let rows = match tried.await {
            Ok(rows) => rows,
            Err(error) if waited_too_long(&error) => return Ok(Opened::Busy),
            // The handler has not run: nothing is done twice.
            Err(error) if gave_way(&error) => continue,
            Err(error) => return Err(refused(error)),
        };
        match begun(&claim, &rows)? {
            Some(Begun::Claimed { fence, attempts }) => {
                let transaction = PostgresTransaction(transaction);
                return Ok(Opened::Claimed { transaction, fence, attempts });
            }
            Some(Begun::Found(found)) => return Ok(Opened::Found(found)),
            // The record that was in the way is gone.
            None => {}
        }
    }
}
