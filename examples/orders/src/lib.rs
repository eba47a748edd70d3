//! Orders with windows.
//!
//! A shop whose app names each order by its cart. That is a key as good as any, until a customer
//! orders, changes the cart, and orders again: is this a fault of the app, a mistake, or the next
//! order? Time tells, and the contract of [`api`] says how:
//!
//! | the changed cart comes | it is |
//! | --- | --- |
//! | within 10 seconds | suspicious: somebody pressed the button while the cart was loading. Refused, and the shop is told |
//! | within the hour | a mistake: refused |
//! | later | an order of its own. The first is remembered: a late retry of it still gets its answer |
//!
//! | module | holds |
//! | --- | --- |
//! | [`api`] | the routes, the contract and the handlers |
//! | [`order`] | what is ordered |
//! | [`ledger`] | where orders are kept |

pub mod api;
pub mod ledger;
pub mod order;
