//! Whose request it is, and the engine that serves it.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use idem_core::engine::Engine;
use idem_core::scope::Scope;

use crate::principal::Principal;
use crate::problem::Problem;
use crate::state::IdempotencyState;
use crate::wire::Wire;

/// A caller whose keys are known to be its own.
pub(crate) struct Caller {
    pub(crate) engine: Engine,
    pub(crate) wire: Wire,
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
        let wire = state.idempotency().wire();
        let scope = scope.map_err(|_| wire.tell(Problem::principal_missing()))?;
        Ok(Self::of(state, scope))
    }

    /// The caller whose keys are in `scope`, as was found out before.
    pub(crate) fn of<S: IdempotencyState>(state: &S, scope: Scope) -> Self {
        let idempotency = state.idempotency();
        Self { engine: idempotency.engine().clone(), wire: idempotency.wire().clone(), scope }
    }
}
