//! Whose request it is, and the engine that serves it.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use idem_core::engine::Engine;
use idem_core::scope::Scope;

use crate::principal::Principal;
use crate::problem::{Dialect, Problem};
use crate::state::IdempotencyState;

/// A caller whose keys are known to be its own.
pub(crate) struct Caller {
    pub(crate) engine: Engine,
    pub(crate) dialect: Dialect,
    pub(crate) scope: Scope,
}

impl Caller {
    /// Extracts the principal from the request; the answer to one that is refused is its own.
    pub(crate) async fn identify<S: IdempotencyState>(
        parts: &mut Parts,
        state: &S,
    ) -> Result<Self, Response> {
        let principal = S::Principal::from_request_parts(parts, state).await;
        let scope = principal.map_err(IntoResponse::into_response)?.scope();
        let (engine, dialect) = state.idempotency().parts();
        let engine = engine.clone();
        match scope {
            Ok(scope) => Ok(Self { engine, dialect, scope }),
            Err(_) => Err(Problem::principal_missing().into_response(dialect)),
        }
    }
}
