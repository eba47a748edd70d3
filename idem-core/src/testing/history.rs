//! Rules of superseded executions.

use std::sync::Arc;

use super::{
    LEASE, MARGIN, SHORT, Subject, answer, attempt, claim, claim_by, claim_over, complete, finish,
    found, granted, history, noted, numbered, paying, race, refused, take,
};
use crate::attempt::Attempt;
use crate::record::{Answer, Superseded};
use crate::store::{Claim, Outcome, Store, TakeOver, Written};

/// Three payloads, each completed over the one before: fingerprint, identity, version, time and
/// answer of two are remembered.
pub async fn superseded_executions_are_remembered_newest_first(subject: &impl Subject) {
    let store = subject.store().await;
    let payloads = ["first", "second", "third"].map(|note| noted("k", note));
    let mut expected = Vec::new();
    for (number, payload) in payloads.iter().enumerate() {
        complete(&store, payload, &numbered(number)).await;
        let version = found(&store, payload).await.record.revision.version;
        expected.insert(0, (payload.clone(), version, numbered(number)));
        subject.pass(MARGIN).await;
    }
    let record = found(&store, &payloads[0]).await;
    let remembered = history(&store, &payloads[0]).await;
    assert_eq!((record.record.history, remembered.len()), (2, 2));
    for (entry, (payload, version, answer)) in remembered.iter().zip(&expected[1..]) {
        assert!(is_of(entry, payload));
        assert_eq!((entry.version, entry.answer.as_ref()), (*version, Some(answer)));
    }
    let (newer, older) = (remembered[0].superseded_at, remembered[1].superseded_at);
    assert!(record.record.created_at < older && older < newer && newer < record.now);
}

/// An answer that was superseded comes back byte for byte, and an execution without one as such.
pub async fn a_superseded_answer_is_read_back_byte_for_byte(subject: &impl Subject) {
    let store = subject.store().await;
    complete(&store, &noted("k", "completed"), &answer()).await;
    for (note, outcome) in [("failed", Outcome::Failed), ("unknown", Outcome::Unknown)] {
        let lease = take(&store, &noted("k", note)).await;
        assert_eq!(finish(&store, &lease, outcome).await, Written::Done);
    }
    take(&store, &noted("k", "latest")).await;
    let answers = history(&store, &attempt("k")).await.into_iter().map(|entry| entry.answer);
    assert_eq!(answers.collect::<Vec<_>>(), [None, None, Some(answer())]);
}

/// An execution whose lease was lost is superseded without an answer, and its holder is fenced.
pub async fn a_vanished_execution_is_remembered_without_an_answer(subject: &impl Subject) {
    let store = subject.store().await;
    let vanished = take(&store, &noted("k", "first")).await;
    subject.pass(LEASE + MARGIN).await;
    take(&store, &noted("k", "second")).await;
    assert_eq!(finish(&store, &vanished, Outcome::Completed(answer())).await, Written::Fenced);
    let remembered = history(&store, &attempt("k")).await;
    assert_eq!(remembered.len(), 1);
    assert!(is_of(&remembered[0], &noted("k", "first")));
    assert_eq!(remembered[0].answer, None);
}

/// The oldest goes when there are more than the claim allows, which may be none at all.
pub async fn no_more_executions_are_remembered_than_the_claim_allows(subject: &impl Subject) {
    let store = subject.store().await;
    for number in 0..5 {
        complete(&store, &noted("k", &number.to_string()), &numbered(number)).await;
    }
    assert_eq!(answers(&store).await, [3, 2, 1].map(numbered));
    for (note, limit, expected) in [("few", 2, vec![numbered(4), numbered(3)]), ("none", 0, vec![])]
    {
        let seen = found(&store, &attempt("k")).await.record.revision;
        let claim = Claim { history: limit, ..claim_over(&noted("k", note), seen) };
        let (lease, _) = granted(&store, &claim).await;
        assert_eq!(answers(&store).await, expected);
        let record = found(&store, &attempt("k")).await.record;
        assert_eq!(record.history as usize, expected.len());
        let completed = Outcome::Completed(answer());
        assert_eq!(finish(&store, &lease, completed).await, Written::Done);
    }
}

