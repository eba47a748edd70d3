fn settle(
    opening: ::idem_axum::__private::Opening,
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
    let contract = const {
        &::idem_axum::__private::Contract::new("settle")
            .key(::idem_axum::__private::KeyRule::Derived)
    };
    let semantics = {
        use ::idem_axum::__private::{ByAnything as _, ByDerive as _, ByPayload as _};
        (&&&::idem_axum::__private::Probe::<Json<Invoice>>::NEW).semantics()
    };
    const _: () = ::core::assert!(
        << Json < Invoice > as ::idem_axum::__private::Payload > ::Value as
        ::idem_axum::__private::SemanticIdentity > ::HAS_CRITICAL,
        "the key is made of the critical fields, and the payload has none\nhelp: mark fields with `#[idem(critical)]`, or write `critical = [\"amount\"]`",
    );
    let semantics = semantics.keyed_by_identity();
    opening.run(contract, semantics, payload, move |payload| handler(payload))
}
fn pay(
    opening: ::idem_axum::__private::Opening,
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
    let contract = const {
        &::idem_axum::__private::Contract::new("pay")
            .key(::idem_axum::__private::KeyRule::Derived)
    };
    let semantics = {
        use ::idem_axum::__private::{ByAnything as _, ByDerive as _, ByPayload as _};
        (&&&::idem_axum::__private::Probe::<Json<Payment>>::NEW).semantics()
    };
    let semantics = semantics
        .keyed_by(|payload: &<Json<Payment> as ::idem_axum::__private::Payload>::Value| ::idem_axum::__private::KeyText::key_text(
            &payload.meta.request_id,
        ));
    opening.run(contract, semantics, payload, move |payload| handler(payload))
}
