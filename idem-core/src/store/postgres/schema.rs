//! The tables and functions, made by [`PostgresStore::migrate`](super::PostgresStore::migrate).

use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Row};

use super::connections::refused;
use crate::store::{StoreError, migrations};

/// Each entry takes the schema one version further.
const MIGRATIONS: &[&str] = &[concat!(
    include_str!("migrations/schema.sql"),
    include_str!("migrations/claim.sql"),
    include_str!("migrations/find.sql"),
    include_str!("migrations/holder.sql"),
    include_str!("migrations/retention.sql"),
    include_str!("migrations/review.sql"),
)];

/// The oldest PostgreSQL that the statements are tested with.
const OLDEST: u32 = 15;

/// What instances that migrate at once wait for each other on: "idem" in ASCII.
const LOCK: i64 = 0x6964_656d;

/// Takes the schema to this version. Of several instances one does it, and the others wait for that.
pub(super) async fn migrate(connection: &mut PgConnection) -> Result<(), StoreError> {
    check(connection).await?;
    // The connection is this function's alone: dropped in here, it is closed and all is undone.
    let mut transaction = connection.begin().await.map_err(refused)?;
    let version = lock(&mut transaction).await.map_err(refused)?;
    for (number, migration) in migrations::missing(MIGRATIONS, version)? {
        sqlx::raw_sql(migration).execute(&mut *transaction).await.map_err(refused)?;
        let done = AssertSqlSafe(format!("INSERT INTO idem_schema (version) VALUES ({number})"));
        sqlx::raw_sql(done).execute(&mut *transaction).await.map_err(refused)?;
    }
    transaction.commit().await.map_err(refused)
}

/// The version of the schema, which nobody else changes until the transaction ends.
async fn lock(connection: &mut PgConnection) -> Result<i64, sqlx::Error> {
    let lock = AssertSqlSafe(format!("SELECT pg_advisory_xact_lock({LOCK})"));
    sqlx::raw_sql(lock).execute(&mut *connection).await?;
    sqlx::raw_sql("CREATE TABLE IF NOT EXISTS idem_schema (version bigint PRIMARY KEY)")
        .execute(&mut *connection)
        .await?;
    // Nothing is prepared in here: behind a pooler its name may be taken.
    sqlx::raw_sql("SELECT coalesce(max(version), 0) FROM idem_schema")
        .fetch_one(connection)
        .await?
        .try_get(0)
}

async fn check(connection: &PgConnection) -> Result<(), StoreError> {
    match connection.server_version_num() {
        Some(version) if version / 10_000 < OLDEST => {
            let reason =
                format!("PostgreSQL {} is too old: use {OLDEST} or later", version / 10_000);
            Err(StoreError::Unusable { reason })
        }
        _ => Ok(()),
    }
}