/// A retry of a superseded payload finds what became of it; any other finds nothing.
pub async fn a_claim_finds_the_superseded_execution_of_its_own_payload_and_no_others(
    subject: &impl Subject,
) {
    let store = subject.store().await;
    for (number, note) in ["first", "second", "third"].into_iter().enumerate() {
        complete(&store, &noted("k", note), &numbered(number)).await;
    }
    for (number, note) in ["first", "second"].into_iter().enumerate() {
        let asking = noted("k", note);
        let superseded = refused(&store, &claim(&asking)).await.record.superseded;
        let superseded = superseded.expect("it is remembered");
        assert!(is_of(&superseded, &asking));
        assert_eq!(superseded.answer, Some(numbered(number)));
    }
    let unlike =
        Attempt { identity: paying("k", 11).identity.clone(), ..(*noted("k", "first")).clone() };
    for asking in [noted("k", "third"), noted("k", "new"), Arc::new(unlike)] {
        assert_eq!(refused(&store, &claim(&asking)).await.record.superseded, None);
    }
    // Its handler has declared critical fields since, or has none any more.
    let anonymous = Attempt { identity: None, ..(*noted("k", "first")).clone() };
    let superseded = refused(&store, &claim(&Arc::new(anonymous))).await.record.superseded;
    assert_eq!(superseded.expect("it is remembered").answer, Some(numbered(0)));
    assert_eq!(found(&store, &noted("k", "first")).await.record.superseded, None);
}

/// The record itself stands for the payload now, and for it alone.
pub async fn a_payload_that_takes_over_again_is_no_longer_superseded(subject: &impl Subject) {
    let store = subject.store().await;
    for (number, note) in ["one", "other", "one"].into_iter().enumerate() {
        complete(&store, &noted("k", note), &numbered(number)).await;
    }
    assert_eq!(answers(&store).await, [numbered(1)]);
    let record = refused(&store, &claim(&noted("k", "one"))).await.record;
    assert_eq!((record.superseded, record.history, record.attempts), (None, 1, 3));
    take(&store, &noted("k", "other")).await;
    assert_eq!(answers(&store).await, [numbered(2)]);
}

/// Running a payload once more supersedes nothing.
pub async fn a_take_over_by_the_same_payload_supersedes_nothing(subject: &impl Subject) {
    let store = subject.store().await;
    for outcome in [Outcome::Failed, Outcome::Unknown, Outcome::Completed(answer())] {
        let lease = take(&store, &noted("k", "same")).await;
        assert_eq!(finish(&store, &lease, outcome).await, Written::Done);
        assert_eq!(history(&store, &attempt("k")).await, []);
    }
}

/// The same bytes with other critical fields are another payload.
pub async fn other_critical_fields_make_another_payload(subject: &impl Subject) {
    let store = subject.store().await;
    let one = noted("k", "same");
    let other = Attempt { identity: paying("k", 11).identity.clone(), ..(*one).clone() };
    complete(&store, &one, &numbered(1)).await;
    take(&store, &Arc::new(other)).await;
    assert_eq!(answers(&store).await, [numbered(1)]);
    let superseded = refused(&store, &claim(&one)).await.record.superseded;
    assert!(superseded.is_some_and(|superseded| is_of(&superseded, &one)));
}

/// A take-over whose answer was lost is recognised when it is made again.
pub async fn the_same_take_over_twice_supersedes_once(subject: &impl Subject) {
    let store = subject.store().await;
    complete(&store, &noted("k", "first"), &numbered(1)).await;
    let seen = found(&store, &attempt("k")).await.record.revision;
    let claim = claim_over(&noted("k", "second"), seen);
    assert_eq!(granted(&store, &claim).await, granted(&store, &claim).await);
    assert_eq!(answers(&store).await, [numbered(1)]);
}

/// Fifty attempts saw the same answer and bring another payload: one runs.
pub async fn of_many_parallel_take_overs_one_supersedes(subject: &impl Subject) {
    let store = Arc::new(subject.store().await);
    complete(&*store, &noted("k", "first"), &numbered(1)).await;
    let seen = found(&*store, &attempt("k")).await.record.revision;
    assert_eq!(race(&store, claim_over(&noted("k", "second"), seen)).await, 1);
    assert_eq!(answers(&*store).await, [numbered(1)]);
    let record = found(&*store, &attempt("k")).await.record;
    assert_eq!((record.history, record.attempts), (1, 2));
}

