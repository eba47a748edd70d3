// errors: 1
use idem_axum::SemanticIdentity;

#[derive(SemanticIdentity)]
struct Payment {
    #[idem(nested)]
    amount: u64,
}

fn main() {}
