//! The routes and their handlers.

use axum::extract::{FromRef, Path, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{get, put};
use axum::{Json, Router};
use idem_axum::{Idempotency, IdempotencyState, SqliteStore, idempotent};
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
) -> Result<(StatusCode, Json<Saved>), (StatusCode, String)> {
    // Merged profiles were checked before; one that comes in one piece is checked here.
    is_sound(&profile).map_err(|reason| (StatusCode::UNPROCESSABLE_ENTITY, reason))?;
    match profiles.save(&user, &profile).await {
        Ok(saves) => Ok((StatusCode::OK, Json(Saved { saves, profile }))),
        Err(sqlx::Error::RowNotFound) => {
            Err((StatusCode::FORBIDDEN, "this handle is somebody else's".to_owned()))
        }
        Err(error) => Err(unavailable(&error)),
    }
}

/// A page, which is for everybody to see.
async fn show(
    State(profiles): State<Profiles>,
    Path(handle): Path<String>,
) -> Result<impl IntoResponse, (StatusCode, String)> {
    match profiles.show(&handle).await {
        Ok(Some(profile)) => Ok(([(header::CONTENT_TYPE, "application/json")], profile)),
        Ok(None) => Err((StatusCode::NOT_FOUND, "there is no such profile".to_owned())),
        Err(error) => Err(unavailable(&error)),
    }
}

fn unavailable(error: &sqlx::Error) -> (StatusCode, String) {
    tracing::error!(%error, "the profiles cannot be reached");
    (StatusCode::SERVICE_UNAVAILABLE, "the profiles cannot be reached".to_owned())
}
