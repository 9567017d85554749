//! The beginning of texts that are too long to be shown.

use super::{SessionId, UpdateMode};
use crate::state::{HudState, MemoryBlock, MemoryPlace};

/// How many bytes of a text are folded into a state. No HUD shows as much; the whole of it stays in
/// the log.
const LONGEST: usize = 64 * 1024;

/// What may have texts in it.
pub(super) trait Clip: Sized {
    /// Whether it has one that is too long.
    fn is_long(&self) -> bool;

    /// The same with the beginnings of those that are too long.
    fn clipped(&self) -> Self;
}

impl Clip for String {
    fn is_long(&self) -> bool {
        self.len() > LONGEST
    }

    fn clipped(&self) -> Self {
        if !self.is_long() {
            return self.clone();
        }
        let mut end = LONGEST;
        while !self.is_char_boundary(end) {
            end -= 1;
        }
        format!("{}…", &self[..end])
    }
}

impl<T: Clip> Clip for Option<T> {
    fn is_long(&self) -> bool {
        self.as_ref().is_some_and(Clip::is_long)
    }

    fn clipped(&self) -> Self {
        self.as_ref().map(Clip::clipped)
    }
}

impl<T: Clip> Clip for Vec<T> {
    fn is_long(&self) -> bool {
        self.iter().any(Clip::is_long)
    }

    fn clipped(&self) -> Self {
        self.iter().map(Clip::clipped).collect()
    }
}

macro_rules! never_long {
    ($($type:ty),*) => {
        $(impl Clip for $type {
            fn is_long(&self) -> bool {
                false
            }

            fn clipped(&self) -> Self {
                self.clone()
            }
        })*
    };
}

// What a state in an event has was clipped when it came to be.
never_long!(
    u64,
    SessionId,
    UpdateMode,
    MemoryBlock,
    MemoryPlace,
    Box<HudState>
);
