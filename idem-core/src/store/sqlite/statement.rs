//! The verbs as statements on one connection; the caller opens and commits transactions.

use sqlx::{Row, SqliteConnection};

use super::review;
use crate::attempt::RecordId;
use crate::clock::millis;
use crate::lease::Lease;
use crate::record::Answer;
use crate::store::{Outcome, StoreError, Written, rows};

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
    let (state, answer) = rows::ended(outcome);
    let done = held(include_str!("finish.sql"), lease)
        .bind(state)
        .bind(answer.map(|answer| answer.status))
        .bind(answer.map(Answer::encode_headers))
        .bind(answer.and_then(|answer| answer.body.as_deref()))
        .bind(millis(lease.ttl))
        .execute(db)
        .await?;
    Ok(written(done.rows_affected()))
}

pub(super) async fn release(db: &mut SqliteConnection, lease: &Lease) -> Result<Written, Failure> {
    let released = held(include_str!("release.sql"), lease).fetch_optional(&mut *db).await?;
    let Some(row) = released else {
        return Ok(Written::Fenced);
    };
    if row.try_get::<i64, _>("disputed_until")? > 0 {
        review::expire_all(db, &lease.id).await?;
    }
    Ok(Written::Done)
}

pub(super) async fn purge(db: &mut SqliteConnection, limit: u32) -> Result<u32, Failure> {
    let done = sqlx::query(include_str!("purge.sql")).bind(limit).execute(&mut *db).await?;
    let records = u32::try_from(done.rows_affected()).unwrap_or(limit);
    match limit.saturating_sub(records) {
        0 => Ok(records),
        rest => Ok(records + review::purge(db, rest).await?),
    }
}

type Query<'q> = sqlx::query::Query<'q, sqlx::Sqlite, sqlx::sqlite::SqliteArguments>;

/// A statement whose first three parameters name the holder.
fn held<'q>(sql: &'static str, lease: &'q Lease) -> Query<'q> {
    sqlx::query(sql)
        .bind(id_bytes(&lease.id))
        .bind(lease.owner.as_bytes().to_vec())
        .bind(signed(lease.fence.get()))
}

/// The name of a record as the tables have it.
pub(super) fn id_bytes(id: &RecordId) -> Vec<u8> {
    id.digest().as_bytes().to_vec()
}

/// SQLite's integers are signed; tokens and versions stay far below the sign.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn written(rows: u64) -> Written {
    if rows > 0 { Written::Done } else { Written::Fenced }
}
