//! A bank that just opened, and customers who call it.

use std::path::PathBuf;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use axum::response::Response;
use http_body_util::BodyExt;
use payments::Service;
use serde_json::Value;
use tempfile::TempDir;
use tower::ServiceExt;

/// A service on a file that is removed with it.
pub(crate) struct Bank {
    folder: TempDir,
    service: Service,
}

/// A caller with the token of an account.
#[derive(Clone)]
pub(crate) struct Customer {
    id: &'static str,
    router: Router,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) json: Value,
}

impl Bank {
    pub(crate) async fn open() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let service = Service::open(&folder.path().join("payments.db")).await.expect("it opens");
        Self { folder, service }
    }

    /// Ends the service and starts another on the same file.
    pub(crate) async fn restart(self) -> Self {
        self.service.shutdown().await;
        let file = self.folder.path().join("payments.db");
        Self { folder: self.folder, service: Service::open(&file).await.expect("it opens again") }
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.folder.path().join("payments.db")
    }

    pub(crate) fn customer(&self, id: &'static str) -> Customer {
        Customer { id, router: self.service.router() }
    }
}

impl Customer {
    pub(crate) async fn pay(&self, key: &str, payment: &str) -> Answer {
        let request = Request::post("/payments")
            .header("authorization", format!("Bearer demo-{}", self.id))
            .header("idempotency-key", key)
            .header("content-type", "application/json")
            .body(Body::from(payment.to_owned()))
            .expect("a request");
        self.send(request).await
    }

    /// What the customer's account holds.
    pub(crate) async fn balance(&self) -> String {
        let answer = self.look_at(self.id).await;
        assert_eq!(answer.status, StatusCode::OK);
        answer.json["balance"].as_str().expect("a balance").to_owned()
    }

    pub(crate) async fn look_at(&self, account: &str) -> Answer {
        let request = Request::get(format!("/accounts/{account}"))
            .header("authorization", format!("Bearer demo-{}", self.id))
            .body(Body::empty())
            .expect("a request");
        self.send(request).await
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.expect("a router never fails");
        Answer::read(response).await
    }
}

impl Answer {
    async fn read(response: Response) -> Self {
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.expect("the whole body").to_bytes();
        let json = serde_json::from_slice(&bytes).expect("JSON");
        Self { status: parts.status, headers: parts.headers, json }
    }

    pub(crate) fn is_replayed(&self) -> bool {
        self.headers.get("idempotent-replayed").is_some_and(|value| value == "true")
    }

    #[track_caller]
    pub(crate) fn assert(&self, status: u16, code: &str) {
        assert_eq!((self.status.as_u16(), self.json["code"].as_str()), (status, Some(code)));
    }
}
