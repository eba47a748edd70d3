//! What is ordered.

use serde::{Deserialize, Serialize};

/// An order as the app sends it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Order {
    /// The cart, which names the order: it is the key.
    pub cart: String,
    /// What is in it.
    pub items: Vec<Item>,
    /// What the customer was shown, in cents.
    pub total: u64,
    /// For whoever packs it.
    pub note: Option<String>,
}

/// One line of an order.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Item {
    /// The article.
    pub sku: String,
    /// How many of it.
    pub count: u32,
}

/// An order that was placed.
#[derive(Clone, Debug, Serialize)]
pub struct Placed {
    /// Its number.
    pub number: i64,
    /// What the customer pays, in cents.
    pub total: u64,
}
