//! Who calls.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use idem_axum::{EmptyScope, Principal, Scope};

/// The caller that the header `X-Principal` names. Whoever names none is refused with `401`, and
/// `revoked` with `403`: the lab's authentication and its authorisation.
pub(crate) struct Account(String);

impl Account {
    /// The identifier: visible ASCII, so that it is one word of a line of effects.
    pub(crate) fn id(&self) -> &str {
        &self.0
    }
}

impl Principal for Account {
    fn scope(&self) -> Result<Scope, EmptyScope> {
        Scope::of(self.id())
    }
}

impl<S: Sync> FromRequestParts<S> for Account {
    type Rejection = (StatusCode, &'static str);

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        match parts.headers.get("x-principal").map(HeaderValue::as_bytes) {
            Some(b"revoked") => Err((StatusCode::FORBIDDEN, "this principal has been revoked")),
            Some(name) if !name.is_empty() && name.iter().all(u8::is_ascii_graphic) => {
                Ok(Self(String::from_utf8_lossy(name).into_owned()))
            }
            _ => Err((StatusCode::UNAUTHORIZED, "send X-Principal, one word of visible ASCII")),
        }
    }
}
