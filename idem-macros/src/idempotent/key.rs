//! `key`: whether the header must carry one, or where in the payload it is.

use proc_macro2::{Span, TokenStream};
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr};

use crate::diagnostics::fault;
use crate::idempotent::critical::{CriticalPath, Step};
use crate::idempotent::words::KeyRule;
use crate::word::Word as _;

/// Where the key comes from.
pub(crate) enum Key {
    /// A header.
    Header(KeyRule),
    /// A field of the payload, which the path leads to through fields alone.
    Field(CriticalPath),
    /// The critical fields. The place is that of the word.
    Identity(Span),
}

impl Key {
    /// Reads the value of the option.
    pub(crate) fn read(value: &TokenStream) -> syn::Result<Self> {
        if let Ok(word) = syn::parse2::<LitStr>(value.clone()) {
            return in_quotes(&word);
        }
        match syn::parse2(value.clone()) {
            Ok(Source { name, field: None }) if name == "identity" => {
                Ok(Self::Identity(name.span()))
            }
            Ok(Source { name, field: Some(field) }) if name == "field" => {
                path(&field).map(Self::Field)
            }
            Ok(Source { name, .. }) if name == "identity" => {
                Err(fault(value, "`identity` takes no field", "write `key = identity`"))
            }
            _ => Err(unreadable(value)),
        }
    }

    /// Whether the payload holds the key.
    pub(crate) fn is_derived(&self) -> bool {
        !matches!(self, Self::Header(_))
    }
}

/// `identity` or `field("request_id")`, under any name.
struct Source {
    name: Ident,
    field: Option<LitStr>,
}

impl Parse for Source {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.parse()?;
        if input.is_empty() {
            return Ok(Self { name, field: None });
        }
        let field;
        syn::parenthesized!(field in input);
        let literal = field.parse()?;
        if field.is_empty() {
            Ok(Self { name, field: Some(literal) })
        } else {
            Err(field.error(""))
        }
    }
}

/// A rule for the header, or a source that is written without quotes.
fn in_quotes(word: &LitStr) -> syn::Result<Key> {
    let text = word.value();
    if text == "identity" || text.starts_with("field(") {
        let message = format!("`{text}` is written without quotes");
        let help = format!("write `key = {}`", text.replace('\\', ""));
        return Err(fault(word, message, help));
    }
    KeyRule::parse(word).map(Key::Header)
}

fn path(literal: &LitStr) -> syn::Result<CriticalPath> {
    let path = CriticalPath::parse(literal).ok();
    let plain = path.filter(|path| path.steps().iter().all(|step| matches!(step, Step::Field(_))));
    plain.ok_or_else(|| {
        let message = format!("`{}` is not the path of one field", literal.value());
        let help = "write a field of the payload, `key = field(\"request_id\")`, or a field of one, `key = field(\"meta.request_id\")`";
        fault(literal, message, help)
    })
}

fn unreadable(value: &TokenStream) -> syn::Error {
    let help = "write `key = \"required\"` or `key = \"optional\"` for one in a header, \
                `key = field(\"request_id\")` or `key = identity` for one from the payload";
    fault(value, "the value of `key` is not a rule and not a source", help)
}
