fn r#move(
    opening: crate::facade::idem::__private::OpeningWithHeaders,
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
    let contract = const {
        &crate::facade::idem::__private::Contract::new("shop.move")
            .policy(crate::facade::idem::__private::Policy::Review)
            .suspicious_within_millis(10000)
            .fresh_after_millis(43200000)
            .ttl_millis(129600000)
            .lease_millis(1500)
            .wait_millis(750)
            .max_history(16)
            .max_conflicts(4)
            .on_failure(crate::facade::idem::__private::OnFailure::Reject)
            .on_crash(crate::facade::idem::__private::OnCrash::Retry)
            .header("x-retry-key")
            .key(crate::facade::idem::__private::KeyRule::Optional)
    };
    let semantics = {
        use crate::facade::idem::__private::{
            ByAnything as _, ByDerive as _, ByPayload as _,
        };
        (&&&crate::facade::idem::__private::Probe::<Json<(Order,)>>::NEW).semantics()
    };
    let semantics = semantics
        .critical(|
            payload: &<Json<(Order,)> as crate::facade::idem::__private::Payload>::Value,
            identity: &mut crate::facade::idem::__private::Identity|
        {
            identity.field("0.type", |out| out.value(&payload.0.r#type));
        });
    let accept = {
        crate::facade::idem::__private::AtOnce(move |
            payload: <Json<(Order,)> as crate::facade::idem::__private::Payload>::Value|
        { settle(payload) })
    };
    opening
        .run_reviewed(
            contract,
            semantics,
            payload,
            move |payload| handler(payload),
            accept,
        )
}
