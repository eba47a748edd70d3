//! From rows to conflicts.

use std::sync::Arc;

use super::{
    Columns, array, attempt, damaged, fingerprint, integer, payload, text, time, unsigned,
};
use crate::attempt::RecordId;
use crate::clock::Timestamp;
use crate::digest::Digest;
use crate::review::{Conflict, ConflictId, ConflictState, Decision, Original};
use crate::store::StoreError;

/// The state that is written; that one has expired is seen by the clock alone.
pub(in crate::store) const fn number(state: ConflictState) -> Option<i64> {
    match state {
        ConflictState::Pending => Some(0),
        ConflictState::Accepted => Some(1),
        ConflictState::Kept => Some(2),
        ConflictState::Expired => None,
    }
}

/// The state that was written as this number.
pub(in crate::store) fn written(number: i64) -> Result<ConflictState, StoreError> {
    match number {
        0 => Ok(ConflictState::Pending),
        1 => Ok(ConflictState::Accepted),
        2 => Ok(ConflictState::Kept),
        _ => Err(damaged("state")),
    }
}

/// Reads what `conflict.sql` selects.
pub(in crate::store) fn conflict(row: &impl Columns) -> Result<Conflict, StoreError> {
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
        changed: serde_json::from_str(&text(row, "changed")?).map_err(|_| damaged("changed"))?,
        held_at: time(row, "held_at")?,
        expires_at: time(row, "expires_at")?,
        taken_at: taken_at(row)?,
        decision: decision(row)?,
    })
}

pub(in crate::store) fn id(
    row: &impl Columns,
    name: &'static str,
) -> Result<ConflictId, StoreError> {
    array(row, name).map(ConflictId::from_bytes)
}

/// Where the conflict stands at the time of the read.
pub(in crate::store) fn state(row: &impl Columns) -> Result<ConflictState, StoreError> {
    let written = written(integer(row, "state")?)?;
    let (taken, expires_at) = (taken_at(row)?.is_some(), time(row, "expires_at")?);
    Ok(Conflict::state_at(written, taken, expires_at, time(row, "now")?))
}

pub(in crate::store) fn taken_at(row: &impl Columns) -> Result<Option<Timestamp>, StoreError> {
    Ok(row.integer("taken_at")?.map(Timestamp::from_millis))
}

fn decision(row: &impl Columns) -> Result<Option<Decision>, StoreError> {
    let Some(at) = row.integer("decided_at")? else {
        return Ok(None);
    };
    Ok(Some(Decision {
        by: text(row, "decided_by")?,
        reason: text(row, "reason")?,
        at: Timestamp::from_millis(at),
    }))
}
