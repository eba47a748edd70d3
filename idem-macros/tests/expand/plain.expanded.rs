fn refresh(
    opening: ::idem_axum::__private::Opening,
    payload: ::idem_axum::__private::Captured<
        (),
        impl ::idem_axum::__private::IdempotencyState,
    >,
) -> ::idem_axum::__private::Answering {
    let handler = {
        async fn refresh() -> &'static str {
            "done"
        }
        refresh
    };
    let contract = const { &::idem_axum::__private::Contract::new("refresh") };
    let semantics = {
        use ::idem_axum::__private::{ByAnything as _, ByDerive as _, ByPayload as _};
        (&&&::idem_axum::__private::Probe::<()>::NEW).semantics()
    };
    opening.run(contract, semantics, payload, move |()| handler())
}
fn cancel(
    opening: ::idem_axum::__private::Opening,
    payload: ::idem_axum::__private::Captured<
        Path<u64>,
        impl ::idem_axum::__private::IdempotencyState,
    >,
) -> ::idem_axum::__private::Answering {
    let handler = {
        async fn cancel(Path(order): Path<u64>) -> StatusCode {
            shop::cancel(order).await
        }
        cancel
    };
    let contract = const { &::idem_axum::__private::Contract::new("cancel") };
    let semantics = {
        use ::idem_axum::__private::{ByAnything as _, ByDerive as _, ByPayload as _};
        (&&&::idem_axum::__private::Probe::<Path<u64>>::NEW).semantics()
    };
    opening.run(contract, semantics, payload, move |payload| handler(payload))
}
