//! What a handler's signature must be, and the parameters of one that is.

use syn::{Attribute, FnArg, PatType, Receiver, ReturnType, Safety, Signature, Type};

use crate::diagnostics::Diagnostics;
use crate::syntax::{bare, mentions, named_one_of};

/// The parameters, apart by what becomes of them.
pub(crate) struct Parameters {
    /// All but the last: extracted as they are.
    pub(crate) arguments: Vec<Argument>,
    /// The last one: its body, if it takes one, is the payload.
    pub(crate) payload: Option<Type>,
    /// Whether the payload is not the last one, which is a fault by itself.
    payload_is_misplaced: bool,
}

/// One parameter that is handed through.
pub(crate) struct Argument {
    pub(crate) ty: Type,
    /// The `cfg`s on the parameter, which decide whether it exists.
    pub(crate) conditions: Vec<Attribute>,
    /// Whether it is the transaction that holds the handler's record.
    pub(crate) is_transaction: bool,
}

impl Parameters {
    /// Checks the signature and takes its parameters.
    ///
    /// `Self` is only known to a function that stands where the handler stood, not inside of it.
    pub(crate) fn lower(
        signature: &Signature,
        knows_self: bool,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        qualifiers(signature, diagnostics);
        for parameter in &signature.inputs {
            match parameter {
                FnArg::Receiver(receiver) => refuse_receiver(receiver, diagnostics),
                FnArg::Typed(typed) => refuse_type(&typed.ty, knows_self, diagnostics),
            }
        }
        if let Some(variadic) = &signature.variadic {
            diagnostics.fault(variadic.dots, "a handler cannot be variadic", "name each parameter");
        }
        let mut typed: Vec<&PatType> = signature.inputs.iter().filter_map(typed).collect();
        let payload = typed.pop_if(|last| !is_transaction(&last.ty));
        let payload = payload.map(|last| payload_type(last, diagnostics));
        let bodies: Vec<&Type> =
            typed.iter().map(|typed| &*typed.ty).filter(|ty| reads_body(ty)).collect();
        bodies.iter().for_each(|body| refuse_body(body, diagnostics));
        if let (ReturnType::Type(_, ty), false) = (&signature.output, knows_self) {
            refuse_self(ty, diagnostics);
        }
        let payload_is_misplaced = !bodies.is_empty();
        let arguments: Vec<Argument> = typed.into_iter().map(argument).collect();
        refuse_transactions(&arguments, diagnostics);
        Self { arguments, payload, payload_is_misplaced }
    }

    /// The transaction that the handler writes in.
    pub(crate) fn transaction(&self) -> Option<&Argument> {
        self.arguments.iter().find(|argument| argument.is_transaction)
    }

    /// Whether a body is read, as far as the name of the last parameter's type tells.
    pub(crate) fn may_have_payload(&self) -> bool {
        const PARTS: &[&str] = &[
            "ConnectInfo",
            "Extension",
            "HeaderMap",
            "MatchedPath",
            "Method",
            "NestedPath",
            "OriginalUri",
            "Parts",
            "Path",
            "Query",
            "RawPathParams",
            "RawQuery",
            "State",
            "Uri",
            "Version",
        ];
        self.payload_is_misplaced
            || self.payload.as_ref().is_some_and(|ty| named_one_of(ty, PARTS).is_none())
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
fn refuse_type(ty: &Type, knows_self: bool, diagnostics: &mut Diagnostics) {
    if let Type::ImplTrait(anonymous) = bare(ty) {
        diagnostics.fault(
            anonymous,
            "the parameters of a handler need types with a name",
            "write the type itself, or give the handler a type parameter, as in `async fn pay<T: Bound>`",
        );
    } else if !knows_self {
        refuse_self(ty, diagnostics);
    }
}

fn refuse_self(ty: &Type, diagnostics: &mut Diagnostics) {
    if let Some(word) = mentions(ty, "Self") {
        let help = "write the type by its name, or give the function a name beside the handler: `unprotected = Self::charge`";
        diagnostics.fault(word, "a handler cannot name `Self`", help);
    }
}

/// Whether the body is read, as the name of the type tells.
fn reads_body(ty: &Type) -> bool {
    const BODIES: &[&str] =
        &["Json", "Form", "RawForm", "Bytes", "String", "Request", "Body", "Multipart"];
    named_one_of(ty, BODIES).is_some()
}

fn refuse_body(ty: &Type, diagnostics: &mut Diagnostics) {
    let message = "the body is read by this parameter, which must then be the last one";
    diagnostics.fault(ty, message, "move it to the end of the list of parameters");
}

/// The last parameter's type, unless its body can be read but once.
fn payload_type(last: &PatType, diagnostics: &mut Diagnostics) -> Type {
    if let Some(condition) = last.attrs.iter().find(|attribute| is_condition(attribute)) {
        let help = "put the `cfg` on the handler, or move the parameter further to the front";
        diagnostics.fault(condition, "the last parameter of a handler cannot be conditional", help);
    }
    if let Some(stream) = named_one_of(&last.ty, &["Request", "Body", "Multipart"]) {
        let help =
            "take `Bytes`, `Json<T>` or `Form<T>`, or implement `Payload` for your own extractor";
        let message = format!("a streaming body cannot be fingerprinted, and `{stream}` is one");
        diagnostics.fault(&last.ty, message, help);
    }
    Type::clone(&last.ty)
}

fn argument(typed: &PatType) -> Argument {
    let conditions =
        typed.attrs.iter().filter(|attribute| is_condition(attribute)).cloned().collect();
    let is_transaction = is_transaction(&typed.ty);
    Argument { ty: Type::clone(&typed.ty), conditions, is_transaction }
}

fn is_transaction(ty: &Type) -> bool {
    named_one_of(ty, &["Tx"]).is_some()
}

/// Refuses more transactions than there is one of, and one that may be there or not.
fn refuse_transactions(arguments: &[Argument], diagnostics: &mut Diagnostics) {
    let mut transactions = arguments.iter().filter(|argument| argument.is_transaction);
    if let Some(condition) = transactions.next().and_then(|first| first.conditions.first()) {
        let help = "put the `cfg` on the handler, and write another one without a transaction";
        diagnostics.fault(condition, "the transaction of a handler cannot be conditional", help);
    }
    for second in transactions {
        diagnostics.fault(&second.ty, "a handler has one transaction", "remove this parameter");
    }
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
