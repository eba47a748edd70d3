//! The drained end of a server.

use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;

use crate::harness::{Call, Place, script};

#[tokio::test]
async fn a_server_that_is_asked_to_end_lets_its_handlers_end() {
    let place = Place::new();
    let lab = place.lab(&[]);
    let call = Call::to("/crash-hold").key("k").with(script(json!({ "sleep_ms": 600 })));
    let first = lab.begin(&call).await;
    lab.terminate();
    let (status, printed) = lab.ended().await;
    assert!(status.success(), "{status}");
    assert!(printed.is_empty(), "one line says where the lab listens, not {printed:?}");
    let first = first.await.unwrap().expect("the answer was sent before the end");
    first.assert_ran();

    let lab = place.lab(&[]);
    lab.send(&call).await.assert_replays(&first);
    assert_eq!(place.effects("k").len(), 1);
}

#[tokio::test]
async fn handlers_whose_clients_left_are_waited_for_as_well() {
    let place = Place::new();
    let lab = place.lab(&[]);
    let call = Call::to("/crash-hold").key("k").with(script(json!({ "sleep_ms": 600 })));
    let mut stream = TcpStream::connect(lab.address()).unwrap();
    stream.write_all(&call.wire(lab.address())).unwrap();
    lab.wait_for_pauses(1).await;
    drop(stream);
    // The server is to notice first that its client is gone.
    sleep(Duration::from_millis(100)).await;
    lab.terminate();
    assert!(lab.ended().await.0.success());
    assert_eq!(place.effects("k").len(), 1);

    let reply = place.lab(&[]).send(&call).await;
    assert_eq!((reply.status, reply.is_replay()), (201, true), "{}", reply.json());
    assert_eq!(place.effects("k").len(), 1);
}
