//! The marks in `#[idem(...)]`.

use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, Path, Token};

use crate::diagnostics::{Diagnostics, fault};
use crate::runtime::Runtime;
use crate::suggest;

/// The marks that may stand on a field, for any of the derives: one type may derive several.
const OF_FIELDS: &[&str] = &["critical", "ignore", "nested", "engine"];

/// The marks on one field, each where it is written.
#[derive(Default)]
pub(crate) struct Marks {
    pub(crate) critical: Option<Ident>,
    pub(crate) ignore: Option<Ident>,
    pub(crate) nested: Option<Ident>,
    pub(crate) engine: Option<Ident>,
}

impl Marks {
    /// Reads the marks of a field.
    pub(crate) fn read(attributes: &[Attribute], diagnostics: &mut Diagnostics) -> Self {
        let mut marks = Self::default();
        for mark in idem(attributes, diagnostics) {
            let set = marks.set(mark);
            diagnostics.keep(set);
        }
        marks
    }

    fn set(&mut self, mark: Mark) -> syn::Result<()> {
        let name = mark.name.to_string();
        let place = match name.as_str() {
            "critical" => &mut self.critical,
            "ignore" => &mut self.ignore,
            "nested" => &mut self.nested,
            "engine" => &mut self.engine,
            "crate" => {
                let help = "put `#[idem(crate = path::to::idem)]` on the type";
                return Err(fault(&mark.name, "`crate` is not a mark of a field", help));
            }
            _ => {
                return Err(fault(
                    mark.name,
                    format!("unknown mark `{name}`"),
                    suggest::offer(&name, OF_FIELDS),
                ));
            }
        };
        if mark.path.is_some() {
            return Err(fault(
                mark.name,
                format!("`{name}` takes no value"),
                format!("write `#[idem({name})]`"),
            ));
        }
        if place.is_some() {
            return Err(fault(mark.name, format!("`{name}` is given twice"), "keep one of them"));
        }
        *place = Some(mark.name);
        Ok(())
    }
}

/// Reads the marks on the type itself, of which there is one: `crate = path`.
pub(crate) fn runtime(attributes: &[Attribute], diagnostics: &mut Diagnostics) -> Option<Runtime> {
    let mut runtime = None;
    for mark in idem(attributes, diagnostics) {
        let name = mark.name.to_string();
        match mark.path {
            Some(path) if name == "crate" => runtime = Some(Runtime::of_path(&path)),
            None if name == "crate" => {
                diagnostics.fault(
                    mark.name,
                    "`crate` needs a path",
                    "write `#[idem(crate = path::to::idem)]`",
                );
            }
            _ if OF_FIELDS.contains(&name.as_str()) => {
                let help = format!("put `#[idem({name})]` on the fields it is meant for");
                diagnostics.fault(mark.name, format!("`{name}` is a mark of fields"), help);
            }
            _ => diagnostics.fault(
                mark.name,
                format!("unknown option `{name}`"),
                suggest::offer(&name, &["crate"]),
            ),
        }
    }
    runtime
}

/// Refuses marks where no field is, such as on a variant.
pub(crate) fn refuse(attributes: &[Attribute], diagnostics: &mut Diagnostics) {
    for mark in idem(attributes, diagnostics) {
        let message = format!("`{}` has no meaning here", mark.name);
        diagnostics.fault(mark.name, message, "marks go on the fields of structs");
    }
}

/// `name` or `name = path`.
struct Mark {
    name: Ident,
    path: Option<Path>,
}

fn idem(attributes: &[Attribute], diagnostics: &mut Diagnostics) -> Vec<Mark> {
    let attributes = attributes.iter().filter(|attribute| attribute.path().is_ident("idem"));
    attributes.filter_map(|attribute| diagnostics.keep(list(attribute))).flatten().collect()
}

fn list(attribute: &Attribute) -> syn::Result<Vec<Mark>> {
    let help = "write `#[idem(critical)]`, `#[idem(ignore)]` or `#[idem(nested)]`";
    let tokens = match &attribute.meta {
        syn::Meta::List(list) if !list.tokens.is_empty() => list.tokens.clone(),
        other => return Err(fault(other, "`idem` needs a mark in parentheses", help)),
    };
    let marks = Punctuated::<Mark, Token![,]>::parse_terminated.parse2(tokens.clone());
    marks
        .map(|marks| marks.into_iter().collect())
        .map_err(|_| fault(tokens, "unreadable mark", help))
}

impl syn::parse::Parse for Mark {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
        let name = input.call(<Ident as syn::ext::IdentExt>::parse_any)?;
        let assigned: Option<Token![=]> = input.parse()?;
        let path = assigned.map(|_| input.call(Path::parse_mod_style)).transpose()?;
        Ok(Self { name, path })
    }
}
