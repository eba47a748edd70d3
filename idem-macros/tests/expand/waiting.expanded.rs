fn pay(
    opening: ::idem_axum::__private::Opening,
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
    let contract = const {
        &::idem_axum::__private::Contract::new("pay").wait_millis(5000)
    };
    let semantics = {
        use ::idem_axum::__private::{ByAnything as _, ByDerive as _, ByPayload as _};
        (&&&::idem_axum::__private::Probe::<Json<Payment>>::NEW).semantics()
    };
    opening.run(contract, semantics, payload, move |payload| handler(payload))
}
