fn refresh(
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
    let contract = ::idem_axum::__private::contract!(
        ::idem_axum::__private::Contract::new("refresh")
    );
    let semantics = ::idem_axum::__private::Probe::<()>::NEW.semantics();
    ::idem_axum::__private::Opening::of(&payload)
        .run(contract, semantics, payload, move |()| handler())
}
fn cancel(
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
    let contract = ::idem_axum::__private::contract!(
        ::idem_axum::__private::Contract::new("cancel")
    );
    let semantics = ::idem_axum::__private::Probe::<Path<u64>>::NEW.semantics();
    ::idem_axum::__private::Opening::of(&payload)
        .run(contract, semantics, payload, move |payload| handler(payload))
}
