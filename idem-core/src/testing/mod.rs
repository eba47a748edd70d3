//! The rules that every store must keep, as tests for any store, ours and yours.
//!
//! ```
//! use std::sync::Arc;
//! use std::time::Duration;
//! use idem_core::clock::ManualClock;
//! use idem_core::store::memory::MemoryStore;
//! use idem_core::testing::Subject;
//!
//! #[derive(Default)]
//! struct Memory(Arc<ManualClock>);
//!
//! impl Subject for Memory {
//!     type Store = MemoryStore;
//!
//!     async fn store(&self) -> MemoryStore {
//!         MemoryStore::with_clock(self.0.clone())
//!     }
//!
//!     async fn pass(&self, time: Duration) {
//!         self.0.advance(time);
//!     }
//! }
//!
//! // One test for each rule; needs tokio with `macros` and `rt-multi-thread`.
//! idem_core::store_conformance!(Memory::default());
//! // And one for each that a store of conflicts keeps besides.
//! idem_core::review_conformance!(Memory::default());
//! ```

mod claims;
mod history;
mod leases;
mod payloads;
mod retention;
mod review;
mod steps;
mod transactions;
mod waiting;

use std::future::Future;
use std::time::Duration;

pub use claims::*;
pub use history::*;
pub use leases::*;
pub use payloads::*;
pub use retention::*;
pub use review::*;
use steps::*;
pub use transactions::*;
pub use waiting::*;

use crate::store::Store;

/// A store under test, with its time.
pub trait Subject: Send + Sync {
    /// The kind of store.
    type Store: Store;

    /// A new, empty store.
    fn store(&self) -> impl Future<Output = Self::Store> + Send;

    /// Lets at least `time` pass on the store's clock.
    fn pass(&self, time: Duration) -> impl Future<Output = ()> + Send;
}

/// Makes one `#[tokio::test]` of each rule, on the [`Subject`] that the expression makes.
#[macro_export]
macro_rules! store_conformance {
    ($subject:expr) => {
        $crate::store_conformance!(@rules $subject;
            the_first_claim_is_granted_and_the_second_finds_it
            the_same_claim_twice_is_one_claim
            the_same_claim_made_twice_at_once_is_one_claim
            of_many_parallel_claims_one_is_granted
            what_was_claimed_is_read_back_whole
            an_answer_is_read_back_byte_for_byte
            failed_and_unknown_ends_are_told_apart
            finishing_twice_is_finishing_once
            a_released_claim_is_as_if_never_made
            a_take_over_cannot_be_released
            keys_do_not_touch_each_other
            a_stale_fence_can_write_nothing
            a_renewed_lease_stays_live
            a_renewal_after_the_end_is_fenced
            only_the_revision_that_was_seen_is_taken_over
            of_many_parallel_take_overs_one_is_granted
            a_take_over_gets_a_greater_fence_and_is_counted
            an_expired_record_is_as_if_it_had_never_been
            a_holder_whose_record_expired_is_fenced
            a_live_lease_outlives_its_ttl
            a_crash_is_remembered_for_a_whole_ttl
            the_retention_counts_from_the_last_write
            purging_takes_what_is_expired_and_nothing_else
            purging_stops_at_its_limit
            superseded_executions_are_remembered_newest_first
            a_superseded_answer_is_read_back_byte_for_byte
            a_vanished_execution_is_remembered_without_an_answer
            no_more_executions_are_remembered_than_the_claim_allows
            a_claim_finds_the_superseded_execution_of_its_own_payload_and_no_others
            a_payload_that_takes_over_again_is_no_longer_superseded
            a_take_over_by_the_same_payload_supersedes_nothing
            other_critical_fields_make_another_payload
            the_same_take_over_twice_supersedes_once
            of_many_parallel_take_overs_one_supersedes
            a_refused_take_over_supersedes_nothing
            a_fresh_take_over_begins_anew_and_remembers_the_old
            a_fresh_take_over_cannot_be_released
            an_expired_record_leaves_no_history
            histories_do_not_touch_each_other
            a_payload_is_read_back_byte_for_byte
            a_base_is_read_back_byte_for_byte
            the_base_is_the_last_completed_payload
            a_retry_that_waits_gets_the_answer_of_the_first
            a_retry_at_another_engine_gets_the_answer_of_the_first
            of_those_that_wait_for_a_failure_one_runs
            a_failure_is_told_to_those_that_wait
            a_crash_is_told_to_those_that_wait
            patience_runs_out
            another_intent_does_not_wait
        );
    };
    (@rules $subject:expr; $($rule:ident)*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $rule() {
                $crate::testing::$rule(&$subject).await;
            }
        )*
    };
}

/// Makes one `#[tokio::test]` of each rule that a [`ReviewStore`](crate::store::ReviewStore) keeps
/// beyond those of [`store_conformance!`](crate::store_conformance).
#[macro_export]
macro_rules! review_conformance {
    ($subject:expr) => {
        $crate::store_conformance!(@rules $subject;
            a_held_attempt_is_read_back_whole
            a_payload_is_held_once
            other_payloads_are_other_conflicts
            of_many_parallel_holds_of_a_payload_one_is_kept
            of_many_parallel_holds_the_limit_is_kept
            nothing_is_held_against_a_record_that_has_moved_on
            holding_does_not_disturb_the_holder
            a_key_has_only_so_many_open_conflicts
            a_record_tells_of_its_conflicts
            a_decision_is_read_back_whole
            of_many_parallel_decisions_one_counts
            a_decision_over_another_version_is_refused
            an_unknown_conflict_is_none
            a_decision_is_seen_by_the_next_claim
            an_expired_conflict_cannot_be_decided
            a_decision_lets_the_time_run_anew
            of_many_parallel_claims_of_an_accepted_payload_one_is_granted
            an_accepted_payload_takes_the_key_over
            the_same_claim_of_an_accepted_payload_takes_it_once
            a_refused_claim_takes_no_conflict
            conflicts_outlast_a_take_over
            a_fresh_take_over_ends_the_open_conflicts
            the_same_fresh_claim_twice_ends_conflicts_once
            a_taken_conflict_does_not_expire
            conflicts_are_listed_by_state
            conflicts_are_listed_by_operation_scope_and_record
            conflicts_are_listed_newest_first
            paging_shows_each_conflict_once
            a_page_holds_what_came_before_and_passes_the_filter
            a_record_outlives_its_conflict
            a_record_outlives_its_conflict_whatever_is_written_after_it
            a_conflict_of_a_short_time_leaves_its_record_as_it_is
            a_conflict_is_purged_one_ttl_after_it_expired
            purging_counts_conflicts_to_its_limit
            a_new_life_of_a_key_has_no_conflicts
            a_released_claim_ends_the_conflicts_about_it
        );
    };
}

/// Makes one `#[tokio::test]` of each rule that a
/// [`TransactionalStore`](crate::store::TransactionalStore) keeps beyond those of
/// [`store_conformance!`](crate::store_conformance), on a [`TransactionalSubject`].
#[macro_export]
macro_rules! transactional_conformance {
    ($subject:expr) => {
        $crate::store_conformance!(@rules $subject;
            what_a_handler_wrote_is_there_with_its_answer
            a_transaction_that_is_dropped_leaves_nothing
            a_failed_handler_leaves_its_record_and_nothing_else
            a_take_over_that_is_dropped_leaves_the_record_as_it_was
            a_duplicate_waits_for_the_transaction_of_the_first
            patience_for_a_transaction_runs_out
            claims_in_and_outside_of_transactions_meet
            of_many_duplicates_of_many_keys_each_key_runs_once
        );
    };
}
