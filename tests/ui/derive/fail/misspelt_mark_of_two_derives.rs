// errors: 1
use idem_axum::{Merge, SemanticIdentity};

#[derive(SemanticIdentity, Merge)]
struct Order {
    #[idem(critcal)]
    customer: u64,
    tags: Vec<String>,
}

fn main() {}
