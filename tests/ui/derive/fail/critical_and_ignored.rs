// errors: 1
use idem_axum::SemanticIdentity;

#[derive(SemanticIdentity)]
struct Payment {
    #[idem(critical, ignore)]
    amount: u64,
}

fn main() {}
