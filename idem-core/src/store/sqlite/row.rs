//! From a row to a record.

use std::sync::Arc;

use bytes::Bytes;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::attempt::{Attempt, RecordId};
use crate::clock::Timestamp;
use crate::digest::Digest;
use crate::fingerprint::Fingerprint;
use crate::identity::Identity;
use crate::lease::{Fence, Owner};
use crate::operation::Operation;
use crate::record::{Answer, Record, Revision, State};
use crate::scope::Scope;
use crate::store::{Found, StoreError};

pub(super) const IN_PROGRESS: i64 = 0;
pub(super) const COMPLETED: i64 = 1;
pub(super) const FAILED: i64 = 2;
pub(super) const UNKNOWN: i64 = 3;

/// Reads what `find.sql` selects.
pub(super) fn found(id: RecordId, row: &SqliteRow) -> Result<Found, StoreError> {
    let record = Record {
        accepted: Arc::new(attempt(id, row)?),
        state: state(row)?,
        revision: Revision {
            owner: Owner::from_bytes(array(row, "owner")?),
            version: unsigned(row, "version")?,
        },
        fence: Fence::new(unsigned(row, "fence")?),
        attempts: u32::try_from(unsigned(row, "attempts")?).unwrap_or(u32::MAX),
        created_at: Timestamp::from_millis(column(row, "created_at")?),
        expires_at: Timestamp::from_millis(column(row, "expires_at")?),
    };
    Ok(Found { record, now: Timestamp::from_millis(column(row, "now")?) })
}

fn attempt(id: RecordId, row: &SqliteRow) -> Result<Attempt, StoreError> {
    let operation = Digest::from_bytes(array(row, "operation")?);
    let fingerprint: &[u8] = column(row, "fingerprint")?;
    let identity: Option<&[u8]> = column(row, "identity")?;
    Ok(Attempt {
        id,
        scope: Scope::stored(column(row, "scope")?),
        operation: Operation::stored(column(row, "operation_name")?, operation),
        fingerprint: Fingerprint::from_bytes(fingerprint).ok_or(damaged("fingerprint"))?,
        identity: match identity {
            None => None,
            Some(bytes) => Some(Identity::decode(bytes).ok_or(damaged("identity"))?),
        },
    })
}

fn state(row: &SqliteRow) -> Result<State, StoreError> {
    match column::<i64>(row, "state")? {
        IN_PROGRESS => {
            let lease_until = Timestamp::from_millis(column(row, "lease_until")?);
            Ok(State::InProgress { lease_until })
        }
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

fn column<'r, T>(row: &'r SqliteRow, name: &'static str) -> Result<T, StoreError>
where
    T: sqlx::Decode<'r, sqlx::Sqlite> + sqlx::Type<sqlx::Sqlite>,
{
    row.try_get(name).map_err(|_| damaged(name))
}

fn array<const N: usize>(row: &SqliteRow, name: &'static str) -> Result<[u8; N], StoreError> {
    let bytes: &[u8] = column(row, name)?;
    bytes.try_into().map_err(|_| damaged(name))
}

fn unsigned(row: &SqliteRow, name: &'static str) -> Result<u64, StoreError> {
    u64::try_from(column::<i64>(row, name)?).map_err(|_| damaged(name))
}

fn damaged(column: &'static str) -> StoreError {
    StoreError::Damaged { column }
}
