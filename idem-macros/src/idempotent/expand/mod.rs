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
/// runtime crate, where it can be read and tested, and where it is compiled once for all handlers.
///
/// The names of parameters and closures cannot meet the user's (`mixed_site`). Items do not have
/// that protection, so the user's function stands in a block of its own.
pub(crate) fn expand(model: &Model) -> TokenStream {
    let (outer, visibility) = (&model.attributes.outer, &model.handler.visibility);
    let (beside, function) = function(model);
    let head = head(model);
    let (handler, chosen) = (local("handler"), local("contract"));
    let (contract, semantics, run) = (contract(model), semantics(model), run(model));
    quote! {
        #beside
        #(#outer)*
        #visibility #head {
            let #handler = #function;
            let #chosen = #contract;
            #semantics
            #run
        }
    }
}

/// What stands beside the function that is routed to, and in it the expression for the user's own
/// function: which is either inside, or beside under the name that is to be called without HTTP.
fn function(model: &Model) -> (TokenStream, TokenStream) {
    let (inner, handler, turbofish) = (&model.attributes.inner, &model.handler, turbofish(model));
    let Some(path) = &model.settings.unprotected else {
        let name = &handler.signature.ident;
        let function = handler.named(name);
        return (TokenStream::new(), quote!({ #(#inner)* #function #name #turbofish }));
    };
    let name = &path.path.segments.last().expect("a path has a segment").ident;
    let (visibility, function) = (&handler.visibility, handler.named(name));
    let both = &model.attributes.both;
    (quote!(#(#both)* #(#inner)* #visibility #function), quote!(#path #turbofish))
}

/// The signature of the function that is routed to. It has as many parameters as the handler, so
/// that `axum::debug_handler` can stand above as well.
fn head(model: &Model) -> TokenStream {
    let private = model.runtime.tokens();
    let (payload, captured, state) = (local("payload"), captured(model), state(model));
    let arguments = arguments(model);
    let signature = &model.handler.signature;
    let (name, generics, bounds) =
        (&signature.ident, &signature.generics, &signature.generics.where_clause);
    quote! {
        fn #name #generics(
            #arguments
            #payload: #private::Captured<#captured, #state>,
        ) -> #private::Answering #bounds
    }
}

/// The parameters before the payload. What was sent is read before any of them can change it.
fn arguments(model: &Model) -> TokenStream {
    let private = model.runtime.tokens();
    let opening = local("opening");
    // The key under a header of another name is not known yet when the request is opened.
    let (opening, opening_type) = match model.settings.header {
        None => (quote!(#opening), quote!(#private::Opening)),
        Some(_) => {
            let opening_type = quote!(#private::OpeningWithHeaders);
            (quote!(#opening_type(#opening)), opening_type)
        }
    };
    let mut arguments = TokenStream::new();
    for (position, parameter) in model.parameters.arguments.iter().enumerate() {
        let (name, conditions) = (local(&argument(position)), &parameter.conditions);
        let ty = extracted(parameter, private);
        arguments.extend(match (position, conditions.is_empty()) {
            (0, true) => quote!((#opening, #name): (#opening_type, #ty),),
            (0, false) => quote!(#opening: #opening_type, #(#conditions)* #name: #ty,),
            _ => quote!(#(#conditions)* #name: #ty,),
        });
    }
    arguments
}

/// What is extracted for a parameter: itself, or where its transaction will be.
fn extracted(parameter: &Argument, private: &TokenStream) -> TokenStream {
    let ty = &parameter.ty;
    if parameter.is_transaction { quote!(#private::Pending<#ty>) } else { quote!(#ty) }
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
    if let Some(state) = &model.settings.state {
        return quote!(#state);
    }
    if let Some(Argument { ty, .. }) = model.parameters.transaction() {
        let store = quote!(<#ty as #private::Transactional>::Store);
        return quote!(impl #private::TransactionalState<Store = #store>);
    }
    match model.settings.policy {
        None | Some((_, Policy::Reject | Policy::LastWriteWins)) => {
            quote!(impl #private::IdempotencyState)
        }
        Some((_, Policy::Merge)) => quote!(impl #private::IdempotencyState + ::core::clone::Clone),
        Some((_, Policy::Review)) => quote!(impl #private::ReviewingState),
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
