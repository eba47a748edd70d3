//! The function under the attribute. Its body stays a bare token stream: it is only moved, and a
//! body that does not parse yet, in an editor, must not lose its handler.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Ident, Signature, Token, Visibility, token};

use crate::diagnostics::fault;

/// A free function as written.
pub(crate) struct Handler {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) signature: Signature,
    pub(crate) body: TokenTree,
}

impl Parse for Handler {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        refuse_other_items(input)?;
        let signature: Signature = input.parse()?;
        if !input.peek(token::Brace) {
            let help = "put the attribute on the function that has the body, and make that a free function";
            return Err(fault(&signature.ident, "a handler needs a body", help));
        }
        Ok(Self { attributes, visibility, signature, body: input.parse()? })
    }
}

impl Handler {
    /// The function as it was written, but for its visibility and attributes, under this name.
    pub(crate) fn named(&self, name: &Ident) -> TokenStream {
        let signature = Signature { ident: name.clone(), ..self.signature.clone() };
        let mut tokens = signature.into_token_stream();
        self.body.to_tokens(&mut tokens);
        tokens
    }
}

/// Names the item that the attribute was put on by mistake.
fn refuse_other_items(input: ParseStream<'_>) -> syn::Result<()> {
    const OTHERS: &[(&str, &str)] = &[
        ("struct", "a struct"),
        ("enum", "an enum"),
        ("union", "a union"),
        ("trait", "a trait"),
        ("impl", "an `impl` block"),
        ("mod", "a module"),
        ("type", "a type alias"),
        ("static", "a static"),
        ("use", "an import"),
        ("macro_rules", "a macro"),
    ];
    let ahead = input.fork();
    let Ok(keyword) = ahead.call(Ident::parse_any) else {
        return Ok(());
    };
    let constant = keyword == "const"
        && !(ahead.peek(Token![async]) || ahead.peek(Token![unsafe]))
        && !(ahead.peek(Token![fn]) || ahead.peek(Token![extern]));
    let other = OTHERS.iter().find(|(word, _)| keyword == word).map(|(_, shown)| *shown);
    match other.or(constant.then_some("a constant")) {
        Some(shown) => {
            let help = "put it on a free `async fn`, the handler that you route to";
            Err(fault(keyword, format!("`#[idempotent]` cannot be on {shown}"), help))
        }
        None => Ok(()),
    }
}
