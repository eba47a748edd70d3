/// Moves money in the transaction of its record.
pub fn transfer(
    (
        opening,
        argument0,
    ): (
        ::idem_axum::__private::Opening,
        ::idem_axum::__private::Pending<Tx<PostgresStore>>,
    ),
    payload: ::idem_axum::__private::Captured<
        Json<Transfer>,
        impl ::idem_axum::__private::TransactionalState<
            Store = <Tx<PostgresStore> as ::idem_axum::__private::Transactional>::Store,
        >,
    >,
) -> ::idem_axum::__private::Answering {
    let handler = {
        async fn transfer(
            mut tx: Tx<PostgresStore>,
            Json(transfer): Json<Transfer>,
        ) -> Result<Json<Receipt>, BankError> {
            transfer.book(&mut tx).await
        }
        transfer
    };
    let contract = ::idem_axum::__private::contract!(
        ::idem_axum::__private::Contract::new("transfer").critical(& ["amount"])
        .ttl_millis(259200000)
    );
    let semantics = ::idem_axum::__private::Probe::<Json<Transfer>>::NEW
        .semantics()
        .critical(|payload, identity| {
            let payload = <Json<
                Transfer,
            > as ::idem_axum::__private::Payload>::value(payload);
            identity.value("amount", &payload.amount);
        });
    opening
        .run_in_transaction::<
            Tx<PostgresStore>,
            _,
            _,
            _,
            _,
        >(
            contract,
            semantics,
            payload,
            move |payload| handler(argument0.transaction(), payload),
        )
}
