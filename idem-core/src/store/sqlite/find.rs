//! Reading a record together with what is kept beside its row.

use sqlx::{Connection as _, SqliteConnection};

use super::statement::Failure;
use super::{history, review};
use crate::attempt::{Attempt, RecordId};
use crate::clock::Timestamp;
use crate::store::{Found, StoreError, rows};

/// The record of `id`, expired or not, with what `asking` is to know of its history and conflicts;
/// one statement where there is nothing of these.
pub(super) async fn find(
    db: &mut SqliteConnection,
    id: RecordId,
    asking: Option<&Attempt>,
) -> Result<Option<Found>, Failure> {
    match read_row(db, id).await? {
        Some(located) if located.has_more(asking) => Ok(Some(complete(db, located, asking).await?)),
        located => Ok(located.map(|located| located.found)),
    }
}

/// The same on a connection that is in no transaction. Where there is more than the row, the row is
/// read again together with it: between two statements a take-over may have moved an execution
/// from the one to the other, or people may have decided.
pub(super) async fn find_in_snapshot(
    db: &mut SqliteConnection,
    id: RecordId,
    asking: Option<&Attempt>,
) -> Result<Option<Found>, Failure> {
    match read_row(db, id).await? {
        Some(located) if located.has_more(asking) => {
            let mut snapshot = db.begin().await?;
            let found = find(&mut snapshot, id, asking).await;
            snapshot.rollback().await?;
            found
        }
        located => Ok(located.map(|located| located.found)),
    }
}

/// The record of `id`, unless it is expired.
pub(super) async fn find_current(
    db: &mut SqliteConnection,
    id: RecordId,
) -> Result<Option<Found>, Failure> {
    let found = find_in_snapshot(db, id, None).await?;
    Ok(found.filter(|found| !found.record.is_expired(found.now)))
}

/// What the row of a record says.
struct Located {
    found: Found,
    disputed_until: Timestamp,
}

impl Located {
    fn has_more(&self, asking: Option<&Attempt>) -> bool {
        self.is_disputed() || asking.is_some_and(|attempt| self.may_remember(attempt))
    }

    fn is_disputed(&self) -> bool {
        self.found.now < self.disputed_until
    }

    /// What the record itself stands for is not in its history.
    fn may_remember(&self, attempt: &Attempt) -> bool {
        let accepted = &self.found.record.accepted;
        self.found.record.history > 0
            && !attempt.is_same_payload(&accepted.fingerprint, accepted.identity.as_ref())
    }
}

async fn read_row(db: &mut SqliteConnection, id: RecordId) -> Result<Option<Located>, Failure> {
    let row = sqlx::query(include_str!("find.sql"))
        .bind(&id.digest().as_bytes()[..])
        .fetch_optional(db)
        .await?;
    let located = row.map(|row| -> Result<_, StoreError> {
        let disputed_until = rows::time(&row, "disputed_until")?;
        Ok(Located { found: rows::found(id, &row)?, disputed_until })
    });
    Ok(located.transpose()?)
}

async fn complete(
    db: &mut SqliteConnection,
    located: Located,
    asking: Option<&Attempt>,
) -> Result<Found, Failure> {
    let superseded = match asking.filter(|attempt| located.may_remember(attempt)) {
        Some(attempt) => history::superseded(db, attempt).await?,
        None => None,
    };
    let is_disputed = located.is_disputed();
    let mut found = located.found;
    found.record.superseded = superseded;
    if is_disputed {
        found.record.conflicts = review::about(db, found.record.accepted.id, found.now).await?;
    }
    Ok(found)
}
