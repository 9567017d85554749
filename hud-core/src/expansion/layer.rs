//! The check of components of the static layer.

/// True if the values of a type change from turn to turn. A type overrides it with an inherent
/// constant of the same name.
pub trait EachTurn {
    /// The default for types without the constant.
    const CHANGES_EACH_TURN: bool = false;
}

impl<T: ?Sized> EachTurn for T {}

/// Panics with `message` if a component of the static layer has a prop whose type changes from turn
/// to turn.
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
