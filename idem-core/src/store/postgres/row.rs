//! From rows, which are sent as text, to records.

use std::borrow::Cow;

use sqlx::postgres::PgRow;
use sqlx::{Decode, Postgres, Row, Type};

use crate::attempt::{Attempt, RecordId};
use crate::fingerprint::Fingerprint;
use crate::identity::Identity;
use crate::record::Superseded;
use crate::review::{ConflictId, Disputed};
use crate::store::rows::{self, Columns, damaged};
use crate::store::{Found, StoreError};

impl Columns for PgRow {
    fn integer(&self, name: &'static str) -> Result<Option<i64>, StoreError> {
        column(self, name)
    }

    fn text(&self, name: &'static str) -> Result<Option<String>, StoreError> {
        column(self, name)
    }

    fn bytes(&self, name: &'static str) -> Result<Option<Cow<'_, [u8]>>, StoreError> {
        Ok(column::<Option<Vec<u8>>>(self, name)?.map(Cow::Owned))
    }
}

pub(super) fn column<'r, T>(row: &'r PgRow, name: &'static str) -> Result<T, StoreError>
where
    T: Decode<'r, Postgres> + Type<Postgres>,
{
    row.try_get(name).map_err(|_| damaged(name))
}

/// Reads what `idem_find` returns: the record, with what `asking` is to know of its history and
/// conflicts. `None` when it returned nothing.
pub(super) fn found(
    id: RecordId,
    rows: &[PgRow],
    asking: Option<&Attempt>,
) -> Result<Option<Found>, StoreError> {
    let Some(first) = rows.first().filter(|row| row.integer("now").is_ok_and(|now| now.is_some()))
    else {
        return Ok(None);
    };
    let mut found = rows::found(id, first)?;
    found.record.conflicts = conflicts(first)?;
    let accepted = &found.record.accepted;
    // What the record itself stands for is not in its history.
    let asking = asking.filter(|attempt| {
        !attempt.is_same_payload(&accepted.fingerprint, accepted.identity.as_ref())
    });
    if let Some(attempt) = asking {
        found.record.superseded = superseded(rows, attempt)?;
    }
    Ok(Some(found))
}

/// The execution of the payload of `attempt` among those that have its fingerprint.
fn superseded(rows: &[PgRow], attempt: &Attempt) -> Result<Option<Superseded>, StoreError> {
    for row in rows.iter().map(Past) {
        if row.integer("version")?.is_none() {
            return Ok(None);
        }
        let entry = rows::superseded(&row)?;
        if attempt.is_same_payload(&entry.fingerprint, entry.identity.as_ref()) {
            return Ok(Some(entry));
        }
    }
    Ok(None)
}

/// The columns of a superseded execution, beside those of its record.
struct Past<'r>(&'r PgRow);

impl Past<'_> {
    fn column<'r, T>(&'r self, name: &'static str) -> Result<T, StoreError>
    where
        T: Decode<'r, Postgres> + Type<Postgres>,
    {
        self.0.try_get(["past_", name].concat().as_str()).map_err(|_| damaged(name))
    }
}

impl Columns for Past<'_> {
    fn integer(&self, name: &'static str) -> Result<Option<i64>, StoreError> {
        self.column(name)
    }

    fn text(&self, name: &'static str) -> Result<Option<String>, StoreError> {
        self.column(name)
    }

    fn bytes(&self, name: &'static str) -> Result<Option<Cow<'_, [u8]>>, StoreError> {
        Ok(self.column::<Option<Vec<u8>>>(name)?.map(Cow::Owned))
    }
}

/// The conflicts about a record, a list for each of their columns.
fn conflicts(row: &PgRow) -> Result<Vec<Disputed>, StoreError> {
    let Some(ids) = column::<Option<Vec<Vec<u8>>>>(row, "conflict_ids")? else {
        return Ok(Vec::new());
    };
    let fingerprints: Vec<Vec<u8>> = column(row, "conflict_fingerprints")?;
    let identities: Vec<Option<Vec<u8>>> = column(row, "conflict_identities")?;
    let states: Vec<i64> = column(row, "conflict_states")?;
    let taken: Vec<bool> = column(row, "conflict_taken")?;
    let columns = ids.iter().zip(&fingerprints).zip(&identities).zip(&states).zip(&taken);
    columns
        .map(|((((id, fingerprint), identity), state), taken)| {
            let identity = identity.as_deref();
            Ok(Disputed {
                id: conflict_id(id, "conflict_ids")?,
                fingerprint: Fingerprint::from_bytes(fingerprint).ok_or(damaged("fingerprint"))?,
                identity: identity
                    .map(|bytes| Identity::decode(bytes).ok_or(damaged("identity")))
                    .transpose()?,
                state: rows::review::written(*state)?,
                taken: *taken,
            })
        })
        .collect()
}

pub(super) fn conflict_id(bytes: &[u8], name: &'static str) -> Result<ConflictId, StoreError> {
    bytes.try_into().map(ConflictId::from_bytes).map_err(|_| damaged(name))
}
