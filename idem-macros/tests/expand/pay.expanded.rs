/// Takes a payment.
pub fn pay(
    opening: ::idem_axum::__private::Opening,
    argument0: State<Bank>,
    payload: ::idem_axum::__private::Captured<
        Json<Payment>,
        impl ::idem_axum::__private::IdempotencyState,
    >,
) -> ::idem_axum::__private::Answering {
    let handler = {
        async fn pay(
            State(bank): State<Bank>,
            Json(payment): Json<Payment>,
        ) -> Result<(StatusCode, Json<Receipt>), BankError> {
            bank.pay(payment).await
        }
        pay
    };
    let contract = const {
        &::idem_axum::__private::Contract::new("pay")
            .policy(::idem_axum::__private::Policy::Reject)
            .ttl_millis(259200000)
    };
    let semantics = {
        use ::idem_axum::__private::{ByAnything as _, ByDerive as _, ByPayload as _};
        (&&&::idem_axum::__private::Probe::<Json<Payment>>::NEW).semantics()
    };
    let semantics = semantics
        .critical(|
            payload: &<Json<Payment> as ::idem_axum::__private::Payload>::Value,
            identity: &mut ::idem_axum::__private::Identity|
        {
            identity.field("amount", |out| out.value(&payload.amount));
            identity.field("currency", |out| out.value(&payload.currency));
        });
    opening.run(contract, semantics, payload, move |payload| handler(argument0, payload))
}
