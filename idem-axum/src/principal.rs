//! Whose key it is.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use idem_core::scope::{EmptyScope, Scope};

/// A caller whose keys are its own: a tenant, an account, a user.
///
/// It is also an extractor, the one that the application authenticates its callers with. The
/// engine runs it on every request to an idempotent handler, after the handler's own extractors of
/// request parts, and before key and body are looked at.
///
/// ```
/// use axum::extract::FromRequestParts;
/// use axum::http::{StatusCode, request::Parts};
/// use idem_axum::{EmptyScope, Principal, Scope};
///
/// struct Account { id: String }
///
/// impl<S: Sync> FromRequestParts<S> for Account {
///     type Rejection = StatusCode;
///     async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, StatusCode> {
///         let id = parts.headers.get("x-account").and_then(|id| id.to_str().ok());
///         Ok(Account { id: id.ok_or(StatusCode::UNAUTHORIZED)?.to_owned() })
///     }
/// }
///
/// impl Principal for Account {
///     fn scope(&self) -> Result<Scope, EmptyScope> {
///         Scope::of(self.id.as_str())
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say whose keys it stands for",
    label = "not a principal",
    note = "implement `idem_axum::Principal` for `{Self}`, returning its identifier as the scope",
    note = "if all callers share one set of keys, build the engine with `Idempotency::global(store)`"
)]
pub trait Principal: Send + 'static {
    /// The scope of this principal's keys, made of an identifier that no other principal *of any
    /// type on this store* has.
    ///
    /// Where there are several kinds of principals, or several engines on one store, prefix it with
    /// the kind, as in `user:7` and `tenant:7`: else the two share their keys and answers.
    ///
    ///
    /// # Errors
    /// [`EmptyScope`] for a principal without an identifier: its request is refused with `401`.
    fn scope(&self) -> Result<Scope, EmptyScope>;
}

/// The principal of [`Idempotency::global`](crate::Idempotency::global): everybody.
#[derive(Clone, Copy, Debug)]
pub struct Global;

impl Principal for Global {
    fn scope(&self) -> Result<Scope, EmptyScope> {
        Ok(Scope::GLOBAL)
    }
}

impl<S: Sync> FromRequestParts<S> for Global {
    type Rejection = Infallible;

    async fn from_request_parts(_: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self)
    }
}
