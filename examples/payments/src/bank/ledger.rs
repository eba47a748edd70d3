//! The statements on accounts and postings, each in a file of its own.

use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use crate::account::Account;
use crate::money::{Currency, Money};

/// Whether no account was ever opened.
pub(super) async fn is_empty(db: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    let row = sqlx::query("SELECT NOT EXISTS (SELECT 1 FROM account)").fetch_one(db).await?;
    row.try_get(0)
}

/// The customer's account called `id`.
pub(super) async fn account(
    db: &mut SqliteConnection,
    id: &str,
) -> Result<Option<Account>, sqlx::Error> {
    let query = sqlx::query(include_str!("account.sql")).bind(id);
    query.fetch_optional(db).await?.as_ref().map(read_account).transpose()
}

/// The account whose token has this digest.
pub(super) async fn account_of_token(
    db: &mut SqliteConnection,
    digest: &[u8],
) -> Result<Option<Account>, sqlx::Error> {
    let query = sqlx::query(include_str!("account_of_token.sql")).bind(digest);
    query.fetch_optional(db).await?.as_ref().map(read_account).transpose()
}

/// Opens an account that holds nothing; one without a token is the bank's own.
pub(super) async fn open(
    db: &mut SqliteConnection,
    account: &Account,
    token: Option<&[u8]>,
) -> Result<(), sqlx::Error> {
    let query = sqlx::query(include_str!("open_account.sql"));
    let query = query.bind(&account.id).bind(account.currency.code()).bind(token);
    query.execute(db).await.map(drop)
}

/// What an account holds, in coins.
pub(super) async fn balance(db: &mut SqliteConnection, id: &str) -> Result<i64, sqlx::Error> {
    let query = sqlx::query("SELECT balance FROM account WHERE id = ?1").bind(id);
    query.fetch_one(db).await?.try_get(0)
}

/// Records a payment and moves its money. Its number, or `None` when the payer holds less: the
/// caller then drops the transaction.
pub(super) async fn transfer(
    db: &mut SqliteConnection,
    payer: &Account,
    payee: &Account,
    money: Money,
    note: Option<&str>,
) -> Result<Option<i64>, sqlx::Error> {
    if !withdraw(db, payer, money).await? {
        return Ok(None);
    }
    deposit(db, payee, money).await?;
    let query = sqlx::query(include_str!("record_payment.sql")).bind(note);
    let payment: i64 = query.fetch_one(&mut *db).await?.try_get(0)?;
    post(db, Some(payment), payer, payee, money).await?;
    Ok(Some(payment))
}

/// Takes money from an account, if it holds that much or is the bank's own.
pub(super) async fn withdraw(
    db: &mut SqliteConnection,
    account: &Account,
    money: Money,
) -> Result<bool, sqlx::Error> {
    let query = sqlx::query(include_str!("withdraw.sql")).bind(&account.id).bind(money.coins());
    Ok(query.execute(db).await?.rows_affected() == 1)
}

pub(super) async fn deposit(
    db: &mut SqliteConnection,
    account: &Account,
    money: Money,
) -> Result<(), sqlx::Error> {
    let query = sqlx::query(include_str!("deposit.sql")).bind(&account.id).bind(money.coins());
    query.execute(db).await.map(drop)
}

/// Writes both sides of a movement into the books.
pub(super) async fn post(
    db: &mut SqliteConnection,
    payment: Option<i64>,
    from: &Account,
    to: &Account,
    money: Money,
) -> Result<(), sqlx::Error> {
    let query = sqlx::query(include_str!("post.sql")).bind(payment);
    let query = query.bind(&from.id).bind(&to.id).bind(money.coins());
    query.execute(db).await.map(drop)
}

fn read_account(row: &SqliteRow) -> Result<Account, sqlx::Error> {
    let code: String = row.try_get("currency")?;
    let currency = Currency::of_code(&code).ok_or_else(|| sqlx::Error::ColumnDecode {
        index: "currency".to_owned(),
        source: "a currency that this version does not know".into(),
    })?;
    Ok(Account { id: row.try_get("id")?, currency })
}
