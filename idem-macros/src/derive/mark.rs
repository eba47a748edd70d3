//! How a mark is written: `#[idem(critical)]`, `#[idem(merge = "union")]`,
//! `#[idem(merge(with = path))]`.

use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{Attribute, ExprPath, Ident, LitStr, Meta, Token, parenthesized, token};

use crate::diagnostics::{Diagnostics, fault};

/// A name and what it was given, without meaning.
pub(crate) struct Mark {
    pub(crate) name: Ident,
    pub(crate) value: Value,
}

/// What stands behind the name of a mark.
pub(crate) enum Value {
    None,
    /// `= path::to::it`
    Path(ExprPath),
    /// `= "word"`
    Text(LitStr),
    /// `(...)`
    List(TokenStream),
    /// `=` and anything else, such as `= true`
    Other(TokenStream),
}

/// The marks in all `#[idem(...)]` among the attributes.
pub(crate) fn marks(attributes: &[Attribute], diagnostics: &mut Diagnostics) -> Vec<Mark> {
    let attributes = attributes.iter().filter(|attribute| attribute.path().is_ident("idem"));
    attributes.filter_map(|attribute| diagnostics.keep(list(attribute))).flatten().collect()
}

fn list(attribute: &Attribute) -> syn::Result<Vec<Mark>> {
    let help = "write `#[idem(critical)]`, `#[idem(ignore)]`, `#[idem(nested)]` or `#[idem(merge = \"union\")]`";
    let tokens = match &attribute.meta {
        Meta::List(list) if !list.tokens.is_empty() => list.tokens.clone(),
        other => return Err(fault(other, "`idem` needs a mark in parentheses", help)),
    };
    let marks = Punctuated::<Mark, Token![,]>::parse_terminated.parse2(tokens.clone());
    marks
        .map(|marks| marks.into_iter().collect())
        .map_err(|_| fault(tokens, "unreadable mark", help))
}

impl Parse for Mark {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self { name: input.call(Ident::parse_any)?, value: input.parse()? })
    }
}

impl Parse for Value {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(token::Paren) {
            let inside;
            parenthesized!(inside in input);
            return inside.parse().map(Self::List);
        }
        if input.parse::<Option<Token![=]>>()?.is_none() {
            return Ok(Self::None);
        }
        // A literal that comes from `macro_rules!` stands in an invisible group, which a look ahead
        // does not see.
        if input.fork().parse::<LitStr>().is_ok() {
            return input.parse().map(Self::Text);
        }
        if input.fork().parse::<ExprPath>().is_ok() {
            return input.parse().map(Self::Path);
        }
        up_to_comma(input).map(Self::Other)
    }
}

/// The tokens up to the next mark, of which there is one at least.
fn up_to_comma(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut tokens = vec![input.parse::<TokenTree>()?];
    while !input.is_empty() && !input.peek(Token![,]) {
        tokens.push(input.parse()?);
    }
    Ok(tokens.into_iter().collect())
}
