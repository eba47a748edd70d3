// errors: 3
use idem_axum::SemanticIdentity;

#[derive(SemanticIdentity)]
struct Payment {
    #[idem(critcal)]
    amount: u64,
    #[idem(critical)]
    rate: f64,
    #[idem(nested, ignore)]
    card: u64,
}

fn main() {}
