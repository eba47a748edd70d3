fn order(
    opening: ::idem_axum::__private::Opening,
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
    let contract = const { &::idem_axum::__private::Contract::new("order") };
    let semantics = {
        use ::idem_axum::__private::{ByAnything as _, ByDerive as _, ByPayload as _};
        (&&&::idem_axum::__private::Probe::<Json<Order>>::NEW).semantics()
    };
    let semantics = semantics
        .critical(|
            payload: &<Json<Order> as ::idem_axum::__private::Payload>::Value,
            identity: &mut ::idem_axum::__private::Identity|
        {
            identity.field("amount", |out| out.value(&payload.amount));
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
            identity.field("0", |out| out.value(&payload.0));
        });
    opening.run(contract, semantics, payload, move |payload| handler(payload))
}
