//! The tokens of an idempotent handler: the function that is routed to, around the user's own.

mod contract;
mod semantics;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{GenericParam, ReturnType, Type, parse_quote};

use self::contract::contract;
use self::semantics::semantics;
use crate::idempotent::model::Model;
use crate::idempotent::signature::Argument;
use crate::syntax::place_of_name;

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
            let name = argument(position);
            quote!(#(#conditions)* #name: #ty,)
        },
    );
    let signature = &model.handler.signature;
    let (name, generics, bounds) =
        (&signature.ident, &signature.generics, &signature.generics.where_clause);
    quote! {
        fn #name #generics(
            #opening: #private::#opening_type,
            #(#arguments)*
            #payload: #private::Captured<#captured, impl #private::IdempotencyState>,
        ) -> #private::Answering #bounds
    }
}

/// The call that runs the user's handler under its contract. All of it stands at the return type,
/// or else at the name, of the handler: what the runtime asks of its answer is reported there, once.
fn run(model: &Model) -> TokenStream {
    let signature = &model.handler.signature;
    let place = match &signature.output {
        ReturnType::Type(_, ty) => place_of_name(ty),
        ReturnType::Default => signature.ident.span(),
    };
    let here = Span::mixed_site().located_at(place);
    let [opening, contract, semantics, payload, handler] =
        ["opening", "contract", "semantics", "payload", "handler"]
            .map(|name| Ident::new(name, here));
    let arguments = model.parameters.arguments.iter().enumerate().map(
        |(position, Argument { conditions, .. })| {
            let name = Ident::new(&format!("argument{position}"), here);
            quote_spanned!(here=> #(#conditions)* #name,)
        },
    );
    let call = match model.parameters.payload {
        Some(_) => quote_spanned!(here=> move |#payload| #handler(#(#arguments)* #payload)),
        None => quote_spanned!(here=> move |()| #handler()),
    };
    quote_spanned!(here=> #opening.run(#contract, #semantics, #payload, #call))
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

fn argument(position: usize) -> Ident {
    local(&format!("argument{position}"))
}

/// A name that cannot meet a name of the user's.
pub(crate) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}
