//! The options with their meaning: from [`RawArgs`] to [`Settings`].

use proc_macro2::TokenStream;
use syn::{ExprPath, Ident, LitStr, Type};

use crate::diagnostics::{Diagnostics, fault};
use crate::idempotent::beside::Beside;
use crate::idempotent::critical::CriticalPath;
use crate::idempotent::duration::Millis;
use crate::idempotent::key::Key;
use crate::idempotent::options;
use crate::idempotent::parse::{RawArgs, RawOption};
use crate::idempotent::value::{self, word};
use crate::idempotent::windows::Windows;
use crate::idempotent::words::{Concurrent, OnCrash, OnFailure, Policy};
use crate::runtime::Runtime;
use crate::suggest;

/// The options that were given. Each value is valid by itself and has a meaning beside the others,
/// and the times among them are in their order.
#[derive(Default)]
pub(crate) struct Settings {
    pub(crate) critical: Option<(Ident, Vec<CriticalPath>)>,
    /// The word as written, and what it stands for.
    pub(crate) policy: Option<(LitStr, Policy)>,
    pub(crate) suspicious_within: Option<Millis>,
    pub(crate) fresh_after: Option<Millis>,
    pub(crate) on_accept: Option<ExprPath>,
    pub(crate) max_history: Option<u32>,
    pub(crate) max_conflicts: Option<u32>,
    pub(crate) ttl: Option<Millis>,
    pub(crate) lease: Option<Millis>,
    pub(crate) on_failure: Option<OnFailure>,
    pub(crate) on_crash: Option<OnCrash>,
    /// How long a retry waits for the first, where it does.
    pub(crate) wait: Option<Millis>,
    pub(crate) name: Option<String>,
    pub(crate) header: Option<String>,
    pub(crate) key: Option<(Ident, Key)>,
    /// Where the handler as it was written can be called.
    pub(crate) unprotected: Option<ExprPath>,
    /// The state of the router, where the handler is to be for this one alone.
    pub(crate) state: Option<Type>,
    pub(crate) runtime: Option<Runtime>,
}

impl Settings {
    /// Gives each option its meaning; every faulty one is reported.
    pub(crate) fn lower(args: RawArgs, diagnostics: &mut Diagnostics) -> Self {
        let mut settings = Self::default();
        let (beside, mut windows) = (Beside::new(&args), Windows::new(&args));
        let mut seen: Vec<String> = Vec::new();
        for option in args.options {
            let checked = checked(&option, &seen);
            seen.push(option.name.to_string());
            let set = checked.and_then(|value| {
                beside.allow(&option.name)?;
                settings.set(&option.name, &value, &mut windows, diagnostics)
            });
            diagnostics.keep(set);
        }
        settings
    }

    /// Sets one option, known by its name.
    fn set(
        &mut self,
        name: &Ident,
        value: &TokenStream,
        windows: &mut Windows,
        diagnostics: &mut Diagnostics,
    ) -> syn::Result<()> {
        match name.to_string().as_str() {
            "critical" => {
                self.critical = Some((name.clone(), value::critical(value, diagnostics)?));
            }
            "policy" => self.policy = Some((value::text(value, "policy")?, word(value)?)),
            "suspicious_within" => {
                self.suspicious_within = Some(windows.read("suspicious_within", value)?);
            }
            "fresh_after" => self.fresh_after = Some(windows.read("fresh_after", value)?),
            "on_accept" => self.on_accept = Some(value::function(value, "on_accept")?),
            "max_history" => self.max_history = Some(value::count(value, "max_history")?),
            "max_conflicts" => self.max_conflicts = Some(value::count(value, "max_conflicts")?),
            "ttl" => self.ttl = Some(windows.read("ttl", value)?),
            "lease" => self.lease = Some(windows.read("lease", value)?),
            "on_failure" => self.on_failure = Some(word(value)?),
            "on_crash" => self.on_crash = Some(word(value)?),
            "concurrent" => {
                if let (Concurrent::Wait, None) = (word(value)?, self.wait) {
                    self.wait = Some(windows.default_wait(&value::text(value, "concurrent")?)?);
                }
            }
            "wait" => self.wait = Some(windows.read("wait", value)?),
            "name" => self.name = Some(value::name(value)?),
            "header" => self.header = Some(value::header(value)?),
            "key" => self.key = Some((name.clone(), Key::read(value)?)),
            "unprotected" => self.unprotected = Some(value::own_function(value)?),
            "state" => self.state = Some(value::state(value)?),
            "crate" => self.runtime = Some(Runtime::of_path(&value::runtime_path(value)?)),
            _ => unreachable!("every name in `options` has an arm here"),
        }
        Ok(())
    }
}

/// The value of a known option that is given for the first time.
fn checked(option: &RawOption, seen: &[String]) -> syn::Result<TokenStream> {
    let RawOption { name, value, stray } = option;
    let text = name.to_string();
    let Some(example) = options::example(&text) else {
        let help = suggest::offer(&text, &options::names());
        return Err(fault(name, format!("unknown option `{text}`"), help));
    };
    if seen.contains(&text) {
        return Err(fault(name, format!("`{text}` is given twice"), "keep one of them"));
    }
    let example = format!("write `{example}`");
    match (value, stray) {
        (Some(value), None) => Ok(value.clone()),
        (Some(_), Some(stray)) => {
            let message = format!("expected a comma after the value of `{text}`");
            Err(fault(stray, message, "write a comma between two options, and nothing else"))
        }
        (None, Some(stray)) => Err(fault(stray, format!("expected `=` after `{text}`"), example)),
        (None, None) => Err(fault(name, format!("`{text}` needs a value"), example)),
    }
}
