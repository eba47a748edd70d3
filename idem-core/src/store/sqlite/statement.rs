//! The verbs as statements on one connection; the caller opens and commits transactions.

use sqlx::{Row, SqliteConnection};

use super::row;
use crate::attempt::RecordId;
use crate::clock::millis;
use crate::lease::{Fence, Lease};
use crate::record::{Record, State};
use crate::store::{Begun, Claim, Found, Outcome, StoreError, Written};

/// What a statement failed on.
pub(super) enum Failure {
    /// SQLite itself: nothing of its transaction can be relied on.
    Sqlite(sqlx::Error),
    /// What the file holds: other calls of the batch are not concerned.
    Content(StoreError),
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Content(error)
    }
}

/// The record of `id`, expired or not.
pub(super) async fn find(
    db: &mut SqliteConnection,
    id: RecordId,
) -> Result<Option<Found>, Failure> {
    let row = sqlx::query(include_str!("find.sql"))
        .bind(&id.digest().as_bytes()[..])
        .fetch_optional(db)
        .await?;
    Ok(row.map(|row| row::found(id, &row)).transpose()?)
}

/// The record of `id`, unless it is expired.
pub(super) async fn find_current(
    db: &mut SqliteConnection,
    id: RecordId,
) -> Result<Option<Found>, Failure> {
    let found = find(db, id).await?;
    Ok(found.filter(|found| !found.record.is_expired(found.now)))
}

/// What stands against `claim` without a write: `None` when a write must be tried.
pub(super) async fn peek(
    db: &mut SqliteConnection,
    claim: &Claim,
) -> Result<Option<Begun>, Failure> {
    let Some(found) = find(db, claim.attempt.id).await? else {
        return Ok(None);
    };
    let record = &found.record;
    let free = record.is_expired(found.now) || claim.over == Some(record.revision);
    Ok((!free).then(|| standing(claim, found)))
}

/// What a record that is not free means to `claim`: it is this very claim, made by an earlier call
/// or by one in flight beside this one, or it is in the way.
///
/// Only what is in progress can be this claim. Two copies of a virtual machine, woken from one
/// snapshot, may share an owner: what the other one has finished is to be replayed, not run again.
fn standing(claim: &Claim, found: Found) -> Begun {
    match found.record {
        Record { state: State::InProgress { .. }, revision, fence, attempts, .. }
            if revision.owner == claim.owner =>
        {
            Begun::Claimed { fence, attempts }
        }
        _ => Begun::Found(found),
    }
}

/// Claims under the write lock, or returns what another process wrote first.
pub(super) async fn begin(db: &mut SqliteConnection, claim: &Claim) -> Result<Begun, Failure> {
    let attempt = &claim.attempt;
    let over = claim.over.as_ref();
    let granted = sqlx::query(include_str!("begin.sql"))
        .bind(&attempt.id.digest().as_bytes()[..])
        .bind(attempt.operation.name())
        .bind(&attempt.operation.digest().as_bytes()[..])
        .bind(&attempt.fingerprint.to_bytes()[..])
        .bind(attempt.identity.as_ref().map(crate::identity::Identity::encode))
        .bind(&claim.owner.as_bytes()[..])
        .bind(millis(claim.lease))
        .bind(millis(claim.retention()))
        .bind(over.map(|revision| &revision.owner.as_bytes()[..]))
        .bind(over.map(|revision| signed(revision.version)))
        .bind(attempt.scope.id())
        .fetch_optional(&mut *db)
        .await?;
    if let Some(row) = granted {
        return Ok(Begun::Claimed {
            fence: Fence::new(u64::try_from(row.try_get::<i64, _>(0)?).unwrap_or(0)),
            attempts: u32::try_from(row.try_get::<i64, _>(1)?).unwrap_or(u32::MAX),
        });
    }
    // Under the write lock the row that was in the way is still there. Time may have passed over
    // its expiry since the statement looked: then the engine sees that, and claims again.
    match find(db, attempt.id).await? {
        Some(found) => Ok(standing(claim, found)),
        None => Err(Failure::Sqlite(sqlx::Error::RowNotFound)),
    }
}

pub(super) async fn renew(db: &mut SqliteConnection, lease: &Lease) -> Result<Written, Failure> {
    let done = held(include_str!("renew.sql"), lease)
        .bind(millis(lease.duration))
        .bind(millis(lease.retention()))
        .execute(db)
        .await?;
    Ok(written(done.rows_affected()))
}

pub(super) async fn finish(
    db: &mut SqliteConnection,
    lease: &Lease,
    outcome: &Outcome,
) -> Result<Written, Failure> {
    let (state, answer) = match outcome {
        Outcome::Completed(answer) => (row::COMPLETED, Some(answer)),
        Outcome::Failed => (row::FAILED, None),
        Outcome::Unknown => (row::UNKNOWN, None),
    };
    let done = held(include_str!("finish.sql"), lease)
        .bind(state)
        .bind(answer.map(|answer| answer.status))
        .bind(answer.map(|answer| answer.encode_headers()))
        .bind(answer.and_then(|answer| answer.body.as_deref()))
        .bind(millis(lease.ttl))
        .execute(db)
        .await?;
    Ok(written(done.rows_affected()))
}

pub(super) async fn release(db: &mut SqliteConnection, lease: &Lease) -> Result<Written, Failure> {
    let done = held(include_str!("release.sql"), lease).execute(db).await?;
    Ok(written(done.rows_affected()))
}

pub(super) async fn purge(db: &mut SqliteConnection, limit: u32) -> Result<u32, Failure> {
    let done = sqlx::query(include_str!("purge.sql")).bind(limit).execute(db).await?;
    Ok(u32::try_from(done.rows_affected()).unwrap_or(limit))
}

type Query<'q> = sqlx::query::Query<'q, sqlx::Sqlite, sqlx::sqlite::SqliteArguments>;

/// A statement whose first three parameters name the holder.
fn held<'q>(sql: &'static str, lease: &'q Lease) -> Query<'q> {
    sqlx::query(sql)
        .bind(lease.id.digest().as_bytes().to_vec())
        .bind(lease.owner.as_bytes().to_vec())
        .bind(signed(lease.fence.get()))
}

/// SQLite's integers are signed; tokens and versions stay far below the sign.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn written(rows: u64) -> Written {
    if rows > 0 { Written::Done } else { Written::Fenced }
}
