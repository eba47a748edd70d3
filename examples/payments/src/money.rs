//! Money, exact to the smallest coin.

use idem_axum::IdentityValue;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::error::PaymentError;

/// The currencies that accounts are held in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, IdentityValue)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Currency {
    Eur,
    Usd,
    Jpy,
}

/// A whole number of a currency's smallest coins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Money {
    coins: i64,
    currency: Currency,
}

impl Currency {
    pub(crate) const ALL: [Self; 3] = [Self::Eur, Self::Usd, Self::Jpy];

    /// The code of ISO 4217.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::Eur => "EUR",
            Self::Usd => "USD",
            Self::Jpy => "JPY",
        }
    }

    pub(crate) fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|currency| currency.code() == code)
    }

    /// How many decimals an amount may have.
    const fn decimals(self) -> u32 {
        match self {
            Self::Eur | Self::Usd => 2,
            Self::Jpy => 0,
        }
    }
}

impl Money {
    pub(crate) const fn of_coins(coins: i64, currency: Currency) -> Self {
        Self { coins, currency }
    }

    /// The money that is paid as `amount`.
    ///
    /// # Errors
    /// When the amount is not positive, or is no whole number of coins: nothing is ever rounded.
    pub(crate) fn paid(amount: Decimal, currency: Currency) -> Result<Self, PaymentError> {
        if amount <= Decimal::ZERO {
            return Err(PaymentError::AmountNotPositive);
        }
        let coins_per_unit = Decimal::from(10_u32.pow(currency.decimals()));
        let coins = amount.checked_mul(coins_per_unit).filter(Decimal::is_integer);
        let coins = coins.and_then(|coins| coins.to_i64());
        coins.map_or(Err(PaymentError::AmountNotPayable), |coins| Ok(Self { coins, currency }))
    }

    pub(crate) const fn coins(self) -> i64 {
        self.coins
    }

    pub(crate) const fn currency(self) -> Currency {
        self.currency
    }

    /// The amount with all of the currency's decimals: `100.00`.
    pub(crate) fn amount(self) -> Decimal {
        Decimal::new(self.coins, self.currency.decimals())
    }
}

/// Reads an amount from a string: a JSON number would pass through a float on its way here.
pub(crate) fn exact_decimal<'de, D: Deserializer<'de>>(from: D) -> Result<Decimal, D::Error> {
    let text = String::deserialize(from)?;
    Decimal::from_str_exact(&text).map_err(D::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paid(amount: &str, currency: Currency) -> Option<i64> {
        let amount = amount.parse().expect("a decimal");
        Money::paid(amount, currency).ok().map(Money::coins)
    }

    #[test]
    fn amounts_are_whole_numbers_of_coins() {
        let rows = [
            ("100", Currency::Eur, Some(10_000)),
            ("0.01", Currency::Usd, Some(1)),
            ("1.230", Currency::Eur, Some(123)),
            ("1.234", Currency::Eur, None),
            ("7", Currency::Jpy, Some(7)),
            ("0.5", Currency::Jpy, None),
            ("0", Currency::Eur, None),
            ("-1", Currency::Eur, None),
            ("92233720368547758.07", Currency::Eur, Some(i64::MAX)),
            ("92233720368547758.08", Currency::Eur, None),
            ("79228162514264337593543950335", Currency::Eur, None),
        ];
        for (amount, currency, coins) in rows {
            assert_eq!(paid(amount, currency), coins, "{amount} {}", currency.code());
        }
    }

    #[test]
    fn amounts_are_shown_with_every_decimal() {
        assert_eq!(Money::of_coins(10_000, Currency::Eur).amount().to_string(), "100.00");
        assert_eq!(Money::of_coins(7, Currency::Jpy).amount().to_string(), "7");
    }
}
