#[automatically_derived]
impl<T> ::idem_axum::__private::SemanticIdentity for Payment<T>
where
    T: ::idem_axum::__private::IdentityValue,
{
    const MASK: &'static ::idem_axum::__private::Mask = &::idem_axum::__private::Mask::new(
            &[
                ::idem_axum::__private::Member::ignored(&["clientTime", "ts"]),
                ::idem_axum::__private::Member::nested(
                    &["billingCard"],
                    <Option<Card> as ::idem_axum::__private::SemanticIdentity>::MASK,
                ),
            ],
        )
        .with_flattened(&[<Meta as ::idem_axum::__private::SemanticIdentity>::MASK]);
    const HAS_CRITICAL: ::core::primitive::bool = true;
    fn write_critical(&self, identity: &mut ::idem_axum::__private::Identity) {
        identity.value("amount", &self.amount);
        identity.value("type", &self.kind);
        identity
            .nested(
                "billingCard",
                |identity| <Option<
                    Card,
                > as ::idem_axum::__private::SemanticIdentity>::write_critical(
                    &self.billing_card,
                    identity,
                ),
            );
        <Meta as ::idem_axum::__private::SemanticIdentity>::write_critical(
            &self.meta,
            identity,
        );
    }
}
#[automatically_derived]
impl<T> ::idem_axum::__private::SemanticIdentity for Envelope<T>
where
    T: ::idem_axum::__private::SemanticIdentity,
{
    const MASK: &'static ::idem_axum::__private::Mask = &::idem_axum::__private::Mask::new(
        &[
            ::idem_axum::__private::Member::nested(
                &["inner"],
                <T as ::idem_axum::__private::SemanticIdentity>::MASK,
            ),
            ::idem_axum::__private::Member::nested(
                &["trace"],
                <Trace as ::idem_axum::__private::SemanticIdentity>::MASK,
            ),
        ],
    );
    const HAS_CRITICAL: ::core::primitive::bool = <T as ::idem_axum::__private::SemanticIdentity>::HAS_CRITICAL
        || <Trace as ::idem_axum::__private::SemanticIdentity>::HAS_CRITICAL;
    fn write_critical(&self, identity: &mut ::idem_axum::__private::Identity) {
        identity
            .nested(
                "inner",
                |identity| <T as ::idem_axum::__private::SemanticIdentity>::write_critical(
                    &self.inner,
                    identity,
                ),
            );
        identity
            .nested(
                "trace",
                |identity| <Trace as ::idem_axum::__private::SemanticIdentity>::write_critical(
                    &self.trace,
                    identity,
                ),
            );
    }
}
#[automatically_derived]
impl ::idem_axum::__private::SemanticIdentity for Plain {
    const MASK: &'static ::idem_axum::__private::Mask = &::idem_axum::__private::Mask::new(
        &[],
    );
    const HAS_CRITICAL: ::core::primitive::bool = false;
    fn write_critical(&self, _: &mut ::idem_axum::__private::Identity) {}
}
