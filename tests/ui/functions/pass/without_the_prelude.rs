#![no_implicit_prelude]

mod shop {
    #![allow(dead_code, non_camel_case_types)]

    use ::idem_axum::{IdempotencyState, IdentityValue, SemanticIdentity, idempotent};

    // Everything that an expansion could be tempted to name.
    struct Result;
    struct Option;
    struct Some;
    struct None;
    struct Ok;
    struct Err;
    struct Box;
    struct Vec;
    struct String;
    struct bool;
    trait Send {}
    trait Clone {}
    trait Future {}
    trait Into {}

    #[derive(::serde::Deserialize, SemanticIdentity)]
    pub struct Payment {
        #[idem(critical)]
        amount: ::core::primitive::u64,
        #[idem(nested)]
        card: ::core::option::Option<Card>,
        #[idem(ignore)]
        time: ::core::primitive::u64,
        kind: Kind,
    }

    #[derive(::serde::Deserialize, SemanticIdentity)]
    pub struct Card {
        #[idem(critical)]
        number: ::std::string::String,
    }

    #[derive(::serde::Deserialize, IdentityValue)]
    pub enum Kind {
        Plain,
        Tipped { tip: ::core::primitive::u64 },
        Split(::core::primitive::u64, ::core::primitive::u64),
    }

    #[derive(IdempotencyState)]
    pub struct AppState {
        idempotency: ::idem_axum::Idempotency<::idem_axum::Global, ::idem_axum::MemoryStore>,
    }

    #[idempotent(critical = ["amount", "card?.number", "kind"], ttl = "72h", lease = "30s", key = "optional")]
    pub async fn pay(::axum::Json(payment): ::axum::Json<Payment>) -> ::std::string::String {
        let _ = payment;
        ::std::string::String::new()
    }
}

fn main() {
    ::ui::route(shop::pay);
}
