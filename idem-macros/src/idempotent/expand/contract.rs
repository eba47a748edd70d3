//! The contract of a handler, as a constant that can be found at run time.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use crate::idempotent::critical::CriticalPath;
use crate::idempotent::key::Key;
use crate::idempotent::model::Model;
use crate::idempotent::settings::Settings;

/// The contract, with the options that were given.
pub(crate) fn contract(model: &Model) -> TokenStream {
    let private = model.runtime.tokens();
    let settings = &model.settings;
    let name = &model.name;
    let variant = |word: &dyn std::fmt::Debug| format_ident!("{word:?}");
    let mut calls = TokenStream::new();
    if !model.critical.is_empty() {
        let fields = model.critical.iter().map(CriticalPath::text);
        calls.extend(quote!(.critical(&[#(#fields),*])));
    }
    if let Some((_, word)) = &settings.policy {
        let word = variant(word);
        calls.extend(quote!(.policy(#private::Policy::#word)));
    }
    calls.extend(times(settings));
    calls.extend(limits(settings));
    if let Some(word) = settings.on_failure {
        let word = variant(&word);
        calls.extend(quote!(.on_failure(#private::OnFailure::#word)));
    }
    if let Some(word) = settings.on_crash {
        let word = variant(&word);
        calls.extend(quote!(.on_crash(#private::OnCrash::#word)));
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
    quote!(#private::contract!(#private::Contract::new(#name) #calls))
}

/// The calls that set times, which are given in milliseconds.
fn times(settings: &Settings) -> TokenStream {
    let times = [
        ("suspicious_within_millis", settings.suspicious_within),
        ("fresh_after_millis", settings.fresh_after),
        ("ttl_millis", settings.ttl),
        ("lease_millis", settings.lease),
        ("wait_millis", settings.wait),
    ];
    let calls = times.into_iter().filter_map(|(method, time)| {
        let (method, millis) = (format_ident!("{method}"), Literal::u64_unsuffixed(time?.get()));
        Some(quote!(.#method(#millis)))
    });
    calls.collect()
}

/// The calls that set how many of something are kept.
fn limits(settings: &Settings) -> TokenStream {
    let limits = [("max_history", settings.max_history), ("max_conflicts", settings.max_conflicts)];
    let calls = limits.into_iter().filter_map(|(method, limit)| {
        let (method, limit) = (format_ident!("{method}"), Literal::u32_unsuffixed(limit?));
        Some(quote!(.#method(#limit)))
    });
    calls.collect()
}
