//! The stable words for what can go wrong.

use axum::http::StatusCode;

use super::Dialect;

/// Where each code has its section; kept in step with `docs/problems.md` by a test.
const DOCS: &str = "https://docs.rs/idem-axum/latest/idem_axum/problems/index.html";

/// One kind of refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    KeyMissing,
    KeyInvalid,
    PrincipalMissing,
    PayloadTooLarge,
    PayloadInvalid,
    RequestInProgress,
    PayloadMismatch,
    OperationMismatch,
    SuspiciousRetry,
    ConflictUnderReview,
    KeyInConflict,
    MergeRefused,
    OutcomeUnknown,
    PreviousAttemptFailed,
    ResponseNotStored,
    StoreUnavailable,
    HandlerPanicked,
    ResponseFailed,
    ConflictNotFound,
}

impl Code {
    #[cfg(test)]
    const ALL: [Self; 19] = [
        Self::KeyMissing,
        Self::KeyInvalid,
        Self::PrincipalMissing,
        Self::PayloadTooLarge,
        Self::PayloadInvalid,
        Self::RequestInProgress,
        Self::PayloadMismatch,
        Self::OperationMismatch,
        Self::SuspiciousRetry,
        Self::ConflictUnderReview,
        Self::KeyInConflict,
        Self::MergeRefused,
        Self::OutcomeUnknown,
        Self::PreviousAttemptFailed,
        Self::ResponseNotStored,
        Self::StoreUnavailable,
        Self::HandlerPanicked,
        Self::ResponseFailed,
        Self::ConflictNotFound,
    ];

