//! The table that counts how often the business of `/tx` happened: each row is written in the
//! transaction that holds the record of its handler.

use std::time::{SystemTime, UNIX_EPOCH};

use rust_decimal::Decimal;
use sqlx::{PgConnection, PgPool, Row};

use crate::call::Call;

/// The table, as those who look from outside read it.
#[derive(Clone)]
pub(crate) struct Table(PgPool);

impl Table {
    /// Opens the table of the database at `url`, and makes it where it is missing.
    pub(crate) async fn open(url: &str) -> sqlx::Result<Self> {
        let pool = PgPool::connect(url).await?;
        // Labs that start at once wait for each other; two of them cannot make one table.
        let make = "BEGIN; SELECT pg_advisory_xact_lock(hashtext('lab_effect'));
            CREATE TABLE IF NOT EXISTS lab_effect (
                key text NOT NULL, scope text NOT NULL, route text NOT NULL, amount text NOT NULL,
                unix_ms bigint NOT NULL
            );
            COMMIT";
        sqlx::raw_sql(make).execute(&pool).await?;
        Ok(Self(pool))
    }

    /// The amounts of what happened under `key`, for all its owners together.
    pub(crate) async fn amounts(&self, key: &str) -> sqlx::Result<Vec<String>> {
        let rows = sqlx::query("SELECT amount FROM lab_effect WHERE key = $1 ORDER BY unix_ms")
            .bind(key)
            .fetch_all(&self.0)
            .await?;
        rows.iter().map(|row| row.try_get("amount")).collect()
    }
}

/// Lets the effect of `call` happen, if the transaction is committed.
pub(crate) async fn append(
    transaction: &mut PgConnection,
    call: &Call,
    amount: Option<Decimal>,
) -> sqlx::Result<()> {
    let millis = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    sqlx::query(
        "INSERT INTO lab_effect (key, scope, route, amount, unix_ms) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(&call.key)
    .bind(call.account.id())
    .bind(&call.route)
    .bind(amount.map_or_else(|| "-".to_owned(), |amount| amount.to_string()))
    .bind(i64::try_from(millis).unwrap_or(i64::MAX))
    .execute(transaction)
    .await?;
    Ok(())
}
