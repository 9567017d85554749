//! The beginning of texts that are too long to be shown.

use super::SessionId;
use crate::state::HudState;
use crate::text::beginning;

/// How many bytes of a text are folded into a state. No HUD shows as much; the whole of it stays in
/// the log.
const LONGEST: usize = 64 * 1024;

/// What may have texts in it that are too long for a state.
///
/// The type of a payload's field has to say so. One that holds no text needs no more than
/// `impl Clip for Severity {}`.
pub trait Clip: Clone {
    /// Whether it has a text that is too long.
    fn is_long(&self) -> bool {
        false
    }

    /// The same with the beginnings of those that are too long.
    #[must_use]
    fn clipped(&self) -> Self {
        self.clone()
    }
}

impl Clip for String {
    fn is_long(&self) -> bool {
        self.len() > LONGEST
    }

    fn clipped(&self) -> Self {
        if !self.is_long() {
            return self.clone();
        }
        format!("{}…", beginning(self, LONGEST))
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

impl Clip for bool {}
impl Clip for u8 {}
impl Clip for u32 {}
impl Clip for u64 {}
impl Clip for i64 {}
impl Clip for f64 {}
impl Clip for jiff::Timestamp {}
impl Clip for SessionId {}
/// The texts of a state in an event were clipped when they were folded into it.
impl Clip for Box<HudState> {}
