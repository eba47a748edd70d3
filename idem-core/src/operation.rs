//! What the key was first used for: method, concrete path and canonical query.

use std::borrow::Cow;

use crate::digest::Digest;
use crate::fingerprint::canonical_query;

/// One operation of an API: `POST /accounts/7/transfers` is another one than
/// `POST /accounts/8/transfers`.
///
/// Two operations are equal when method, path and query are, by their digest. The name, which
/// survives a renamed path, is for people, and so are the method and the path themselves.
#[derive(Clone, Debug)]
pub struct Operation {
    name: Cow<'static, str>,
    digest: Digest,
    /// Method and path with a space between.
    request: Box<str>,
}

/// How many bytes of a path are kept for people.
const SHOWN: usize = 512;

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
        let request = [method, " ", &path[..path.floor_char_boundary(SHOWN)]].concat();
        let (method, path, query) = (method.as_bytes(), path.as_bytes(), canonical_query(query));
        let parts: [&[u8]; 6] = [b"idem operation v1\n", method, b" ", path, b"?", &query];
        let digest = Digest::of(&parts);
        Self { name: Cow::Borrowed(name), digest, request: request.into_boxed_str() }
    }

    /// An operation read back from a store.
    #[must_use]
    pub fn stored(name: String, digest: Digest, method: &str, path: &str) -> Self {
        let request = [method, " ", path].concat().into_boxed_str();
        Self { name: Cow::Owned(name), digest, request }
    }

    /// The name of the operation in its contract.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The method that was asked for.
    #[must_use]
    pub fn method(&self) -> &str {
        self.request.split_once(' ').map_or("", |(method, _)| method)
    }

    /// The path that was asked for, of a long one the first 512 bytes. Without its query.
    #[must_use]
    pub fn path(&self) -> &str {
        self.request.split_once(' ').map_or("", |(_, path)| path)
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
    fn a_path_is_shown_up_to_a_limit_and_compared_to_its_end() {
        let long =
            |last| Operation::http("pay", "POST", &format!("/{}{last}", "ä".repeat(600)), None);
        assert_ne!(long("a"), long("b"));
        assert_eq!((long("a").path(), long("a").method()), (long("b").path(), "POST"));
        assert_eq!(long("a").path().len(), 511);
        assert_eq!(query("to=alice").path(), "/pay");
    }

    #[test]
    fn methods_and_paths_differ_and_names_do_not() {
        let pay = Operation::http("pay", "POST", "/v1/pay", None);
        assert_ne!(pay, Operation::http("pay", "PUT", "/v1/pay", None));
        assert_ne!(pay, Operation::http("pay", "POST", "/v2/pay", None));
        assert_eq!(pay, Operation::http("charge", "POST", "/v1/pay", None));
    }
}
