//! The calls of the store on their way to its connection.

use sqlx::SqliteConnection;
use tokio::sync::oneshot;

use super::statement::{self, Failure};
use crate::attempt::RecordId;
use crate::lease::Lease;
use crate::store::{Begun, Claim, Found, Outcome, StoreError, Written};

pub(super) type Reply<T> = oneshot::Sender<Result<T, StoreError>>;

/// One call of a verb, with where its answer goes.
#[derive(Debug)]
pub(super) enum Command {
    Begin(Claim, Reply<Begun>),
    Renew(Lease, Reply<Written>),
    Finish(Lease, Outcome, Reply<Written>),
    Release(Lease, Reply<Written>),
    Find(RecordId, Reply<Option<Found>>),
    Purge(u32, Reply<u32>),
}

/// The answer to a call, ready to be given once the transaction is durable.
pub(super) type Settled = Box<dyn FnOnce() + Send>;

/// What a command came to without a write.
pub(super) enum Read {
    Answered(Settled),
    NeedsWrite(Command),
}

impl Command {
    /// Answers the command if that takes no write.
    pub(super) async fn read(self, db: &mut SqliteConnection) -> Result<Read, sqlx::Error> {
        match self {
            Self::Find(..) => Ok(Read::Answered(self.run(db).await?)),
            Self::Begin(claim, reply) => match statement::peek(db, &claim).await {
                Ok(None) => Ok(Read::NeedsWrite(Self::Begin(claim, reply))),
                Ok(Some(begun)) => Ok(Read::Answered(settle(Ok(begun), reply)?)),
                Err(failure) => Ok(Read::Answered(settle(Err(failure), reply)?)),
            },
            write => Ok(Read::NeedsWrite(write)),
        }
    }

    /// Carries the command out.
    pub(super) async fn run(self, db: &mut SqliteConnection) -> Result<Settled, sqlx::Error> {
        match self {
            Self::Begin(claim, reply) => settle(statement::begin(db, &claim).await, reply),
            Self::Renew(lease, reply) => settle(statement::renew(db, &lease).await, reply),
            Self::Finish(lease, outcome, reply) => {
                settle(statement::finish(db, &lease, &outcome).await, reply)
            }
            Self::Release(lease, reply) => settle(statement::release(db, &lease).await, reply),
            Self::Find(id, reply) => settle(statement::find_current(db, id).await, reply),
            Self::Purge(limit, reply) => settle(statement::purge(db, limit).await, reply),
        }
    }
}

fn settle<T: Send + 'static>(
    result: Result<T, Failure>,
    reply: Reply<T>,
) -> Result<Settled, sqlx::Error> {
    let answer = match result {
        Ok(value) => Ok(value),
        Err(Failure::Record(error)) => Err(error),
        Err(Failure::Batch(error)) => return Err(error),
    };
    // Nobody may be waiting any more.
    Ok(Box::new(move || drop(reply.send(answer))))
}
