//! What the tests are written in: a place has files, labs run on it, calls are sent to them, and
//! replies come back.

mod call;
mod database;
mod lab;
mod place;
mod reply;

pub(crate) use call::{Call, script};
pub(crate) use database::Blocked;
pub(crate) use lab::Lab;
pub(crate) use place::Place;
pub(crate) use reply::Reply;
