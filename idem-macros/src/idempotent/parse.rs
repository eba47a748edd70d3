//! The options as written: names, values and where they stand, without meaning.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
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
    /// What stands in the place of `=`, or of the comma after the value.
    pub(crate) stray: Option<TokenTree>,
}

impl RawArgs {
    /// Splits the arguments at their commas. A part that does not start with a name is a fault and
    /// left out, so that the other parts are still checked.
    pub(crate) fn parse(args: TokenStream, diagnostics: &mut Diagnostics) -> Self {
        let parts = parts(args);
        let options = parts.iter().filter_map(|part| RawOption::parse(part, diagnostics)).collect();
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
        let (value, stray) = match &part[1..] {
            [equals, value @ ..] if is_equals(equals) => value.split_at(end(value)),
            other => other.split_at(0),
        };
        let value = (!value.is_empty()).then(|| value.iter().cloned().collect());
        Some(Self { name: name.clone(), value, stray: stray.first().cloned() })
    }
}

/// The tokens between commas. Commas inside of `<` and `>` are those of generic arguments, as in
/// `on_accept = settle::<Card, Bank>`; the `>` of an arrow closes none.
fn parts(args: TokenStream) -> Vec<Vec<TokenTree>> {
    let (mut parts, mut depth, mut before) = (vec![Vec::new()], 0_u32, None);
    for token in args {
        let punct = punct(&token);
        match (before, punct) {
            (_, Some('<')) => depth += 1,
            (Some('-'), Some('>')) => {}
            (_, Some('>')) => depth = depth.saturating_sub(1),
            (_, Some(',')) if depth == 0 => {
                parts.push(Vec::new());
                continue;
            }
            _ => {}
        }
        before = punct;
        parts.last_mut().expect("there is always a last part").push(token);
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// How many tokens the value has: a literal and a list are one, all else goes on to the comma.
fn end(value: &[TokenTree]) -> usize {
    match value.first() {
        Some(TokenTree::Literal(_)) => 1,
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket => 1,
        _ => value.len(),
    }
}

fn is_equals(token: &TokenTree) -> bool {
    punct(token) == Some('=')
}

fn punct(token: &TokenTree) -> Option<char> {
    match token {
        TokenTree::Punct(punct) => Some(punct.as_char()),
        _ => None,
    }
}
