// errors: 1
use idem_axum::SemanticIdentity;

#[derive(SemanticIdentity)]
struct Payment {
    #[idem(critical)]
    #[serde(skip_deserializing)]
    amount: u64,
}

fn main() {}
