//! Who holds a lease.

use std::cell::RefCell;
use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// Who holds a lease: 128 random bits, made by the attempt itself, so that it recognises a claim
/// whose answer was lost on the way.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Owner([u8; 16]);

impl Owner {
    /// A new owner that nobody can guess.
    ///
    /// # Panics
    /// When the operating system has no randomness to give.
    #[must_use]
    pub fn random() -> Self {
        let random = u128::from_ne_bytes(POOL.with_borrow_mut(Pool::take));
        // Two copies of a virtual machine, woken from one snapshot, have the same pool. They do not
        // draw from it in the same nanosecond, and mixing that in takes nothing from the rest.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self((random ^ now.as_nanos()).to_ne_bytes())
    }

    /// The owner whose bytes are already known, as read back from a store.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The 16 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Debug for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Owner({:02x}{:02x}…)", self.0[0], self.0[1])
    }
}

thread_local! {
    static POOL: RefCell<Pool> = const { RefCell::new(Pool { bytes: [0; 256], left: 0 }) };
}

/// The operating system's randomness, asked for sixteen owners at a time: a system call for each
/// would be a tenth of a replay.
struct Pool {
    bytes: [u8; 256],
    left: usize,
}

impl Pool {
    fn take(&mut self) -> [u8; 16] {
        if self.left == 0 {
            getrandom::fill(&mut self.bytes).expect("the operating system gives randomness");
            self.left = self.bytes.len();
        }
        self.left -= 16;
        let (owners, _) = self.bytes.as_chunks();
        owners[self.left / 16]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn owners_never_repeat_on_one_thread_or_across_threads() {
        let draw = || (0..1000).map(|_| Owner::random()).collect::<Vec<_>>();
        let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(draw)).collect();
        let mut owners: HashSet<_> = draw().into_iter().collect();
        for thread in threads {
            owners.extend(thread.join().unwrap());
        }
        assert_eq!(owners.len(), 5000);
    }
}
