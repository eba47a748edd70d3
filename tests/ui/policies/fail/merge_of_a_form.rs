// errors: 1
use axum::Form;
use idem_axum::{Merge, idempotent};
use serde::Deserialize;

#[derive(Deserialize, Merge)]
struct Profile {
    motto: String,
}

#[idempotent(policy = "merge")]
async fn save(Form(profile): Form<Profile>) -> String {
    profile.motto
}

fn main() {
    ui::route(save);
}
