//! Compares whole expansions with the files in `tests/expand`: `name.rs` is what a user writes,
//! `name.expanded.rs` what becomes of it. `BLESS=1 cargo test -p idem-macros` writes the latter.

use std::path::{Path, PathBuf};
use std::{env, fs};

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::{Attribute, File, Item, Meta};

use crate::derive::{self, Engine, Merge, Semantic, Value};
use crate::idempotent;
use crate::runtime::Runtime;

#[test]
fn expansions_are_as_kept() {
    let inputs = inputs();
    assert!(!inputs.is_empty(), "`tests/expand` holds no inputs");
    let changed: Vec<PathBuf> = inputs.into_iter().filter(|input| !is_as_kept(input)).collect();
    assert!(changed.is_empty(), "these expand differently, see `BLESS` in this file: {changed:#?}");
}

#[test]
fn the_expansion_of_a_typical_handler_stays_thin() {
    let mut lines: Vec<usize> = inputs().iter().flat_map(|input| handlers(input)).collect();
    lines.sort_unstable();
    assert!(lines.len() >= 10, "{} handlers are kept", lines.len());
    let median = lines[lines.len() / 2];
    assert!(median <= 30, "half of the expansions are {median} lines or longer: {lines:?}");
}

/// How many lines each handler of an input expands to, its own included.
fn handlers(input: &Path) -> Vec<usize> {
    let source = fs::read_to_string(input).expect("the input can be read");
    let items = syn::parse_file(&source).expect("the input parses").items;
    let handlers = items.into_iter().filter(|item| matches!(item, Item::Fn(_)));
    handlers.map(|handler| laid_out(&expand_item(handler)).lines().count()).collect()
}

fn inputs() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).expect("the folder is kept");
    let files = entries.map(|entry| entry.expect("the folder can be read").path());
    files.filter(|file| !file.to_string_lossy().ends_with(".expanded.rs")).collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expand")
}

fn is_as_kept(input: &Path) -> bool {
    let expanded = expand(&fs::read_to_string(input).expect("the input can be read"));
    let kept = input.with_extension("expanded.rs");
    if env::var_os("BLESS").is_some() {
        fs::write(&kept, &expanded).expect("the expansion can be written");
    }
    fs::read_to_string(kept).is_ok_and(|kept| kept == expanded)
}

fn expand(source: &str) -> String {
    let file = syn::parse_file(source).expect("the input parses");
    laid_out(&file.items.into_iter().map(expand_item).collect())
}

fn laid_out(items: &TokenStream) -> String {
    let file: File = syn::parse2(items.clone()).unwrap_or_else(|fault| panic!("{fault}: {items}"));
    prettyplease::unparse(&file)
}

/// What the compiler would leave of an item: its expansion, or the impls derived for it.
fn expand_item(item: Item) -> TokenStream {
    match item {
        Item::Fn(mut function) => {
            let args = take(&mut function.attrs, "idempotent").expect("the handler is idempotent");
            idempotent::expand(args, function.into_token_stream(), runtime())
        }
        Item::Struct(mut item) => {
            let derives = take(&mut item.attrs, "derive").expect("the type derives something");
            expand_derives(&derives, &item.into_token_stream())
        }
        Item::Enum(mut item) => {
            let derives = take(&mut item.attrs, "derive").expect("the type derives something");
            expand_derives(&derives, &item.into_token_stream())
        }
        other => other.into_token_stream(),
    }
}

fn expand_derives(derives: &TokenStream, item: &TokenStream) -> TokenStream {
    let names = derives.to_string();
    names
        .split(',')
        .map(|name| match name.trim() {
            "SemanticIdentity" => derive::expand::<Semantic>(item.clone(), runtime()),
            "IdentityValue" => derive::expand::<Value>(item.clone(), runtime()),
            "Merge" => derive::expand::<Merge>(item.clone(), runtime()),
            "IdempotencyState" => derive::expand::<Engine>(item.clone(), runtime()),
            other => panic!("`{other}` is not one of ours"),
        })
        .collect()
}

/// Removes an attribute and gives its arguments.
fn take(attributes: &mut Vec<Attribute>, name: &str) -> Option<TokenStream> {
    let position = attributes.iter().position(|attribute| attribute.path().is_ident(name))?;
    Some(match attributes.remove(position).meta {
        Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    })
}

fn runtime() -> Option<Runtime> {
    Some(Runtime::of_crate("idem_axum"))
}
