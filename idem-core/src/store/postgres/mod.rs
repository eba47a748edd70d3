//! The store for money: records in PostgreSQL, shared by any number of instances.
//!
//! Each verb is one call of a function that [`PostgresStore::migrate`] makes in the database: one
//! statement, one round trip, one transaction under `READ COMMITTED`. No connection is held while a
//! handler runs.

mod connections;
mod hearing;
mod review;
mod row;
mod schema;
mod statement;
mod transaction;

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions, PgRow};
use sqlx::{ConnectOptions as _, Connection as _, PgPool};

use self::connections::{Connections, refused};
use self::hearing::Hearing;
use self::statement::Statement;
pub use self::transaction::PostgresTransaction;
use super::{Begun, Claim, Found, Listener, Outcome, Store, StoreError, TakeOver, Written, rows};
use crate::attempt::RecordId;
use crate::clock::millis;
use crate::identity::Identity;
use crate::lease::{Fence, Lease};
use crate::record::{Answer, Superseded};

/// How many connections a store has, unless it is told.
const CONNECTIONS: u32 = 4;

/// How long a claim waits for a lock outside of a transaction: less long than its caller waits.
const PATIENCE: Duration = Duration::from_secs(4);

/// Records in one PostgreSQL database, 15 or later; clones share its connections.
///
/// A pooler that gives each transaction another connection may stand between, such as PgBouncer with
/// `pool_mode = transaction` and `ignore_startup_parameters = extra_float_digits`, which sqlx sends.
/// Those that wait for an answer then look for it now and then, instead of being told.
///
/// ```no_run
/// # async fn open() -> Result<(), Box<dyn std::error::Error>> {
/// use idem_core::store::postgres::PostgresStore;
///
/// let store = PostgresStore::connect("postgres://app@localhost/app")?;
/// store.migrate().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct PostgresStore {
    connections: Connections,
    /// Those that handlers write over.
    transactions: PgPool,
    hearing: Arc<Hearing>,
}

/// How a [`PostgresStore`] connects.
#[derive(Clone, Debug)]
pub struct PostgresStoreOptions {
    connect: PgConnectOptions,
    connections: u32,
    transactions: PgPoolOptions,
}

impl PostgresStoreOptions {
    /// Sets how many connections the store may have, all for itself; 4 unless set. Each is used for
    /// one statement at a time, and none while a handler runs. One more listens where contracts say
    /// `concurrent = "wait"`.
    #[must_use]
    pub fn connections(mut self, most: u32) -> Self {
        self.connections = most.max(1);
        self
    }

    /// Sets how many transactions of handlers may be open at once; as many as a pool of sqlx has
    /// connections unless set. Each has a connection for as long as its handler runs; of requests
    /// for one key only one at a time has one, or waits for it.
    #[must_use]
    pub fn transactions(mut self, most: u32) -> Self {
        self.transactions = self.transactions.max_connections(most.max(1));
        self
    }

    /// The store. Its connections are made when they are needed.
    #[must_use]
    pub fn build(self) -> PostgresStore {
        let connections = Connections::new(&self.connect, self.connections);
        // What is committed has the answer in it.
        let quiet = self.connect.clone().disable_statement_logging();
        let transactions = self.transactions.connect_lazy_with(quiet);
        PostgresStore { connections, transactions, hearing: Arc::new(Hearing::new(self.connect)) }
    }
}

impl From<PgConnectOptions> for PostgresStoreOptions {
    fn from(connect: PgConnectOptions) -> Self {
        Self { connect, connections: CONNECTIONS, transactions: PgPoolOptions::new() }
    }
}

/// To where the application's own pool connects, as whom. The store has connections of its own all
/// the same: those of the application may all be taken when an execution ends. Those for transactions
/// of handlers are made as the pool makes its own, hooks and limits included; what is sent over them
/// is not logged.
impl From<&PgPool> for PostgresStoreOptions {
    fn from(pool: &PgPool) -> Self {
        let options = PgConnectOptions::clone(&pool.connect_options());
        Self { transactions: pool.options().clone(), ..options.into() }
    }
}

