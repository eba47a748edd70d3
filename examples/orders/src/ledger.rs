//! Where orders are kept.

use std::path::Path;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteRow};
use sqlx::{Row, SqlitePool};

use crate::order::{Order, Placed};

/// The orders, in one SQLite file.
#[derive(Clone)]
pub struct Ledger {
    pool: SqlitePool,
}

impl Ledger {
    /// Opens the file, and makes it where it is missing.
    ///
    /// # Errors
    /// When it cannot be opened, or is no database.
    pub async fn open(file: &Path) -> Result<Self, sqlx::Error> {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal);
        let pool = SqlitePoolOptions::new().max_connections(2).connect_with(options).await?;
        sqlx::raw_sql(include_str!("schema.sql")).execute(&pool).await?;
        Ok(Self { pool })
    }

    /// Places an order.
    pub(crate) async fn place(&self, order: Order) -> Result<Placed, sqlx::Error> {
        let text =
            serde_json::to_string(&order).map_err(|error| sqlx::Error::Encode(error.into()))?;
        let row =
            sqlx::query("INSERT INTO placed (cart, content) VALUES (?1, ?2) RETURNING number")
                .bind(&order.cart)
                .bind(text)
                .fetch_one(&self.pool)
                .await?;
        Ok(Placed { number: row.try_get(0)?, order })
    }

    /// The orders of a cart, the first one first.
    pub(crate) async fn of_cart(&self, cart: &str) -> Result<Vec<Placed>, sqlx::Error> {
        let rows =
            sqlx::query("SELECT number, content FROM placed WHERE cart = ?1 ORDER BY number")
                .bind(cart)
                .fetch_all(&self.pool)
                .await?;
        rows.iter().map(placed).collect()
    }
}

fn placed(row: &SqliteRow) -> Result<Placed, sqlx::Error> {
    let order = serde_json::from_str(row.try_get(1)?);
    let order = order.map_err(|error| sqlx::Error::Decode(error.into()))?;
    Ok(Placed { number: row.try_get(0)?, order })
}
