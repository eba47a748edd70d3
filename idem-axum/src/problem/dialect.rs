//! Which status codes refusals have.

/// The status codes of refusals. Codes and `retryable` are the same in both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialect {
    /// A differing payload or operation is `409 Conflict`, like a request in progress.
    #[default]
    Conflict,
    /// As draft-ietf-httpapi-idempotency-key-header has it: a differing payload or operation is
    /// `422 Unprocessable Content`, a request in progress `409`, a missing key `400`.
    Ietf,
}
