//! How one member of a payload is merged.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{ExprPath, Ident, LitStr, Token};

use crate::derive::mark::{Mark, Value};
use crate::diagnostics::fault;
use crate::word::Word;

/// The mark `merge` with its value.
pub(crate) struct Merging {
    /// The word `merge` itself.
    pub(crate) mark: Ident,
    pub(crate) how: How,
}

/// A strategy by its name, where it is written, or the user's own function.
pub(crate) enum How {
    Word(LitStr, Strategy),
    With(ExprPath),
}

/// The strategies that have a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strategy {
    Overwrite,
    Keep,
    Replace,
    Union,
    AppendNew,
    MergePatch,
}

impl Word for Strategy {
    const OPTION: &'static str = "merge";
    const CHOICES: &'static [(&'static str, Self)] = &[
        ("overwrite", Self::Overwrite),
        ("keep", Self::Keep),
        ("replace", Self::Replace),
        ("union", Self::Union),
        ("append_new", Self::AppendNew),
        ("merge_patch", Self::MergePatch),
    ];
}

impl Strategy {
    /// Whether the value is taken as a list of items.
    pub(crate) fn is_of_lists(self) -> bool {
        matches!(self, Self::Union | Self::AppendNew)
    }
}

impl Merging {
    /// Reads the value of the mark.
    pub(crate) fn read(mark: Mark) -> syn::Result<Self> {
        let how = match mark.value {
            Value::Text(word) => {
                let strategy = Strategy::parse(&word)?;
                How::Word(word, strategy)
            }
            Value::List(inside) => How::With(function(inside)?),
            Value::Path(word) => {
                let shown = word.to_token_stream().to_string().replace(' ', "");
                let help = format!(
                    "write `#[idem(merge = \"{shown}\")]`, or for a function of yours `#[idem(merge(with = {shown}))]`"
                );
                return Err(fault(word, "a strategy is written as a string", help));
            }
            Value::Other(value) => {
                return Err(fault(value, "a strategy is written as a string", HELP));
            }
            Value::None => return Err(fault(mark.name, "`merge` needs a strategy", HELP)),
        };
        Ok(Self { mark: mark.name, how })
    }
}

const HELP: &str =
    "write for example `#[idem(merge = \"union\")]`, or `#[idem(merge(with = path))]`";

/// The path in `with = path`.
fn function(inside: TokenStream) -> syn::Result<ExprPath> {
    let with = |input: syn::parse::ParseStream<'_>| {
        let name: Ident = input.parse()?;
        input.parse::<Token![=]>()?;
        let path: ExprPath = input.parse()?;
        if name == "with" { Ok(path) } else { Err(input.error("")) }
    };
    let shown = if inside.is_empty() { quote!(()) } else { inside.clone() };
    syn::parse::Parser::parse2(with, inside)
        .map_err(|_| fault(shown, "`merge(..)` takes the path of a function", HELP))
}
