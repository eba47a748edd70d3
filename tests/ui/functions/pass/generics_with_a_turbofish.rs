use axum::Json;
use axum::extract::Path;
use idem_axum::idempotent;
use serde::de::DeserializeOwned;

#[idempotent]
async fn store<T, const LIMIT: usize>(Path(_shop): Path<u64>, Json(items): Json<Vec<T>>) -> String
where
    T: DeserializeOwned + ToString + Send + 'static,
{
    items.iter().take(LIMIT).map(ToString::to_string).collect()
}

fn main() {
    ui::route(store::<u64, 3>);
}
