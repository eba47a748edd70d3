// errors: 1
use idem_axum::SemanticIdentity;

struct Card;

#[derive(SemanticIdentity)]
struct Payment {
    #[idem(nested)]
    card: Card,
}

fn main() {}
