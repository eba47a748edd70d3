//! What a record remembers of superseded executions.

use sqlx::{Row, SqliteConnection};

use super::statement::{Failure, id_bytes, signed};
use crate::attempt::{Attempt, RecordId};
use crate::identity::Identity;
use crate::record::Superseded;
use crate::store::{Claim, Over, StoreError, rows};

/// Remembers the execution that `claim` takes over, if it has another payload and is still there to
/// be taken over; then says at which time this was done, which is to be that of the claim.
pub(super) async fn supersede(
    db: &mut SqliteConnection,
    claim: &Claim,
    over: &Over,
) -> Result<Option<i64>, Failure> {
    let attempt = &claim.attempt;
    let superseded_at = sqlx::query(include_str!("supersede.sql"))
        .bind(id_bytes(&attempt.id))
        .bind(&over.revision.owner.as_bytes()[..])
        .bind(signed(over.revision.version))
        .bind(&attempt.fingerprint.to_bytes()[..])
        .bind(attempt.identity.as_ref().map(Identity::encode))
        .fetch_optional(&mut *db)
        .await?;
    let Some(superseded_at) = superseded_at else {
        return Ok(None);
    };
    sqlx::query(include_str!("forget.sql"))
        .bind(id_bytes(&attempt.id))
        .bind(&attempt.fingerprint.to_bytes()[..])
        .bind(attempt.identity.as_ref().map(Identity::encode))
        .bind(claim.history)
        .execute(db)
        .await?;
    Ok(Some(superseded_at.try_get(0)?))
}

/// Forgets what belongs to an earlier life of the key.
pub(super) async fn forget_all(db: &mut SqliteConnection, id: &RecordId) -> Result<(), Failure> {
    sqlx::query(include_str!("forget_all.sql")).bind(id_bytes(id)).execute(db).await?;
    Ok(())
}

/// What is remembered of the payload of `attempt`.
pub(super) async fn superseded(
    db: &mut SqliteConnection,
    attempt: &Attempt,
) -> Result<Option<Superseded>, Failure> {
    let rows = sqlx::query(include_str!("superseded.sql"))
        .bind(id_bytes(&attempt.id))
        .bind(&attempt.fingerprint.to_bytes()[..])
        .fetch_all(db)
        .await?;
    for row in &rows {
        let entry = rows::superseded(row)?;
        if attempt.is_same_payload(&entry.fingerprint, entry.identity.as_ref()) {
            return Ok(Some(entry));
        }
    }
    Ok(None)
}

/// All that an unexpired record remembers, newest first.
pub(super) async fn history(
    db: &mut SqliteConnection,
    id: RecordId,
) -> Result<Vec<Superseded>, Failure> {
    let rows = sqlx::query(include_str!("history.sql")).bind(id_bytes(&id)).fetch_all(db).await?;
    Ok(rows.iter().map(rows::superseded).collect::<Result<_, StoreError>>()?)
}
