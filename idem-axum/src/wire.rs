//! How an application speaks to its clients.

use std::borrow::Cow;

use axum::http::{HeaderValue, header};
use axum::response::Response;

use crate::problem::{Dialect, Problem};

/// The dialect of an application, and where its clients find what was held of theirs.
#[derive(Clone, Debug)]
pub(crate) struct Wire {
    pub(crate) dialect: Dialect,
    pub(crate) conflicts_at: Cow<'static, str>,
}

impl Default for Wire {
    fn default() -> Self {
        Self { dialect: Dialect::default(), conflicts_at: "/conflicts".into() }
    }
}

impl Wire {
    /// The response that tells a problem.
    pub(crate) fn tell(&self, problem: Problem) -> Response {
        let conflict = problem.conflict();
        let mut response = problem.into_response(self.dialect);
        if let Some(conflict) = conflict {
            let location = format!("{}/{conflict}", self.conflicts_at.trim_end_matches('/'));
            if let Ok(location) = HeaderValue::try_from(location) {
                response.headers_mut().insert(header::LOCATION, location);
            }
        }
        response
    }
}
