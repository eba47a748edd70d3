//! The tables, made and checked when the file is opened.

use sqlx::{Connection, Row, SqliteConnection};

use super::statement::Failure;
use crate::store::{StoreError, migrations};

/// Each entry takes the schema one version further.
const MIGRATIONS: &[&str] = &[include_str!("schema.sql")];

/// The oldest SQLite with all that the statements use: `unixepoch('subsec')`.
const OLDEST: (u32, u32) = (3, 42);

/// Makes the tables of this version. Safe when several processes open the file at once: the
/// version is read again under the write lock.
pub(super) async fn migrate(connection: &mut SqliteConnection) -> Result<(), Failure> {
    check_sqlite(connection).await?;
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    sqlx::query("CREATE TABLE IF NOT EXISTS idem_schema (version INTEGER NOT NULL) STRICT")
        .execute(&mut *transaction)
        .await?;
    let version: i64 = sqlx::query("SELECT coalesce(max(version), 0) FROM idem_schema")
        .fetch_one(&mut *transaction)
        .await
        .and_then(|row| row.try_get(0))?;
    for (number, migration) in migrations::missing(MIGRATIONS, version)? {
        sqlx::raw_sql(migration).execute(&mut *transaction).await?;
        sqlx::query("INSERT INTO idem_schema (version) VALUES (?1)")
            .bind(number)
            .execute(&mut *transaction)
            .await?;
    }
    Ok(transaction.commit().await?)
}

async fn check_sqlite(connection: &mut SqliteConnection) -> Result<(), Failure> {
    let row =
        sqlx::query("SELECT sqlite_version(), (SELECT journal_mode FROM pragma_journal_mode)")
            .fetch_one(connection)
            .await?;
    Ok(check(row.try_get(0)?, row.try_get(1)?)?)
}

/// An application may link a SQLite of its own, or put the file where WAL does not work: that is
/// refused by name, before a statement fails or, worse, does something else.
fn check(version: &str, journal: &str) -> Result<(), StoreError> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sqlite_on_which_the_statements_would_fail_is_refused_by_name() {
        for version in ["3.41.2", "2.99.0", "3", "unknown"] {
            let error = check(version, "wal").unwrap_err().to_string();
            assert!(error.contains(version) && error.contains("3.42"), "{error}");
        }
        for version in ["3.42.0", "3.50.4", "4.0.0"] {
            assert!(check(version, "wal").is_ok(), "{version}");
        }
    }

    #[test]
    fn a_file_without_a_write_ahead_log_is_refused() {
        let error = check("3.50.4", "memory").unwrap_err().to_string();
        assert!(error.contains("memory") && error.contains("local disk"), "{error}");
    }
}