impl PostgresStore {
    /// A store in the database that `url` names: `postgres://user:password@host:port/database`.
    ///
    /// # Errors
    /// When the URL cannot be read; the error does not repeat it. Whether the database is there is
    /// seen at the first use, such as [`migrate`](Self::migrate).
    pub fn connect(url: &str) -> Result<Self, StoreError> {
        let connect = PgConnectOptions::from_str(url).map_err(|_| StoreError::Unusable {
            reason: "its URL cannot be read: write `postgres://user:password@host:port/database`"
                .to_owned(),
        })?;
        Ok(Self::options(connect).build())
    }

    /// How to connect, to be adjusted: from `PgConnectOptions`, or as a `&PgPool` does.
    pub fn options(connect: impl Into<PostgresStoreOptions>) -> PostgresStoreOptions {
        connect.into()
    }

    /// Makes the tables and functions, whose names begin with `idem_`, or takes them to the version
    /// of this crate. To be called when the application starts; safe when all instances do so at
    /// once, and when there is nothing to do.
    ///
    /// # Errors
    /// When the database cannot be reached or is older than PostgreSQL 15, when its user may not
    /// make tables, and when the schema was made by a newer idem.
    ///
    /// # Cancellation
    /// Safe: all of it is done, or nothing.
    pub async fn migrate(&self) -> Result<(), StoreError> {
        let mut connection = self.connections.options().connect().await.map_err(refused)?;
        schema::migrate(&mut connection).await?;
        let _ = connection.close().await;
        Ok(())
    }
}

impl Store for PostgresStore {
    async fn begin(&self, claim: &Claim) -> Result<Begun, StoreError> {
        if claim.waits {
            self.hearing.start();
        }
        let begin = begin(claim, PATIENCE);
        loop {
            let rows = self.connections.fetch(&begin).await?;
            if let Some(begun) = begun(claim, &rows)? {
                return Ok(begun);
            }
            // The record that was in the way is gone: it was released, or purged.
        }
    }

    async fn renew(&self, lease: &Lease) -> Result<Written, StoreError> {
        let renew = held("SELECT idem_renew($1, $2, $3, $4, $5) AS done", lease)
            .integer(millis(lease.duration))
            .integer(millis(lease.retention()));
        self.write(renew).await
    }

    async fn finish(&self, lease: &Lease, outcome: &Outcome) -> Result<Written, StoreError> {
        self.write(finish(lease, outcome)).await
    }

    async fn release(&self, lease: &Lease) -> Result<Written, StoreError> {
        self.write(held("SELECT idem_release($1, $2, $3) AS done", lease)).await
    }

    async fn find(&self, id: &RecordId) -> Result<Option<Found>, StoreError> {
        let find = Statement::new("SELECT * FROM idem_find($1, $2)")
            .bytes(&id.digest().as_bytes()[..])
            .bytes(None);
        let found = row::found(*id, &self.connections.fetch(&find).await?, None)?;
        Ok(found.filter(|found| !found.record.is_expired(found.now)))
    }

    async fn purge(&self, limit: u32) -> Result<u32, StoreError> {
        let purge = Statement::new("SELECT idem_purge($1) AS purged").integer(i64::from(limit));
        let purged = rows::integer(&self.connections.fetch_one(&purge).await?, "purged")?;
        Ok(u32::try_from(purged).unwrap_or(limit))
    }

    async fn history(&self, id: &RecordId) -> Result<Vec<Superseded>, StoreError> {
        let history =
            Statement::new("SELECT * FROM idem_remembered($1)").bytes(&id.digest().as_bytes()[..]);
        self.connections.fetch(&history).await?.iter().map(rows::superseded).collect()
    }

