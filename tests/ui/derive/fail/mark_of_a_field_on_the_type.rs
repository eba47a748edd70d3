// errors: 1
use idem_axum::SemanticIdentity;

#[derive(SemanticIdentity)]
#[idem(critical)]
struct Payment {
    amount: u64,
}

fn main() {}
