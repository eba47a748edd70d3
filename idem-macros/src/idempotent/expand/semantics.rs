//! How a payload is compared: what its type says of it, the critical fields, and the key in it.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

use crate::idempotent::critical::{CriticalPath, Step};
use crate::idempotent::expand::{captured, local};
use crate::idempotent::key::Key;
use crate::idempotent::model::Model;
use crate::idempotent::words::Policy;
use crate::syntax::{place_of_name, spanned};

/// How the payload is compared: what its type says, then what the handler says.
pub(crate) fn semantics(model: &Model) -> TokenStream {
    let private = model.runtime.tokens();
    let (semantics, captured) = (local("semantics"), captured(model));
    let (checks, critical) = (checks(model), critical(model));
    let (key, merging) = (key(model), merging(model));
    quote! {
        #checks
        let #semantics = #private::Probe::<#captured>::NEW.semantics() #critical #key #merging;
    }
}

/// The critical fields that the handler lists.
fn critical(model: &Model) -> Option<TokenStream> {
    if model.critical.is_empty() {
        return None;
    }
    let (payload, identity) = (local("payload"), local("identity"));
    let private = model.runtime.tokens();
    let (value, fields) = (value(model), model.critical.iter().map(|path| field(path, private)));
    Some(quote! {
        .critical(|#payload, #identity| {
            let #payload = #value;
            #(#fields)*
        })
    })
}

/// The value in a payload; stands at its type, which may be none.
fn value(model: &Model) -> TokenStream {
    let captured = captured(model);
    let here = Span::mixed_site().located_at(place_of_name(&captured));
    let (private, captured) = (spanned(model.runtime.tokens(), here), spanned(captured, here));
    let payload = Ident::new("payload", here);
    quote_spanned!(here=> <#captured as #private::Payload>::value(#payload))
}

/// The key, where the payload holds it.
fn key(model: &Model) -> Option<TokenStream> {
    match &model.settings.key.as_ref()?.1 {
        Key::Header(_) => None,
        Key::Field(path) => {
            let text = key_text(model, path);
            Some(quote!(.keyed_by(#text)))
        }
        Key::Identity(_) => Some(quote!(.keyed_by_identity())),
    }
}

/// The rules of the payload's type, where payloads are merged. All of it stands at the policy's
/// word, so that a type without rules is reported there.
fn merging(model: &Model) -> Option<TokenStream> {
    let Some((word, Policy::Merge)) = &model.settings.policy else { return None };
    let here = Span::mixed_site().located_at(word.span());
    Some(quote_spanned!(here=> .merging()))
}

/// The closure that reads the key's field. Like a critical field, it stands at the user's string.
fn key_text(model: &Model, path: &CriticalPath) -> TokenStream {
    let private = model.runtime.tokens();
    let here = Span::mixed_site().located_at(path.span());
    let (payload, value) = (Ident::new("payload", here), value(model));
    let fields = path.steps().iter().filter_map(Step::field);
    quote_spanned!(here=> |#payload| #private::KeyText::key_text(&#value #(.#fields)*))
}

/// What can only be known of the payload's type as a constant. In a generic handler it is known
/// when that is used, elsewhere at once.
fn checks(model: &Model) -> TokenStream {
    let is_generic = !model.handler.signature.generics.params.is_empty();
    let wanted = [critical_for_key(model), json_for_merge(model)];
    let checks = wanted.into_iter().flatten().map(|(name, place)| {
        let check = check(model, name, place);
        if is_generic { quote!(const { #check };) } else { quote!(const _: () = #check;) }
    });
    checks.collect()
}

/// The payload's type has critical fields, where the key is made of them and the handler lists none.
fn critical_for_key(model: &Model) -> Option<(&'static str, Span)> {
    match &model.settings.key {
        Some((_, Key::Identity(place))) if model.critical.is_empty() => {
            Some(("assert_has_critical", *place))
        }
        _ => None,
    }
}

/// Payloads are JSON, which alone can be merged.
fn json_for_merge(model: &Model) -> Option<(&'static str, Span)> {
    match &model.settings.policy {
        Some((word, Policy::Merge)) => Some(("assert_json", word.span())),
        _ => None,
    }
}

/// The call of a check of the payload's type, at the word that asks for it.
fn check(model: &Model, name: &str, place: Span) -> TokenStream {
    let here = Span::mixed_site().located_at(place);
    let (private, captured) =
        (spanned(model.runtime.tokens(), here), spanned(captured(model), here));
    let check = Ident::new(name, here);
    quote_spanned!(here=> #private::#check::<#captured>())
}

/// The statement that writes one critical field. All of it stands at the user's string, so that
/// a field that does not exist, or cannot be compared, is reported there.
fn field(path: &CriticalPath, private: &TokenStream) -> TokenStream {
    let here = Span::mixed_site().located_at(path.span());
    let (text, private) = (Literal::string(path.text()), spanned(private, here));
    let [payload, identity, out] =
        ["payload", "identity", "out"].map(|name| Ident::new(name, here));
    let (found, rest) = reach(quote!(#payload), path.steps(), &private, here);
    if rest.is_empty() {
        return quote_spanned!(here=> #identity.value(#text, #found););
    }
    let value = write(found, rest, &private, here);
    quote_spanned!(here=> #identity.field(#text, |#out| #value);)
}

/// The reference to what the first steps lead to, from a reference and through fields alone, and the
/// steps after them. On the way to a field no option and no collection is passed in silence.
fn reach<'a>(
    from: TokenStream,
    steps: &'a [Step],
    private: &TokenStream,
    here: Span,
) -> (TokenStream, &'a [Step]) {
    let mut found = from;
    for (position, step) in steps.iter().enumerate() {
        let Some(field) = step.field() else { return (found, &steps[position..]) };
        found = match position {
            0 => quote_spanned!(here=> &#found.#field),
            _ => quote_spanned!(here=> &#private::Inside::of(#found).fields().#field),
        };
    }
    (found, &[])
}

/// The call that writes what the steps lead to from `place`, which is a reference.
fn write(place: TokenStream, steps: &[Step], private: &TokenStream, here: Span) -> TokenStream {
    let (found, rest) = reach(place, steps, private, here);
    let out = Ident::new("out", here);
    let (method, inner) = match rest.first() {
        None => return quote_spanned!(here=> #out.value(#found)),
        Some(Step::Each) => ("each", "each"),
        Some(_) => ("option", "some"),
    };
    let [method, inner] = [method, inner].map(|name| Ident::new(name, here));
    let value = write(quote!(#inner), &rest[1..], private, here);
    quote_spanned!(here=> #out.#method(#found, |#out, #inner| #value))
}
