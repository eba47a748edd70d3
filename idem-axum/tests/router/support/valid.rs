//! A body extractor of the user's own, over JSON.

use idem_axum::{Encoding, Payload};

/// What each test says is valid, in its `FromRequest`.
pub(crate) struct Valid<T>(pub(crate) T);

impl<T> Payload for Valid<T> {
    type Value = T;
    const ENCODING: Encoding = Encoding::Json;

    fn value(&self) -> &T {
        &self.0
    }

    fn into_value(self) -> T {
        self.0
    }
}
