//! Reading the body of an answer, for as long as it may take.

use std::time::Duration;

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use futures_util::stream::{self, StreamExt};
use http_body::Frame;
use http_body_util::{BodyExt, BodyStream, StreamBody};
use tokio::time::timeout;

/// How much of a body there was to keep.
pub(super) enum Kept {
    /// All of it.
    Whole(Bytes),
    /// It is over a bound; the client gets it as it comes.
    Passing(Body),
    /// It broke off.
    Broken(axum::Error),
}

/// Reads `body` to its end, if that comes within `limit` bytes and within `time`: a body that is
/// silent for ever must not keep its key busy for ever.
pub(super) async fn keep(mut body: Body, limit: usize, time: Duration) -> Kept {
    let mut read = Read::default();
    let next = match timeout(time, read.fill(&mut body, limit)).await {
        Ok(Ok(None)) => return Kept::Whole(read.joined()),
        Ok(Ok(next)) => next,
        Ok(Err(error)) => return Kept::Broken(error),
        Err(_) => None,
    };
    Kept::Passing(resume(read.joined(), next, body))
}

/// What has been read. Most bodies are one frame, which is kept without a copy.
#[derive(Default)]
struct Read {
    first: Bytes,
    more: BytesMut,
}

impl Read {
    /// Reads on to the end, or up to the frame that cannot be kept: one over the limit, or trailers.
    ///
    /// # Cancellation
    /// Nothing is lost: every frame that was read is in `self`.
    async fn fill(
        &mut self,
        body: &mut Body,
        limit: usize,
    ) -> Result<Option<Frame<Bytes>>, axum::Error> {
        while let Some(frame) = body.frame().await.transpose()? {
            match frame.into_data() {
                Ok(data) if self.len() + data.len() <= limit => self.push(data),
                Ok(data) => return Ok(Some(Frame::data(data))),
                Err(trailers) => return Ok(Some(trailers)),
            }
        }
        Ok(None)
    }

    fn len(&self) -> usize {
        self.first.len() + self.more.len()
    }

    fn push(&mut self, data: Bytes) {
        if self.len() == 0 {
            self.first = data;
        } else {
            self.more.reserve(self.first.len() + data.len());
            self.more.extend_from_slice(&std::mem::take(&mut self.first));
            self.more.extend_from_slice(&data);
        }
    }

    fn joined(self) -> Bytes {
        if self.more.is_empty() { self.first } else { self.more.freeze() }
    }
}

/// What was read already, the frame that ended the reading, and the rest.
fn resume(read: Bytes, next: Option<Frame<Bytes>>, rest: Body) -> Body {
    let read = (!read.is_empty()).then(|| Frame::data(read));
    let before = stream::iter(read.into_iter().chain(next).map(Ok));
    Body::new(StreamBody::new(before.chain(BodyStream::new(rest))))
}
