// errors: 1
use idem_axum::SemanticIdentity;

#[derive(SemanticIdentity)]
struct Payment {
    #[idem(critical)]
    amounts: Option<Vec<f32>>,
}

fn main() {}
