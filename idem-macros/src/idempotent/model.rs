//! A handler and its contract after every check: nothing in here can be wrong.

use syn::ext::IdentExt as _;

use crate::diagnostics::Diagnostics;
use crate::idempotent::attributes::Attributes;
use crate::idempotent::critical::CriticalPath;
use crate::idempotent::handler::Handler;
use crate::idempotent::key::Key;
use crate::idempotent::settings::Settings;
use crate::idempotent::signature::{Argument, Parameters};
use crate::idempotent::words::{KeyRule, Policy};
use crate::runtime::{MISSING_HELP, Runtime};

/// What is expanded.
pub(crate) struct Model {
    pub(crate) runtime: Runtime,
    pub(crate) name: String,
    pub(crate) settings: Settings,
    pub(crate) critical: Vec<CriticalPath>,
    pub(crate) parameters: Parameters,
    pub(crate) attributes: Attributes,
    pub(crate) handler: Handler,
}

impl Model {
    /// Joins settings and function; `None` when a fault is in the bag.
    pub(crate) fn lower(
        mut settings: Settings,
        handler: Handler,
        found: Option<Runtime>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Self> {
        let knows_self =
            settings.unprotected.as_ref().is_some_and(|path| path.path.segments.len() > 1);
        let parameters = Parameters::lower(&handler.signature, knows_self, diagnostics);
        let attributes = Attributes::sort(&handler.attributes, diagnostics);
        let critical = critical(&mut settings, &parameters, diagnostics);
        refuse_policy_without_payload(&settings, &parameters, diagnostics);
        refuse_useless_key(&settings, &parameters, diagnostics);
        if let Some(transaction) = parameters.transaction() {
            refuse_beside_transaction(&settings, transaction, diagnostics);
        }
        let name =
            settings.name.take().unwrap_or_else(|| handler.signature.ident.unraw().to_string());
        let runtime = settings.runtime.take().or(found);
        if runtime.is_none() {
            diagnostics.fault(
                &handler.signature.ident,
                "`idem-axum` is not a dependency of this crate",
                MISSING_HELP,
            );
        }
        Some(Self { runtime: runtime?, name, settings, critical, parameters, attributes, handler })
    }
}

/// Refuses a policy that works on the payload where there is none.
fn refuse_policy_without_payload(
    settings: &Settings,
    parameters: &Parameters,
    diagnostics: &mut Diagnostics,
) {
    let Some((word, Policy::Merge | Policy::Review)) = &settings.policy else { return };
    if !parameters.may_have_payload() {
        let message = format!(
            "`policy = \"{}\"` is about payloads, but the handler takes none",
            word.value()
        );
        let help = "take the payload as the last parameter, or remove `policy`";
        diagnostics.fault(word, message, help);
    }
}

/// Refuses what has no meaning, or no place, in a handler that writes in a transaction.
fn refuse_beside_transaction(
    settings: &Settings,
    transaction: &Argument,
    diagnostics: &mut Diagnostics,
) {
    if let Some((word, Policy::Merge | Policy::Review)) = &settings.policy {
        let message = format!("`policy = \"{}\"` cannot go with a transaction", word.value());
        let help = "choose `\"reject\"` or `\"last_write_wins\"`, or remove the parameter `Tx`";
        diagnostics.fault(word, message, help);
    }
    if let Some((option, Key::Header(KeyRule::Optional))) = &settings.key {
        let message = "a transaction holds the record of a key, which is therefore not optional";
        diagnostics.fault(option, message, "remove `key`, or the parameter `Tx`");
    }
    if settings.on_crash.is_some() || settings.lease.is_some() {
        let message = "`on_crash` and `lease` are about executions that vanish, and a transaction leaves nothing of them";
        diagnostics.fault(&transaction.ty, message, "remove these options, or the parameter `Tx`");
    }
}

/// Refuses a key that is taken from a payload where there is none, or where a header is named.
fn refuse_useless_key(settings: &Settings, parameters: &Parameters, diagnostics: &mut Diagnostics) {
    let Some((option, key)) = &settings.key else { return };
    if !key.is_derived() {
        return;
    }
    if !parameters.may_have_payload() {
        let help =
            "take the payload as the last parameter, or let a header carry the key: remove `key`";
        let message = "`key` is taken from the payload, but the handler takes none";
        diagnostics.fault(option, message, help);
    }
    if settings.header.is_some() {
        let message = "`key` is taken from the payload, so that no header carries it";
        diagnostics.fault(option, message, "remove `header`, or remove `key`");
    }
}

/// The critical fields, which need a payload to be in.
fn critical(
    settings: &mut Settings,
    parameters: &Parameters,
    diagnostics: &mut Diagnostics,
) -> Vec<CriticalPath> {
    let Some((option, paths)) = settings.critical.take() else {
        return Vec::new();
    };
    if !parameters.may_have_payload() {
        let help = "take the payload as the last parameter, or remove `critical`";
        diagnostics.fault(
            option,
            "`critical` names fields of a payload, but the handler takes none",
            help,
        );
    }
    paths
}
