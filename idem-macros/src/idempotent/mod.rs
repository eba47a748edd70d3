//! `#[idempotent]`: parse, lower, expand.

mod attributes;
mod beside;
mod critical;
mod duration;
mod expand;
mod handler;
mod key;
mod model;
mod options;
mod parse;
mod settings;
mod signature;
mod value;
mod windows;
mod words;

use proc_macro2::TokenStream;

use self::handler::Handler;
use self::model::Model;
use self::parse::RawArgs;
use self::settings::Settings;
use crate::diagnostics::Diagnostics;
use crate::runtime::Runtime;

/// Expands the attribute. A handler with faults is emitted again as it was, beside its errors, so
/// that editors keep working in it and nothing that names it fails as well.
pub(crate) fn expand(args: TokenStream, item: TokenStream, found: Option<Runtime>) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let model = lower(args, item.clone(), found, &mut diagnostics);
    match (diagnostics.into_errors(), model) {
        (None, Some(model)) => expand::expand(&model),
        (errors, _) => errors.into_iter().chain([item]).collect(),
    }
}

fn lower(
    args: TokenStream,
    item: TokenStream,
    found: Option<Runtime>,
    diagnostics: &mut Diagnostics,
) -> Option<Model> {
    let settings = Settings::lower(RawArgs::parse(args, diagnostics), diagnostics);
    let handler: Handler = diagnostics.keep(syn::parse2(item))?;
    Model::lower(settings, handler, found, diagnostics)
}

#[cfg(test)]
mod tests;
