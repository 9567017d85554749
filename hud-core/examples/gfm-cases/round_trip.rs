//! The judgement by parsing: whether what is read from a text comes back from what is written.

use hud_core::gfm::{self, ParseOptions, to_string};

use crate::case::Case;

/// What two texts say that must say the same: the reference's for a case, and ours for the tree
/// that is read from it. Our parser judges the tree, comrak the text.
pub(crate) fn judge(case: &Case) -> (String, String) {
    let mut options = ParseOptions::default();
    options.math = case.options.math;
    options.mdx = case.options.mdx;
    let tree = match gfm::parse(&case.expected, &options) {
        Ok(tree) => tree,
        Err(error) => return (String::new(), format!("it is not read: {error}")),
    };
    let written = to_string(&tree, &case.options);
    let again = match gfm::parse(&written, &options) {
        Ok(again) => format!("{again:#?}\n"),
        Err(error) => format!("it is not read again: {error}\n"),
    };
    (
        format!("{tree:#?}\n{}", html(&case.expected)),
        format!("{again}{}", html(&written)),
    )
}

/// What comrak makes of a text: the independent judge.
fn html(markdown: &str) -> String {
    let mut options = comrak::Options::default();
    options.extension.strikethrough = true;
    options.extension.table = true;
    options.extension.autolink = true;
    options.extension.tasklist = true;
    options.extension.footnotes = true;
    options.render.r#unsafe = true;
    comrak::markdown_to_html(markdown, &options)
}
