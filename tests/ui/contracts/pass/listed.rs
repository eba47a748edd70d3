//! Every handler is listed once, wherever it stands.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

use std::time::Duration;

use axum::Json;
use idem_axum::contracts::Policy;
use idem_axum::{assert_contracts, idempotent};
use serde::Deserialize;

#[derive(Deserialize)]
struct Payment {
    amount: u64,
}

#[idempotent(critical = ["amount"], ttl = "72h", name = "payments.pay")]
async fn pay(Json(payment): Json<Payment>) -> String {
    payment.amount.to_string()
}

mod nested {
    pub(crate) struct Shop;

    impl Shop {
        #[idem_axum::idempotent(policy = "last_write_wins")]
        pub(crate) async fn rename(name: String) -> String {
            name
        }
    }

    /// Never called with any type.
    #[idem_axum::idempotent(ttl = "1h")]
    #[allow(dead_code)]
    async fn keep<T: Send + 'static>(_: axum::Json<T>) {}
}

fn main() {
    #[idempotent(name = "inside")]
    async fn inside() {}

    ui::route(pay);
    ui::route(nested::Shop::rename);
    ui::route(inside);

    let names: Vec<_> = idem_axum::contracts().map(|declared| declared.name).collect();
    assert_eq!(names, ["payments.pay", "rename", "keep", "inside"]);
    let first = idem_axum::contracts().next().unwrap();
    assert!(first.to_string().ends_with("listed.rs:17: payments.pay"), "{first}");
    assert_eq!(first.critical, ["amount"]);
    assert!(idem_axum::contracts().all(|declared| declared.module.starts_with(module_path!())));

    assert_contracts!(contract => contract.ttl >= Duration::from_secs(60), !contract.name.is_empty());
    assert_contracts!(
        contract if contract.name.starts_with("payments.") =>
            matches!(contract.policy, Policy::Reject | Policy::Review),
            contract.ttl >= Duration::from_secs(24 * 60 * 60),
    );

    let broken = failure(|| {
        assert_contracts!(contract => contract.ttl > Duration::from_secs(3600), contract.wait.is_none());
    });
    let lines: Vec<_> = broken.lines().collect();
    assert_eq!(lines.len(), 2, "{broken}");
    assert_eq!(lines[0], "contracts break the rules:");
    assert!(lines[1].contains(": keep breaks `contract.ttl > Duration::from_secs(3600)`"), "{broken}");
    let vacuous = failure(|| assert_contracts!(contract if contract.name == "none" => false));
    assert!(vacuous.starts_with("these rules are for none of the 4 contracts"), "{vacuous}");
}

fn failure(assertion: fn()) -> String {
    *std::panic::catch_unwind(assertion).unwrap_err().downcast::<String>().unwrap()
}
