//! Rules of claiming, finishing and releasing.

use std::sync::Arc;

use super::{
    Subject, answer, assert_same_words, attempt, claim, claim_over, finish, granted, race, refused,
};
use crate::attempt::Attempt;
use crate::record::{Answer, State};
use crate::scope::Scope;
use crate::store::{Claim, Outcome, Store, Written};

/// Of two claims, the first runs, and the second learns what the first is doing.
pub async fn the_first_claim_is_granted_and_the_second_finds_it(subject: &impl Subject) {
    let store = subject.store().await;
    let attempt = attempt("k");
    let (lease, attempts) = granted(&store, &claim(&attempt)).await;
    assert_eq!(attempts, 1);
    let found = refused(&store, &claim(&attempt)).await;
    assert!(found.record.is_live(found.now));
    assert_eq!(found.record.fence, lease.fence);
    assert_eq!(found.record.revision.owner, lease.owner);
}

/// A claim whose answer was lost is recognised when it is made again.
pub async fn the_same_claim_twice_is_one_claim(subject: &impl Subject) {
    let store = subject.store().await;
    let claim = claim(&attempt("k"));
    assert_eq!(granted(&store, &claim).await, granted(&store, &claim).await);
}

/// Two calls of one claim that are in flight at once get the same grant.
pub async fn the_same_claim_made_twice_at_once_is_one_claim(subject: &impl Subject) {
    let store = Arc::new(subject.store().await);
    for number in 0..20 {
        let claim = claim(&attempt(&format!("k{number}")));
        let [one, other] = [claim.clone(), claim].map(|claim| {
            let store = store.clone();
            tokio::spawn(async move { granted(&*store, &claim).await })
        });
        assert_eq!(one.await.expect("no panic"), other.await.expect("no panic"));
    }
}

/// Fifty parallel claims of a new key: one runs.
pub async fn of_many_parallel_claims_one_is_granted(subject: &impl Subject) {
    let store = Arc::new(subject.store().await);
    assert_eq!(race(&store, claim(&attempt("k"))).await, 1);
}

/// Scope, operation, fingerprint and identity come back as they were claimed, with and without a
/// principal, with and without identity.
pub async fn what_was_claimed_is_read_back_whole(subject: &impl Subject) {
    let store = subject.store().await;
    let with = attempt("with");
    let without = Arc::new(Attempt { identity: None, ..(*attempt("without")).clone() });
    let scope = Scope::of("account-7").expect("it has an identifier");
    let scoped = Arc::new(Attempt { scope, ..(*attempt("scoped")).clone() });
    for attempt in [with, without, scoped] {
        granted(&store, &claim(&attempt)).await;
        let found = refused(&store, &claim(&attempt)).await;
        assert_eq!(found.record.accepted, attempt);
        assert_same_words(&found.record.accepted.operation, &attempt.operation);
        assert!(found.record.created_at <= found.now && found.now < found.record.expires_at);
    }
}

/// Status, headers in their order and multiplicity, and body bytes that are no text.
pub async fn an_answer_is_read_back_byte_for_byte(subject: &impl Subject) {
    let store = subject.store().await;
    let empty = Answer { status: 204, headers: vec![], body: Some("".into()) };
    let not_stored = Answer { status: 200, headers: vec![], body: None };
    let long = Answer { status: 200, headers: vec![], body: Some(vec![7; 1 << 20].into()) };
    let answers = [answer(), Arc::new(empty), Arc::new(not_stored), Arc::new(long)];
    for (number, answer) in answers.into_iter().enumerate() {
        let attempt = attempt(&format!("k{number}"));
        let (lease, _) = granted(&store, &claim(&attempt)).await;
        assert_eq!(finish(&store, &lease, Outcome::Completed(answer.clone())).await, Written::Done);
        let found = refused(&store, &claim(&attempt)).await;
        assert_eq!(found.record.state, State::Completed(answer));
    }
}

/// Both ends without an answer.
pub async fn failed_and_unknown_ends_are_told_apart(subject: &impl Subject) {
    let store = subject.store().await;
    for (key, outcome, state) in
        [("f", Outcome::Failed, State::Failed), ("u", Outcome::Unknown, State::Unknown)]
    {
        let attempt = attempt(key);
        let (lease, _) = granted(&store, &claim(&attempt)).await;
        assert_eq!(finish(&store, &lease, outcome).await, Written::Done);
        assert_eq!(refused(&store, &claim(&attempt)).await.record.state, state);
    }
}

/// A completion whose answer was lost can be repeated.
pub async fn finishing_twice_is_finishing_once(subject: &impl Subject) {
    let store = subject.store().await;
    let attempt = attempt("k");
    let (lease, _) = granted(&store, &claim(&attempt)).await;
    for _ in 0..2 {
        assert_eq!(finish(&store, &lease, Outcome::Completed(answer())).await, Written::Done);
    }
    assert_eq!(refused(&store, &claim(&attempt)).await.record.state, State::Completed(answer()));
}

/// A claim under which nothing ran leaves no trace, and can be given back once only.
pub async fn a_released_claim_is_as_if_never_made(subject: &impl Subject) {
    let store = subject.store().await;
    let attempt = attempt("k");
    let (lease, _) = granted(&store, &claim(&attempt)).await;
    assert_eq!(store.release(&lease).await.expect("the store works"), Written::Done);
    assert_eq!(store.find(&attempt.id).await.expect("the store works"), None);
    assert_eq!(store.release(&lease).await.expect("the store works"), Written::Fenced);
    let (again, attempts) = granted(&store, &claim(&attempt)).await;
    assert_eq!(attempts, 1);
    assert_eq!(finish(&store, &lease, Outcome::Failed).await, Written::Fenced);
    assert_eq!(finish(&store, &again, Outcome::Failed).await, Written::Done);
    assert_eq!(store.release(&again).await.expect("the store works"), Written::Fenced);
}

/// A claim over an earlier execution is not the first: releasing it would forget that one.
pub async fn a_take_over_cannot_be_released(subject: &impl Subject) {
    let store = subject.store().await;
    let attempt = attempt("k");
    let (lease, _) = granted(&store, &claim(&attempt)).await;
    assert_eq!(finish(&store, &lease, Outcome::Failed).await, Written::Done);
    let failed = refused(&store, &claim(&attempt)).await.record;
    let (over, _) = granted(&store, &claim_over(&attempt, failed.revision)).await;
    assert_eq!(store.release(&over).await.expect("the store works"), Written::Fenced);
    let found = refused(&store, &claim(&attempt)).await;
    assert!(found.record.is_live(found.now));
}

/// Every record has its own life.
pub async fn keys_do_not_touch_each_other(subject: &impl Subject) {
    let store = subject.store().await;
    let (one, other) = (attempt("Key-A"), attempt("key-a"));
    let (lease, _) = granted(&store, &claim(&one)).await;
    let (foreign, _) = granted(&store, &Claim { owner: lease.owner, ..claim(&other) }).await;
    assert_eq!(finish(&store, &lease, Outcome::Completed(answer())).await, Written::Done);
    assert!(matches!(refused(&store, &claim(&other)).await.record.state, State::InProgress { .. }));
    assert_eq!(finish(&store, &foreign, Outcome::Failed).await, Written::Done);
    assert_eq!(refused(&store, &claim(&one)).await.record.state, State::Completed(answer()));
}
