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

/// What stands in the place of a key.
const NO_KEY: &str = "-";

impl Call {
    /// The call where its header takes no part.
    pub(crate) fn without_key(self) -> Self {
        Self { key: NO_KEY.to_owned(), ..self }
    }
}

impl<S: Sync> FromRequestParts<S> for Call {
    type Rejection = <Account as FromRequestParts<S>>::Rejection;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        let account = Account::from_request_parts(parts, state).await?;
        let sent = parts.headers.get("idempotency-key");
        let key = sent.and_then(|value| IdempotencyKey::parse(value.as_bytes()).ok());
        let key = key.map_or_else(|| NO_KEY.to_owned(), |key| key.as_str().to_owned());
        Ok(Self { account, key, route: parts.uri.path().to_owned() })
    }
}
