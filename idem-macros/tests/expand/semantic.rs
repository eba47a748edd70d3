#[derive(SemanticIdentity)]
#[serde(rename_all = "camelCase")]
struct Payment<T> {
    #[idem(critical)]
    amount: Decimal,
    #[idem(critical)]
    #[serde(rename = "type")]
    kind: T,
    #[idem(ignore)]
    #[serde(alias = "ts")]
    client_time: u64,
    #[idem(nested)]
    billing_card: Option<Card>,
    #[idem(nested)]
    #[serde(flatten)]
    meta: Meta,
    note: String,
}

#[derive(SemanticIdentity)]
struct Envelope<T> {
    #[idem(nested)]
    inner: T,
    #[idem(nested)]
    trace: Trace,
}

#[derive(SemanticIdentity)]
struct Plain {
    anything: String,
}
