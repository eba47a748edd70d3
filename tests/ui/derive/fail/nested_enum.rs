// errors: 1
use idem_axum::{IdentityValue, SemanticIdentity};

#[derive(IdentityValue)]
enum Method {
    Cash,
}

#[derive(SemanticIdentity)]
struct Payment {
    #[idem(nested)]
    method: Method,
}

fn main() {}
