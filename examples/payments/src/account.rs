//! Accounts, and how a request proves which one is calling.

use axum::extract::{FromRef, FromRequestParts};
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use idem_axum::{EmptyScope, Principal, Scope};
use rust_decimal::Decimal;
use serde::Serialize;

use crate::bank::Bank;
use crate::error::PaymentError;
use crate::money::Currency;

/// An account of the bank. As an extractor it is the caller's, found by its bearer token.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    pub(crate) id: String,
    pub(crate) currency: Currency,
}

/// What an account holds.
#[derive(Debug, Serialize)]
pub(crate) struct Statement {
    pub(crate) account: String,
    pub(crate) balance: Decimal,
    pub(crate) currency: Currency,
}

/// Each account has keys of its own.
impl Principal for Account {
    fn scope(&self) -> Result<Scope, EmptyScope> {
        Scope::of(self.id.as_str())
    }
}

impl<S> FromRequestParts<S> for Account
where
    S: Send + Sync,
    Bank: FromRef<S>,
{
    type Rejection = PaymentError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, PaymentError> {
        let token = bearer_token(parts).ok_or(PaymentError::NotAuthenticated)?;
        let account = Bank::from_ref(state).account_of_token(token).await?;
        account.ok_or(PaymentError::NotAuthenticated)
    }
}

fn bearer_token(parts: &Parts) -> Option<&str> {
    let (scheme, token) = parts.headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}