    /// Over one more connection, made when the first attempt waits and again when it is lost.
    /// Behind a pooler that does not pass notifications on, nothing is heard.
    fn listen(&self, listener: Listener) {
        self.hearing.tell(listener);
    }
}

impl PostgresStore {
    /// A holder's write, which says whether it was done.
    async fn write(&self, statement: Statement) -> Result<Written, StoreError> {
        let row = self.connections.fetch_one(&statement).await?;
        Ok(if row::column(&row, "done")? { Written::Done } else { Written::Fenced })
    }
}

fn begin(claim: &Claim, patience: Duration) -> Statement {
    let Claim { attempt, over, .. } = claim;
    let (operation, payload) = (&attempt.operation, attempt.payload.as_ref());
    let identity = attempt.identity.as_ref().map(Identity::encode);
    let (how, conflict) = match over.map(|over| over.how) {
        None => (None, None),
        Some(TakeOver::Continue) => (Some("continue"), None),
        Some(TakeOver::Fresh) => (Some("fresh"), None),
        Some(TakeOver::Accepted(conflict)) => (Some("accepted"), Some(conflict)),
    };
    Statement::new(include_str!("begin.sql"))
        .bytes(&attempt.id.digest().as_bytes()[..])
        .text(attempt.scope.id())
        .text(operation.name())
        .bytes(&operation.digest().as_bytes()[..])
        .text(operation.method())
        .text(operation.path())
        .bytes(&attempt.fingerprint.to_bytes()[..])
        .bytes(identity.as_deref())
        .text(payload.and_then(|payload| payload.media_type.as_deref()))
        .bytes(payload.map(|payload| &payload.bytes[..]))
        .bytes(&claim.owner.as_bytes()[..])
        .integer(millis(claim.lease))
        .integer(millis(claim.retention()))
        .integer(millis(claim.ttl))
        .bytes(over.as_ref().map(|over| &over.revision.owner.as_bytes()[..]))
        .integer(over.map(|over| signed(over.revision.version)))
        .text(how)
        .bytes(conflict.as_ref().map(|conflict| &conflict.as_bytes()[..]))
        .integer(i64::from(claim.history))
        .flag(claim.waits)
        // None at all would be no limit.
        .integer(millis(patience).max(1))
}

/// What came of a claim; `None` when it was not granted, and there is nothing in its way any more.
fn begun(claim: &Claim, rows: &[PgRow]) -> Result<Option<Begun>, StoreError> {
    let Some(first) = rows.first() else { return Ok(None) };
    let Some(fence) = row::column::<Option<i64>>(first, "granted_fence")? else {
        let found = row::found(claim.attempt.id, rows, Some(&claim.attempt))?;
        return Ok(found.map(|found| rows::standing(claim, found)));
    };
    Ok(Some(Begun::Claimed {
        fence: Fence::new(u64::try_from(fence).unwrap_or(0)),
        attempts: rows::count(first, "granted_attempts")?,
    }))
}

fn finish(lease: &Lease, outcome: &Outcome) -> Statement {
    let (state, answer) = rows::ended(outcome);
    let headers = answer.map(Answer::encode_headers);
    held("SELECT idem_finish($1, $2, $3, $4, $5, $6, $7, $8) AS done", lease)
        .integer(millis(lease.ttl))
        .integer(state)
        .integer(answer.map(|answer| i64::from(answer.status)))
        .bytes(headers.as_deref())
        .bytes(answer.and_then(|answer| answer.body.as_deref()))
}

/// A statement whose first three values name the holder.
fn held(sql: &'static str, lease: &Lease) -> Statement {
    Statement::new(sql)
        .bytes(&lease.id.digest().as_bytes()[..])
        .bytes(&lease.owner.as_bytes()[..])
        .integer(signed(lease.fence.get()))
}

/// PostgreSQL's integers are signed; tokens and versions stay far below the sign.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
