fn r#move(
    payload: crate::facade::idem::__private::Captured<
        Json<(Order,)>,
        impl crate::facade::idem::__private::ReviewingState,
    >,
) -> crate::facade::idem::__private::Answering {
    let handler = {
        async fn r#move(Json(order): Json<(Order,)>) -> StatusCode {
            shop::r#move(order).await
        }
        r#move
    };
    let contract = crate::facade::idem::__private::contract!(
        crate ::facade::idem::__private::Contract::new("shop.move").critical(&
        ["0.type"]).policy(crate ::facade::idem::__private::Policy::Review)
        .suspicious_within_millis(10000).fresh_after_millis(43200000)
        .ttl_millis(129600000).lease_millis(1500).wait_millis(750).max_history(16)
        .max_conflicts(4).on_failure(crate ::facade::idem::__private::OnFailure::Reject)
        .on_crash(crate ::facade::idem::__private::OnCrash::Retry).header("x-retry-key")
        .key(crate ::facade::idem::__private::KeyRule::Optional)
    );
    let semantics = crate::facade::idem::__private::Probe::<Json<(Order,)>>::NEW
        .semantics()
        .critical(|payload, identity| {
            let payload = <Json<
                (Order,),
            > as crate::facade::idem::__private::Payload>::value(payload);
            identity
                .value(
                    "0.type",
                    &crate::facade::idem::__private::Inside::of(&payload.0)
                        .fields()
                        .r#type,
                );
        });
    let accept = {
        crate::facade::idem::__private::AtOnce(move |
            payload: <Json<(Order,)> as crate::facade::idem::__private::Payload>::Value|
        { settle(payload) })
    };
    crate::facade::idem::__private::Opening::with_headers_of(&payload)
        .run_reviewed(
            contract,
            semantics,
            payload,
            move |payload| handler(payload),
            accept,
        )
}
