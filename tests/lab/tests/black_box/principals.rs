//! Whose keys they are.

use crate::harness::{Call, Place};

#[tokio::test]
async fn one_key_of_two_principals_is_two_keys() {
    let place = Place::new();
    for lab in [place.lab_in_memory(&[]), place.lab(&[])] {
        let (acme, bolt) =
            (Call::to("/reject").key("k").by("acme"), Call::to("/reject").key("k").by("bolt"));
        let (first, second) = (lab.send(&acme).await, lab.send(&bolt).await);
        first.assert_ran();
        second.assert_ran();
        assert_ne!(first.json()["id"], second.json()["id"]);
        lab.send(&acme).await.assert_replays(&first);
        lab.send(&bolt).await.assert_replays(&second);
        // Not even a mismatch is learnt from the other's record.
        lab.send(&acme.clone().by("crow").with(("amount", "99"))).await.assert_ran();
    }
    let scopes = place.effects("k").into_iter().map(|effect| effect.scope).collect::<Vec<_>>();
    assert_eq!(scopes, ["acme", "bolt", "crow", "acme", "bolt", "crow"], "for each store");
}

#[tokio::test]
async fn strangers_are_refused_and_use_up_nothing() {
    let place = Place::new();
    let lab = place.lab_in_memory(&[]);
    let call = Call::to("/reject").key("k");
    let first = lab.send(&call).await;
    let refused = [
        (call.clone().by_nobody(), 401),
        (call.clone().by(""), 401),
        (call.clone().by("revoked"), 403),
    ];
    for (stranger, status) in refused {
        let reply = lab.send(&stranger).await;
        assert_eq!((reply.status, reply.is_replay()), (status, false));
        let unknown = stranger.key("k");
        assert_eq!(lab.send(&unknown).await.status, status, "who calls is asked before the key");
    }
    assert_eq!(place.effects("k").len(), 1);
    lab.send(&call).await.assert_replays(&first);
}
