//! The times of a contract, of which some must be shorter than others.

use proc_macro2::TokenStream;
use syn::LitStr;

use crate::diagnostics::fault;
use crate::idempotent::duration::Millis;
use crate::idempotent::parse::RawArgs;
use crate::idempotent::value;

/// A time that must be shorter than another, and why.
struct Order {
    short: &'static str,
    long: &'static str,
    why: &'static str,
}

impl Order {
    /// Why, and which of the two to write in another way.
    fn help(&self, short: &Window, long: &Window) -> String {
        let longer = if long.is_default { "give a longer" } else { "raise" };
        let shorter = if short.is_default { "give a shorter" } else { "lower" };
        format!("{}: {longer} `{}` or {shorter} `{}`", self.why, self.long, self.short)
    }
}

const ORDERS: &[Order] = &[
    Order {
        short: "wait",
        long: "lease",
        why: "a retry waits for an attempt that is alive, and the lease is how long one may stay silent",
    },
    Order {
        short: "lease",
        long: "ttl",
        why: "the lease is how long one attempt may stay silent, the ttl how long its answer is kept",
    },
    Order {
        short: "suspicious_within",
        long: "fresh_after",
        why: "what is suspicious comes soon after the first request, what is a new operation comes late",
    },
    Order {
        short: "suspicious_within",
        long: "ttl",
        why: "after the ttl there is no first request to compare with",
    },
    Order {
        short: "fresh_after",
        long: "ttl",
        why: "after the ttl every request is a new operation anyway",
    },
];

/// The times read so far. Two of them are compared when the second is read, so that a fault stands
/// at its place.
pub(crate) struct Windows {
    read: Vec<Window>,
    has_wait: bool,
}

struct Window {
    option: &'static str,
    /// For people: its name and what was written.
    shown: String,
    millis: Millis,
    /// Whether nobody wrote it.
    is_default: bool,
}

impl Window {
    fn default(option: &'static str, (text, millis): (&str, Millis)) -> Self {
        Self { option, shown: format!("default {option} `{text}`"), millis, is_default: true }
    }
}

impl Windows {
    /// No times yet, but the ttl that holds where none is given.
    pub(crate) fn new(args: &RawArgs) -> Self {
        let default = Window::default("ttl", Millis::DEFAULT_TTL);
        let read = if args.gives("ttl") { Vec::new() } else { vec![default] };
        Self { read, has_wait: args.gives("wait") }
    }

    /// The wait that holds where none is given, beside the word that asks for it.
    pub(crate) fn default_wait(&mut self, place: &LitStr) -> syn::Result<Millis> {
        let window = Window::default("wait", Millis::DEFAULT_WAIT);
        let millis = window.millis;
        if !self.has_wait {
            self.read.push(window);
            self.keeps_all("wait", place)?;
        }
        Ok(millis)
    }

    /// Reads one of the times.
    pub(crate) fn read(
        &mut self,
        option: &'static str,
        value: &TokenStream,
    ) -> syn::Result<Millis> {
        let (literal, millis) = value::duration(value, option)?;
        let shown = format!("{option} `{}`", literal.value());
        self.read.push(Window { option, shown, millis, is_default: false });
        self.keeps_all(option, &literal)?;
        Ok(millis)
    }

    fn keeps_all(&self, option: &str, place: &LitStr) -> syn::Result<()> {
        let mut orders =
            ORDERS.iter().filter(|order| order.short == option || order.long == option);
        orders.try_for_each(|order| self.keeps(order, place))
    }

    /// Refuses two times in the wrong order; a missing one agrees with any.
    fn keeps(&self, order: &Order, place: &LitStr) -> syn::Result<()> {
        let of = |option| self.read.iter().find(|window| window.option == option);
        match (of(order.short), of(order.long)) {
            (Some(short), Some(long)) if short.millis >= long.millis => {
                let message = format!("the {} is not shorter than the {}", short.shown, long.shown);
                Err(fault(place, message, order.help(short, long)))
            }
            _ => Ok(()),
        }
    }
}
