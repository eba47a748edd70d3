//! What is sent, how it is merged, and what must hold of it.

use idem_axum::{Merge, SemanticIdentity};
use serde::{Deserialize, Serialize};

/// A profile, or what a client has to say about one so far.
#[derive(Debug, Deserialize, Serialize, SemanticIdentity, Merge)]
#[idem(check = is_sound)]
pub struct Profile {
    /// The name in the address of the page: another one is another profile.
    #[idem(critical)]
    pub handle: String,
    /// The last one stands.
    pub display_name: Option<String>,
    /// The first one stands: nobody is invited twice.
    #[idem(merge = "keep")]
    pub invited_by: Option<String>,
    /// Each once, in whatever order they were added.
    #[serde(default)]
    #[idem(merge = "union")]
    pub languages: Vec<String>,
    /// In the order of the page; new ones go to its end.
    #[serde(default)]
    #[idem(merge = "append_new")]
    pub links: Vec<Link>,
    /// Changed field by field; `null` removes.
    #[idem(merge = "merge_patch")]
    pub address: Option<Address>,
    /// The client's clock, which makes no difference.
    #[idem(ignore)]
    #[serde(skip_serializing)]
    pub sent_at: Option<String>,
}

/// A link on the page.
#[derive(Debug, Deserialize, Serialize)]
pub struct Link {
    /// What it is called.
    pub title: String,
    /// Where it leads.
    pub url: String,
}

/// Where somebody lives, as far as it is said.
#[derive(Debug, Deserialize, Serialize)]
pub struct Address {
    /// Street and number.
    pub street: Option<String>,
    /// The city.
    pub city: Option<String>,
}

/// The most links on a page.
const MOST_LINKS: usize = 5;

/// What must hold of a profile, be it sent in one piece or merged.
///
/// # Errors
/// When it does not, with what is wrong.
pub fn is_sound(profile: &Profile) -> Result<(), String> {
    if profile.links.len() > MOST_LINKS {
        return Err(format!("a page has at most {MOST_LINKS} links"));
    }
    Ok(())
}
