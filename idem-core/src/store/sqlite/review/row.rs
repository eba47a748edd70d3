//! From rows to conflicts.

use std::sync::Arc;

use sqlx::sqlite::SqliteRow;

use crate::attempt::RecordId;
use crate::clock::Timestamp;
use crate::digest::Digest;
use crate::review::{Conflict, ConflictId, ConflictState, Decision, Disputed, Original};
use crate::store::StoreError;
use crate::store::sqlite::row::{
    array, attempt, column, damaged, fingerprint, identity, payload, time, unsigned,
};

/// The state that is written; that one has expired is seen by the clock alone.
pub(super) const fn number(state: ConflictState) -> Option<i64> {
    match state {
        ConflictState::Pending => Some(0),
        ConflictState::Accepted => Some(1),
        ConflictState::Kept => Some(2),
        ConflictState::Expired => None,
    }
}

/// Reads what `conflict.sql` selects.
pub(super) fn conflict(row: &SqliteRow) -> Result<Conflict, StoreError> {
    let record = RecordId::from_digest(Digest::from_bytes(array(row, "record")?));
    Ok(Conflict {
        id: id(row, "id")?,
        version: unsigned(row, "version")?,
        state: state(row)?,
        disputed: Arc::new(attempt(record, row)?),
        original: Original {
            fingerprint: fingerprint(row, "original_fingerprint")?,
            payload: payload(row, "original_payload", "original_media_type")?,
        },
        changed: serde_json::from_str(column(row, "changed")?).map_err(|_| damaged("changed"))?,
        held_at: time(row, "held_at")?,
        expires_at: time(row, "expires_at")?,
        taken_at: taken_at(row)?,
        decision: decision(row)?,
    })
}

/// Reads what `about.sql` selects.
pub(super) fn disputed(row: &SqliteRow) -> Result<Disputed, StoreError> {
    Ok(Disputed {
        id: id(row, "id")?,
        fingerprint: fingerprint(row, "fingerprint")?,
        identity: identity(row)?,
        state: state(row)?,
        taken: taken_at(row)?.is_some(),
    })
}

pub(super) fn id(row: &SqliteRow, name: &'static str) -> Result<ConflictId, StoreError> {
    array(row, name).map(ConflictId::from_bytes)
}

/// Where the conflict stands at the time of the read.
fn state(row: &SqliteRow) -> Result<ConflictState, StoreError> {
    let written = match column::<i64>(row, "state")? {
        0 => ConflictState::Pending,
        1 => ConflictState::Accepted,
        2 => ConflictState::Kept,
        _ => return Err(damaged("state")),
    };
    let (taken, expires_at) = (taken_at(row)?.is_some(), time(row, "expires_at")?);
    Ok(Conflict::state_at(written, taken, expires_at, time(row, "now")?))
}

fn taken_at(row: &SqliteRow) -> Result<Option<Timestamp>, StoreError> {
    Ok(column::<Option<i64>>(row, "taken_at")?.map(Timestamp::from_millis))
}

fn decision(row: &SqliteRow) -> Result<Option<Decision>, StoreError> {
    let Some(at) = column::<Option<i64>>(row, "decided_at")? else {
        return Ok(None);
    };
    Ok(Some(Decision {
        by: column(row, "decided_by")?,
        reason: column(row, "reason")?,
        at: Timestamp::from_millis(at),
    }))
}
