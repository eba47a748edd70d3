// errors: 1
use idem_axum::SemanticIdentity;

#[derive(SemanticIdentity)]
struct Payment {
    #[idem(critical)]
    amount: f64,
    #[idem(critical)]
    currency: String,
}

fn main() {}
