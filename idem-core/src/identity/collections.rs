//! Identity values made of identity values.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use super::{IdentityValue, IdentityWriter};

/// Absent, present, and the bare value are three different values.
impl<T: IdentityValue> IdentityValue for Option<T> {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        out.option(self, |out, value| value.write(out));
    }
}

impl<T: IdentityValue> IdentityValue for [T] {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        out.in_order(self, |out, item| item.write(out));
    }
}

impl<T: IdentityValue, const N: usize> IdentityValue for [T; N] {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        self.as_slice().write(out);
    }
}

impl<T: IdentityValue> IdentityValue for Vec<T> {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        self.as_slice().write(out);
    }
}

impl<T: IdentityValue> IdentityValue for VecDeque<T> {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        out.in_order(self, |out, item| item.write(out));
    }
}

impl<T: IdentityValue, S> IdentityValue for HashSet<T, S> {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        out.unordered(self, |out, item| item.write(out));
    }
}

impl<T: IdentityValue> IdentityValue for BTreeSet<T> {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        out.unordered(self, |out, item| item.write(out));
    }
}

impl<K: IdentityValue, V: IdentityValue, S> IdentityValue for HashMap<K, V, S> {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        out.map(self, write_entry);
    }
}

impl<K: IdentityValue, V: IdentityValue> IdentityValue for BTreeMap<K, V> {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        out.map(self, write_entry);
    }
}

fn write_entry<K: IdentityValue, V: IdentityValue>(
    out: &mut IdentityWriter<'_>,
    (key, value): (&K, &V),
) {
    out.value(key);
    out.value(value);
}

impl IdentityValue for () {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        out.unit();
    }
}

macro_rules! tuples {
    ($(($($item:ident)+))+) => {$(
        impl<$($item: IdentityValue),+> IdentityValue for ($($item,)+) {
            #[allow(non_snake_case, reason = "each type parameter also names its value")]
            fn write(&self, out: &mut IdentityWriter<'_>) {
                let ($($item,)+) = self;
                out.tuple(|out| {
                    $(out.value($item);)+
                });
            }
        }
    )+};
}

tuples! {
    (A)
    (A B)
    (A B C)
    (A B C D)
    (A B C D E)
    (A B C D E F)
    (A B C D E F G)
    (A B C D E F G H)
    (A B C D E F G H I)
    (A B C D E F G H I J)
    (A B C D E F G H I J K)
    (A B C D E F G H I J K L)
}
