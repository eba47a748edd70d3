//! What a payload under review runs once it is accepted.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned as _;

use crate::idempotent::expand::{argument, captured};
use crate::idempotent::model::Model;
use crate::idempotent::signature::Argument;
use crate::syntax::named_one_of;

/// A statement to put before the call of the runtime, and the argument to give to it. Where the
/// attribute names no function, the next retry of the accepted payload runs the handler.
///
/// All of it stands at the user's path, so that a function of another signature is reported there.
pub(crate) fn accept(model: &Model) -> (TokenStream, TokenStream) {
    let private = model.runtime.tokens();
    let Some(path) = &model.settings.on_accept else {
        return (TokenStream::new(), quote!(#private::ByRetry));
    };
    let place = path.path.segments.last().map_or_else(|| path.span(), |last| last.ident.span());
    let here = Span::mixed_site().located_at(place);
    let [accept, payload] = ["accept", "payload"].map(|name| Ident::new(name, here));
    let (captured, states) = (captured(model), states(model));
    let kept = states.iter().map(|state| state.keep(here));
    let taken = states.iter().map(|state| state.take(here));
    let given = states.iter().map(|state| state.give(here));
    // Each call has names as its arguments: of a wrong number of them there is one error.
    let before = quote_spanned! {here=>
        let #accept = {
            #(#kept)*
            #private::AtOnce(move |#payload: <#captured as #private::Payload>::Value| {
                #(#taken)*
                #path(#(#given)* #payload)
            })
        };
    };
    (before, quote!(#accept))
}

/// A parameter `State<_>` of the handler, by its position. Its inside is all that there is of a
/// request when its payload is accepted later.
struct State<'a> {
    position: usize,
    argument: &'a Argument,
}

fn states(model: &Model) -> Vec<State<'_>> {
    let arguments = model.parameters.arguments.iter().enumerate();
    let states = arguments.filter(|(_, argument)| named_one_of(&argument.ty, &["State"]).is_some());
    states.map(|(position, argument)| State { position, argument }).collect()
}

impl State<'_> {
    /// The statement that keeps a clone beside the parameter that the handler consumes.
    fn keep(&self, here: Span) -> TokenStream {
        let (conditions, kept) = (&self.argument.conditions, self.kept(here));
        let argument = Ident::new(&argument(self.position), here);
        quote_spanned! {here=>
            #(#conditions)*
            let #kept = ::core::clone::Clone::clone(&#argument);
        }
    }

    /// The statement that takes the inside of it for one call of the function.
    fn take(&self, here: Span) -> TokenStream {
        let (conditions, kept) = (&self.argument.conditions, self.kept(here));
        quote_spanned! {here=>
            #(#conditions)*
            let #kept = ::core::clone::Clone::clone(&#kept.0);
        }
    }

    /// The argument that the function gets.
    fn give(&self, here: Span) -> TokenStream {
        let (conditions, kept) = (&self.argument.conditions, self.kept(here));
        quote_spanned!(here=> #(#conditions)* #kept,)
    }

    fn kept(&self, here: Span) -> Ident {
        Ident::new(&format!("state{}", self.position), here)
    }
}
