//! Whose key it is.

use std::fmt;

/// The owner of a key: two scopes never see each other's records.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Scope(Option<Box<str>>);

/// A principal without an identifier: it would share its records with every other one like it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the principal has an empty identifier: refuse it before it reaches an idempotent handler")]
pub struct EmptyScope;

impl Scope {
    /// The one scope of a service whose callers are all the same party.
    pub const GLOBAL: Self = Self(None);

    /// The scope of the principal called `id`: a tenant, an account, a user.
    ///
    /// # Errors
    /// [`EmptyScope`] when `id` is empty, so that unknown callers never share one scope.
    ///
    /// ```
    /// use idem_core::scope::Scope;
    /// assert_ne!(Scope::of("account-1")?, Scope::of("account-2")?);
    /// assert!(Scope::of("").is_err());
    /// # Ok::<(), idem_core::scope::EmptyScope>(())
    /// ```
    pub fn of(id: impl Into<Box<str>>) -> Result<Self, EmptyScope> {
        let id = id.into();
        if id.is_empty() {
            return Err(EmptyScope);
        }
        Ok(Self(Some(id)))
    }

    /// A scope read back from a store.
    #[must_use]
    pub fn stored(id: Option<String>) -> Self {
        Self(id.map(String::into_boxed_str))
    }

    /// The principal's identifier; `None` for the global scope.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Scope(of a principal)" } else { "Scope(global)" })
    }
}
