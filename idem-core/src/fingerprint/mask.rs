//! Which members a fingerprint leaves out.

/// The members of a payload that its fingerprint leaves out: client clocks, trace identifiers.
///
/// A mask of an array is the mask of each of its items. In a form, whose fields do not nest, only
/// the ignored names of the mask itself count. A member that is left out is still read: what is
/// malformed in it is refused.
///
/// ```
/// use idem_core::fingerprint::{Encoding, Fingerprint, Mask, Member};
///
/// const CARD: Mask = Mask::new(&[Member::ignored(&["seen_at"])]);
/// const MASK: Mask = Mask::new(&[
///     Member::ignored(&["client_time", "clientTime"]),
///     Member::nested(&["card"], &CARD),
/// ]);
/// let of = |body: &str| Fingerprint::of(Encoding::Json, None, body.as_bytes(), &MASK);
/// assert_eq!(
///     of(r#"{"amount":1,"clientTime":7,"card":{"last4":"4242","seen_at":7}}"#)?,
///     of(r#"{"amount":1,"card":{"last4":"4242"}}"#)?,
/// );
/// # Ok::<(), idem_core::fingerprint::PayloadError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Mask {
    members: &'static [Member],
    flattened: &'static [&'static Mask],
}

/// One member that a mask speaks of, by all the names it may have.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    names: &'static [&'static str],
    rule: Rule,
}

#[derive(Clone, Copy, Debug)]
enum Rule {
    Ignored,
    Nested(&'static Mask),
}

impl Member {
    /// A member that is left out, with the name and the aliases it has in the payload.
    #[must_use]
    pub const fn ignored(names: &'static [&'static str]) -> Self {
        Self { names, rule: Rule::Ignored }
    }

    /// A member whose own members `mask` speaks of.
    #[must_use]
    pub const fn nested(names: &'static [&'static str], mask: &'static Mask) -> Self {
        Self { names, rule: Rule::Nested(mask) }
    }
}

impl Mask {
    /// The mask that leaves nothing out.
    pub const NONE: Self = Self::new(&[]);

    /// The mask that speaks of `members`.
    #[must_use]
    pub const fn new(members: &'static [Member]) -> Self {
        Self { members, flattened: &[] }
    }

    /// Adds masks whose members stand beside this mask's own in the payload, as with serde's
    /// `flatten`. Its own members come first.
    #[must_use]
    pub const fn with_flattened(self, flattened: &'static [&'static Mask]) -> Self {
        Self { members: self.members, flattened }
    }

    /// What is left out of the member called `name`; `None` when the member itself is.
    #[inline]
    pub(super) fn of_member(&self, name: &[u8]) -> Option<&Self> {
        match self.rule(name) {
            None => Some(&Self::NONE),
            Some(Rule::Nested(mask)) => Some(mask),
            Some(Rule::Ignored) => None,
        }
    }

    #[inline]
    fn rule(&self, name: &[u8]) -> Option<Rule> {
        let named = |member: &&Member| member.names.iter().any(|known| known.as_bytes() == name);
        let own = self.members.iter().find(named).map(|member| member.rule);
        own.or_else(|| self.flattened.iter().find_map(|mask| mask.rule(name)))
    }
}
