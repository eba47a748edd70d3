//! Idempotent handlers seen from outside: the lab is started as a process of its own, driven over
//! HTTP, killed, and asked again. What happened is counted in its effects file.
//!
//! The folder has a second name, `black_box_on_postgres`, under which the same tests run on the store that it says.
//!
//! | file | facts about |
//! | --- | --- |
//! | `harness` | (places, labs, calls and replies) |
//! | `duplicates` | the same request, many times at once or later |
//! | `differences` | another request under the same key |
//! | `merges`, `supersessions`, `reviews`, `windows` | what the other policies make of it |
//! | `keys`, `bodies`, `principals` | what is refused before anything is claimed |
//! | `failures`, `disconnects`, `crashes` | handlers, clients and servers that break off |
//! | `waiting` | retries that wait for the first |
//! | `transactions` | effects in the transaction of their record |
//! | `leases` | times: leases, retention |
//! | `outages` | a store that cannot be reached |
//! | `answers` | what is stored of an answer |
//! | `routes` | payloads other than JSON, optional and derived keys, the baseline |
//! | `shutdown` | the drained end of a server |

mod harness;

mod answers;
mod bodies;
mod crashes;
mod differences;
mod disconnects;
mod duplicates;
mod failures;
mod keys;
mod leases;
mod merges;
mod outages;
mod principals;
mod reviews;
mod routes;
mod shutdown;
mod supersessions;
mod transactions;
mod waiting;
mod windows;
