// errors: 1
use idem_axum::SemanticIdentity;

struct Meta;

#[derive(SemanticIdentity)]
struct Payment {
    #[idem(ignore)]
    #[serde(flatten)]
    meta: Meta,
}

fn main() {}
