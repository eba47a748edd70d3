//! The accounts that a new file begins with.

use sqlx::SqliteConnection;

use super::{digest, ledger};
use crate::account::Account;
use crate::money::{Currency, Money};

/// Name, token, currency and first deposit in coins.
const CUSTOMERS: [(&str, &str, Currency, i64); 4] = [
    ("alice", "demo-alice", Currency::Eur, 100_000),
    ("bob", "demo-bob", Currency::Eur, 25_000),
    ("carol", "demo-carol", Currency::Usd, 50_000),
    ("dai", "demo-dai", Currency::Jpy, 80_000),
];

/// Opens an account of the bank's own in each currency, and the customers' accounts out of them:
/// what one side holds the other owes, so that the books add up to zero.
pub(super) async fn open_accounts(db: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    for currency in Currency::ALL {
        ledger::open(db, &house(currency), None).await?;
    }
    for (id, token, currency, coins) in CUSTOMERS {
        let (house, customer) = (house(currency), Account { id: id.to_owned(), currency });
        let money = Money::of_coins(coins, currency);
        ledger::open(db, &customer, Some(&digest(token))).await?;
        ledger::withdraw(db, &house, money).await?;
        ledger::deposit(db, &customer, money).await?;
        ledger::post(db, None, &house, &customer, money).await?;
    }
    Ok(())
}

fn house(currency: Currency) -> Account {
    Account { id: format!("house-{}", currency.code()), currency }
}
