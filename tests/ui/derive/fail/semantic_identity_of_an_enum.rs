// errors: 1
use idem_axum::SemanticIdentity;

#[derive(SemanticIdentity)]
enum Payment {
    Card,
}

fn main() {}
