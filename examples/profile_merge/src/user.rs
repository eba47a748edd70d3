//! Who calls.

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use idem_axum::{EmptyScope, Principal, Scope};

/// The users of the demo, whose tokens are `demo-` and their names.
const USERS: [&str; 2] = ["ada", "grace"];

/// A user, found by its bearer token.
pub struct User(&'static str);

impl User {
    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0
    }
}

/// Each user has keys of its own.
impl Principal for User {
    fn scope(&self) -> Result<Scope, EmptyScope> {
        Scope::of(self.0)
    }
}

impl<S: Sync> FromRequestParts<S> for User {
    type Rejection = (StatusCode, &'static str);

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let token = parts.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let name = token.and_then(|token| token.strip_prefix("Bearer demo-"));
        let user = USERS.into_iter().find(|user| Some(*user) == name);
        user.map(Self).ok_or((StatusCode::UNAUTHORIZED, "send the token of a user"))
    }
}
