//! From rows to records, and to what a record remembers.

use std::sync::Arc;

use bytes::Bytes;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::attempt::{Attempt, Payload, RecordId};
use crate::clock::Timestamp;
use crate::digest::Digest;
use crate::fingerprint::Fingerprint;
use crate::identity::Identity;
use crate::lease::{Fence, Owner};
use crate::operation::Operation;
use crate::record::{Answer, Record, Revision, State, Superseded};
use crate::scope::Scope;
use crate::store::{Found, StoreError};

pub(super) const IN_PROGRESS: i64 = 0;
pub(super) const COMPLETED: i64 = 1;
pub(super) const FAILED: i64 = 2;
pub(super) const UNKNOWN: i64 = 3;

/// Reads what `find.sql` selects; what is kept beside the row is left out.
pub(super) fn found(id: RecordId, row: &SqliteRow) -> Result<Found, StoreError> {
    let record = Record {
        accepted: Arc::new(attempt(id, row)?),
        state: state(row)?,
        revision: Revision {
            owner: Owner::from_bytes(array(row, "owner")?),
            version: unsigned(row, "version")?,
        },
        fence: Fence::new(unsigned(row, "fence")?),
        attempts: count(row, "attempts")?,
        created_at: time(row, "created_at")?,
        expires_at: time(row, "expires_at")?,
        base: payload(row, "base", "base_media_type")?,
        history: count(row, "history")?,
        superseded: None,
        conflicts: Vec::new(),
    };
    Ok(Found { record, now: time(row, "now")? })
}

/// Reads what `superseded.sql` and `history.sql` select.
pub(super) fn superseded(row: &SqliteRow) -> Result<Superseded, StoreError> {
    let answer = match column::<Option<i64>>(row, "status")? {
        None => None,
        Some(_) => Some(Arc::new(answer(row)?)),
    };
    Ok(Superseded {
        fingerprint: fingerprint(row, "fingerprint")?,
        identity: identity(row)?,
        version: unsigned(row, "version")?,
        superseded_at: time(row, "superseded_at")?,
        answer,
    })
}

/// The attempt that a record has accepted, or that a conflict is about.
pub(super) fn attempt(id: RecordId, row: &SqliteRow) -> Result<Attempt, StoreError> {
    let operation = Digest::from_bytes(array(row, "operation")?);
    Ok(Attempt {
        id,
        scope: Scope::stored(column(row, "scope")?),
        operation: Operation::stored(column(row, "operation_name")?, operation),
        fingerprint: fingerprint(row, "fingerprint")?,
        identity: identity(row)?,
        payload: payload(row, "payload", "media_type")?,
    })
}

fn state(row: &SqliteRow) -> Result<State, StoreError> {
    match column::<i64>(row, "state")? {
        IN_PROGRESS => Ok(State::InProgress { lease_until: time(row, "lease_until")? }),
        COMPLETED => Ok(State::Completed(Arc::new(answer(row)?))),
        FAILED => Ok(State::Failed),
        UNKNOWN => Ok(State::Unknown),
        _ => Err(damaged("state")),
    }
}

fn answer(row: &SqliteRow) -> Result<Answer, StoreError> {
    let headers: &[u8] = column(row, "headers")?;
    let body: Option<Vec<u8>> = column(row, "body")?;
    Ok(Answer {
        status: column::<u16>(row, "status")?,
        headers: Answer::decode_headers(headers).ok_or(damaged("headers"))?,
        body: body.map(Bytes::from),
    })
}

pub(super) fn fingerprint(row: &SqliteRow, name: &'static str) -> Result<Fingerprint, StoreError> {
    let bytes: &[u8] = column(row, name)?;
    Fingerprint::from_bytes(bytes).ok_or(damaged(name))
}

pub(super) fn identity(row: &SqliteRow) -> Result<Option<Identity>, StoreError> {
    let bytes: Option<&[u8]> = column(row, "identity")?;
    bytes.map(|bytes| Identity::decode(bytes).ok_or(damaged("identity"))).transpose()
}

pub(super) fn payload(
    row: &SqliteRow,
    name: &'static str,
    media_type: &'static str,
) -> Result<Option<Payload>, StoreError> {
    let Some(bytes) = column::<Option<Vec<u8>>>(row, name)? else {
        return Ok(None);
    };
    let media_type: Option<String> = column(row, media_type)?;
    Ok(Some(Payload { bytes: bytes.into(), media_type: media_type.map(String::into_boxed_str) }))
}

pub(super) fn time(row: &SqliteRow, name: &'static str) -> Result<Timestamp, StoreError> {
    column(row, name).map(Timestamp::from_millis)
}

pub(super) fn column<'r, T>(row: &'r SqliteRow, name: &'static str) -> Result<T, StoreError>
where
    T: sqlx::Decode<'r, sqlx::Sqlite> + sqlx::Type<sqlx::Sqlite>,
{
    row.try_get(name).map_err(|_| damaged(name))
}

pub(super) fn array<const N: usize>(
    row: &SqliteRow,
    name: &'static str,
) -> Result<[u8; N], StoreError> {
    let bytes: &[u8] = column(row, name)?;
    bytes.try_into().map_err(|_| damaged(name))
}

pub(super) fn unsigned(row: &SqliteRow, name: &'static str) -> Result<u64, StoreError> {
    u64::try_from(column::<i64>(row, name)?).map_err(|_| damaged(name))
}

fn count(row: &SqliteRow, name: &'static str) -> Result<u32, StoreError> {
    unsigned(row, name).map(|count| u32::try_from(count).unwrap_or(u32::MAX))
}

pub(super) fn damaged(column: &'static str) -> StoreError {
    StoreError::Damaged { column }
}
