//! Claiming: a look whether it is worth a write, and the write.

use sqlx::{Row, SqliteConnection};

use super::find::{find, find_in_snapshot};
use super::statement::{Failure, id_bytes, signed};
use super::{history, review};
use crate::clock::millis;
use crate::identity::Identity;
use crate::lease::Fence;
use crate::store::{Begun, Claim, TakeOver, rows};

/// What stands against `claim` without a write: `None` when a write must be tried.
pub(super) async fn peek(
    db: &mut SqliteConnection,
    claim: &Claim,
) -> Result<Option<Begun>, Failure> {
    let attempt = &claim.attempt;
    let Some(found) = find_in_snapshot(db, attempt.id, Some(attempt)).await? else {
        return Ok(None);
    };
    let record = &found.record;
    let may_be_taken_over = claim.over.is_some_and(|over| over.revision == record.revision);
    let free = record.is_expired(found.now) || may_be_taken_over;
    Ok((!free).then(|| rows::standing(claim, found)))
}

/// Claims under the write lock, or returns what another process wrote first.
pub(super) async fn begin(db: &mut SqliteConnection, claim: &Claim) -> Result<Begun, Failure> {
    if let Some(granted) = grant(db, claim).await? {
        return Ok(granted);
    }
    // Under the write lock the row that was in the way is still there. Time may have passed over
    // its expiry since the statement looked: then the engine sees that, and claims again.
    match find(db, claim.attempt.id, Some(&claim.attempt)).await? {
        Some(found) => Ok(rows::standing(claim, found)),
        None => Err(Failure::Sqlite(sqlx::Error::RowNotFound)),
    }
}

/// Writes the claim with all that a take-over brings with it; `None` when the record is not free.
async fn grant(db: &mut SqliteConnection, claim: &Claim) -> Result<Option<Begun>, Failure> {
    let superseded_at = match &claim.over {
        Some(over) => history::supersede(db, claim, over).await?,
        None => None,
    };
    let Some(granted) = write(db, claim, superseded_at).await? else {
        return Ok(None);
    };
    let id = &claim.attempt.id;
    if granted.is_written_over && !granted.is_taken_over {
        history::forget_all(db, id).await?;
    }
    match claim.over.map(|over| over.how) {
        Some(TakeOver::Accepted(conflict)) => review::take(db, &conflict, id).await?,
        Some(TakeOver::Fresh) => review::expire_open(db, id).await?,
        Some(TakeOver::Continue) | None => {}
    }
    Ok(Some(granted.begun))
}

struct Granted {
    begun: Begun,
    /// Whether there was a row already, be it that of an expired record.
    is_written_over: bool,
    /// Whether it was that of an earlier execution which still counts.
    is_taken_over: bool,
}

async fn write(
    db: &mut SqliteConnection,
    claim: &Claim,
    now: Option<i64>,
) -> Result<Option<Granted>, Failure> {
    let attempt = &claim.attempt;
    let payload = attempt.payload.as_ref();
    let over = claim.over.as_ref();
    let granted = sqlx::query(include_str!("begin.sql"))
        .bind(id_bytes(&attempt.id))
        .bind(attempt.operation.name())
        .bind(&attempt.operation.digest().as_bytes()[..])
        .bind(&attempt.fingerprint.to_bytes()[..])
        .bind(attempt.identity.as_ref().map(Identity::encode))
        .bind(&claim.owner.as_bytes()[..])
        .bind(millis(claim.lease))
        .bind(millis(claim.retention()))
        .bind(over.map(|over| &over.revision.owner.as_bytes()[..]))
        .bind(over.map(|over| signed(over.revision.version)))
        .bind(attempt.scope.id())
        .bind(payload.map(|payload| &payload.bytes[..]))
        .bind(payload.and_then(|payload| payload.media_type.as_deref()))
        .bind(over.is_some_and(|over| over.how == TakeOver::Fresh))
        .bind(now)
        .bind(attempt.operation.method())
        .bind(attempt.operation.path())
        .fetch_optional(db)
        .await?;
    let Some(row) = granted else {
        return Ok(None);
    };
    let begun = Begun::Claimed {
        fence: Fence::new(u64::try_from(row.try_get::<i64, _>("fence")?).unwrap_or(0)),
        attempts: u32::try_from(row.try_get::<i64, _>("attempts")?).unwrap_or(u32::MAX),
    };
    let is_written_over = row.try_get::<i64, _>("version")? > 1;
    Ok(Some(Granted { begun, is_written_over, is_taken_over: row.try_get("taken_over")? }))
}
