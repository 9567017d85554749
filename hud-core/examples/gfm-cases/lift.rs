//! The judgement by lifting: whether a text comes back from the elements that it lifts to.

use hud_core::gfm::{self, to_string};
use hud_core::{Renderer, Scope, lift};

use crate::case::Case;
use crate::round_trip::parse_options;

/// What is written for a text as it is read, and what is written for it lifted and lowered; with
/// the elements, which come back from that as well.
pub(crate) fn judge(case: &Case) -> (String, String) {
    match lifted(case) {
        Ok(both) => both,
        Err(error) => (String::new(), error),
    }
}

fn lifted(case: &Case) -> Result<(String, String), String> {
    let tree = gfm::parse(&case.expected, &parse_options(case)).map_err(words)?;
    let elements = lift(&tree).map_err(words)?;
    let lowered = Renderer::default()
        .mdast(&elements, Scope::default())
        .map_err(words)?;
    let again = lift(&lowered).map_err(words)?;
    let mut back = to_string(&lowered, &case.options);
    if again != elements {
        back += &format!("\n{elements:#?}\nis lifted again as\n{again:#?}\n");
    }
    Ok((to_string(&tree, &case.options), back))
}

fn words(error: impl ToString) -> String {
    error.to_string()
}
