//! Profiles that are saved step by step.
//!
//! A form on a train: the app saves a profile, the answer is lost in a tunnel, the user adds a
//! link and a language, and the app saves again under the key of the form. Refusing that would
//! lose what was added, and taking the second save for a retry would too. Here the second payload
//! is merged into the first, field by field as [`Profile`](profile::Profile) says, and the handler
//! runs with the whole.
//!
//! | module | holds |
//! | --- | --- |
//! | [`profile`] | what is sent, how it is merged, and what must hold of it |
//! | [`profiles`] | where profiles are kept: one SQLite file, with the keys beside them |
//! | [`user`] | who calls |
//! | [`api`] | the routes and the handlers |

pub mod api;
pub mod profile;
pub mod profiles;
pub mod user;
