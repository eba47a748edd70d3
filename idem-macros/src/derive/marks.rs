//! What the marks in `#[idem(...)]` say of a field, and of a type.

use syn::{Attribute, ExprPath, Ident, LitStr};

use crate::derive::mark::{self, Mark, Value};
use crate::derive::strategy::Merging;
use crate::diagnostics::{Diagnostics, fault};
use crate::runtime::Runtime;
use crate::suggest;

/// The marks that may stand on a field, for any of the derives: one type may derive several.
const OF_FIELDS: &[&str] = &["critical", "ignore", "nested", "merge", "engine"];

/// The options of the type itself, for any of the derives, each with an example to paste.
const OF_TYPES: &[(&str, &str)] =
    &[("crate", "#[idem(crate = path::to::idem)]"), ("check", "#[idem(check = path)]")];

/// The marks on one field, each where it is written.
#[derive(Default)]
pub(crate) struct Marks {
    pub(crate) critical: Option<Ident>,
    pub(crate) ignore: Option<Ident>,
    pub(crate) nested: Option<Ident>,
    pub(crate) engine: Option<Ident>,
    pub(crate) merge: Option<Merging>,
}

impl Marks {
    /// Reads the marks of a field.
    pub(crate) fn read(attributes: &[Attribute], diagnostics: &mut Diagnostics) -> Self {
        let mut marks = Self::default();
        for mark in mark::marks(attributes, diagnostics) {
            let set = marks.set(mark);
            diagnostics.keep(set);
        }
        marks
    }

    fn set(&mut self, mark: Mark) -> syn::Result<()> {
        let name = mark.name.clone();
        match name.to_string().as_str() {
            "critical" => put(&mut self.critical, &name, bare(mark)?),
            "ignore" => put(&mut self.ignore, &name, bare(mark)?),
            "nested" => put(&mut self.nested, &name, bare(mark)?),
            "engine" => put(&mut self.engine, &name, bare(mark)?),
            "merge" => put(&mut self.merge, &name, Merging::read(mark)?),
            _ => Err(unknown(name)),
        }
    }
}

/// The name of a mark that takes no value.
fn bare(mark: Mark) -> syn::Result<Ident> {
    let name = mark.name;
    match mark.value {
        Value::None => Ok(name),
        _ => Err(fault(
            &name,
            format!("`{name}` takes no value"),
            format!("write `#[idem({name})]`"),
        )),
    }
}

fn unknown(name: Ident) -> syn::Error {
    let text = name.to_string();
    if let Some((_, example)) = OF_TYPES.iter().find(|(option, _)| *option == text) {
        let message = format!("`{text}` is not a mark of a field");
        return fault(name, message, format!("put `{example}` on the type"));
    }
    if text == "with" {
        let help = "write `#[idem(merge(with = path))]`";
        return fault(name, "`with` stands inside of `merge`", help);
    }
    fault(name, format!("unknown mark `{text}`"), suggest::offer(&text, OF_FIELDS))
}

/// The options on the type itself.
#[derive(Default)]
pub(crate) struct Options {
    /// `crate = path`: where the runtime is found.
    pub(crate) runtime: Option<Runtime>,
    /// `check = path`: what a merged value must pass.
    pub(crate) check: Option<ExprPath>,
}

impl Options {
    /// Reads the options of a type.
    pub(crate) fn read(attributes: &[Attribute], diagnostics: &mut Diagnostics) -> Self {
        let mut options = Self::default();
        for mark in mark::marks(attributes, diagnostics) {
            let set = options.set(mark);
            diagnostics.keep(set);
        }
        options
    }

    fn set(&mut self, mark: Mark) -> syn::Result<()> {
        let (text, name) = (mark.name.to_string(), mark.name);
        let Some((_, example)) = OF_TYPES.iter().find(|(option, _)| *option == text) else {
            return Err(misplaced(name));
        };
        let path = match mark.value {
            Value::Path(path) => path,
            Value::Text(quoted) => return Err(quoted_path(&name, &quoted)),
            _ => {
                let help = format!("write `{example}`");
                return Err(fault(name, format!("`{text}` needs a path"), help));
            }
        };
        match text.as_str() {
            "crate" => put(&mut self.runtime, &name, Runtime::of_path(&path.path)),
            _ => put(&mut self.check, &name, path),
        }
    }
}

fn quoted_path(name: &Ident, quoted: &LitStr) -> syn::Error {
    let help = format!("write `#[idem({name} = {})]`", quoted.value());
    fault(quoted, format!("the path of `{name}` is written without quotes"), help)
}

/// A mark of fields, or of nothing, on a type.
fn misplaced(name: Ident) -> syn::Error {
    let text = name.to_string();
    if OF_FIELDS.contains(&text.as_str()) {
        let shown = if text == "merge" { "merge = \"union\"" } else { &text };
        let help = format!("put `#[idem({shown})]` on the fields it is meant for");
        return fault(name, format!("`{text}` is a mark of fields"), help);
    }
    let choices: Vec<&str> = OF_TYPES.iter().map(|(option, _)| *option).collect();
    fault(name, format!("unknown option `{text}`"), suggest::offer(&text, &choices))
}

/// Sets what may be given once.
fn put<T>(place: &mut Option<T>, name: &Ident, value: T) -> syn::Result<()> {
    if place.is_some() {
        return Err(fault(name, format!("`{name}` is given twice"), "keep one of them"));
    }
    *place = Some(value);
    Ok(())
}

/// Refuses marks where no field is, such as on a variant.
pub(crate) fn refuse(attributes: &[Attribute], diagnostics: &mut Diagnostics) {
    for mark in mark::marks(attributes, diagnostics) {
        let message = format!("`{}` has no meaning here", mark.name);
        diagnostics.fault(mark.name, message, "marks go on the fields of structs");
    }
}
