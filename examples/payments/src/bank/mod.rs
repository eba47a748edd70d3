//! The bank: accounts and their postings, in double entry.

mod demo;
mod ledger;

use std::path::Path;

use sha2::{Digest, Sha256};
use sqlx::SqlitePool;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};

use crate::account::{Account, Statement};
use crate::error::PaymentError;
use crate::money::Money;
use crate::payment::{Payment, Receipt};

/// Takes the write lock at once: a transaction that reads first and writes later would fail when
/// another one wrote in between.
const BEGIN: &str = "BEGIN IMMEDIATE";

/// The accounts, in one SQLite file.
#[derive(Clone)]
pub(crate) struct Bank {
    pool: SqlitePool,
}

impl Bank {
    /// Opens the file; a new one begins with the demo accounts.
    pub(crate) async fn open(file: &Path) -> Result<Self, sqlx::Error> {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // As durable as the keys: what a receipt says survives a power failure.
            .synchronous(SqliteSynchronous::Full);
        let pool = SqlitePoolOptions::new().max_connections(4).connect_with(options).await?;
        let mut transaction = pool.begin_with(BEGIN).await?;
        sqlx::raw_sql(include_str!("schema.sql")).execute(&mut *transaction).await?;
        if ledger::is_empty(&mut transaction).await? {
            demo::open_accounts(&mut transaction).await?;
        }
        transaction.commit().await?;
        Ok(Self { pool })
    }

    /// Moves the money, or changes nothing.
    pub(crate) async fn pay(
        &self,
        payer: &Account,
        payment: &Payment,
    ) -> Result<Receipt, PaymentError> {
        let money = Money::paid(payment.amount, payment.currency)?;
        if payment.to == payer.id {
            return Err(PaymentError::PaysItself);
        }
        let mut transaction = self.pool.begin_with(BEGIN).await?;
        let payee = ledger::account(&mut transaction, &payment.to).await?;
        let payee = payee.ok_or(PaymentError::UnknownAccount)?;
        if [payer.currency, payee.currency] != [money.currency(); 2] {
            return Err(PaymentError::CurrencyMismatch(money.currency()));
        }
        let note = payment.note.as_deref();
        let moved = ledger::transfer(&mut transaction, payer, &payee, money, note).await?;
        let number = moved.ok_or(PaymentError::InsufficientFunds)?;
        transaction.commit().await?;
        Ok(Receipt {
            payment: number,
            from: payer.id.clone(),
            to: payee.id,
            amount: money.amount(),
            currency: money.currency(),
            note: payment.note.clone(),
        })
    }

    pub(crate) async fn statement(&self, account: &Account) -> Result<Statement, PaymentError> {
        let mut connection = self.pool.acquire().await?;
        let coins = ledger::balance(&mut connection, &account.id).await?;
        Ok(Statement {
            account: account.id.clone(),
            balance: Money::of_coins(coins, account.currency).amount(),
            currency: account.currency,
        })
    }

    pub(crate) async fn account_of_token(
        &self,
        token: &str,
    ) -> Result<Option<Account>, sqlx::Error> {
        let mut connection = self.pool.acquire().await?;
        ledger::account_of_token(&mut connection, &digest(token)).await
    }

    pub(crate) async fn close(&self) {
        self.pool.close().await;
    }
}

/// What is kept of a token: who reads the file cannot call with it.
fn digest(token: &str) -> Vec<u8> {
    Sha256::digest(token).to_vec()
}
