//! What is ordered.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

/// An order as the app sends it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Order {
    /// The cart, which names the order: it is the key.
    pub cart: String,
    /// What is in it, which is something.
    #[serde(deserialize_with = "not_empty")]
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
    /// What was ordered.
    #[serde(flatten)]
    pub order: Order,
}

/// Refuses an empty cart while it is read. What a handler refuses is its answer for good, while
/// what cannot be read leaves no record: the cart can be filled and ordered under its key.
fn not_empty<'de, D: Deserializer<'de>>(items: D) -> Result<Vec<Item>, D::Error> {
    let items = Vec::deserialize(items)?;
    if items.is_empty() { Err(D::Error::custom("the cart is empty")) } else { Ok(items) }
}
