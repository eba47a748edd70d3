//! Every place in which a handler, and so its contract, may stand.

use idem_axum::__private::{Contract, contract};
use idem_axum::{SemanticIdentity, idempotent};

const DAY: u64 = 24 * 60 * 60 * 1000;

/// What the list must hold, in its order.
pub(crate) const NAMES: [&str; 10] = [
    "payments.pay",
    "payments.refund",
    "nested",
    "associated",
    "bare",
    "re_exported",
    "generic",
    "attribute",
    "marked",
    "never_called",
];

pub(crate) fn pay() -> &'static Contract {
    contract!(Contract::new("payments.pay").critical(&["amount"]).ttl_millis(3 * DAY))
}

/// Not called by any test; used is only what is linked in.
#[expect(dead_code)]
fn refund() -> &'static Contract {
    contract!(Contract::new("payments.refund").ttl_millis(2 * DAY))
}

mod nested {
    pub(crate) mod further {
        use idem_axum::__private::{Contract, contract};

        #[expect(dead_code)]
        pub(crate) fn nested() -> &'static Contract {
            contract!(Contract::new("nested"))
        }

        pub(crate) struct Shop;

        impl Shop {
            pub(crate) fn associated(&self) -> &'static Contract {
                contract!(Contract::new("associated"))
            }
        }
    }
}
pub(crate) use nested::further::Shop;

/// Without the names that every module has otherwise.
#[no_implicit_prelude]
mod bare {
    #[expect(dead_code)]
    pub(crate) fn bare() -> &'static ::idem_axum::__private::Contract {
        ::idem_axum::__private::contract!(::idem_axum::__private::Contract::new("bare"))
    }
}

/// A framework that passes idem-axum on, and a handler that knows no other name of it.
mod framework {
    pub(crate) use idem_axum::__private as retries;
}
mod behind_a_framework {
    use super::framework::retries;

    #[expect(dead_code)]
    pub(crate) fn re_exported() -> &'static retries::Contract {
        retries::contract!(retries::Contract::new("re_exported"))
    }
}

/// Its contract is one for all types.
pub(crate) fn generic<T>(_: T) -> &'static Contract {
    contract!(Contract::new("generic"))
}

#[idempotent(name = "attribute", critical = ["0"], ttl = "1h")]
#[allow(dead_code)]
async fn attribute(axum::Json(amount): axum::Json<(u64,)>) -> String {
    amount.0.to_string()
}

#[derive(serde::Deserialize, SemanticIdentity)]
struct Payment {
    #[idem(critical)]
    amount: u64,
}

#[idempotent(name = "marked")]
#[allow(dead_code)]
async fn marked(axum::Json(payment): axum::Json<Payment>) -> String {
    payment.amount.to_string()
}

/// Of no type at all.
#[expect(dead_code)]
fn never_called<T>(_: T) -> &'static Contract {
    contract!(Contract::new("never_called"))
}
