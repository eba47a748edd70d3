//! Refusals as problem documents (RFC 9457).

mod code;
mod dialect;

use std::borrow::Cow;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use idem_core::contract::OnFailure;
use idem_core::decision::Refusal;
use idem_core::fingerprint::{Fingerprint, PayloadError};
use idem_core::key::KeyError;
use idem_core::review::ConflictId;
use serde::Serialize;

use code::Code;
pub use dialect::Dialect;

const PROBLEM_JSON: HeaderValue = HeaderValue::from_static("application/problem+json");
const STRIPE_SHOULD_RETRY: HeaderName = HeaderName::from_static("stripe-should-retry");
const RETRY_AFTER_ONE_SECOND: HeaderValue = HeaderValue::from_static("1");

/// One refusal, before its dialect is known.
pub(crate) struct Problem {
    code: Code,
    status: Option<StatusCode>,
    retryable: bool,
    detail: Cow<'static, str>,
    difference: Option<Box<Difference>>,
}

/// Between an attempt and what its key stands for.
struct Difference {
    original: Fingerprint,
    fingerprint: Fingerprint,
    changed: Vec<String>,
    /// What it is held by.
    conflict: Option<ConflictId>,
}

impl Problem {
    fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            status: None,
            retryable: code.is_retryable(),
            detail: detail.into(),
            difference: None,
        }
    }

    pub(crate) fn key_missing(header: &str) -> Self {
        Self::new(Code::KeyMissing, format!("this operation requires the header `{header}`"))
    }

    pub(crate) fn key_invalid(error: KeyError) -> Self {
        Self::new(Code::KeyInvalid, error.to_string())
    }

    /// What the payload holds in the place of the key is none.
    pub(crate) fn derived_key_invalid(error: KeyError) -> Self {
        Self::new(Code::KeyInvalid, format!("the key is a field of the payload: {error}"))
    }

    pub(crate) fn principal_missing() -> Self {
        Self::new(
            Code::PrincipalMissing,
            "the caller has no identifier that its keys could belong to",
        )
    }

    pub(crate) fn payload_too_large() -> Self {
        Self::new(Code::PayloadTooLarge, "the body is longer than this operation accepts")
    }

    pub(crate) fn payload_unreadable(error: &PayloadError) -> Self {
        Self::new(Code::PayloadInvalid, error.to_string())
    }

    pub(crate) fn payload_invalid(
        status: StatusCode,
        detail: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { status: Some(status), ..Self::new(Code::PayloadInvalid, detail) }
    }

    pub(crate) fn store_unavailable() -> Self {
        Self::new(
            Code::StoreUnavailable,
            "the record of keys could not be reached: nothing was done",
        )
    }

    pub(crate) fn response_not_stored() -> Self {
        Self::new(
            Code::ResponseNotStored,
            "the operation was carried out, and its answer was too long or too slow to keep",
        )
    }

    /// A panic counts as a failure, so the contract says whether it is for good.
    pub(crate) fn handler_panicked(on_failure: OnFailure) -> Self {
        let problem = Self::new(Code::HandlerPanicked, "the operation failed half-way through");
        Self { retryable: on_failure == OnFailure::Retry, ..problem }
    }

    pub(crate) fn response_failed() -> Self {
        Self::new(Code::ResponseFailed, "the operation ran and its answer broke off")
    }

    /// The application's own check of a merged payload says no, in its own words.
    pub(crate) fn merge_refused(reason: String) -> Self {
        Self::new(Code::MergeRefused, reason)
    }

    pub(crate) fn conflict_not_found() -> Self {
        Self::new(Code::ConflictNotFound, "there is no conflict of this name")
    }

    /// The problem of an attempt that was refused, with the fingerprint of its payload.
    pub(crate) fn refused(refusal: Refusal, fingerprint: Fingerprint) -> Self {
        match refusal {
            Refusal::Busy => {
                Self::new(Code::RequestInProgress, "a request with this key is being processed")
            }
            Refusal::OperationMismatch { original } => {
                let detail = "this key was used for another method, path or query";
                let problem = Self::new(Code::OperationMismatch, detail);
                problem.differing(original, fingerprint, Vec::new())
            }
            Refusal::PayloadMismatch { original, changed } => {
                let detail = "this key was used with another payload";
                let problem = Self::new(Code::PayloadMismatch, detail);
                problem.differing(original, fingerprint, changed)
            }
            Refusal::Suspicious { original, changed } => {
                let detail = "this key was used with another payload a moment ago";
                let problem = Self::new(Code::SuspiciousRetry, detail);
                problem.differing(original, fingerprint, changed)
            }
            Refusal::UnderReview { conflict, original, changed } => {
                let detail = "this key was used with another payload: people will decide";
                let problem = Self::new(Code::ConflictUnderReview, detail);
                problem.differing(original, fingerprint, changed).held_by(conflict)
            }
            Refusal::KeyInConflict { original, changed } => {
                let detail = "this key has as many undecided conflicts as it may have";
                let problem = Self::new(Code::KeyInConflict, detail);
                problem.differing(original, fingerprint, changed)
            }
            Refusal::OutcomeUnknown => {
                let detail = "an earlier request with this key ended without a known outcome";
                Self::new(Code::OutcomeUnknown, detail)
            }
            Refusal::PreviousAttemptFailed => {
                Self::new(Code::PreviousAttemptFailed, "an earlier request with this key failed")
            }
        }
    }

    fn differing(
        self,
        original: Fingerprint,
        fingerprint: Fingerprint,
        changed: Vec<String>,
    ) -> Self {
        let difference = Difference { original, fingerprint, changed, conflict: None };
        Self { difference: Some(Box::new(difference)), ..self }
    }

    fn held_by(mut self, conflict: ConflictId) -> Self {
        if let Some(difference) = &mut self.difference {
            difference.conflict = Some(conflict);
        }
        self
    }

    /// The conflict by which the attempt is held.
    pub(crate) fn conflict(&self) -> Option<ConflictId> {
        self.difference.as_ref()?.conflict
    }

    /// The word by which programs tell the problem.
    pub(crate) fn code(&self) -> &'static str {
        self.code.word()
    }

    /// Whether the key stands for something else.
    pub(crate) fn is_mismatch(&self) -> bool {
        self.difference.is_some()
    }

    /// The response, with the status that `dialect` gives the problem.
    pub(crate) fn into_response(self, dialect: Dialect) -> Response {
        let code = self.code;
        let status = self.status.unwrap_or_else(|| code.status(dialect));
        let mut response = Response::new(Body::from(self.document(status)));
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, PROBLEM_JSON);
        if self.retryable {
            headers.insert(header::RETRY_AFTER, RETRY_AFTER_ONE_SECOND);
        } else if status == StatusCode::CONFLICT {
            // Stripe's clients repeat a 409 unless they are told not to.
            headers.insert(STRIPE_SHOULD_RETRY, HeaderValue::from_static("false"));
        }
        if let (Code::KeyMissing, Ok(link)) = (code, described_by(code)) {
            headers.insert(header::LINK, link);
        }
        response
    }

    fn document(&self, status: StatusCode) -> Vec<u8> {
        let difference = self.difference.as_deref();
        let document = Document {
            r#type: self.code.uri(),
            title: self.code.title(),
            status: status.as_u16(),
            detail: &self.detail,
            code: self.code.word(),
            retryable: self.retryable,
            suggestion: self.code.suggestion(),
            original_fingerprint: difference.map(|difference| difference.original.to_string()),
            fingerprint: difference.map(|difference| difference.fingerprint.to_string()),
            changed: difference.map_or(&[], |difference| &difference.changed),
            conflict_id: self.conflict().map(|conflict| conflict.to_string()),
        };
        serde_json::to_vec(&document).expect("a document of strings is JSON")
    }
}

/// The members of RFC 9457, then ours.
#[derive(Serialize)]
struct Document<'p> {
    r#type: String,
    title: &'static str,
    status: u16,
    detail: &'p str,
    code: &'static str,
    retryable: bool,
    suggestion: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    original_fingerprint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fingerprint: Option<String>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    changed: &'p [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    conflict_id: Option<String>,
}

fn described_by(code: Code) -> Result<HeaderValue, axum::http::header::InvalidHeaderValue> {
    HeaderValue::from_str(&format!("<{}>; rel=\"describedby\"", code.uri()))
}
