//! The sequences of emphasis, strong emphasis and strikethrough. The attention engine,
//! [`super::super::attention`], selects and writes them.

use super::super::attention::Sequences;
use super::super::context::Context;
use super::super::options::Attention;

pub(super) const DELETE: Sequences = ["~~", "~"];

pub(super) fn emphasis(context: &Context<'_>) -> Sequences {
    match context.options.emphasis {
        Attention::Asterisk => ["*", "_"],
        Attention::Underscore => ["_", "*"],
    }
}

pub(in super::super) fn strong(context: &Context<'_>) -> Sequences {
    match context.options.strong {
        Attention::Asterisk => ["**", "__"],
        Attention::Underscore => ["__", "**"],
    }
}
