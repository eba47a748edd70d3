//! The routes and their handlers.

use axum::extract::{FromRef, Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, put};
use axum::{Json, Router};
use idem_axum::{Idempotency, IdempotencyState, Outcome, SqliteStore, idempotent};
use serde::Serialize;

use crate::profile::{Profile, is_sound};
use crate::profiles::Profiles;
use crate::user::User;

/// What the handlers share.
#[derive(Clone, FromRef, IdempotencyState)]
pub struct AppState {
    /// Where profiles are kept.
    pub profiles: Profiles,
    /// Where keys are kept.
    pub idempotency: Idempotency<User, SqliteStore>,
}

/// The whole API.
pub fn router(state: AppState) -> Router {
    let routes = Router::new().route("/profile", put(save)).route("/profiles/{handle}", get(show));
    routes.with_state(state)
}

/// What a save comes to.
#[derive(Serialize)]
struct Saved {
    saves: i64,
    profile: Profile,
}

/// Saves the caller's profile. Under one key, what is said later is merged into what was said
/// before, so this always gets the whole.
#[idempotent(policy = "merge", ttl = "24h")]
async fn save(
    State(profiles): State<Profiles>,
    user: User,
    Json(profile): Json<Profile>,
) -> Result<Json<Saved>, Refusal> {
    // Merged profiles were checked before; one that comes in one piece is checked here.
    is_sound(&profile).map_err(Refusal::Unsound)?;
    let saves = profiles.save(&user, &profile).await?.ok_or(Refusal::Taken)?;
    Ok(Json(Saved { saves, profile }))
}

/// A page, which is for everybody to see.
async fn show(
    State(profiles): State<Profiles>,
    Path(handle): Path<String>,
) -> Result<impl IntoResponse, Refusal> {
    let profile = profiles.show(&handle).await?.ok_or(Refusal::Missing)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], profile))
}

/// Why a profile is not saved or shown.
enum Refusal {
    Unsound(String),
    Taken,
    Missing,
    Unavailable,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        match self {
            // Any other refusal of a save is its answer for good. This one is not, since a form
            // that is refused gets corrected: what is sent next under its key is as if it were
            // the first.
            Self::Unsound(reason) => {
                (StatusCode::UNPROCESSABLE_ENTITY, Outcome::Transient, reason).into_response()
            }
            Self::Taken => {
                (StatusCode::FORBIDDEN, "this handle is somebody else's").into_response()
            }
            Self::Missing => (StatusCode::NOT_FOUND, "there is no such profile").into_response(),
            Self::Unavailable => {
                (StatusCode::SERVICE_UNAVAILABLE, "the profiles cannot be reached").into_response()
            }
        }
    }
}

impl From<sqlx::Error> for Refusal {
    fn from(error: sqlx::Error) -> Self {
        tracing::error!(%error, "the profiles cannot be reached");
        Self::Unavailable
    }
}
