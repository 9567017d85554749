//! Sequences of emphasis, strong emphasis and strikethrough. How one is chosen and written is up
//! to the attention engine, [`super::super::attention`].

use super::super::attention::Sequences;
use super::super::options::Attention;
use super::super::state::State;

pub(super) const DELETE: Sequences = ["~~", "~"];

pub(super) fn emphasis(state: &State<'_>) -> Sequences {
    match state.options.emphasis {
        Attention::Asterisk => ["*", "_"],
        Attention::Underscore => ["_", "*"],
    }
}

pub(super) fn strong(state: &State<'_>) -> Sequences {
    match state.options.strong {
        Attention::Asterisk => ["**", "__"],
        Attention::Underscore => ["__", "**"],
    }
}
