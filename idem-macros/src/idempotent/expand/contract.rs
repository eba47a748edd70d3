//! The contract of a handler, as a constant expression.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use crate::idempotent::key::Key;
use crate::idempotent::model::Model;

/// The contract, with the options that were given.
pub(crate) fn contract(model: &Model) -> TokenStream {
    let private = model.runtime.tokens();
    let settings = &model.settings;
    let name = &model.name;
    let variant = |word: &dyn std::fmt::Debug| format_ident!("{word:?}");
    let mut calls = TokenStream::new();
    if let Some(word) = settings.policy {
        let word = variant(&word);
        calls.extend(quote!(.policy(#private::Policy::#word)));
    }
    if let Some(ttl) = settings.ttl {
        let millis = Literal::u64_unsuffixed(ttl.get());
        calls.extend(quote!(.ttl_millis(#millis)));
    }
    if let Some(lease) = settings.lease {
        let millis = Literal::u64_unsuffixed(lease.get());
        calls.extend(quote!(.lease_millis(#millis)));
    }
    if let Some(word) = settings.on_failure {
        let word = variant(&word);
        calls.extend(quote!(.on_failure(#private::OnFailure::#word)));
    }
    if let Some(word) = settings.on_crash {
        let word = variant(&word);
        calls.extend(quote!(.on_crash(#private::OnCrash::#word)));
    }
    if let Some(wait) = settings.wait {
        let millis = Literal::u64_unsuffixed(wait.get());
        calls.extend(quote!(.wait_millis(#millis)));
    }
    if let Some(header) = &settings.header {
        calls.extend(quote!(.header(#header)));
    }
    if let Some((_, key)) = &settings.key {
        let word = match key {
            Key::Header(word) => variant(word),
            Key::Field(_) | Key::Identity(_) => format_ident!("Derived"),
        };
        calls.extend(quote!(.key(#private::KeyRule::#word)));
    }
    quote!(#private::Contract::new(#name) #calls)
}
