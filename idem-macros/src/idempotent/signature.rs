//! What a handler's signature must be, and the parameters of one that is.

use syn::{Attribute, FnArg, PatType, Receiver, ReturnType, Safety, Signature, Type};

use crate::diagnostics::Diagnostics;
use crate::syntax::{bare, last_segment, mentions};

/// The parameters, apart by what becomes of them.
pub(crate) struct Parameters {
    /// All but the last: extracted as they are.
    pub(crate) arguments: Vec<Argument>,
    /// The last one: its body, if it takes one, is the payload.
    pub(crate) payload: Option<Type>,
}

/// One parameter that is handed through.
pub(crate) struct Argument {
    pub(crate) ty: Type,
    /// The `cfg`s on the parameter, which decide whether it exists.
    pub(crate) conditions: Vec<Attribute>,
}

impl Parameters {
    /// Checks the signature and takes its parameters.
    pub(crate) fn lower(signature: &Signature, diagnostics: &mut Diagnostics) -> Self {
        qualifiers(signature, diagnostics);
        for parameter in &signature.inputs {
            match parameter {
                FnArg::Receiver(receiver) => refuse_receiver(receiver, diagnostics),
                FnArg::Typed(typed) => refuse_type(&typed.ty, diagnostics),
            }
        }
        if let Some(variadic) = &signature.variadic {
            diagnostics.fault(variadic.dots, "a handler cannot be variadic", "name each parameter");
        }
        let mut typed: Vec<&PatType> = signature.inputs.iter().filter_map(typed).collect();
        let payload = typed.pop().map(|last| payload(last, diagnostics));
        if let ReturnType::Type(_, ty) = &signature.output {
            refuse_self(ty, diagnostics);
        }
        Self { arguments: typed.into_iter().map(argument).collect(), payload }
    }
}

/// Refuses everything before `fn` but `async`.
fn qualifiers(signature: &Signature, diagnostics: &mut Diagnostics) {
    let name = &signature.ident;
    if let Some(keyword) = &signature.constness {
        diagnostics.fault(
            keyword,
            "a handler cannot be `const`",
            format!("write `async fn {name}`"),
        );
    }
    if let Safety::Unsafe(keyword) = &signature.safety {
        let help = "put the unsafe block, with its reasons, inside the handler";
        diagnostics.fault(keyword, "a handler cannot be `unsafe`", help);
    }
    if let Some(abi) = &signature.abi {
        diagnostics.fault(
            abi,
            "a handler cannot have a foreign ABI",
            format!("write `async fn {name}`"),
        );
    }
    if signature.asyncness.is_none() && signature.constness.is_none() {
        diagnostics.fault(
            signature.fn_token,
            "a handler must be async",
            format!("write `async fn {name}`"),
        );
    }
}

fn refuse_receiver(receiver: &Receiver, diagnostics: &mut Diagnostics) {
    diagnostics.fault(
        receiver,
        "a handler cannot take `self`",
        "move it out to a free function that takes `State<..>`, and call the method from there",
    );
}

/// Refuses what cannot be written twice, in the handler and in the function around it.
fn refuse_type(ty: &Type, diagnostics: &mut Diagnostics) {
    if let Type::ImplTrait(anonymous) = bare(ty) {
        diagnostics.fault(
            anonymous,
            "the parameters of a handler need types with a name",
            "write the type itself, or give the handler a type parameter, as in `async fn pay<T: Bound>`",
        );
    } else {
        refuse_self(ty, diagnostics);
    }
}

fn refuse_self(ty: &Type, diagnostics: &mut Diagnostics) {
    if let Some(word) = mentions(ty, "Self") {
        let help = "write the type by its name, or move the handler out to a free function";
        diagnostics.fault(word, "a handler cannot name `Self`", help);
    }
}

/// The last parameter's type, unless its body can be read but once.
fn payload(last: &PatType, diagnostics: &mut Diagnostics) -> Type {
    if let Some(condition) = last.attrs.iter().find(|attribute| is_condition(attribute)) {
        let help = "put the `cfg` on the handler, or move the parameter further to the front";
        diagnostics.fault(condition, "the last parameter of a handler cannot be conditional", help);
    }
    let streams = ["Request", "Body", "Multipart"];
    if let Some(segment) =
        last_segment(&last.ty).filter(|segment| streams.iter().any(|name| segment.ident == name))
    {
        let help =
            "take `Bytes`, `Json<T>` or `Form<T>`, or implement `Payload` for your own extractor";
        let message =
            format!("a streaming body cannot be fingerprinted, and `{}` is one", segment.ident);
        diagnostics.fault(&last.ty, message, help);
    }
    Type::clone(&last.ty)
}

fn argument(typed: &PatType) -> Argument {
    let conditions =
        typed.attrs.iter().filter(|attribute| is_condition(attribute)).cloned().collect();
    Argument { ty: Type::clone(&typed.ty), conditions }
}

fn typed(parameter: &FnArg) -> Option<&PatType> {
    match parameter {
        FnArg::Typed(typed) => Some(typed),
        FnArg::Receiver(_) => None,
    }
}

fn is_condition(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
}
