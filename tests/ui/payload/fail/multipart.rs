// errors: 1
use idem_axum::idempotent;

/// Stands for `axum::extract::Multipart`, which is a feature of axum.
struct Multipart;

#[idempotent(ttl = "72h")]
async fn upload(_: Multipart) {}

fn main() {}
