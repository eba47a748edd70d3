//! Payloads other than JSON, optional and derived keys, the baseline, and the view from outside.

use serde_json::json;

use crate::harness::{Call, Place};

const FORM: &str = "application/x-www-form-urlencoded";

#[tokio::test]
async fn the_fields_of_a_form_may_come_in_any_order() {
    let place = Place::new();
    let lab = place.lab(&[]);
    let send = |body: &'static str| Call::to("/form").key("k").body(FORM, body);
    let first = lab.send(&send("amount=10&currency=EUR&recipient=alice&note=a+b&sleep_ms=1")).await;
    first.assert_ran();
    let turned = lab.send(&send("note=a%20b&recipient=%61lice&currency=EUR&amount=10")).await;
    turned.assert_replays(&first);
    assert_eq!(turned.header("idempotency-verdict"), None);

    let noted = lab.send(&send("amount=10.0&currency=EUR&recipient=alice")).await;
    noted.assert_replays(&first);
    assert_eq!(noted.header("idempotency-verdict"), Some("difference-ignored"));

    let doubled = lab.send(&send("amount=20&currency=EUR&recipient=alice&note=a+b")).await;
    let problem = doubled.assert_problem(409, "payload-mismatch");
    assert_eq!(problem["changed"], json!(["amount"]));
    assert_eq!(place.effects("k").len(), 1);
}

#[tokio::test]
async fn raw_bytes_are_compared_exactly() {
    let place = Place::new();
    let lab = place.lab(&[]);
    let send = |media_type, body: &[u8]| Call::to("/raw").key("k").body(media_type, body);
    let first = lab.send(&send("application/json", b"{\"a\":1}\xff\0")).await;
    first.assert_ran();
    lab.send(&send("application/json", b"{\"a\":1}\xff\0")).await.assert_replays(&first);
    for (media_type, body) in [
        ("application/json", &b"{\"a\": 1}\xff\0"[..]),
        ("application/json", b""),
        ("text/plain", b"{\"a\":1}\xff\0"),
    ] {
        let reply = lab.send(&send(media_type, body)).await;
        reply.assert_problem(409, "payload-mismatch");
    }
    assert_eq!(place.effects("k").len(), 1);
}

#[tokio::test]
async fn without_an_optional_key_each_request_runs() {
    let place = Place::new();
    let lab = place.lab_in_memory(&[]);
    for _ in 0..3 {
        let reply = lab.send(&Call::to("/optional")).await;
        reply.assert_ran();
        assert_eq!(reply.header("x-fence"), None);
    }
    assert_eq!(place.effects("-").len(), 3);
    let first = lab.send(&Call::to("/optional").key("k")).await;
    lab.send(&Call::to("/optional").key("k")).await.assert_replays(&first);
    assert_eq!(place.effects("k").len(), 1);
}

#[tokio::test]
async fn a_derived_key_is_one_for_each_intent_whatever_the_header_says() {
    let place = Place::new();
    let labs = [place.lab(&[]), place.lab(&[])];
    let call = Call::to("/derived");
    let first = labs[0].send(&call).await;
    first.assert_ran();
    for retry in [call.clone(), call.clone().key("k"), call.clone().key("a b")] {
        labs[1].send(&retry).await.assert_replays(&first);
    }
    let noted = labs[0].send(&call.clone().with(("note", "thanks"))).await;
    noted.assert_replays(&first);
    assert_eq!(noted.header("idempotency-verdict"), Some("difference-ignored"));
    assert_eq!(place.effects("-").len(), 1);

    labs[0].send(&call.clone().with(("amount", "20"))).await.assert_ran();
    labs[1].send(&call.by("other")).await.assert_ran();
    assert_eq!(place.effects("-").len(), 3);
}

#[tokio::test]
async fn a_handler_without_the_attribute_runs_each_time() {
    let place = Place::new();
    let lab = place.lab_in_memory(&[]);
    for _ in 0..2 {
        lab.send(&Call::to("/bare").key("k")).await.assert_ran();
    }
    assert_eq!(place.effects("k").len(), 2);
}

#[tokio::test]
async fn effects_and_health_are_seen_from_outside() {
    let place = Place::new();
    let lab = place.lab_in_memory(&[]);
    assert_eq!(lab.get("/healthz").await.0, 200);
    assert_eq!(lab.get("/effects?key=k").await.1, r#"{"count":0,"amounts":[]}"#);
    lab.send(&Call::to("/reject").key("k")).await.assert_ran();
    lab.send(&Call::to("/reject").key("kk")).await.assert_ran();
    assert_eq!(lab.get("/effects?key=k").await.1, r#"{"count":1,"amounts":["10.00"]}"#);
}
