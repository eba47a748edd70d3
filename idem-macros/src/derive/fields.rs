//! The fields of a payload's type.

use syn::{Data, DataStruct, DeriveInput, Fields};

use crate::diagnostics::Diagnostics;

/// The fields by name, which only a struct with braces has.
pub(crate) fn named<'a>(
    input: &'a DeriveInput,
    derived: &str,
    help: &str,
    diagnostics: &mut Diagnostics,
) -> Option<&'a Fields> {
    let shown = match &input.data {
        Data::Struct(DataStruct { fields, .. }) if matches!(fields, Fields::Named(_)) => {
            return Some(fields);
        }
        Data::Struct(_) => "a struct without field names",
        Data::Enum(_) => "an enum",
        Data::Union(_) => "a union",
    };
    let message = format!("`{derived}` cannot be derived for {shown}");
    diagnostics.fault(&input.ident, message, help);
    None
}
