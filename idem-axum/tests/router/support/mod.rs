//! What every test needs: an application that counts its effects, requests, replies, a store that
//! fails on demand, and an eye on the log.

mod app;
mod clock;
mod gate;
mod log;
mod reply;
mod request;
mod store;
mod valid;
mod wire;

pub(crate) use app::App;
pub(crate) use clock::RuntimeClock;
pub(crate) use gate::Gate;
pub(crate) use log::Log;
pub(crate) use reply::Reply;
pub(crate) use request::{Ask, get, post};
pub(crate) use store::{Fault, ProbedStore, Verb};
pub(crate) use valid::Valid;
pub(crate) use wire::Wire;
