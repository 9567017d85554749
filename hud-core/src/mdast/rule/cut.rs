//! Cuts a part to its beginning, if there is no room for more of it.

use markdown::mdast::Node;

use crate::mdast::{phrasing, text};

/// The nodes as one line, cut after this many characters. `…` follows a cut.
pub(super) fn cut(nodes: Vec<Node>, chars: u32) -> Vec<Node> {
    let mut left = usize::try_from(chars).unwrap_or(usize::MAX);
    let mut is_cut = false;
    let mut line = beginning(phrasing(nodes), &mut left, &mut is_cut);
    if is_cut {
        line.push(text("…"));
    }
    line
}

fn beginning(nodes: Vec<Node>, left: &mut usize, is_cut: &mut bool) -> Vec<Node> {
    let mut kept = Vec::with_capacity(nodes.len());
    for mut node in nodes {
        if *is_cut {
            break;
        }
        match &mut node {
            Node::Text(text) => *is_cut = shorten(&mut text.value, left),
            Node::InlineCode(code) => *is_cut = shorten(&mut code.value, left),
            node => {
                if let Some(children) = node.children_mut() {
                    *children = beginning(std::mem::take(children), left, is_cut);
                }
            }
        }
        kept.push(node);
    }
    kept
}

/// Cuts a text after the remaining characters, and returns true if it was too long.
fn shorten(text: &mut String, left: &mut usize) -> bool {
    match text.char_indices().nth(*left) {
        Some((end, _)) => {
            text.truncate(end);
            text.truncate(text.trim_end().len());
            true
        }
        None => {
            *left -= text.chars().count();
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gfm;
    use crate::mdast::root;

    fn cut_after(markdown: &str, chars: u32) -> String {
        let parsed = gfm::parse(markdown, &gfm::ParseOptions::default()).unwrap();
        let nodes = parsed.children().cloned().unwrap_or_default();
        gfm::to_string(&root(cut(nodes, chars)), &gfm::SerializeOptions::hud())
    }

    #[test]
    fn the_beginning_is_kept_with_its_marks_and_nothing_else() {
        let line = "rules: *never* touch `the migrations` **at all**";
        assert_eq!(cut_after(line, 80), format!("{line}\n"));
        assert_eq!(cut_after(line, 24), "rules: *never* touch `the m`…\n");
        assert_eq!(cut_after(line, 9), "rules: *ne*…\n");
        assert_eq!(cut_after(line, 0), "…\n");
        assert_eq!(cut_after("# Title\n\n- one\n- two\n", 8), "Title on…\n");
        assert_eq!(cut_after("日本語の文", 2), "日本…\n");
    }
}
