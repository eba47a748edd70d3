//! The tables, made and checked when the file is opened.

use sqlx::{Connection, Row, SqliteConnection};

use crate::store::StoreError;

/// Each entry takes the schema one version further.
const MIGRATIONS: &[&str] = &[include_str!("schema.sql")];

/// The oldest SQLite with all that the statements use: `unixepoch('subsec')`.
const OLDEST: (u32, u32) = (3, 42);

/// Makes the tables of this version. Safe when several processes open the file at once: the
/// version is read again under the write lock.
pub(super) async fn migrate(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    check_sqlite(connection).await?;
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await.map_err(failed)?;
    sqlx::query("CREATE TABLE IF NOT EXISTS idem_schema (version INTEGER NOT NULL) STRICT")
        .execute(&mut *transaction)
        .await
        .map_err(failed)?;
    let version: i64 = sqlx::query("SELECT coalesce(max(version), 0) FROM idem_schema")
        .fetch_one(&mut *transaction)
        .await
        .and_then(|row| row.try_get(0))
        .map_err(failed)?;
    let done = usize::try_from(version).unwrap_or(usize::MAX);
    let Some(missing) = MIGRATIONS.get(done..) else {
        return Err(StoreError::Unusable {
            reason: format!("its schema has version {version}, newer than this idem: update idem"),
        });
    };
    for (number, migration) in (version + 1..).zip(missing) {
        sqlx::raw_sql(*migration).execute(&mut *transaction).await.map_err(failed)?;
        sqlx::query("INSERT INTO idem_schema (version) VALUES (?1)")
            .bind(number)
            .execute(&mut *transaction)
            .await
            .map_err(failed)?;
    }
    transaction.commit().await.map_err(failed)
}

/// An application may link a SQLite of its own: one that is too old is refused by name, not by
/// the first statement that fails.
async fn check_sqlite(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let row =
        sqlx::query("SELECT sqlite_version(), (SELECT journal_mode FROM pragma_journal_mode)")
            .fetch_one(&mut *connection)
            .await
            .map_err(failed)?;
    let version: String = row.try_get(0).map_err(failed)?;
    let journal: String = row.try_get(1).map_err(failed)?;
    let mut parts = version.split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    if (parts.next().unwrap_or(0), parts.next().unwrap_or(0)) < OLDEST {
        let reason = format!("SQLite {version} is too old: link 3.42 or later");
        return Err(StoreError::Unusable { reason });
    }
    if !journal.eq_ignore_ascii_case("wal") {
        let reason =
            format!("its journal is in mode {journal}, not WAL: use a file on a local disk");
        return Err(StoreError::Unusable { reason });
    }
    Ok(())
}

fn failed(error: sqlx::Error) -> StoreError {
    StoreError::Unavailable { reason: "its tables could not be made", source: error.into() }
}