/// What was not taken over is not superseded.
pub async fn a_refused_take_over_supersedes_nothing(subject: &impl Subject) {
    let store = subject.store().await;
    complete(&store, &noted("k", "first"), &numbered(1)).await;
    let seen = found(&store, &attempt("k")).await.record.revision;
    complete(&store, &noted("k", "second"), &numbered(2)).await;
    refused(&store, &claim_over(&noted("k", "third"), seen)).await;
    refused(&store, &claim(&noted("k", "third"))).await;
    assert_eq!(answers(&store).await, [numbered(1)]);
}

/// A new operation under an old key: counted, dated and fenced anew, with the old in its history.
pub async fn a_fresh_take_over_begins_anew_and_remembers_the_old(subject: &impl Subject) {
    let store = subject.store().await;
    let old = noted("k", "old");
    let failed = take(&store, &old).await;
    assert_eq!(finish(&store, &failed, Outcome::Failed).await, Written::Done);
    complete(&store, &old, &numbered(1)).await;
    let before = found(&store, &old).await.record;
    subject.pass(MARGIN).await;
    let claim = claim_by(&paying("k", 11), before.revision, TakeOver::Fresh);
    let (lease, attempts) = granted(&store, &claim).await;
    let record = found(&store, &old).await.record;
    assert_eq!((attempts, record.attempts, record.history), (1, 1, 1));
    assert!(lease.fence > before.fence && record.created_at > before.created_at);
    assert_eq!(record.base, None);
    assert_eq!(answers(&store).await, [numbered(1)]);
    let superseded = refused(&store, &super::claim(&old)).await.record.superseded;
    assert_eq!(superseded.and_then(|superseded| superseded.answer), Some(numbered(1)));
}

/// Its count begins anew, and yet it is no first claim: releasing it would forget the old.
pub async fn a_fresh_take_over_cannot_be_released(subject: &impl Subject) {
    let store = subject.store().await;
    complete(&store, &noted("k", "old"), &numbered(1)).await;
    let seen = found(&store, &attempt("k")).await.record.revision;
    let claim = claim_by(&paying("k", 11), seen, TakeOver::Fresh);
    let (lease, _) = granted(&store, &claim).await;
    assert_eq!(store.release(&lease).await.expect("the store works"), Written::Fenced);
    assert_eq!(answers(&store).await, [numbered(1)]);
}

/// A key's new life knows nothing of the one before, be it purged or not.
pub async fn an_expired_record_leaves_no_history(subject: &impl Subject) {
    let store = subject.store().await;
    for (key, purged) in [("purged", true), ("kept", false)] {
        complete(&store, &noted(key, "first"), &numbered(1)).await;
        let seen = found(&store, &attempt(key)).await.record.revision;
        let short = Claim { ttl: SHORT, ..claim_over(&noted(key, "second"), seen) };
        let (lease, _) = granted(&store, &short).await;
        assert_eq!(finish(&store, &lease, Outcome::Completed(answer())).await, Written::Done);
        subject.pass(SHORT + MARGIN).await;
        assert_eq!(history(&store, &attempt(key)).await, []);
        if purged {
            assert_eq!(store.purge(10).await.expect("the store works"), 1);
        }
        let (_, attempts) = granted(&store, &claim(&noted(key, "third"))).await;
        let record = refused(&store, &claim(&noted(key, "first"))).await.record;
        assert_eq!((attempts, record.history, record.superseded, record.base), (1, 0, None, None));
        assert_eq!(history(&store, &attempt(key)).await, []);
    }
}

/// Every record remembers its own.
pub async fn histories_do_not_touch_each_other(subject: &impl Subject) {
    let store = subject.store().await;
    for (number, key) in ["Key-A", "key-a"].into_iter().enumerate() {
        complete(&store, &noted(key, "first"), &numbered(number)).await;
        take(&store, &noted(key, "second")).await;
    }
    for (number, key) in ["Key-A", "key-a"].into_iter().enumerate() {
        let remembered = history(&store, &attempt(key)).await;
        assert_eq!(remembered.len(), 1);
        assert_eq!(remembered[0].answer, Some(numbered(number)));
    }
    assert_eq!(history(&store, &attempt("unknown")).await, []);
}

/// Whether an entry is about the payload of `attempt`.
fn is_of(entry: &Superseded, attempt: &Attempt) -> bool {
    attempt.is_same_payload(&entry.fingerprint, entry.identity.as_ref())
}

/// The remembered answers of the record of `k`, all of which have one.
async fn answers<S: Store>(store: &S) -> Vec<Arc<Answer>> {
    let remembered = history(store, &attempt("k")).await;
    remembered.into_iter().map(|entry| entry.answer.expect("it had completed")).collect()
}
