fn order(
    payload: ::idem_axum::__private::Captured<
        Json<Order>,
        impl ::idem_axum::__private::IdempotencyState + ::core::clone::Clone,
    >,
) -> ::idem_axum::__private::Answering {
    let handler = {
        async fn order(Json(order): Json<Order>) -> StatusCode {
            shop::order(order).await
        }
        order
    };
    let contract = ::idem_axum::__private::contract!(
        ::idem_axum::__private::Contract::new("order").critical(& ["amount"])
        .policy(::idem_axum::__private::Policy::Merge).max_history(4)
    );
    const _: () = ::idem_axum::__private::assert_json::<Json<Order>>();
    let semantics = ::idem_axum::__private::Probe::<Json<Order>>::NEW
        .semantics()
        .critical(|payload, identity| {
            let payload = <Json<
                Order,
            > as ::idem_axum::__private::Payload>::value(payload);
            identity.value("amount", &payload.amount);
        })
        .merging();
    ::idem_axum::__private::Opening::of(&payload)
        .run_merging(contract, semantics, payload, move |payload| handler(payload))
}
fn profile(
    payload: ::idem_axum::__private::Captured<
        Json<Profile>,
        impl ::idem_axum::__private::IdempotencyState,
    >,
) -> ::idem_axum::__private::Answering {
    let handler = {
        async fn profile(Json(profile): Json<Profile>) -> StatusCode {
            people::save(profile).await
        }
        profile
    };
    let contract = ::idem_axum::__private::contract!(
        ::idem_axum::__private::Contract::new("profile")
        .policy(::idem_axum::__private::Policy::LastWriteWins)
        .suspicious_within_millis(10000).fresh_after_millis(43200000)
    );
    let semantics = ::idem_axum::__private::Probe::<Json<Profile>>::NEW.semantics();
    ::idem_axum::__private::Opening::of(&payload)
        .run(contract, semantics, payload, move |payload| handler(payload))
}
fn pay(
    (opening, argument0): (::idem_axum::__private::Opening, State<Bank>),
    payload: ::idem_axum::__private::Captured<
        Json<Payment>,
        impl ::idem_axum::__private::ReviewingState,
    >,
) -> ::idem_axum::__private::Answering {
    let handler = {
        async fn pay(
            State(bank): State<Bank>,
            Json(payment): Json<Payment>,
        ) -> StatusCode {
            bank.pay(payment).await
        }
        pay
    };
    let contract = ::idem_axum::__private::contract!(
        ::idem_axum::__private::Contract::new("pay")
        .policy(::idem_axum::__private::Policy::Review).max_conflicts(2)
    );
    let semantics = ::idem_axum::__private::Probe::<Json<Payment>>::NEW.semantics();
    opening
        .run_reviewed(
            contract,
            semantics,
            payload,
            move |payload| handler(argument0, payload),
            ::idem_axum::__private::ByRetry,
        )
}
fn transfer(
    (opening, argument0): (::idem_axum::__private::Opening, State<Bank>),
    argument1: HeaderMap,
    #[cfg(feature = "audit")]
    argument2: axum::extract::State<Audit>,
    payload: ::idem_axum::__private::Captured<
        Json<Payment>,
        impl ::idem_axum::__private::ReviewingState,
    >,
) -> ::idem_axum::__private::Answering {
    let handler = {
        async fn transfer(
            State(bank): State<Bank>,
            headers: HeaderMap,
            #[cfg(feature = "audit")]
            State(audit): axum::extract::State<Audit>,
            Json(payment): Json<Payment>,
        ) -> StatusCode {
            bank.transfer(payment).await
        }
        transfer
    };
    let contract = ::idem_axum::__private::contract!(
        ::idem_axum::__private::Contract::new("transfer")
        .policy(::idem_axum::__private::Policy::Review)
    );
    let semantics = ::idem_axum::__private::Probe::<Json<Payment>>::NEW.semantics();
    let accept = {
        let state0 = ::core::clone::Clone::clone(&argument0);
        #[cfg(feature = "audit")]
        let state2 = ::core::clone::Clone::clone(&argument2);
        ::idem_axum::__private::AtOnce(move |
            payload: <Json<Payment> as ::idem_axum::__private::Payload>::Value|
        {
            let state0 = ::core::clone::Clone::clone(&state0.0);
            #[cfg(feature = "audit")]
            let state2 = ::core::clone::Clone::clone(&state2.0);
            desk::settle(state0, #[cfg(feature = "audit")] state2, payload)
        })
    };
    opening
        .run_reviewed(
            contract,
            semantics,
            payload,
            move |payload| handler(
                argument0,
                argument1,
                #[cfg(feature = "audit")]
                argument2,
                payload,
            ),
            accept,
        )
}
