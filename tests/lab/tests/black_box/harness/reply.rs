//! What came back.

use reqwest::RequestBuilder;
use reqwest::header::HeaderMap;
use serde_json::Value;

/// A whole response.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
    headers: HeaderMap,
}

impl Reply {
    pub(super) async fn to(request: RequestBuilder) -> reqwest::Result<Self> {
        let response = request.send().await?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Ok(Self { status, headers, body: response.bytes().await?.to_vec() })
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    pub(crate) fn is_replay(&self) -> bool {
        self.header("idempotent-replayed") == Some("true")
    }

    pub(crate) fn fence(&self) -> u64 {
        self.header("x-fence").and_then(|fence| fence.parse().ok()).expect("an execution answered")
    }

    /// The body as JSON, or as one string where it is none.
    pub(crate) fn json(&self) -> Value {
        let text = || String::from_utf8_lossy(&self.body).into_owned().into();
        serde_json::from_slice(&self.body).unwrap_or_else(|_| text())
    }

    /// Checks that this is the first answer of an execution.
    #[track_caller]
    pub(crate) fn assert_ran(&self) {
        assert_eq!((self.status, self.is_replay()), (201, false), "{}", self.json());
    }

    /// Checks that this is `first` once more, to the byte.
    #[track_caller]
    pub(crate) fn assert_replays(&self, first: &Self) {
        assert!(self.is_replay(), "{} {}", self.status, self.json());
        assert_eq!((self.status, &self.body), (first.status, &first.body));
        for name in ["content-type", "location", "x-fence"] {
            assert_eq!(self.header(name), first.header(name), "{name}");
        }
    }

    /// Checks that this is the problem `code`, complete and with something to do about it; returns
    /// its document.
    #[track_caller]
    pub(crate) fn assert_problem(&self, status: u16, code: &str) -> Value {
        let problem = self.json();
        assert_eq!((self.status, problem["code"].as_str()), (status, Some(code)), "{problem}");
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        assert_eq!(problem["status"], status);
        for member in ["type", "title", "detail", "suggestion"] {
            assert!(problem[member].as_str().is_some_and(|text| !text.is_empty()), "{member}");
        }
        assert_eq!(problem["retryable"], self.header("retry-after").is_some());
        assert!(!self.is_replay());
        problem
    }

    #[track_caller]
    pub(crate) fn assert_busy(&self) {
        self.assert_problem(409, "request-in-progress");
        assert!(self.header("retry-after").is_some());
    }
}
