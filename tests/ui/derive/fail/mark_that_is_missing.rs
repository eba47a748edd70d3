// errors: 1
use idem_axum::SemanticIdentity;

#[derive(SemanticIdentity)]
struct Payment {
    #[idem]
    amount: u64,
}

fn main() {}
