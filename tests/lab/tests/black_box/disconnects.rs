//! Clients that leave.

use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;

use crate::harness::{Call, Lab, Place, script};

#[tokio::test]
async fn a_client_that_leaves_does_not_stop_the_handler() {
    let place = Place::new();
    for (lab, key) in [(place.lab_in_memory(&[]), "m"), (place.lab(&[]), "s")] {
        let call = Call::to("/reject").key(key).with(script(json!({ "sleep_ms": 500 })));
        leave_at(&lab, &call, Duration::from_millis(50)).await;
        lab.send(&call).await.assert_busy();
        assert!(place.effects(key).is_empty(), "the handler is still running");

        let answered = lab.send_until_decided(&call).await;
        assert!(answered.is_replay());
        assert_eq!(answered.status, 201);
        lab.send(&call).await.assert_replays(&answered);
        assert_eq!(place.effects(key).len(), 1);
    }
}

#[tokio::test]
async fn a_client_that_leaves_a_panicking_handler_leaves_no_stuck_key() {
    let place = Place::new();
    let lab = place.lab_in_memory(&[]);
    let call = Call::to("/failed-retry").key("k");
    let panic = call.clone().with(script(json!({ "sleep_ms": 200, "panic": true })));
    leave_at(&lab, &panic, Duration::from_millis(50)).await;
    let reply = lab.send_until_decided(&call).await;
    reply.assert_ran();
    assert_eq!(place.effects("k").len(), 1);
}

/// Sends `call` and breaks the connection when its handler has been running for `running`.
async fn leave_at(lab: &Lab, call: &Call, running: Duration) {
    let mut stream = TcpStream::connect(lab.address()).expect("the lab listens");
    stream.write_all(&call.wire(lab.address())).expect("the lab reads");
    lab.wait_for_pauses(1).await;
    sleep(running).await;
    drop(stream);
}
