//! The sections of a markdown text.

use markdown::mdast::Node;

use super::{ParseOptions, parse};

/// The markdown under the first heading with a title, up to the next heading of its level or above,
/// without the surrounding blank lines. The title is compared with the heading's plain text.
///
/// ```
/// use hud_core::gfm::section;
///
/// let hud = "# Tests\n\n2 failed\n\n## Slow\n\nnone\n\n# Build\n\npassed\n";
/// assert_eq!(section(hud, "Tests"), Some("2 failed\n\n## Slow\n\nnone"));
/// assert_eq!(section(hud, "Slow"), Some("none"));
/// assert_eq!(section(hud, "2 failed"), None);
/// ```
pub fn section<'m>(markdown: &'m str, title: &str) -> Option<&'m str> {
    let options = ParseOptions {
        positions: true,
        ..ParseOptions::default()
    };
    let root = parse(markdown, &options).ok()?;
    let mut headings = root.children()?.iter().filter_map(|node| match node {
        Node::Heading(heading) => Some((heading, heading.position.as_ref()?)),
        _ => None,
    });
    let (found, at) = headings.find(|(heading, _)| {
        let text: String = heading.children.iter().map(Node::to_string).collect();
        text == title
    })?;
    let next = headings.find(|(next, _)| next.depth <= found.depth);
    let end = next.map_or(markdown.len(), |(_, next)| next.start.offset);
    Some(markdown.get(at.end.offset..end)?.trim())
}
