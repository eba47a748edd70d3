//! The store's own connections.

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions, PgRow};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection as _, PgPool};

use super::statement::Statement;
use crate::store::StoreError;

/// After how long without use a connection is asked whether it is still there.
const TRUSTED_FOR: Duration = Duration::from_secs(1);

/// How often a statement is sent at most.
const TRIES: usize = 8;

/// How long a connection is waited for: no longer than a caller waits for its answer.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);

/// A few connections that nobody else uses.
///
/// None of them is ever in a transaction between two statements, whatever an application does with
/// its own pool: no statement of ours begins one, and each is a transaction by itself. And an
/// application whose connections are all taken cannot keep us from ending an execution.
#[derive(Clone, Debug)]
pub(super) struct Connections {
    pool: PgPool,
}

impl Connections {
    pub(super) fn new(options: &PgConnectOptions, most: u32) -> Self {
        let pool = PgPoolOptions::new()
            .max_connections(most)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            // Instead of the round trip before every statement: only where there is some doubt.
            .test_before_acquire(false)
            .before_acquire(|connection, usage| {
                Box::pin(async move {
                    if usage.idle_for > TRUSTED_FOR {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            })
            // Statements hold payloads.
            .connect_lazy_with(options.clone().disable_statement_logging());
        Self { pool }
    }

    /// How a connection is made.
    pub(super) fn options(&self) -> PgConnectOptions {
        PgConnectOptions::clone(&self.pool.connect_options())
    }

    /// Carries out one statement, in one round trip.
    ///
    /// One that the server rolled back in favour of another (a deadlock, or no serial order under a
    /// stricter isolation than it needs) has done nothing and is sent again. So is one whose
    /// connection turns out to be dead, as all are after a restart of the server: whether it was
    /// carried out or not, a second time changes nothing. The owner of a claim is granted it again, a
    /// holder writes the same end, a payload is held once; and a decision is compared with its version.
    pub(super) async fn fetch(&self, statement: &Statement) -> Result<Vec<PgRow>, StoreError> {
        let sql = statement.write()?;
        let mut tries = 0;
        loop {
            tries += 1;
            match sqlx::raw_sql(AssertSqlSafe(sql.clone())).fetch_all(&self.pool).await {
                Ok(rows) => return Ok(rows),
                Err(error) if tries < TRIES && (gave_way(&error) || is_dead(&error)) => {}
                Err(error) => return Err(refused(error)),
            }
        }
    }

    /// The first row of what [`fetch`](Self::fetch) returns, where there must be one.
    pub(super) async fn fetch_one(&self, statement: &Statement) -> Result<PgRow, StoreError> {
        let rows = self.fetch(statement).await?;
        rows.into_iter().next().ok_or_else(|| refused(sqlx::Error::RowNotFound))
    }
}

/// Whether the server has ended the statement for the sake of another.
pub(super) fn gave_way(error: &sqlx::Error) -> bool {
    const SERIALIZATION_FAILURE: &str = "40001";
    const DEADLOCK_DETECTED: &str = "40P01";
    matches!(code(error).as_deref(), Some(SERIALIZATION_FAILURE | DEADLOCK_DETECTED))
}

/// Whether the connection had ended, or was ended by the server.
fn is_dead(error: &sqlx::Error) -> bool {
    const OPERATOR_INTERVENTION: &str = "57P";
    let is_ended = |code: String| code.starts_with(OPERATOR_INTERVENTION);
    matches!(error, sqlx::Error::Io(_)) || code(error).is_some_and(is_ended)
}

/// Whether a lock was waited for as long as was allowed.
pub(super) fn waited_too_long(error: &sqlx::Error) -> bool {
    const LOCK_NOT_AVAILABLE: &str = "55P03";
    code(error).as_deref() == Some(LOCK_NOT_AVAILABLE)
}

pub(super) fn refused(error: sqlx::Error) -> StoreError {
    const UNDEFINED_FUNCTION: &str = "42883";
    const UNDEFINED_TABLE: &str = "42P01";
    match code(&error).as_deref() {
        Some(UNDEFINED_FUNCTION | UNDEFINED_TABLE) => StoreError::Unusable {
            reason:
                "its tables are missing: call `PostgresStore::migrate` when the application starts"
                    .to_owned(),
        },
        _ => StoreError::Unavailable { reason: "PostgreSQL did not answer", source: error.into() },
    }
}

fn code(error: &sqlx::Error) -> Option<String> {
    error.as_database_error()?.code().map(Into::into)
}
