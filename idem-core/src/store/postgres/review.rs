//! Attempts that are held for people to decide.

use super::statement::Statement;
use super::{PostgresStore, row, signed};
use crate::clock::millis;
use crate::identity::Identity;
use crate::review::{Conflict, ConflictId, ConflictState, Decide, Decided, Filter, Hold, Holding};
use crate::store::rows::review as rows;
use crate::store::{ReviewStore, StoreError};

impl ReviewStore for PostgresStore {
    async fn hold(&self, hold: &Hold) -> Result<Holding, StoreError> {
        let row = self.connections.fetch_one(&holding(hold)).await?;
        match row::column::<&str>(&row, "outcome")? {
            "held" => Ok(Holding::Held(rows::id(&row, "conflict")?)),
            "full" => Ok(Holding::Full),
            _ => Ok(Holding::Moved),
        }
    }

    async fn conflict(&self, id: &ConflictId) -> Result<Option<Conflict>, StoreError> {
        let one = conflicts().with("WHERE id = ").bytes(&id.as_bytes()[..]);
        self.connections.fetch(&one).await?.first().map(rows::conflict).transpose()
    }

    async fn conflicts(&self, filter: &Filter) -> Result<Vec<Conflict>, StoreError> {
        self.connections.fetch(&listing(filter)).await?.iter().map(rows::conflict).collect()
    }

    async fn decide(&self, decide: &Decide) -> Result<Option<Decided>, StoreError> {
        // Before anything is written: what cannot be read is not decided either.
        if self.conflict(&decide.id).await?.is_none() {
            return Ok(None);
        }
        let decision = Statement::new("SELECT idem_decide($1, $2, $3, $4, $5) AS done")
            .bytes(&decide.id.as_bytes()[..])
            .integer(signed(decide.version))
            .integer(rows::number(decide.ruling.state()))
            .text(decide.by.as_str())
            .text(decide.reason.as_str());
        let row = self.connections.fetch_one(&decision).await?;
        let done: bool = row::column(&row, "done")?;
        let conflict = self.conflict(&decide.id).await?;
        Ok(conflict.map(if done { Decided::Done } else { Decided::Stale }))
    }
}

fn holding(hold: &Hold) -> Statement {
    let attempt = &hold.attempt;
    let (operation, payload) = (&attempt.operation, attempt.payload.as_ref());
    let identity = attempt.identity.as_ref().map(Identity::encode);
    let changed = serde_json::to_string(&hold.changed).expect("a list of strings is JSON");
    Statement::new(include_str!("hold.sql"))
        .bytes(&attempt.id.digest().as_bytes()[..])
        .bytes(&hold.seen.as_bytes()[..])
        .bytes(&hold.id.as_bytes()[..])
        .integer(millis(hold.ttl))
        .integer(i64::from(hold.limit))
        .text(attempt.scope.id())
        .text(operation.name())
        .bytes(&operation.digest().as_bytes()[..])
        .text(operation.method())
        .text(operation.path())
        .bytes(&attempt.fingerprint.to_bytes()[..])
        .bytes(identity.as_deref())
        .text(changed.as_str())
        .text(payload.and_then(|payload| payload.media_type.as_deref()))
        .bytes(payload.map(|payload| &payload.bytes[..]))
}

fn conflicts() -> Statement {
    Statement::new(include_str!("conflict.sql"))
}

/// Only what is asked for stands in the statement, so that an index gives the newest few in order.
fn listing(filter: &Filter) -> Statement {
    let mut list = conflicts().then("WHERE true");
    if let Some(state) = filter.state {
        list = list.then(standing(state));
    }
    if let Some(operation) = &filter.operation {
        list = list.with(" AND operation_name = ").text(operation.as_str());
    }
    list = match filter.scope.as_ref().map(|scope| scope.id()) {
        None => list,
        Some(None) => list.then(" AND scope IS NULL"),
        Some(id) => list.with(" AND scope = ").text(id),
    };
    if let Some(record) = &filter.record {
        list = list.with(" AND record = ").bytes(&record.digest().as_bytes()[..]);
    }
    if let Some((held_at, id)) = filter.before {
        list = list.with(" AND (held_at, id) < (").integer(held_at.as_millis());
        list = list.with(", ").bytes(&id.as_bytes()[..]).then(")");
    }
    list.with(" ORDER BY held_at DESC, id DESC LIMIT ").integer(i64::from(filter.limit))
}

/// [`Conflict::state_at`] as a condition.
const fn standing(state: ConflictState) -> &'static str {
    match state {
        ConflictState::Pending => " AND state = 0 AND expires_at > now",
        ConflictState::Accepted => " AND state = 1 AND (expires_at > now OR taken_at IS NOT NULL)",
        ConflictState::Kept => " AND state = 2",
        ConflictState::Expired => {
            " AND (state = 0 OR (state = 1 AND taken_at IS NULL)) AND expires_at <= now"
        }
    }
}
