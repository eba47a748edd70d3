#[automatically_derived]
impl ::idem_axum::__private::IdempotencyState for AppState {
    type Principal = <idem_axum::Idempotency<
        Account,
        SqliteStore,
    > as ::idem_axum::__private::EngineOf>::Principal;
    type Store = <idem_axum::Idempotency<
        Account,
        SqliteStore,
    > as ::idem_axum::__private::EngineOf>::Store;
    fn idempotency(
        &self,
    ) -> &::idem_axum::__private::Idempotency<Self::Principal, Self::Store> {
        &self.idempotency
    }
}
#[automatically_derived]
impl<S: Store> ::idem_axum::__private::IdempotencyState for Generic<S> {
    type Principal = <Engine<S> as ::idem_axum::__private::EngineOf>::Principal;
    type Store = <Engine<S> as ::idem_axum::__private::EngineOf>::Store;
    fn idempotency(
        &self,
    ) -> &::idem_axum::__private::Idempotency<Self::Principal, Self::Store> {
        &self.1
    }
}
