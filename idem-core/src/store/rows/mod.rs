//! From the rows of an SQL database to records, and to what a record remembers.

pub(in crate::store) mod review;

use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;

use crate::attempt::{Attempt, Payload, RecordId};
use crate::clock::Timestamp;
use crate::digest::Digest;
use crate::fingerprint::Fingerprint;
use crate::identity::Identity;
use crate::lease::{Fence, Owner};
use crate::operation::Operation;
use crate::record::{Answer, Record, Revision, State, Superseded};
use crate::scope::Scope;
use crate::store::{Begun, Claim, Found, Outcome, StoreError};

/// A row whose columns have names. Those that are absent or `NULL` are told apart from those that
/// hold another type, which is damage.
pub(in crate::store) trait Columns {
    /// A whole number.
    fn integer(&self, name: &'static str) -> Result<Option<i64>, StoreError>;
    /// A text.
    fn text(&self, name: &'static str) -> Result<Option<String>, StoreError>;
    /// A byte string.
    fn bytes(&self, name: &'static str) -> Result<Option<Cow<'_, [u8]>>, StoreError>;
}

const IN_PROGRESS: i64 = 0;
const COMPLETED: i64 = 1;
const FAILED: i64 = 2;
const UNKNOWN: i64 = 3;

/// What a record that is not free means to `claim`: it is this very claim, made by an earlier call
/// or by one in flight beside this one, or it is in the way.
///
/// Only what is in progress can be this claim. Two copies of a virtual machine, woken from one
/// snapshot, may share an owner: what the other one has finished is to be replayed, not run again.
pub(in crate::store) fn standing(claim: &Claim, found: Found) -> Begun {
    match found.record {
        Record { state: State::InProgress { .. }, revision, fence, attempts, .. }
            if revision.owner == claim.owner =>
        {
            Begun::Claimed { fence, attempts }
        }
        _ => Begun::Found(found),
    }
}

/// How an execution ended, as it is written.
pub(in crate::store) fn ended(outcome: &Outcome) -> (i64, Option<&Answer>) {
    match outcome {
        Outcome::Completed(answer) => (COMPLETED, Some(answer)),
        Outcome::Failed => (FAILED, None),
        Outcome::Unknown => (UNKNOWN, None),
    }
}

/// Reads what `find.sql` selects; what is kept beside the row is left out.
pub(in crate::store) fn found(id: RecordId, row: &impl Columns) -> Result<Found, StoreError> {
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
pub(in crate::store) fn superseded(row: &impl Columns) -> Result<Superseded, StoreError> {
    let answer = match row.integer("status")? {
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
pub(in crate::store) fn attempt(id: RecordId, row: &impl Columns) -> Result<Attempt, StoreError> {
    let operation = Operation::stored(
        text(row, "operation_name")?,
        Digest::from_bytes(array(row, "operation")?),
        &text(row, "method")?,
        &text(row, "path")?,
    );
    Ok(Attempt {
        id,
        scope: Scope::stored(row.text("scope")?),
        operation,
        fingerprint: fingerprint(row, "fingerprint")?,
        identity: identity(row)?,
        payload: payload(row, "payload", "media_type")?,
    })
}

fn state(row: &impl Columns) -> Result<State, StoreError> {
    match integer(row, "state")? {
        IN_PROGRESS => Ok(State::InProgress { lease_until: time(row, "lease_until")? }),
        COMPLETED => Ok(State::Completed(Arc::new(answer(row)?))),
        FAILED => Ok(State::Failed),
        UNKNOWN => Ok(State::Unknown),
        _ => Err(damaged("state")),
    }
}

fn answer(row: &impl Columns) -> Result<Answer, StoreError> {
    let status = integer(row, "status")?;
    Ok(Answer {
        status: u16::try_from(status).map_err(|_| damaged("status"))?,
        headers: Answer::decode_headers(&bytes(row, "headers")?).ok_or(damaged("headers"))?,
        body: row.bytes("body")?.map(|body| Bytes::from(body.into_owned())),
    })
}

pub(in crate::store) fn fingerprint(
    row: &impl Columns,
    name: &'static str,
) -> Result<Fingerprint, StoreError> {
    Fingerprint::from_bytes(&bytes(row, name)?).ok_or(damaged(name))
}

pub(in crate::store) fn identity(row: &impl Columns) -> Result<Option<Identity>, StoreError> {
    let bytes = row.bytes("identity")?;
    bytes.map(|bytes| Identity::decode(&bytes).ok_or(damaged("identity"))).transpose()
}

pub(in crate::store) fn payload(
    row: &impl Columns,
    name: &'static str,
    media_type: &'static str,
) -> Result<Option<Payload>, StoreError> {
    let Some(bytes) = row.bytes(name)? else {
        return Ok(None);
    };
    let media_type = row.text(media_type)?.map(String::into_boxed_str);
    Ok(Some(Payload { bytes: bytes.into_owned().into(), media_type }))
}

pub(in crate::store) fn time(
    row: &impl Columns,
    name: &'static str,
) -> Result<Timestamp, StoreError> {
    integer(row, name).map(Timestamp::from_millis)
}

pub(in crate::store) fn integer(row: &impl Columns, name: &'static str) -> Result<i64, StoreError> {
    row.integer(name)?.ok_or(damaged(name))
}

pub(in crate::store) fn text(row: &impl Columns, name: &'static str) -> Result<String, StoreError> {
    row.text(name)?.ok_or(damaged(name))
}

fn bytes<'r>(row: &'r impl Columns, name: &'static str) -> Result<Cow<'r, [u8]>, StoreError> {
    row.bytes(name)?.ok_or(damaged(name))
}

pub(in crate::store) fn array<const N: usize>(
    row: &impl Columns,
    name: &'static str,
) -> Result<[u8; N], StoreError> {
    bytes(row, name)?.as_ref().try_into().map_err(|_| damaged(name))
}

pub(in crate::store) fn unsigned(
    row: &impl Columns,
    name: &'static str,
) -> Result<u64, StoreError> {
    u64::try_from(integer(row, name)?).map_err(|_| damaged(name))
}

pub(in crate::store) fn count(row: &impl Columns, name: &'static str) -> Result<u32, StoreError> {
    unsigned(row, name).map(|count| u32::try_from(count).unwrap_or(u32::MAX))
}

pub(in crate::store) fn damaged(column: &'static str) -> StoreError {
    StoreError::Damaged { column }
}
