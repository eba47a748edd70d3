//! What the derive knows of a payload's type.

use std::borrow::Cow;

use super::Identity;
use crate::fingerprint::Mask;

/// A payload whose critical and ignored fields are marked; made by `#[derive(SemanticIdentity)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say which of its fields are critical",
    label = "no `SemanticIdentity`",
    note = "add `#[derive(SemanticIdentity)]` to `{Self}` and mark its fields with `#[idem(critical)]`, `#[idem(ignore)]` or `#[idem(nested)]`"
)]
pub trait SemanticIdentity {
    /// The members that the fingerprint leaves out.
    const MASK: &'static Mask;

    /// Whether any field is critical, here or in a nested type.
    const HAS_CRITICAL: bool;

    /// Writes the critical fields.
    fn write_critical(&self, identity: &mut Identity);
}

impl<T: SemanticIdentity + ?Sized> SemanticIdentity for Box<T> {
    const MASK: &'static Mask = T::MASK;
    const HAS_CRITICAL: bool = T::HAS_CRITICAL;

    fn write_critical(&self, identity: &mut Identity) {
        (**self).write_critical(identity);
    }
}

/// Whether there is a value is critical too, unless nothing in it is.
impl<T: SemanticIdentity> SemanticIdentity for Option<T> {
    const MASK: &'static Mask = T::MASK;
    const HAS_CRITICAL: bool = T::HAS_CRITICAL;

    fn write_critical(&self, identity: &mut Identity) {
        if !T::HAS_CRITICAL {
            return;
        }
        identity.field("?", |out| out.boolean(self.is_some()));
        if let Some(value) = self {
            identity.nested("?", |identity| value.write_critical(identity));
        }
    }
}

/// The number of items is critical too, unless nothing in them is. A field of the items is one
/// field of the list, whose size thus does not depend on how many items a client sends.
impl<T: SemanticIdentity> SemanticIdentity for Vec<T> {
    const MASK: &'static Mask = T::MASK;
    const HAS_CRITICAL: bool = T::HAS_CRITICAL;

    fn write_critical(&self, identity: &mut Identity) {
        if !T::HAS_CRITICAL {
            return;
        }
        identity.field("[]", |out| out.value(&self.len()));
        identity.nested("[]", |identity| {
            for (name, digests) in columns(self) {
                identity.field(Cow::Owned(name), |out| out.bytes(&digests));
            }
        });
    }
}

/// For each field name in order of appearance: the positions and digests of the items that have it.
fn columns<T: SemanticIdentity>(items: &[T]) -> Vec<(String, Vec<u8>)> {
    let mut columns: Vec<(String, Vec<u8>)> = Vec::new();
    for (position, item) in (0_u64..).zip(items) {
        let mut row = Identity::new();
        item.write_critical(&mut row);
        for (name, digest) in row.iter() {
            let found = columns.iter().position(|(column, _)| column == name);
            let column = found.unwrap_or_else(|| {
                columns.push((name.to_owned(), Vec::new()));
                columns.len() - 1
            });
            columns[column].1.extend_from_slice(&position.to_be_bytes());
            columns[column].1.extend_from_slice(digest.as_bytes());
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprint::Member;

    /// As the derive writes it.
    struct Card {
        last4: u16,
    }

    impl SemanticIdentity for Card {
        const MASK: &'static Mask = &Mask::new(&[Member::ignored(&["seen_at", "seenAt"])]);
        const HAS_CRITICAL: bool = true;

        fn write_critical(&self, identity: &mut Identity) {
            identity.value("last4", &self.last4);
        }
    }

    struct Wallet {
        card: Option<Box<Card>>,
        spare: Vec<Card>,
        wrapped: Option<Option<Card>>,
    }

    impl SemanticIdentity for Wallet {
        const MASK: &'static Mask = &Mask::new(&[
            Member::nested(&["card"], <Option<Box<Card>> as SemanticIdentity>::MASK),
            Member::nested(&["spare"], <Vec<Card> as SemanticIdentity>::MASK),
        ])
        .with_flattened(&[<Card as SemanticIdentity>::MASK]);
        const HAS_CRITICAL: bool = <Option<Box<Card>> as SemanticIdentity>::HAS_CRITICAL
            | <Vec<Card> as SemanticIdentity>::HAS_CRITICAL;

        fn write_critical(&self, identity: &mut Identity) {
            identity.nested("card", |identity| self.card.write_critical(identity));
            identity.nested("spare", |identity| self.spare.write_critical(identity));
            identity.nested("wrapped", |identity| self.wrapped.write_critical(identity));
        }
    }

    fn wallet(card: Option<u16>, spare: &[u16], wrapped: Option<Option<u16>>) -> Identity {
        let card_of = |last4| Card { last4 };
        let wallet = Wallet {
            card: card.map(card_of).map(Box::new),
            spare: spare.iter().copied().map(card_of).collect(),
            wrapped: wrapped.map(|inner| inner.map(card_of)),
        };
        let mut identity = Identity::new();
        wallet.write_critical(&mut identity);
        identity
    }

    #[test]
    fn presence_is_critical_even_where_no_critical_field_is_reached() {
        let changed = |left, right| {
            let (left, right) = (wallet(None, &[], left), wallet(None, &[], right));
            left.changed_from(&right).into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(changed(None, Some(None)), ["wrapped?", "wrapped??"]);
        assert_eq!(changed(Some(None), Some(Some(1))), ["wrapped??", "wrapped??.last4"]);
    }

    #[test]
    fn items_are_critical_by_field_in_order_and_count() {
        let list = wallet(None, &[1, 2], None);
        assert_eq!(wallet(None, &[2, 1], None).changed_from(&list), ["spare[].last4"]);
        assert_eq!(wallet(None, &[1], None).changed_from(&list), ["spare[]", "spare[].last4"]);
        assert_eq!(wallet(Some(7), &[1, 2], None).changed_from(&list), ["card?", "card?.last4"]);
    }

    #[test]
    fn the_size_of_an_identity_does_not_grow_with_the_items() {
        let (few, many) = (wallet(None, &[1], None), wallet(None, &[1; 5000], None));
        assert_eq!(few.encode().len(), many.encode().len());
    }
}
