/// Takes a payment.
pub fn pay(
    (opening, argument0): (::idem_axum::__private::Opening, State<Bank>),
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
    let contract = ::idem_axum::__private::contract!(
        ::idem_axum::__private::Contract::new("pay").critical(& ["amount", "currency"])
        .policy(::idem_axum::__private::Policy::Reject).ttl_millis(259200000)
    );
    let semantics = ::idem_axum::__private::Probe::<Json<Payment>>::NEW
        .semantics()
        .critical(|payload, identity| {
            let payload = <Json<
                Payment,
            > as ::idem_axum::__private::Payload>::value(payload);
            identity.value("amount", &payload.amount);
            identity.value("currency", &payload.currency);
        });
    opening.run(contract, semantics, payload, move |payload| handler(argument0, payload))
}
