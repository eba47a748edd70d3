fn order(
    payload: ::idem_axum::__private::Captured<
        Json<Order>,
        impl ::idem_axum::__private::IdempotencyState,
    >,
) -> ::idem_axum::__private::Answering {
    let handler = {
        async fn order(Json(order): Json<Order>) -> StatusCode {
            shop::order(order).await
        }
        order
    };
    let contract = ::idem_axum::__private::contract!(
        ::idem_axum::__private::Contract::new("order").critical(& ["amount",
        "card?.last4", "items[].sku", "rows[][]?", "0"])
    );
    let semantics = ::idem_axum::__private::Probe::<Json<Order>>::NEW
        .semantics()
        .critical(|payload, identity| {
            let payload = <Json<
                Order,
            > as ::idem_axum::__private::Payload>::value(payload);
            identity.value("amount", &payload.amount);
            identity
                .field(
                    "card?.last4",
                    |out| out.option(&payload.card, |out, some| out.value(&some.last4)),
                );
            identity
                .field(
                    "items[].sku",
                    |out| out.each(&payload.items, |out, each| out.value(&each.sku)),
                );
            identity
                .field(
                    "rows[][]?",
                    |out| {
                        out
                            .each(
                                &payload.rows,
                                |out, each| {
                                    out
                                        .each(
                                            each,
                                            |out, each| out.option(each, |out, some| out.value(some)),
                                        )
                                },
                            )
                    },
                );
            identity.value("0", &payload.0);
        });
    ::idem_axum::__private::Opening::of(&payload)
        .run(contract, semantics, payload, move |payload| handler(payload))
}
