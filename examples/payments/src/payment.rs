//! What a client asks for, and what it gets.

use idem_axum::SemanticIdentity;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::money::{Currency, exact_decimal};

/// An order to pay. Who is paid, how much and in what is the intent; the rest may differ between
/// retries.
#[derive(Deserialize, SemanticIdentity)]
#[serde(deny_unknown_fields)]
pub(crate) struct Payment {
    #[idem(critical)]
    pub(crate) to: String,
    #[idem(critical)]
    #[serde(deserialize_with = "exact_decimal")]
    pub(crate) amount: Decimal,
    #[idem(critical)]
    pub(crate) currency: Currency,
    pub(crate) note: Option<String>,
}

/// The proof that a payment was made.
#[derive(Debug, Serialize)]
pub(crate) struct Receipt {
    pub(crate) payment: i64,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) amount: Decimal,
    pub(crate) currency: Currency,
    pub(crate) note: Option<String>,
}
