//! The call that runs the user's handler under its contract.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
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
    let [opening, contract, semantics, payload] =
        ["opening", "contract", "semantics", "payload"].map(|name| Ident::new(name, here));
    let handler = handler(model, here);
    let call = |method: &str, more: TokenStream| {
        let method = Ident::new(method, here);
        quote_spanned! {here=> #opening.#method(#contract, #semantics, #payload, #handler #more) }
    };
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
        |(position, Argument { conditions, .. })| {
            let name = Ident::new(&argument(position), here);
            quote_spanned!(here=> #(#conditions)* #name,)
        },
    );
    match model.parameters.payload {
        Some(_) => quote_spanned!(here=> move |#payload| #handler(#(#arguments)* #payload)),
        None => quote_spanned!(here=> move |()| #handler()),
    }
}
