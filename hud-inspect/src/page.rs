//! The files of the page, as they are in the program.

/// The page.
pub(crate) const HTML: &str = include_str!("../page/index.html");
/// How it looks.
pub(crate) const CSS: &str = include_str!("../page/app.css");
/// What it does: one module, without a build.
pub(crate) const SCRIPT: &str = include_str!("../page/app.js");
/// Its icon.
pub(crate) const ICON: &str = include_str!("../page/icon.svg");
