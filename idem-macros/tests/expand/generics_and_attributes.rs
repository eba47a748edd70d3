#[idempotent]
#[tracing::instrument(skip_all)]
#[must_use]
#[allow(clippy::unused_async)]
#[axum::debug_handler]
pub(crate) async fn store<T: Item, const N: usize>(
    mut headers: HeaderMap,
    #[cfg(feature = "audit")] Extension(audit): Extension<Audit>,
    _: Extension<[u8; N]>,
    Json(Wrapper { item, .. }): Json<Wrapper<T>>,
) -> Result<impl IntoResponse, StoreError>
where
    T::Error: Into<StoreError>,
{
    #![allow(unused_mut)]
    item.store().await
}
