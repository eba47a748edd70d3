//! The PostgreSQL store on a real server.
//!
//! | file | facts about |
//! | --- | --- |
//! | `support` | (schemas and claims) |
//! | `conformance` | all that holds of every store |
//! | `schema` | the tables, and instances that make them at once |
//! | `claims` | claims that wait for others |
//! | `hearing` | ends in other processes |
//! | `pools` | connections of the application, and ours |
//! | `pooled` | the same behind PgBouncer |
//! | `logs` | what is logged, and what never is |
//! | `heap` | what a record costs the server |
//! | `round_trips` | messages, counted on the wire |

#![allow(clippy::unwrap_used, reason = "the functions of a test may panic as the test may")]

mod claims;
mod conformance;
mod heap;

mod hearing;
mod logs;
mod pooled;
mod pools;
mod round_trips;
mod schema;
mod support;
