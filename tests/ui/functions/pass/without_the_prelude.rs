#![no_implicit_prelude]

mod shop {
    #![allow(dead_code, non_camel_case_types)]

    use ::idem_axum::{IdempotencyState, IdentityValue, Merge, SemanticIdentity, idempotent};

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

    #[derive(::serde::Deserialize, Merge)]
    #[idem(check = is_sound)]
    pub struct Cart {
        customer: ::core::primitive::u64,
        #[idem(merge = "union")]
        tags: ::std::vec::Vec<::std::string::String>,
        #[idem(merge(with = most))]
        budget: ::core::primitive::u64,
    }

    #[derive(Merge)]
    pub struct Gift {
        #[idem(merge = "keep")]
        wrapped: ::core::option::Option<::std::string::String>,
        #[serde(flatten)]
        cart: Cart,
    }

    fn is_sound(cart: &Cart) -> ::core::result::Result<(), ::std::string::String> {
        let _ = cart;
        ::core::result::Result::Ok(())
    }

    fn most(first: ::core::primitive::u64, new: ::core::primitive::u64) -> ::core::primitive::u64 {
        ::core::cmp::Ord::max(first, new)
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

    #[idempotent(critical = ["customer"], policy = "merge")]
    pub async fn save(::axum::Json(cart): ::axum::Json<Cart>) -> ::std::string::String {
        let _ = cart;
        ::std::string::String::new()
    }

    #[idempotent(policy = "review", on_accept = settle)]
    pub async fn hold(
        ::axum::extract::State(state): ::axum::extract::State<::ui::AppState>,
        ::axum::Json(payment): ::axum::Json<Payment>,
    ) -> ::std::string::String {
        settle(state, payment).await
    }

    async fn settle(state: ::ui::AppState, payment: Payment) -> ::std::string::String {
        let _ = (state, payment);
        ::std::string::String::new()
    }
}

fn main() {
    ::ui::route(shop::pay);
    ::ui::route(shop::save);
    ::ui::route(shop::hold);
}
