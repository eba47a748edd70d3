//! What the steps of a critical field lead into: `card?.last4`, `items[].sku`.
//!
//! Each step asks for a trait, so that one that does not fit its field is answered with the step
//! that does.

use std::collections::{BTreeSet, HashSet, LinkedList, VecDeque};
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use super::IdentityWriter;

/// A value that may be absent, which `?` looks into.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an option, which `?` looks into",
    label = "not an `Option`",
    note = "remove the `?`"
)]
pub trait Optional {
    /// What is present.
    type Present;

    /// The value, where it is present.
    fn present(&self) -> Option<&Self::Present>;
}

impl<T> Optional for Option<T> {
    type Present = T;

    fn present(&self) -> Option<&T> {
        self.as_ref()
    }
}

/// A collection, each element of which `[]` looks into.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no elements, which `[]` looks into",
    label = "not a list and not a set",
    note = "remove the `[]`, or take a `Vec`; without `[]` all of a field is critical, of a map its keys too"
)]
pub trait Elements {
    /// One of them.
    type Element;

    /// Writes what `element` writes of each of them.
    fn write_each(
        &self,
        out: &mut IdentityWriter<'_>,
        element: impl Fn(&mut IdentityWriter<'_>, &Self::Element),
    );
}

macro_rules! elements {
    ($write:ident: $([$($generics:tt)*] $collection:ty;)+) => {$(
        impl<T, $($generics)*> Elements for $collection {
            type Element = T;

            fn write_each(
                &self,
                out: &mut IdentityWriter<'_>,
                element: impl Fn(&mut IdentityWriter<'_>, &T),
            ) {
                out.$write(self, element);
            }
        }
    )+};
}

elements! { in_order: [] [T]; [const N: usize] [T; N]; [] Vec<T>; [] VecDeque<T>; [] LinkedList<T>; }
elements! { unordered: [] BTreeSet<T>; [S] HashSet<T, S>; }

macro_rules! pointers {
    ($($pointer:ty),+) => {$(
        impl<P: Optional + ?Sized> Optional for $pointer {
            type Present = P::Present;

            fn present(&self) -> Option<&P::Present> {
                (**self).present()
            }
        }

        impl<P: Elements + ?Sized> Elements for $pointer {
            type Element = P::Element;

            fn write_each(
                &self,
                out: &mut IdentityWriter<'_>,
                element: impl Fn(&mut IdentityWriter<'_>, &P::Element),
            ) {
                (**self).write_each(out, element);
            }
        }
    )+};
}

pointers!(&P, Box<P>, Rc<P>, Arc<P>);

/// A value whose fields a path goes on with. In `Inside::of(&value).fields()` the method is the
/// first that applies to the value, on the way from here along [`Deref`].
pub struct Inside<'a, T: ?Sized>(Fields<'a, T>);

/// Where a value is looked for that is no option and no collection.
pub struct Fields<'a, T: ?Sized>(&'a T);

impl<'a, T: ?Sized> Inside<'a, T> {
    /// Looks into `value`.
    pub fn of(value: &'a T) -> Self {
        Self(Fields(value))
    }
}

impl<'a, T: ?Sized> Fields<'a, T> {
    /// The value itself.
    pub fn fields(&self) -> &'a T {
        self.0
    }
}

impl<'a, T: ?Sized> Deref for Inside<'a, T> {
    type Target = Fields<'a, T>;

    fn deref(&self) -> &Fields<'a, T> {
        &self.0
    }
}

/// Nothing is one: an option is looked into with `?`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` may be absent, so that its fields are behind `?`",
    label = "an `Option`",
    note = "write `?` after it, as in `card?.last4`"
)]
pub trait AlwaysPresent {}

/// Nothing is one: a collection is looked into with `[]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has elements, so that their fields are behind `[]`",
    label = "a collection",
    note = "write `[]` after it, as in `items[].sku`"
)]
pub trait Single {}

impl<'a, T> Inside<'a, Option<T>> {
    /// Refuses to go on.
    pub fn fields(&self) -> &'a T
    where
        Option<T>: AlwaysPresent,
    {
        unreachable!("no option is always present")
    }
}

impl<'a, T> Inside<'a, Vec<T>> {
    /// Refuses to go on.
    pub fn fields(&self) -> &'a T
    where
        Vec<T>: Single,
    {
        unreachable!("no list is single")
    }
}
