//! The tokens of an idempotent handler: the function that is routed to, around the user's own.

mod accept;
mod contract;
mod run;
mod semantics;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{GenericParam, Type, parse_quote};

use self::contract::contract;
use self::run::run;
use self::semantics::semantics;
use crate::idempotent::model::Model;
use crate::idempotent::signature::Argument;
use crate::idempotent::words::Policy;

/// Emits the handler. It stays a thin call: whatever can be decided at run time is decided in the
/// runtime crate, where it can be read and tested.
///
/// The names of the parameters and closures cannot meet the user's (`mixed_site`). Items do not
/// have that protection, so the user's function, the constant and the imports stand in blocks of
/// their own, where they do not see each other.
pub(crate) fn expand(model: &Model) -> TokenStream {
    let (outer, inner) = (&model.attributes.outer, &model.attributes.inner);
    let (visibility, function) = (&model.handler.visibility, model.handler.inner());
    let head = head(model);
    let contract = contract(model);
    let semantics = semantics(model);
    let run = run(model);
    let (handler, chosen) = (local("handler"), local("contract"));
    let (name, turbofish) = (&model.handler.signature.ident, turbofish(model));
    let crowded = crowded(model);
    quote! {
        #(#outer)*
        #crowded
        #visibility #head {
            let #handler = {
                #(#inner)*
                #function
                #name #turbofish
            };
            let #chosen = const { &#contract };
            #semantics
            #run
        }
    }
}

/// Keeps clippy from counting our parameter as the user's, where that is one too many.
fn crowded(model: &Model) -> Option<TokenStream> {
    const MOST_FOR_CLIPPY: usize = 7;
    let crowded = model.handler.signature.inputs.len() == MOST_FOR_CLIPPY;
    crowded.then(|| quote!(#[allow(clippy::too_many_arguments)]))
}

/// The signature of the function that is routed to.
fn head(model: &Model) -> TokenStream {
    let private = model.runtime.tokens();
    let (opening, payload, captured) = (local("opening"), local("payload"), captured(model));
    let opening_type =
        local(if model.settings.header.is_some() { "OpeningWithHeaders" } else { "Opening" });
    let arguments = model.parameters.arguments.iter().enumerate().map(
        |(position, Argument { ty, conditions })| {
            let name = local(&argument(position));
            quote!(#(#conditions)* #name: #ty,)
        },
    );
    let signature = &model.handler.signature;
    let (name, generics, bounds) =
        (&signature.ident, &signature.generics, &signature.generics.where_clause);
    let state = state(model);
    quote! {
        fn #name #generics(
            #opening: #private::#opening_type,
            #(#arguments)*
            #payload: #private::Captured<#captured, impl #state>,
        ) -> #private::Answering #bounds
    }
}

/// The type and const arguments of the handler, which nothing else may determine.
fn turbofish(model: &Model) -> TokenStream {
    let generics = &model.handler.signature.generics.params;
    let mut names = generics.iter().filter_map(|parameter| match parameter {
        GenericParam::Type(parameter) => Some(&parameter.ident),
        GenericParam::Const(parameter) => Some(&parameter.ident),
        _ => None,
    });
    let Some(first) = names.next() else {
        return TokenStream::new();
    };
    quote!(::<#first #(, #names)*>)
}

/// The type that is captured: the last parameter's, or nothing.
pub(crate) fn captured(model: &Model) -> Type {
    model.parameters.payload.clone().unwrap_or_else(|| parse_quote!(()))
}

/// What the application's state must be. One that is asked of a second time, for an extractor of
/// another payload than the one that was sent, is kept in a clone.
fn state(model: &Model) -> TokenStream {
    let private = model.runtime.tokens();
    match model.settings.policy {
        None | Some((_, Policy::Reject | Policy::LastWriteWins)) => {
            quote!(#private::IdempotencyState)
        }
        Some((_, Policy::Merge)) => quote!(#private::IdempotencyState + ::core::clone::Clone),
        Some((_, Policy::Review)) => quote!(#private::ReviewingState),
    }
}

/// The name of a parameter that is handed through.
fn argument(position: usize) -> String {
    format!("argument{position}")
}

/// A name that cannot meet a name of the user's.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}
