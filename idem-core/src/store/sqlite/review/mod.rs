//! The verbs of review, and what the other verbs do to conflicts; the caller opens and commits
//! transactions.

mod list;

use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

pub(super) use list::conflicts;

use super::statement::{Failure, id_bytes, signed};
use crate::attempt::RecordId;
use crate::clock::{Timestamp, millis};
use crate::identity::Identity;
use crate::review::{Conflict, ConflictId, Decide, Decided, Disputed, Hold, Holding};
use crate::store::StoreError;
use crate::store::rows::review as row;
use crate::store::rows::{Columns as _, fingerprint, identity, time, unsigned};

/// Keeps an attempt against the record it was compared with.
pub(super) async fn hold(db: &mut SqliteConnection, hold: &Hold) -> Result<Holding, Failure> {
    let Some(standing) = compare(db, hold).await? else {
        return Ok(Holding::Moved);
    };
    if let Some(held) = standing.held {
        return Ok(Holding::Held(held));
    }
    if standing.open >= u64::from(hold.limit) {
        return Ok(Holding::Full);
    }
    insert(db, hold, standing.now).await?;
    let until = standing.now.after(hold.ttl);
    dispute(db, id_bytes(&hold.attempt.id), until, standing.now).await?;
    Ok(Holding::Held(hold.id))
}

/// One conflict.
pub(super) async fn conflict(
    db: &mut SqliteConnection,
    id: &ConflictId,
) -> Result<Option<Conflict>, Failure> {
    let row = sqlx::query(concat!(include_str!("conflict.sql"), "WHERE id = ?1"))
        .bind(&id.as_bytes()[..])
        .fetch_optional(db)
        .await?;
    Ok(row.as_ref().map(row::conflict).transpose()?)
}

/// Writes a decision if the conflict is as it was seen.
pub(super) async fn decide(
    db: &mut SqliteConnection,
    decide: &Decide,
) -> Result<Option<Decided>, Failure> {
    // Before anything is written: what cannot be read is not decided either.
    if conflict(db, &decide.id).await?.is_none() {
        return Ok(None);
    }
    let decided = sqlx::query(include_str!("decide.sql"))
        .bind(&decide.id.as_bytes()[..])
        .bind(signed(decide.version))
        .bind(row::number(decide.ruling.state()))
        .bind(&decide.by)
        .bind(&decide.reason)
        .fetch_optional(&mut *db)
        .await?;
    if let Some(row) = &decided {
        let (until, now) = (time(row, "expires_at")?, time(row, "decided_at")?);
        dispute(db, row.try_get("record")?, until, now).await?;
    }
    let conflict = conflict(db, &decide.id).await?;
    Ok(conflict.map(if decided.is_some() { Decided::Done } else { Decided::Stale }))
}

/// The unexpired conflicts about a record, as its reader is to know them.
pub(super) async fn about(
    db: &mut SqliteConnection,
    id: RecordId,
    now: Timestamp,
) -> Result<Vec<Disputed>, Failure> {
    let rows = sqlx::query(include_str!("about.sql"))
        .bind(id_bytes(&id))
        .bind(now.as_millis())
        .fetch_all(db)
        .await?;
    Ok(rows.iter().map(disputed).collect::<Result<_, StoreError>>()?)
}

/// Reads what `about.sql` selects.
fn disputed(row: &SqliteRow) -> Result<Disputed, StoreError> {
    Ok(Disputed {
        id: row::id(row, "id")?,
        fingerprint: fingerprint(row, "fingerprint")?,
        identity: identity(row)?,
        state: row::state(row)?,
        taken: row::taken_at(row)?.is_some(),
    })
}

/// Notes that the accepted payload of a conflict runs.
pub(super) async fn take(
    db: &mut SqliteConnection,
    id: &ConflictId,
    record: &RecordId,
) -> Result<(), Failure> {
    sqlx::query(include_str!("take.sql"))
        .bind(&id.as_bytes()[..])
        .bind(id_bytes(record))
        .execute(db)
        .await?;
    Ok(())
}

/// Ends the open conflicts about a record that begins anew.
pub(super) async fn expire_open(db: &mut SqliteConnection, id: &RecordId) -> Result<(), Failure> {
    expire(db, id, false).await
}

/// Ends all conflicts about a record that is as if it had never been.
pub(super) async fn expire_all(db: &mut SqliteConnection, id: &RecordId) -> Result<(), Failure> {
    expire(db, id, true).await
}

/// Deletes up to `limit` conflicts that have been expired for another ttl, and says how many.
pub(super) async fn purge(db: &mut SqliteConnection, limit: u32) -> Result<u32, Failure> {
    let done = sqlx::query(include_str!("purge.sql")).bind(limit).execute(db).await?;
    Ok(u32::try_from(done.rows_affected()).unwrap_or(limit))
}

async fn expire(
    db: &mut SqliteConnection,
    id: &RecordId,
    decided_too: bool,
) -> Result<(), Failure> {
    sqlx::query(include_str!("expire.sql"))
        .bind(id_bytes(id))
        .bind(decided_too)
        .execute(db)
        .await?;
    Ok(())
}

/// What a record that an attempt was compared with says to its being held.
struct Standing {
    now: Timestamp,
    held: Option<ConflictId>,
    open: u64,
}

async fn compare(db: &mut SqliteConnection, hold: &Hold) -> Result<Option<Standing>, Failure> {
    let attempt = &hold.attempt;
    let row = sqlx::query(include_str!("compare.sql"))
        .bind(id_bytes(&attempt.id))
        .bind(&hold.seen.as_bytes()[..])
        .bind(&attempt.fingerprint.to_bytes()[..])
        .bind(attempt.identity.as_ref().map(Identity::encode))
        .fetch_optional(db)
        .await?;
    Ok(row.as_ref().map(standing).transpose()?)
}

fn standing(row: &SqliteRow) -> Result<Standing, StoreError> {
    let held = row.bytes("held")?;
    Ok(Standing {
        now: time(row, "now")?,
        held: held.map(|_| row::id(row, "held")).transpose()?,
        open: unsigned(row, "open")?,
    })
}

async fn insert(db: &mut SqliteConnection, hold: &Hold, now: Timestamp) -> Result<(), Failure> {
    let attempt = &hold.attempt;
    let payload = attempt.payload.as_ref();
    let changed = serde_json::to_string(&hold.changed).expect("a list of strings is JSON");
    sqlx::query(include_str!("hold.sql"))
        .bind(id_bytes(&attempt.id))
        .bind(&hold.id.as_bytes()[..])
        .bind(now.as_millis())
        .bind(millis(hold.ttl))
        .bind(attempt.scope.id())
        .bind(attempt.operation.name())
        .bind(&attempt.operation.digest().as_bytes()[..])
        .bind(&attempt.fingerprint.to_bytes()[..])
        .bind(attempt.identity.as_ref().map(Identity::encode))
        .bind(changed)
        .bind(payload.and_then(|payload| payload.media_type.as_deref()))
        .bind(payload.map(|payload| &payload.bytes[..]))
        .bind(attempt.operation.method())
        .bind(attempt.operation.path())
        .execute(db)
        .await?;
    Ok(())
}

/// Keeps the record at least as long as a conflict about it.
async fn dispute(
    db: &mut SqliteConnection,
    record: Vec<u8>,
    until: Timestamp,
    now: Timestamp,
) -> Result<(), Failure> {
    sqlx::query(include_str!("dispute.sql"))
        .bind(record)
        .bind(until.as_millis())
        .bind(now.as_millis())
        .execute(db)
        .await?;
    Ok(())
}
