//! The judgement by parsing: whether what is read from a text comes back from what is written.

use hud_core::gfm::{self, ParseOptions, to_string};

use crate::case::Case;
use crate::outline::{self, Addresses};

/// What is read from the reference's text, and what is read from what we write for that: as trees,
/// by our own parser, and as outlines, by an independent one.
pub(crate) fn judge(case: &Case) -> (String, String) {
    let options = parse_options(case);
    let tree = match gfm::parse(&case.expected, &options) {
        Ok(tree) => tree,
        Err(error) => return (String::new(), format!("it is not read: {error}")),
    };
    let written = to_string(&tree, &case.options);
    let again = match gfm::parse(&written, &options) {
        Ok(again) => format!("{again:#?}\n"),
        Err(error) => format!("it is not read again: {error}\n"),
    };
    let expected = outline::of(&tree, Addresses::Links);
    let read = outline::read(&written, &expected, Addresses::Links);
    (
        format!("{written}\n{tree:#?}\n{expected}"),
        format!("{written}\n{again}{read}"),
    )
}

/// How what is written for a case is read.
pub(crate) fn parse_options(case: &Case) -> ParseOptions {
    let mut options = ParseOptions::default();
    options.math = case.options.math;
    options.mdx = case.options.mdx;
    options
}
