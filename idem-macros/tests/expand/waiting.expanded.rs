fn pay(
    payload: ::idem_axum::__private::Captured<
        Json<Payment>,
        impl ::idem_axum::__private::IdempotencyState,
    >,
) -> ::idem_axum::__private::Answering {
    let handler = {
        async fn pay(Json(payment): Json<Payment>) -> Json<Receipt> {
            bank::pay(payment).await
        }
        pay
    };
    let contract = ::idem_axum::__private::contract!(
        ::idem_axum::__private::Contract::new("pay").wait_millis(5000)
    );
    let semantics = ::idem_axum::__private::Probe::<Json<Payment>>::NEW.semantics();
    ::idem_axum::__private::Opening::of(&payload)
        .run(contract, semantics, payload, move |payload| handler(payload))
}
