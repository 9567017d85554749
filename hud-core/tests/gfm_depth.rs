//! Trees nested beyond reason are written like any other, in time that grows with the text.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use hud_core::gfm::{SerializeOptions, to_string};
use markdown::mdast::{
    Blockquote, Delete, Emphasis, Heading, InlineCode, Link, List, ListItem, MdxJsxTextElement,
    Node, Paragraph, Strong, Text,
};

const DEPTH: usize = 100_000;

fn text(value: &str) -> Node {
    Node::Text(Text {
        value: value.to_owned(),
        position: None,
    })
}

/// Nests a text this deep and hands what is written of it to `check`.
fn nested(depth: usize, wrap: impl Fn(usize, Node) -> Node, check: impl Fn(&str)) {
    let tree = (0..depth).fold(text("deep"), |node, level| wrap(level, node));
    for options in [SerializeOptions::default(), SerializeOptions::hud()] {
        check(&to_string(&tree, &options));
    }
    // Dropping the tree would recurse as deeply as it is.
    std::mem::forget(tree);
}

fn blockquote(node: Node) -> Node {
    Node::Blockquote(Blockquote {
        children: vec![node],
        position: None,
    })
}

fn list(node: Node) -> Node {
    let item = ListItem {
        children: vec![node],
        spread: false,
        checked: None,
        position: None,
    };
    Node::List(List {
        children: vec![Node::ListItem(item)],
        ordered: false,
        start: None,
        spread: false,
        position: None,
    })
}

fn paragraph(node: Node) -> Node {
    Node::Paragraph(Paragraph {
        children: vec![node],
        position: None,
    })
}

fn emphasis(node: Node) -> Node {
    Node::Emphasis(Emphasis {
        children: vec![node],
        position: None,
    })
}

fn strong(node: Node) -> Node {
    Node::Strong(Strong {
        children: vec![node],
        position: None,
    })
}

#[test]
fn deep_blockquotes() {
    nested(
        DEPTH,
        |_, node| blockquote(node),
        |markdown| {
            assert_eq!(markdown, format!("{}deep\n", "> ".repeat(DEPTH)));
        },
    );
}

#[test]
fn deep_lists() {
    nested(
        DEPTH,
        |_, node| list(node),
        |markdown| {
            assert_eq!(markdown.len(), 2 * DEPTH + "deep\n".len());
        },
    );
}

#[test]
fn deep_attention_of_all_kinds() {
    // Searching for markers that form takes its time without optimisation.
    const DEPTH: usize = 4_000;
    let wrap = |level, node| match level % 3 {
        0 => strong(node),
        1 => emphasis(node),
        _ => Node::Delete(Delete {
            children: vec![node],
            position: None,
        }),
    };
    nested(DEPTH, wrap, |markdown| assert!(markdown.contains("deep")));
    nested(
        DEPTH,
        |_, node| emphasis(node),
        |markdown| {
            assert_eq!(markdown.len(), 2 * DEPTH + "deep\n".len());
        },
    );
    nested(
        DEPTH,
        |_, node| strong(node),
        |markdown| assert!(markdown.contains("deep")),
    );
    nested(
        DEPTH,
        |_, node| strong(emphasis(node)),
        |markdown| assert!(markdown.contains("deep")),
    );
}

#[test]
fn flow_in_phrasing_in_flow() {
    let wrap = |level, node| match level % 4 {
        0 => paragraph(node),
        1 => strong(node),
        2 => blockquote(node),
        _ => list(node),
    };
    nested(1_000, wrap, |markdown| assert!(markdown.contains("deep")));
}

#[test]
fn deep_links_and_elements() {
    let wrap = |level: usize, node| {
        let children = vec![node];
        if level.is_multiple_of(2) {
            Node::Link(Link {
                children,
                url: "a".to_owned(),
                title: None,
                position: None,
            })
        } else {
            let name = Some("a".to_owned());
            Node::MdxJsxTextElement(MdxJsxTextElement {
                children,
                name,
                attributes: Vec::new(),
                position: None,
            })
        }
    };
    nested(10_000, wrap, |markdown| assert!(markdown.contains("deep")));
}

#[test]
fn deep_headings() {
    let wrap = |_, node| {
        Node::Heading(Heading {
            children: vec![node],
            depth: 1,
            position: None,
        })
    };
    nested(1_000, wrap, |markdown| assert!(markdown.contains("deep")));
}

#[test]
fn a_paragraph_of_many_marks() {
    let marks = |outer: fn(Node) -> Node| {
        let one = |_| [text("plain text "), outer(text(" x ")), emphasis(text("y"))];
        (0..20_000).flat_map(one).collect::<Vec<Node>>()
    };
    for outer in [emphasis as fn(Node) -> Node, strong] {
        let tree = Node::Paragraph(Paragraph {
            children: marks(outer),
            position: None,
        });
        assert!(to_string(&tree, &SerializeOptions::default()).contains("plain text"));
        // The same inside of one mark, where nothing can be mended on its own.
        let tree = Node::Strong(Strong {
            children: marks(outer),
            position: None,
        });
        assert!(to_string(&paragraph(tree), &SerializeOptions::default()).contains("plain text"));
    }
}

#[test]
fn long_runs() {
    for run in [
        "_", "*", "\\", "`", "\n", "www.", "a@", "&", "](", "\r\n#", "|", "~ ",
    ] {
        let value = run.repeat(100_000);
        let code = Node::InlineCode(InlineCode {
            value: value.clone(),
            position: None,
        });
        for options in [SerializeOptions::default(), SerializeOptions::hud()] {
            assert!(to_string(&text(&value), &options).len() >= value.len());
            assert!(!to_string(&code, &options).is_empty());
        }
    }
}
