//! `rsx!` parses its tokens into [`ast`] and expands that.

mod ast;
mod control;
mod expand;
mod mistakes;
mod parse;
mod rust;
mod text;

use proc_macro2::TokenStream;

use crate::diagnostics::Diagnostics;
use crate::krate::Krate;

pub(crate) fn rsx(input: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let (krate, input) = Krate::split(input, &mut diagnostics);
    let nodes = parse::parse(input, &mut diagnostics);
    expand::expand(krate, &nodes, &diagnostics)
}
