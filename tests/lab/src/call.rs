//! What of a request goes into the record of its effect.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use idem_axum::core::key::IdempotencyKey;

use crate::account::Account;

/// Who calls, under which key, for which route: each is one word.
///
/// As the first extractor of every handler it is also what keeps strangers out.
pub(crate) struct Call {
    pub(crate) account: Account,
    /// `-` without a key, or with one that is none.
    pub(crate) key: String,
    /// The path as it was sent.
    pub(crate) route: String,
}

impl<S: Sync> FromRequestParts<S> for Call {
    type Rejection = <Account as FromRequestParts<S>>::Rejection;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        let account = Account::from_request_parts(parts, state).await?;
        let sent = parts.headers.get("idempotency-key");
        let key = sent.and_then(|value| IdempotencyKey::parse(value.as_bytes()).ok());
        let key = key.map_or_else(|| "-".to_owned(), |key| key.as_str().to_owned());
        Ok(Self { account, key, route: parts.uri.path().to_owned() })
    }
}
