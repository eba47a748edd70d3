//! Replies, and what can be asserted of any of them.

use axum::http::{HeaderMap, StatusCode};
use bytes::Bytes;
use serde_json::Value;

#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn document(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(crate) fn code(&self) -> Option<String> {
        let document: Value = serde_json::from_slice(&self.body).ok()?;
        Some(document.get("code")?.as_str()?.to_owned())
    }

    pub(crate) fn is_replay(&self) -> bool {
        self.header("idempotent-replayed") == Some("true")
    }

    /// The handler itself answered, and well.
    #[track_caller]
    pub(crate) fn ran(self) -> Self {
        assert!(self.status.is_success(), "{self:?}");
        assert!(!self.is_replay(), "{self:?}");
        self
    }

    /// It is `first` given again: the same status and the same bytes.
    #[track_caller]
    pub(crate) fn replays(&self, first: &Self) {
        assert!(self.is_replay(), "{self:?}");
        assert_eq!(self.status, first.status);
        assert_eq!(self.body, first.body);
        assert_eq!(self.header("content-type"), first.header("content-type"));
    }

    /// It is the problem `code`, with all that is promised of every problem.
    #[track_caller]
    pub(crate) fn problem(&self, status: u16, code: &str) {
        assert_eq!(self.code().as_deref(), Some(code), "{self:?}");
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        assert!(!self.is_replay(), "{self:?}");
        let document = self.document();
        assert_eq!(document["status"], status);
        assert!(document["type"].as_str().unwrap().ends_with(&format!("#{code}")));
        for member in ["title", "detail", "suggestion"] {
            assert!(!document[member].as_str().unwrap().is_empty(), "{member}: {self:?}");
        }
        let retryable = document["retryable"].as_bool().unwrap();
        assert_eq!(self.header("retry-after").is_some(), retryable, "{self:?}");
        let told_off = self.header("stripe-should-retry") == Some("false");
        assert_eq!(told_off, status == 409 && !retryable, "{self:?}");
    }
}
