#[must_use]
#[allow(clippy::unused_async)]
pub(crate) fn store<T: Item, const N: usize>(
    (opening, argument0): (::idem_axum::__private::Opening, HeaderMap),
    #[cfg(feature = "audit")]
    argument1: Extension<Audit>,
    argument2: Extension<[u8; N]>,
    payload: ::idem_axum::__private::Captured<
        Json<Wrapper<T>>,
        impl ::idem_axum::__private::IdempotencyState,
    >,
) -> ::idem_axum::__private::Answering
where
    T::Error: Into<StoreError>,
{
    let handler = {
        #[tracing::instrument(skip_all)]
        #[axum::debug_handler]
        async fn store<T: Item, const N: usize>(
            mut headers: HeaderMap,
            #[cfg(feature = "audit")]
            Extension(audit): Extension<Audit>,
            _: Extension<[u8; N]>,
            Json(Wrapper { item, .. }): Json<Wrapper<T>>,
        ) -> Result<impl IntoResponse, StoreError>
        where
            T::Error: Into<StoreError>,
        {
            #![allow(unused_mut)]
            item.store().await
        }
        store::<T, N>
    };
    let contract = ::idem_axum::__private::contract!(
        ::idem_axum::__private::Contract::new("store")
    );
    let semantics = ::idem_axum::__private::Probe::<Json<Wrapper<T>>>::NEW.semantics();
    opening
        .run(
            contract,
            semantics,
            payload,
            move |payload| handler(
                argument0,
                #[cfg(feature = "audit")]
                argument1,
                argument2,
                payload,
            ),
        )
}
