// errors: 1
use idem_axum::SemanticIdentity;

struct Money;

#[derive(SemanticIdentity)]
struct Payment {
    #[idem(critical)]
    amount: Option<Money>,
}

fn main() {}
