//! The times of a contract, of which each must be shorter than the next: wait, lease, ttl.

use proc_macro2::TokenStream;
use syn::{Ident, LitStr};

use crate::diagnostics::fault;
use crate::idempotent::duration::Millis;
use crate::idempotent::value;

/// The times read so far. Two of them are compared when the second is read, so that a fault stands
/// at its place.
pub(crate) struct Windows {
    may_wait: bool,
    wait: Option<Window>,
    lease: Option<Window>,
    ttl: Option<Window>,
}

/// A time as written, and its length.
type Window = (LitStr, Millis);

impl Windows {
    /// No times yet; whether a `wait` has a meaning is known from the other options.
    pub(crate) fn new(may_wait: bool) -> Self {
        Self { may_wait, wait: None, lease: None, ttl: None }
    }

    /// Reads `wait`; `name` is the option itself.
    pub(crate) fn wait(&mut self, name: &Ident, value: &TokenStream) -> syn::Result<Millis> {
        if !self.may_wait {
            let help = "write `concurrent = \"wait\"` as well, or remove `wait`";
            return Err(fault(name, "`wait` says how long, but no retry waits", help));
        }
        let (text, millis) = self.wait.insert(value::duration(value, "wait")?).clone();
        self.wait_is_shorter_than_lease(&text)?;
        Ok(millis)
    }

    /// Reads `lease`.
    pub(crate) fn lease(&mut self, value: &TokenStream) -> syn::Result<Millis> {
        let (text, millis) = self.lease.insert(value::duration(value, "lease")?).clone();
        self.wait_is_shorter_than_lease(&text)?;
        self.lease_is_shorter_than_ttl(&text)?;
        Ok(millis)
    }

    /// Reads `ttl`.
    pub(crate) fn ttl(&mut self, value: &TokenStream) -> syn::Result<Millis> {
        let (text, millis) = self.ttl.insert(value::duration(value, "ttl")?).clone();
        self.lease_is_shorter_than_ttl(&text)?;
        Ok(millis)
    }

    fn wait_is_shorter_than_lease(&self, place: &LitStr) -> syn::Result<()> {
        let help = "a retry waits for an attempt that is alive, and the lease is how long one may stay silent: \
                    raise `lease` or lower `wait`";
        shorter(("wait", &self.wait), ("lease", &self.lease), place, help)
    }

    fn lease_is_shorter_than_ttl(&self, place: &LitStr) -> syn::Result<()> {
        let help = "the lease is how long one attempt may stay silent, the ttl how long its answer is kept: \
                    raise `ttl` or lower `lease`";
        shorter(("lease", &self.lease), ("ttl", &self.ttl), place, help)
    }
}

/// Refuses two times of which the first is not the shorter one; a missing one agrees with any.
fn shorter(
    (short_name, short): (&str, &Option<Window>),
    (long_name, long): (&str, &Option<Window>),
    place: &LitStr,
    help: &str,
) -> syn::Result<()> {
    match (short, long) {
        (Some((short_text, short)), Some((long_text, long))) if short >= long => {
            let (short_text, long_text) = (short_text.value(), long_text.value());
            let message = format!(
                "the {short_name} `{short_text}` is not shorter than the {long_name} `{long_text}`"
            );
            Err(fault(place, message, help))
        }
        _ => Ok(()),
    }
}
