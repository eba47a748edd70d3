//! Which conflicts are listed.

use sqlx::{QueryBuilder, Sqlite, SqliteConnection};

use crate::review::{Conflict, ConflictState, Filter};
use crate::store::sqlite::statement::{Failure, id_bytes};
use crate::store::{StoreError, rows};

/// The conflicts that pass the filter, newest first.
pub(in crate::store::sqlite) async fn conflicts(
    db: &mut SqliteConnection,
    filter: &Filter,
) -> Result<Vec<Conflict>, Failure> {
    let rows = query(filter).build().fetch_all(db).await?;
    Ok(rows.iter().map(rows::review::conflict).collect::<Result<_, StoreError>>()?)
}

/// Only what is asked for stands in the statement: a condition that may or may not hold would keep
/// SQLite from the index that has its column, and the newest few from being read alone.
fn query(filter: &Filter) -> QueryBuilder<Sqlite> {
    let mut query = QueryBuilder::new(concat!(include_str!("conflict.sql"), "WHERE true"));
    if let Some(state) = filter.state {
        query.push(standing(state));
    }
    if let Some(operation) = &filter.operation {
        query.push(" AND operation_name = ").push_bind(operation.clone());
    }
    if let Some(scope) = &filter.scope {
        query.push(" AND scope IS ").push_bind(scope.id().map(str::to_owned));
    }
    if let Some(record) = &filter.record {
        query.push(" AND record = ").push_bind(id_bytes(record));
    }
    if let Some((held_at, id)) = filter.before {
        query.push(" AND (held_at, id) < (").push_bind(held_at.as_millis());
        query.push(", ").push_bind(id.as_bytes().to_vec()).push(")");
    }
    query.push(" ORDER BY held_at DESC, id DESC LIMIT ").push_bind(filter.limit);
    query
}

/// [`Conflict::state_at`] as a condition.
const fn standing(state: ConflictState) -> &'static str {
    match state {
        ConflictState::Pending => " AND state = 0 AND expires_at > now",
        ConflictState::Accepted => " AND state = 1 AND (expires_at > now OR taken_at IS NOT NULL)",
        ConflictState::Kept => " AND state = 2",
        // The sign keeps SQLite from gathering both states by their index and sorting what it has.
        ConflictState::Expired => {
            " AND (+state = 0 OR (+state = 1 AND taken_at IS NULL)) AND expires_at <= now"
        }
    }
}

#[cfg(test)]
mod tests {
    use sqlx::{ConnectOptions as _, Row};

    use super::*;
    use crate::attempt::RecordId;
    use crate::clock::Timestamp;
    use crate::digest::Digest;
    use crate::review::ConflictId;
    use crate::scope::Scope;

    /// Every filter there is.
    fn filters() -> Vec<Filter> {
        use ConflictState::{Accepted, Expired, Kept, Pending};
        let before = Some((Timestamp::from_millis(1), ConflictId::from_bytes([1; 16])));
        let operation = Some("pay".to_owned());
        let record = Some(RecordId::from_digest(Digest::of(&[])));
        let mut filters = Vec::new();
        for state in [None, Some(Pending), Some(Accepted), Some(Kept), Some(Expired)] {
            for before in [None, before] {
                let all = Filter { state, before, ..Filter::default() };
                filters.push(Filter { operation: operation.clone(), ..all.clone() });
                filters.push(Filter { scope: Some(Scope::GLOBAL), ..all.clone() });
                filters.push(Filter { record, ..all.clone() });
                filters.push(all);
            }
        }
        filters
    }

    #[tokio::test]
    async fn no_list_is_sorted_before_its_newest_are_known() {
        let mut db = sqlx::sqlite::SqliteConnectOptions::new().connect().await.unwrap();
        sqlx::raw_sql(include_str!("../schema.sql")).execute(&mut db).await.unwrap();
        for filter in filters() {
            let explain = format!("EXPLAIN QUERY PLAN {}", query(&filter).sql().as_str());
            let plan = sqlx::query(sqlx::AssertSqlSafe(explain)).fetch_all(&mut db).await.unwrap();
            let steps: Vec<String> = plan.iter().map(|row| row.get("detail")).collect();
            assert!(
                !steps.iter().any(|step| step.contains("TEMP B-TREE")),
                "{filter:?}: {steps:?}"
            );
        }
    }
}
