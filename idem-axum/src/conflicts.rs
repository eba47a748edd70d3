//! Where a client looks for what becomes of a request that was held for review.
//!
//! ```
//! use axum::Router;
//! use idem_axum::{Global, Idempotency, IdempotencyState, MemoryStore};
//!
//! #[derive(Clone, IdempotencyState)]
//! struct AppState {
//!     idempotency: Idempotency<Global, MemoryStore>,
//! }
//!
//! let state = AppState { idempotency: Idempotency::global(MemoryStore::new()) };
//! // Beside the routes of the handlers. Nested under `/api`, say so to the engine:
//! // `.conflicts_at("/api/conflicts")`.
//! let app: Router = Router::new().merge(idem_axum::conflicts::router()).with_state(state);
//! ```

use axum::extract::{FromRequest, Path, Request};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{RequestExt, Router};
use idem_core::review::{Conflict, ConflictId, ConflictState, QueueError};
use idem_core::store::ReviewStore;
use serde::Serialize;

use crate::caller::Caller;
use crate::problem::Problem;
use crate::state::IdempotencyState;

/// `GET /conflicts/{id}`: how a conflict stands, for the principal whose request it was; for all
/// others it does not exist. No payload is shown.
///
/// | member | meaning |
/// | --- | --- |
/// | `id` | its name |
/// | `state` | `pending`, `accepted`, `kept` or `expired` |
/// | `operation` | the name of the operation |
/// | `changed` | the names of the critical fields that differ |
/// | `fingerprint`, `original_fingerprint` | the digests of the disputed payload and of the one the key stood for |
/// | `held_at`, `expires_at`, `decided_at` | times in milliseconds since the Unix epoch |
/// | `suggestion` | what the client can do now |
pub fn router<S>() -> Router<S>
where
    S: IdempotencyState<Store: ReviewStore> + Clone,
{
    Router::new().route("/conflicts/{id}", get(show::<S>))
}

/// The request, taken whole: the principal is extracted from it like that of any attempt.
struct Whole<S>(Request, S);

impl<S: Clone + Send + Sync> FromRequest<S> for Whole<S> {
    type Rejection = std::convert::Infallible;

    async fn from_request(request: Request, state: &S) -> Result<Self, Self::Rejection> {
        Ok(Self(request, state.clone()))
    }
}

async fn show<S>(Whole(mut request, state): Whole<S>) -> Response
where
    S: IdempotencyState<Store: ReviewStore> + Clone,
{
    let id = request.extract_parts::<Path<String>>().await;
    let (mut parts, _) = request.into_parts();
    let caller = match Caller::identify(&mut parts, &state).await {
        Ok(caller) => caller,
        Err(refused) => return refused,
    };
    let Some(id) = id.ok().and_then(|Path(id)| id.parse::<ConflictId>().ok()) else {
        return caller.wire.tell(Problem::conflict_not_found());
    };
    match state.idempotency().review().show(id).await {
        Ok(conflict) if conflict.disputed.scope == caller.scope => {
            Status::of(&conflict).into_response()
        }
        Ok(_) | Err(QueueError::NotFound) => caller.wire.tell(Problem::conflict_not_found()),
        Err(error) => {
            tracing::error!(conflict = %id, %error, "a conflict could not be shown");
            caller.wire.tell(Problem::store_unavailable())
        }
    }
}

#[derive(Serialize)]
struct Status<'c> {
    id: String,
    state: &'static str,
    operation: &'c str,
    changed: &'c [String],
    fingerprint: String,
    original_fingerprint: String,
    held_at: i64,
    expires_at: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_at: Option<i64>,
    suggestion: &'static str,
}

impl<'c> Status<'c> {
    fn of(conflict: &'c Conflict) -> Self {
        Self {
            id: conflict.id.to_string(),
            state: conflict.state.word(),
            operation: conflict.disputed.operation.name(),
            changed: &conflict.changed,
            fingerprint: conflict.disputed.fingerprint.to_string(),
            original_fingerprint: conflict.original.fingerprint.to_string(),
            held_at: conflict.held_at.as_millis(),
            expires_at: conflict.expires_at.as_millis(),
            decided_at: conflict.decision.as_ref().map(|decision| decision.at.as_millis()),
            suggestion: suggestion(conflict.state),
        }
    }
}

impl IntoResponse for Status<'_> {
    fn into_response(self) -> Response {
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ];
        let document =
            serde_json::to_vec(&self).expect("a document of strings and numbers is JSON");
        (headers, document).into_response()
    }
}

fn suggestion(state: ConflictState) -> &'static str {
    match state {
        ConflictState::Pending => "look here again later",
        ConflictState::Accepted => "send the same request again with the same key",
        ConflictState::Kept => "send it with a new key if it is a new operation",
        ConflictState::Expired => "send the same request again: it is compared anew",
    }
}