    /// The word programs compare.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::KeyMissing => "idempotency-key-missing",
            Self::KeyInvalid => "idempotency-key-invalid",
            Self::PrincipalMissing => "principal-missing",
            Self::PayloadTooLarge => "payload-too-large",
            Self::PayloadInvalid => "payload-invalid",
            Self::RequestInProgress => "request-in-progress",
            Self::PayloadMismatch => "payload-mismatch",
            Self::OperationMismatch => "operation-mismatch",
            Self::SuspiciousRetry => "suspicious-retry",
            Self::ConflictUnderReview => "conflict-under-review",
            Self::KeyInConflict => "key-in-conflict",
            Self::MergeRefused => "merge-refused",
            Self::OutcomeUnknown => "outcome-unknown",
            Self::PreviousAttemptFailed => "previous-attempt-failed",
            Self::ResponseNotStored => "response-not-stored",
            Self::StoreUnavailable => "store-unavailable",
            Self::HandlerPanicked => "handler-panicked",
            Self::ResponseFailed => "response-failed",
            Self::ConflictNotFound => "conflict-not-found",
        }
    }

    /// A stable URI that leads to the explanation.
    pub(super) fn uri(self) -> String {
        format!("{DOCS}#{}", self.word())
    }

    /// The kind of problem, for people.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::KeyMissing => "Idempotency key missing",
            Self::KeyInvalid => "Idempotency key invalid",
            Self::PrincipalMissing => "Caller unknown",
            Self::PayloadTooLarge => "Payload too large",
            Self::PayloadInvalid => "Payload invalid",
            Self::RequestInProgress => "Request in progress",
            Self::PayloadMismatch => "Payload mismatch",
            Self::OperationMismatch => "Operation mismatch",
            Self::SuspiciousRetry => "Suspicious retry",
            Self::ConflictUnderReview => "Conflict under review",
            Self::KeyInConflict => "Key in conflict",
            Self::MergeRefused => "Merge refused",
            Self::OutcomeUnknown => "Outcome unknown",
            Self::PreviousAttemptFailed => "Previous attempt failed",
            Self::ResponseNotStored => "Response not stored",
            Self::StoreUnavailable => "Store unavailable",
            Self::HandlerPanicked => "Handler panicked",
            Self::ResponseFailed => "Response failed",
            Self::ConflictNotFound => "Conflict not found",
        }
    }

    /// What the client can do.
    pub(super) const fn suggestion(self) -> &'static str {
        match self {
            Self::KeyMissing => {
                "send a new unique key, such as a UUID, and the same one with every retry"
            }
            Self::KeyInvalid => "send one key of 1 to 255 visible ASCII characters, such as a UUID",
            Self::PrincipalMissing => "authenticate",
            Self::PayloadTooLarge => "send a shorter body; the key was not used up",
            Self::PayloadInvalid => {
                "correct the body and send it with the same key: it was not used up"
            }
            Self::RequestInProgress => "send the same request again after the time in Retry-After",
            Self::PayloadMismatch => {
                "if this is a new operation, send it with a new key; if it is a retry, send the first payload"
            }
            Self::OperationMismatch => "send it with a new key: a key belongs to one operation",
            Self::SuspiciousRetry => {
                "if this is a retry, send the first payload; if it is a new operation, send it with a new key"
            }
            Self::ConflictUnderReview => {
                "look at Location until it is decided; once it is accepted, send the same request again"
            }
            Self::KeyInConflict => {
                "wait until the conflicts of this key are decided, or send it with a new key"
            }
            Self::MergeRefused => "correct the payload and send it with the same key",
            Self::OutcomeUnknown => {
                "find out what happened before you send it again with a new key"
            }
            Self::PreviousAttemptFailed => "send it with a new key if it shall be tried again",
            Self::ResponseNotStored => {
                "read the result where the operation left it; do not send it again"
            }
            Self::StoreUnavailable => "send the same request again after the time in Retry-After",
            Self::HandlerPanicked => {
                "send the same request again with the same key: it runs again, or you are told that it must not"
            }
            Self::ResponseFailed => {
                "send the same request again with the same key to find out how it stands, before any new key"
            }
            Self::ConflictNotFound => {
                "check the address: a conflict is shown to the caller that caused it, for as long as it is kept"
            }
        }
    }

    /// Whether the same request may succeed later; for a panic the contract decides.
    pub(super) const fn is_retryable(self) -> bool {
        matches!(self, Self::RequestInProgress | Self::StoreUnavailable)
    }

    /// The status in `dialect`.
    pub(super) fn status(self, dialect: Dialect) -> StatusCode {
        match self {
            Self::KeyMissing | Self::KeyInvalid | Self::PayloadInvalid | Self::SuspiciousRetry => {
                StatusCode::BAD_REQUEST
            }
            Self::ConflictUnderReview => StatusCode::ACCEPTED,
            Self::MergeRefused => StatusCode::UNPROCESSABLE_ENTITY,
            Self::ConflictNotFound => StatusCode::NOT_FOUND,
            Self::PrincipalMissing => StatusCode::UNAUTHORIZED,
            Self::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::PayloadMismatch | Self::OperationMismatch => match dialect {
                Dialect::Conflict => StatusCode::CONFLICT,
                Dialect::Ietf => StatusCode::UNPROCESSABLE_ENTITY,
            },
            Self::RequestInProgress
            | Self::KeyInConflict
            | Self::OutcomeUnknown
            | Self::PreviousAttemptFailed
            | Self::ResponseNotStored => StatusCode::CONFLICT,
            Self::StoreUnavailable => StatusCode::SERVICE_UNAVAILABLE,
            Self::HandlerPanicked | Self::ResponseFailed => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_section_in_the_docs() {
        let docs = include_str!("../../docs/problems.md");
        for code in Code::ALL {
            assert!(
                docs.contains(&format!("\n## {}\n", code.word())),
                "{} is not explained",
                code.word()
            );
        }
        assert_eq!(docs.matches("\n## ").count(), Code::ALL.len());
    }

    #[test]
    fn only_the_mismatches_differ_between_the_dialects() {
        for code in Code::ALL {
            let mismatch = matches!(code, Code::PayloadMismatch | Code::OperationMismatch);
            assert_eq!(code.status(Dialect::Conflict) != code.status(Dialect::Ietf), mismatch);
        }
    }
}
