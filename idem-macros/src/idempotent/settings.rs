//! The options with their meaning: from [`RawArgs`] to [`Settings`].

use proc_macro2::TokenStream;
use syn::{Ident, Path};

use crate::diagnostics::{Diagnostics, fault};
use crate::idempotent::critical::CriticalPath;
use crate::idempotent::duration::Millis;
use crate::idempotent::key::Key;
use crate::idempotent::options;
use crate::idempotent::parse::{RawArgs, RawOption};
use crate::idempotent::value;
use crate::idempotent::windows::Windows;
use crate::idempotent::words::{Concurrent, OnCrash, OnFailure, Policy, Word};
use crate::runtime::Runtime;
use crate::suggest;

/// The options that were given. Each value is valid by itself, and of the wait, the lease and the
/// ttl each is shorter than the next, as far as they are given.
#[derive(Default)]
pub(crate) struct Settings {
    pub(crate) critical: Option<(Ident, Vec<CriticalPath>)>,
    pub(crate) policy: Option<Policy>,
    pub(crate) ttl: Option<Millis>,
    pub(crate) lease: Option<Millis>,
    pub(crate) on_failure: Option<OnFailure>,
    pub(crate) on_crash: Option<OnCrash>,
    /// How long a retry waits for the first, where it does.
    pub(crate) wait: Option<Millis>,
    pub(crate) name: Option<String>,
    pub(crate) header: Option<String>,
    pub(crate) key: Option<(Ident, Key)>,
    pub(crate) runtime: Option<Runtime>,
}

impl Settings {
    /// Gives each option its meaning; every faulty one is reported.
    pub(crate) fn lower(args: RawArgs, diagnostics: &mut Diagnostics) -> Self {
        let mut settings = Self::default();
        let mut windows = Windows::new(may_wait(&args));
        let mut seen: Vec<String> = Vec::new();
        for option in args.options {
            let checked = checked(&option, &seen);
            seen.push(option.name.to_string());
            let set = checked
                .and_then(|value| settings.set(&option.name, &value, &mut windows, diagnostics));
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
            "policy" => self.policy = Some(word(value)?),
            "ttl" => self.ttl = Some(windows.ttl(value)?),
            "lease" => self.lease = Some(windows.lease(value)?),
            "on_failure" => self.on_failure = Some(word(value)?),
            "on_crash" => self.on_crash = Some(word(value)?),
            "concurrent" => {
                if let Concurrent::Wait = word(value)? {
                    self.wait.get_or_insert(Millis::DEFAULT_WAIT);
                }
            }
            "wait" => self.wait = Some(windows.wait(name, value)?),
            "name" => self.name = Some(value::name(value)?),
            "header" => self.header = Some(value::header(value)?),
            "key" => self.key = Some((name.clone(), Key::read(value)?)),
            "crate" => self.runtime = Some(runtime(value)?),
            _ => unreachable!("every name in `options` has an arm here"),
        }
        Ok(())
    }
}

/// Whether `concurrent` lets a retry wait. One that cannot be read is a fault by itself, which is
/// not to become two.
fn may_wait(args: &RawArgs) -> bool {
    let concurrent = args.options.iter().find(|option| option.name == "concurrent");
    concurrent.is_some_and(|option| {
        let rule = option.value.as_ref().map(word);
        !matches!(rule, Some(Ok(Concurrent::Reject)))
    })
}

/// The value of a known option that is given for the first time.
fn checked(option: &RawOption, seen: &[String]) -> syn::Result<TokenStream> {
    let RawOption { name, value } = option;
    let text = name.to_string();
    let Some(example) = options::example(&text) else {
        let help = suggest::offer(&text, &options::names());
        return Err(fault(name, format!("unknown option `{text}`"), help));
    };
    if seen.contains(&text) {
        return Err(fault(name, format!("`{text}` is given twice"), "keep one of them"));
    }
    value
        .clone()
        .ok_or_else(|| fault(name, format!("`{text}` needs a value"), format!("write `{example}`")))
}

/// Reads one of the words of an option.
fn word<W: Word>(value: &TokenStream) -> syn::Result<W> {
    W::parse(&value::text(value, W::OPTION)?)
}

/// Reads the path of a re-export of `idem-axum`.
fn runtime(value: &TokenStream) -> syn::Result<Runtime> {
    value::runtime_path(value).map(|path: Path| Runtime::of_path(&path))
}
