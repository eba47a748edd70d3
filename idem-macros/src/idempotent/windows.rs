//! The times of a contract, of which some must be shorter than others.

use proc_macro2::TokenStream;
use syn::LitStr;

use crate::diagnostics::fault;
use crate::idempotent::duration::Millis;
use crate::idempotent::value;

/// A time that must be shorter than another, and why.
struct Order {
    short: &'static str,
    long: &'static str,
    help: &'static str,
}

const ORDERS: &[Order] = &[
    Order {
        short: "wait",
        long: "lease",
        help: "a retry waits for an attempt that is alive, and the lease is how long one may stay silent: \
               raise `lease` or lower `wait`",
    },
    Order {
        short: "lease",
        long: "ttl",
        help: "the lease is how long one attempt may stay silent, the ttl how long its answer is kept: \
               raise `ttl` or lower `lease`",
    },
    Order {
        short: "suspicious_within",
        long: "fresh_after",
        help: "what is suspicious comes soon after the first request, what is a new operation comes late: \
               raise `fresh_after` or lower `suspicious_within`",
    },
    Order {
        short: "suspicious_within",
        long: "ttl",
        help: "after the ttl there is no first request to compare with: raise `ttl` or lower `suspicious_within`",
    },
    Order {
        short: "fresh_after",
        long: "ttl",
        help: "after the ttl every request is a new operation anyway: raise `ttl` or lower `fresh_after`",
    },
];

/// The times read so far. Two of them are compared when the second is read, so that a fault stands
/// at its place.
pub(crate) struct Windows {
    read: Vec<Window>,
}

struct Window {
    option: &'static str,
    /// For people: its name and what was written.
    shown: String,
    millis: Millis,
}

impl Windows {
    /// No times yet, but the ttl that holds where none is given.
    pub(crate) fn new(has_ttl: bool) -> Self {
        let (text, millis) = Millis::DEFAULT_TTL;
        let default = Window { option: "ttl", shown: format!("default ttl `{text}`"), millis };
        Self { read: if has_ttl { Vec::new() } else { vec![default] } }
    }

    /// Reads one of the times.
    pub(crate) fn read(
        &mut self,
        option: &'static str,
        value: &TokenStream,
    ) -> syn::Result<Millis> {
        let (literal, millis) = value::duration(value, option)?;
        let shown = format!("{option} `{}`", literal.value());
        self.read.push(Window { option, shown, millis });
        for order in ORDERS.iter().filter(|order| order.short == option || order.long == option) {
            self.keeps(order, &literal)?;
        }
        Ok(millis)
    }

    /// Refuses two times in the wrong order; a missing one agrees with any.
    fn keeps(&self, order: &Order, place: &LitStr) -> syn::Result<()> {
        let of = |option| self.read.iter().find(|window| window.option == option);
        match (of(order.short), of(order.long)) {
            (Some(short), Some(long)) if short.millis >= long.millis => {
                let (short, long) = (&short.shown, &long.shown);
                let message = format!("the {short} is not shorter than the {long}");
                Err(fault(place, message, order.help))
            }
            _ => Ok(()),
        }
    }
}
