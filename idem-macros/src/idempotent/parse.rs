//! The options as written: names, values and where they stand, without meaning.

use proc_macro2::{TokenStream, TokenTree};
use syn::Ident;

use crate::diagnostics::Diagnostics;

/// Everything between the parentheses of `#[idempotent(...)]`.
pub(crate) struct RawArgs {
    pub(crate) options: Vec<RawOption>,
}

/// One `name = value`; the value may be missing or be anything.
pub(crate) struct RawOption {
    pub(crate) name: Ident,
    pub(crate) value: Option<TokenStream>,
}

impl RawArgs {
    /// Splits the arguments at their commas. A part that does not start with a name is a fault and
    /// left out, so that the other parts are still checked.
    pub(crate) fn parse(args: TokenStream, diagnostics: &mut Diagnostics) -> Self {
        let parts: Vec<TokenTree> = args.into_iter().collect();
        let parts = parts.split(is_comma).filter(|part| !part.is_empty());
        let options = parts.filter_map(|part| RawOption::parse(part, diagnostics)).collect();
        Self { options }
    }

    /// Whether an option is given, with whatever value.
    pub(crate) fn gives(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.name == name)
    }
}

impl RawOption {
    fn parse(part: &[TokenTree], diagnostics: &mut Diagnostics) -> Option<Self> {
        let TokenTree::Ident(name) = &part[0] else {
            let tokens: TokenStream = part.iter().cloned().collect();
            diagnostics.fault(
                &tokens,
                "expected an option, as in `ttl = \"72h\"`",
                "start with the option's name; critical fields go into `critical = [\"amount\"]`",
            );
            return None;
        };
        let value = part
            .get(1)
            .filter(|token| is_equals(token))
            .map(|_| part[2..].iter().cloned().collect());
        let value = value.filter(|value: &TokenStream| !value.is_empty());
        Some(Self { name: name.clone(), value })
    }
}

fn is_comma(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',')
}

fn is_equals(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == '=')
}
