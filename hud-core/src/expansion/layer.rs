//! The check of components of the static layer.

/// Whether a type's values change from turn to turn. A type says so with a constant of its own
/// that has this name, which goes before this one.
pub trait EachTurn {
    /// It does not say so.
    const CHANGES_EACH_TURN: bool = false;
}

impl<T: ?Sized> EachTurn for T {}

/// Panics with `message` if a type of which a component of the static layer has props changes.
#[track_caller]
#[allow(
    clippy::panic,
    reason = "evaluated by the compiler only: the macros call it in a `const`"
)]
pub const fn steady(changes: bool, message: &str) {
    if changes {
        panic!("{}", message);
    }
}
