//! The payment API through its router, on a file of its own for each test.

mod bank;
mod books;
mod refusals;
mod retries;
