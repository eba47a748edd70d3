//! What the key was first used for: method, concrete path and canonical query.

use std::borrow::Cow;

use crate::digest::Digest;
use crate::fingerprint::canonical_query;

/// One operation of an API: `POST /accounts/7/transfers` is another one than
/// `POST /accounts/8/transfers`.
///
/// Two operations are equal when method, path and query are. The name is for people and survives
/// a renamed path; it takes no part in the comparison.
#[derive(Clone, Debug)]
pub struct Operation {
    name: Cow<'static, str>,
    digest: Digest,
}

impl Operation {
    /// The operation that an HTTP request names. Query parameters count as decoded pairs in
    /// order of their names: `?a=1&b=2` is `?b=2&a=1`.
    ///
    /// ```
    /// use idem_core::operation::Operation;
    /// let a = Operation::http("cancel", "POST", "/orders/1/cancel", None);
    /// let b = Operation::http("cancel", "POST", "/orders/2/cancel", None);
    /// assert_ne!(a, b);
    /// ```
    #[must_use]
    pub fn http(name: &'static str, method: &str, path: &str, query: Option<&str>) -> Self {
        let (method, path, query) = (method.as_bytes(), path.as_bytes(), canonical_query(query));
        let parts: [&[u8]; 6] = [b"idem operation v1\n", method, b" ", path, b"?", &query];
        Self { name: Cow::Borrowed(name), digest: Digest::of(&parts) }
    }

    /// An operation read back from a store.
    #[must_use]
    pub fn stored(name: String, digest: Digest) -> Self {
        Self { name: Cow::Owned(name), digest }
    }

    /// The name of the operation in its contract.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The digest of method, path and query.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.digest
    }
}

impl PartialEq for Operation {
    fn eq(&self, other: &Self) -> bool {
        self.digest == other.digest
    }
}

impl Eq for Operation {}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(query: &'static str) -> Operation {
        Operation::http("pay", "POST", "/pay", Some(query))
    }

    #[test]
    fn the_order_of_query_names_does_not_count_and_their_values_do() {
        assert_eq!(query("a=1&b=2"), query("b=2&a=1"));
        assert_ne!(query("to=alice"), query("to=mallory"));
        assert_ne!(query("dry=1"), Operation::http("pay", "POST", "/pay", None));
        assert_eq!(query(""), Operation::http("pay", "POST", "/pay", None));
    }

    #[test]
    fn methods_and_paths_differ_and_names_do_not() {
        let pay = Operation::http("pay", "POST", "/v1/pay", None);
        assert_ne!(pay, Operation::http("pay", "PUT", "/v1/pay", None));
        assert_ne!(pay, Operation::http("pay", "POST", "/v2/pay", None));
        assert_eq!(pay, Operation::http("charge", "POST", "/v1/pay", None));
    }
}
