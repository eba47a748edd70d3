//! The table that counts how often the business of `/tx` happened: each row is written in the
//! transaction that holds the record of its handler.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use rust_decimal::Decimal;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{PgConnection, PgPool, SqliteConnection, SqlitePool};

use crate::call::Call;

/// The table, as those who look from outside read it.
#[derive(Clone)]
pub(crate) enum Table {
    Postgres(PgPool),
    Sqlite(SqlitePool),
}

const MAKE: &str = "CREATE TABLE IF NOT EXISTS lab_effect (
    key text NOT NULL, scope text NOT NULL, route text NOT NULL, amount text NOT NULL,
    unix_ms bigint NOT NULL
)";

impl Table {
    /// Opens the table of the database at `url`, and makes it where it is missing.
    pub(crate) async fn of_database(url: &str) -> sqlx::Result<Self> {
        let pool = PgPool::connect(url).await?;
        // Labs that start at once wait for each other; two of them cannot make one table.
        let mut transaction = pool.begin().await?;
        sqlx::raw_sql("SELECT pg_advisory_xact_lock(hashtext('lab_effect'))")
            .execute(&mut *transaction)
            .await?;
        sqlx::raw_sql(MAKE).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(Self::Postgres(pool))
    }

    /// The same in a file, which a store has made.
    pub(crate) async fn of_file(path: &Path) -> sqlx::Result<Self> {
        let pool = SqlitePool::connect_with(SqliteConnectOptions::new().filename(path)).await?;
        sqlx::raw_sql(MAKE).execute(&pool).await?;
        Ok(Self::Sqlite(pool))
    }

    /// The amounts of what happened under `key`, for all its owners together.
    pub(crate) async fn amounts(&self, key: &str) -> sqlx::Result<Vec<String>> {
        const OF_KEY: &str = "SELECT amount FROM lab_effect WHERE key = $1 ORDER BY unix_ms";
        match self {
            Self::Postgres(pool) => sqlx::query_scalar(OF_KEY).bind(key).fetch_all(pool).await,
            Self::Sqlite(pool) => sqlx::query_scalar(OF_KEY).bind(key).fetch_all(pool).await,
        }
    }
}

macro_rules! append {
    ($name:ident: $connection:ty) => {
        /// Lets the effect of `call` happen, if the transaction is committed.
        pub(crate) async fn $name(
            transaction: &mut $connection,
            call: &Call,
            amount: Option<Decimal>,
        ) -> sqlx::Result<()> {
            const APPEND: &str = "INSERT INTO lab_effect (key, scope, route, amount, unix_ms)
                VALUES ($1, $2, $3, $4, $5)";
            let millis =
                SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
            sqlx::query(APPEND)
                .bind(&call.key)
                .bind(call.account.id())
                .bind(&call.route)
                .bind(amount.map_or_else(|| "-".to_owned(), |amount| amount.to_string()))
                .bind(i64::try_from(millis).unwrap_or(i64::MAX))
                .execute(transaction)
                .await?;
            Ok(())
        }
    };
}

append!(append_to_database: PgConnection);
append!(append_to_file: SqliteConnection);
