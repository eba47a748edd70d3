//! What a handler's body extractor must say of itself to be fingerprinted.

use idem_core::fingerprint::Encoding;

/// A body extractor whose bytes can be fingerprinted: `Json`, `Form`, `Bytes`, `String`, and yours.
///
/// The fingerprint is taken from the bytes as they were sent, never from the value. The critical
/// fields are read from the value.
///
/// ```
/// use axum::{Json, extract::{FromRequest, Request}, http::StatusCode, response::{IntoResponse, Response}};
/// use idem_axum::{Encoding, Payload};
/// use serde::de::DeserializeOwned;
///
/// trait Validate { fn is_valid(&self) -> bool; }
/// struct Valid<T>(T);
///
/// impl<T: DeserializeOwned + Validate, S: Send + Sync> FromRequest<S> for Valid<T> {
///     type Rejection = Response;
///     async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
///         let Json(value) = Json::<T>::from_request(request, state).await.map_err(IntoResponse::into_response)?;
///         if value.is_valid() { Ok(Valid(value)) } else { Err(StatusCode::UNPROCESSABLE_ENTITY.into_response()) }
///     }
/// }
///
/// impl<T> Payload for Valid<T> {
///     type Value = T;
///     const ENCODING: Encoding = Encoding::Json;
///     fn value(&self) -> &T { &self.0 }
///     fn into_value(self) -> T { self.0 }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a payload that can be fingerprinted",
    label = "no payload",
    note = "take the body as the last parameter: `Json<T>`, `Form<T>`, `Bytes` or `String`",
    note = "for an extractor of your own, implement `idem_axum::Payload` and say how its body is encoded"
)]
pub trait Payload {
    /// What critical paths start from.
    type Value;

    /// How the body is encoded, and so what counts as the same payload.
    const ENCODING: Encoding;

    /// The value that was read from the body.
    fn value(&self) -> &Self::Value;

    /// The value itself.
    fn into_value(self) -> Self::Value;
}

#[cfg(feature = "json")]
impl<T> Payload for axum::Json<T> {
    type Value = T;
    const ENCODING: Encoding = Encoding::Json;

    fn value(&self) -> &T {
        &self.0
    }

    fn into_value(self) -> T {
        self.0
    }
}

#[cfg(feature = "form")]
impl<T> Payload for axum::Form<T> {
    type Value = T;
    const ENCODING: Encoding = Encoding::Form;

    fn value(&self) -> &T {
        &self.0
    }

    fn into_value(self) -> T {
        self.0
    }
}

impl Payload for bytes::Bytes {
    type Value = Self;
    const ENCODING: Encoding = Encoding::Raw;

    fn value(&self) -> &Self {
        self
    }

    fn into_value(self) -> Self {
        self
    }
}

impl Payload for String {
    type Value = Self;
    const ENCODING: Encoding = Encoding::Raw;

    fn value(&self) -> &Self {
        self
    }

    fn into_value(self) -> Self {
        self
    }
}
