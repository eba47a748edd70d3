//! What becomes of a profile that is saved again under the key of its form.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use idem_axum::{Idempotency, SqliteStore};
use profile_merge::api::{AppState, router};
use profile_merge::profiles::Profiles;
use profile_merge::user::User;
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt;

struct Site {
    _folder: TempDir,
    router: Router,
}

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Value,
}

impl Site {
    async fn open() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("profiles.db");
        let profiles = Profiles::open(&file).await.expect("it opens");
        let store = SqliteStore::open(&file).await.expect("it opens");
        let idempotency = Idempotency::per::<User>(store);
        let router = router(AppState { profiles, idempotency });
        Self { _folder: folder, router }
    }

    async fn save(&self, key: &str, profile: Value) -> Answer {
        self.save_as("ada", key, profile).await
    }

    async fn save_as(&self, user: &str, key: &str, profile: Value) -> Answer {
        let request = Request::put("/profile")
            .header("authorization", format!("Bearer demo-{user}"))
            .header("idempotency-key", key)
            .header("content-type", "application/json");
        self.send(request.body(Body::from(profile.to_string())).expect("a request")).await
    }

    async fn page(&self) -> Value {
        let request = Request::get("/profiles/ada").body(Body::empty()).expect("a request");
        self.send(request).await.body
    }

    async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.expect("a router never fails");
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.expect("the whole body").to_bytes();
        let text = || Value::from(String::from_utf8_lossy(&bytes).into_owned());
        let body = serde_json::from_slice(&bytes).unwrap_or_else(|_| text());
        Answer { status: parts.status, headers: parts.headers, body }
    }
}

impl Answer {
    fn verdict(&self) -> Option<&str> {
        self.headers.get("idempotency-verdict").and_then(|value| value.to_str().ok())
    }

    fn is_replayed(&self) -> bool {
        self.headers.contains_key("idempotent-replayed")
    }
}

/// A profile with these links.
fn links(from: u32, to: u32) -> Value {
    let link = |number: u32| json!({ "title": number.to_string(), "url": "https://example.org" });
    json!({ "handle": "ada", "links": (from..to).map(link).collect::<Vec<_>>() })
}

#[tokio::test]
async fn what_was_added_after_a_lost_answer_is_merged() {
    let site = Site::open().await;
    let first = site.save("form", json!({ "handle": "ada", "languages": ["en"] })).await;
    assert_eq!((first.status, first.verdict()), (StatusCode::OK, None));

    let more = json!({ "handle": "ada", "display_name": "Ada", "languages": ["fr", "en"] });
    let merged = site.save("form", more.clone()).await;
    assert_eq!((merged.status, merged.verdict()), (StatusCode::OK, Some("merged")));
    let page = site.page().await;
    assert_eq!(page["languages"], json!(["en", "fr"]));
    assert_eq!(page["display_name"], "Ada");

    let again = site.save("form", more).await;
    assert!(again.is_replayed());
    assert_eq!(again.body, merged.body);
    assert_eq!(again.body["saves"], 2);
}

#[tokio::test]
async fn a_late_retry_of_the_first_save_takes_nothing_back() {
    let site = Site::open().await;
    let first = json!({ "handle": "ada", "display_name": "A." });
    let answer = site.save("form", first.clone()).await;
    site.save("form", json!({ "handle": "ada", "display_name": "Ada" })).await;
    let late = site.save("form", first).await;
    assert!(late.is_replayed());
    assert_eq!(late.body, answer.body);
    assert_eq!(site.page().await["display_name"], "Ada");
}

#[tokio::test]
async fn each_field_is_merged_in_its_own_way() {
    let site = Site::open().await;
    let link = |title: &str| json!({ "title": title, "url": "https://example.org" });
    let first = json!({
        "handle": "ada", "invited_by": "grace", "languages": ["en"], "links": [link("home")],
        "address": { "street": "1 Main St", "city": "London" },
    });
    let second = json!({
        "handle": "ada", "invited_by": "mallory", "languages": ["en", "fr"],
        "links": [link("blog"), link("home")], "address": { "street": null, "city": "Turin" },
    });
    site.save("form", first).await;
    site.save("form", second).await;
    let page = site.page().await;
    assert_eq!(page["invited_by"], "grace");
    assert_eq!(page["languages"], json!(["en", "fr"]));
    assert_eq!(page["links"], json!([link("home"), link("blog")]));
    assert_eq!(page["address"], json!({ "street": null, "city": "Turin" }));
}

#[tokio::test]
async fn a_key_of_one_user_is_none_of_another() {
    let site = Site::open().await;
    let ada = site.save_as("ada", "form", json!({ "handle": "ada" })).await;
    let grace = site.save_as("grace", "form", json!({ "handle": "grace" })).await;
    assert_eq!((grace.status, grace.verdict()), (StatusCode::OK, None));
    assert!(!grace.is_replayed());
    let again = site.save_as("ada", "form", json!({ "handle": "ada" })).await;
    assert!(again.is_replayed());
    assert_eq!(again.body, ada.body);

    let taken = site.save_as("grace", "form-2", json!({ "handle": "ada" })).await;
    assert_eq!(taken.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_profile_with_too_much_can_be_corrected_under_its_key() {
    let site = Site::open().await;
    let refused = site.save("form", links(0, 6)).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.body, "a page has at most 5 links");
    let corrected = site.save("form", links(0, 5)).await;
    assert_eq!((corrected.status, &corrected.body["saves"]), (StatusCode::OK, &json!(1)));
    assert!(site.save("form", links(0, 5)).await.is_replayed());
}

#[tokio::test]
async fn a_merge_that_comes_to_too_much_is_refused_and_changes_nothing() {
    let site = Site::open().await;
    let first = site.save("form", links(0, 3)).await;
    let refused = site.save("form", links(3, 6)).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.body["code"], "merge-refused");
    assert_eq!(refused.body["detail"], "a page has at most 5 links");
    assert_eq!(site.page().await["links"].as_array().map(Vec::len), Some(3));
    assert_eq!(site.save("form", links(0, 3)).await.body, first.body);
}

#[tokio::test]
async fn another_handle_is_another_profile() {
    let site = Site::open().await;
    site.save("form", json!({ "handle": "ada" })).await;
    let other = site.save("form", json!({ "handle": "ada2" })).await;
    assert_eq!(other.status, StatusCode::CONFLICT);
    assert_eq!(other.body["changed"], json!(["handle"]));
}
