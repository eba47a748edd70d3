//! The books.

use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgPool, Row};

use crate::refusal::Refusal;

/// The books, in the database that also holds the keys.
#[derive(Clone, Debug)]
pub struct Bank {
    pool: PgPool,
}

/// What a client asks for.
#[derive(Clone, Debug, Deserialize)]
pub struct Transfer {
    /// Whose money it is.
    pub from: String,
    /// Who gets it.
    pub to: String,
    /// In cents.
    pub amount: i64,
    /// For the statement, up to 100 characters.
    pub note: Option<String>,
}

/// What was moved.
#[derive(Clone, Debug, Serialize)]
pub struct Receipt {
    /// The number of the entry in the books.
    pub entry: i64,
    /// What is left to whom it was taken from, in cents.
    pub balance: i64,
}

/// What somebody has.
#[derive(Clone, Debug, Serialize)]
pub struct Account {
    /// Whose it is.
    pub name: String,
    /// In cents.
    pub balance: i64,
}

impl Bank {
    /// Opens the books, and makes them with two accounts where they are missing.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn open(pool: PgPool) -> sqlx::Result<Self> {
        sqlx::raw_sql(include_str!("schema.sql")).execute(&pool).await?;
        Ok(Self { pool })
    }

    /// The account of this name.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn account(&self, name: &str) -> sqlx::Result<Option<Account>> {
        let row = sqlx::query("SELECT balance FROM account WHERE name = $1")
            .bind(name)
            .fetch_optional(&self.pool)
            .await?;
        let account = row.map(|row| Ok(Account { name: name.into(), balance: row.try_get(0)? }));
        account.transpose()
    }
}

/// Carries a transfer out, over a transaction that somebody else commits.
///
/// # Errors
/// The reason why nothing is moved: before anything was written, except for
/// [`Refusal::Storage`], after which the transaction is to be undone.
pub async fn carry_out(tx: &mut PgConnection, transfer: Transfer) -> Result<Receipt, Refusal> {
    let Transfer { from, to, amount, note } = transfer;
    if amount <= 0 || from == to {
        return Err(Refusal::NothingToMove);
    }
    // In the order of their names, so that two transfers never wait for each other.
    let locked = sqlx::query(
        "SELECT name, balance FROM account WHERE name IN ($1, $2) ORDER BY name FOR UPDATE",
    )
    .bind(&from)
    .bind(&to)
    .fetch_all(&mut *tx)
    .await?;
    if locked.len() < 2 {
        return Err(Refusal::UnknownAccount);
    }
    let payer = locked.iter().find(|row| row.get::<&str, _>("name") == from);
    let balance: i64 = payer.map_or(Ok(0), |row| row.try_get("balance"))?;
    if balance < amount {
        return Err(Refusal::InsufficientFunds);
    }
    for (name, change) in [(&from, -amount), (&to, amount)] {
        sqlx::query("UPDATE account SET balance = balance + $1 WHERE name = $2")
            .bind(change)
            .bind(name)
            .execute(&mut *tx)
            .await?;
    }
    let entry = sqlx::query(
        "INSERT INTO entry (payer, payee, amount, note) VALUES ($1, $2, $3, $4) RETURNING number",
    )
    .bind(&from)
    .bind(&to)
    .bind(amount)
    .bind(note)
    .fetch_one(tx)
    .await?;
    Ok(Receipt { entry: entry.try_get("number")?, balance: balance - amount })
}
