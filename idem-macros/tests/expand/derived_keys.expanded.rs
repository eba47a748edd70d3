fn settle(
    payload: ::idem_axum::__private::Captured<
        Json<Invoice>,
        impl ::idem_axum::__private::IdempotencyState,
    >,
) -> ::idem_axum::__private::Answering {
    let handler = {
        async fn settle(Json(invoice): Json<Invoice>) -> StatusCode {
            books::settle(invoice).await
        }
        settle
    };
    let contract = ::idem_axum::__private::contract!(
        ::idem_axum::__private::Contract::new("settle")
        .key(::idem_axum::__private::KeyRule::Derived)
    );
    const _: () = ::idem_axum::__private::assert_has_critical::<Json<Invoice>>();
    let semantics = ::idem_axum::__private::Probe::<Json<Invoice>>::NEW
        .semantics()
        .keyed_by_identity();
    ::idem_axum::__private::Opening::of(&payload)
        .run(contract, semantics, payload, move |payload| handler(payload))
}
fn pay(
    payload: ::idem_axum::__private::Captured<
        Json<Payment>,
        impl ::idem_axum::__private::IdempotencyState,
    >,
) -> ::idem_axum::__private::Answering {
    let handler = {
        async fn pay(Json(payment): Json<Payment>) -> StatusCode {
            bank::pay(payment).await
        }
        pay
    };
    let contract = ::idem_axum::__private::contract!(
        ::idem_axum::__private::Contract::new("pay")
        .key(::idem_axum::__private::KeyRule::Derived)
    );
    let semantics = ::idem_axum::__private::Probe::<Json<Payment>>::NEW
        .semantics()
        .keyed_by(|payload| ::idem_axum::__private::KeyText::key_text(
            &<Json<Payment> as ::idem_axum::__private::Payload>::value(payload)
                .meta
                .request_id,
        ));
    ::idem_axum::__private::Opening::of(&payload)
        .run(contract, semantics, payload, move |payload| handler(payload))
}
