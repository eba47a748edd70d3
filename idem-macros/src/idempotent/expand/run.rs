//! The call that runs the user's handler under its contract.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use syn::ReturnType;

use crate::idempotent::expand::accept::accept;
use crate::idempotent::expand::argument;
use crate::idempotent::model::Model;
use crate::idempotent::signature::Argument;
use crate::idempotent::words::Policy;
use crate::syntax::place_of_name;

/// The call that the policy takes. All of it stands at the return type, or else at the name, of the
/// handler: what the runtime asks of its answer is reported there, once.
pub(crate) fn run(model: &Model) -> TokenStream {
    let here = place(model);
    let [contract, semantics, payload] =
        ["contract", "semantics", "payload"].map(|name| Ident::new(name, here));
    let (opening, handler) = (opening(model, here), handler(model, here));
    let call = |method: &str, more: TokenStream| {
        let method = Ident::new(method, here);
        quote_spanned! {here=> #opening.#method(#contract, #semantics, #payload, #handler #more) }
    };
    if let Some(Argument { ty, .. }) = model.parameters.transaction() {
        let run = quote_spanned!(here=> run_in_transaction::<#ty, _, _, _, _>);
        return quote_spanned! {here=> #opening.#run(#contract, #semantics, #payload, #handler) };
    }
    match model.settings.policy {
        None | Some((_, Policy::Reject | Policy::LastWriteWins)) => call("run", quote!()),
        Some((_, Policy::Merge)) => call("run_merging", quote!()),
        Some((_, Policy::Review)) => {
            let (before, accept) = accept(model);
            let call = call("run_reviewed", quote_spanned!(here=> , #accept));
            quote!(#before #call)
        }
    }
}

/// What was sent: read before the first parameter, or where there is only the payload, from it.
fn opening(model: &Model, here: Span) -> TokenStream {
    if !model.parameters.arguments.is_empty() {
        return Ident::new("opening", here).into_token_stream();
    }
    let (private, payload) = (model.runtime.tokens(), Ident::new("payload", here));
    let has_header = model.settings.header.is_some();
    let read = Ident::new(if has_header { "with_headers_of" } else { "of" }, here);
    quote_spanned!(here=> #private::Opening::#read(&#payload))
}

fn place(model: &Model) -> Span {
    let signature = &model.handler.signature;
    let place = match &signature.output {
        ReturnType::Type(_, ty) => place_of_name(ty),
        ReturnType::Default => signature.ident.span(),
    };
    Span::mixed_site().located_at(place)
}

/// The closure that calls the handler with what was extracted.
fn handler(model: &Model, here: Span) -> TokenStream {
    let [handler, payload] = ["handler", "payload"].map(|name| Ident::new(name, here));
    let arguments = model.parameters.arguments.iter().enumerate().map(
        |(position, Argument { conditions, is_transaction, .. })| {
            let name = Ident::new(&argument(position), here);
            let transaction = is_transaction.then(|| quote_spanned!(here=> .transaction()));
            quote_spanned!(here=> #(#conditions)* #name #transaction,)
        },
    );
    match model.parameters.payload {
        Some(_) => quote_spanned!(here=> move |#payload| #handler(#(#arguments)* #payload)),
        None => quote_spanned!(here=> move |()| #handler(#(#arguments)*)),
    }
}
