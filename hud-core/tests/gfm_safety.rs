//! Text is data: whatever is in a text node, a code or a link is read back as that, and opens
//! nothing. The judges are the `markdown` crate, filtered where it is known to be wrong, and comrak
//! or pulldown-cmark.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use crate::outline as independent;

use hud_core::gfm::{SerializeOptions, to_string};
use independent::Addresses;
use markdown::mdast::{
    AlignKind, Blockquote, Code, Delete, Emphasis, Heading, Image, InlineCode, Link, List,
    ListItem, Node, Paragraph, Root, Strong, Table, TableCell, TableRow, Text,
};
use markdown::{ParseOptions, to_mdast};
use proptest::prelude::*;

macro_rules! node {
    ($kind:ident { $($field:ident $(: $value:expr)?),* $(,)? }) => {
        Node::$kind($kind { $($field $(: $value)?,)* position: None })
    };
}

fn text(value: &str) -> Node {
    node!(Text {
        value: value.to_owned()
    })
}

fn paragraph(children: Vec<Node>) -> Node {
    node!(Paragraph { children })
}

fn root(children: Vec<Node>) -> Node {
    node!(Root { children })
}

/// The kinds of nodes of a tree with how deep they are, adjacent texts as one, and what they hold.
#[derive(Debug, PartialEq)]
struct Outline {
    kinds: Vec<String>,
    values: Vec<String>,
}

fn outline(tree: &Node) -> Outline {
    let mut outline = Outline {
        kinds: Vec::new(),
        values: Vec::new(),
    };
    add(tree, 0, &mut outline);
    outline
}

/// The text of a node that is one, or that a reader makes of an address: a link to itself.
fn said(node: &Node) -> Option<&str> {
    match node {
        Node::Text(text) => Some(&text.value),
        Node::Link(link) if link.title.is_none() => match link.children.as_slice() {
            [Node::Text(text)] if independent::is_own_address(&link.url, &text.value) => {
                Some(&text.value)
            }
            _ => None,
        },
        _ => None,
    }
}

fn add(node: &Node, depth: usize, outline: &mut Outline) {
    if let Some(text) = said(node) {
        let kind = format!("{depth} text");
        if outline.kinds.last() == Some(&kind) {
            let last = outline.values.len() - 1;
            outline.values[last] += text;
        } else {
            outline.kinds.push(kind);
            outline.values.push(text.to_owned());
        }
        return;
    }
    let (kind, values): (_, Vec<&str>) = match node {
        Node::Heading(heading) => (format!("heading {}", heading.depth), vec![]),
        Node::InlineCode(code) => ("inlineCode".to_owned(), vec![&code.value]),
        Node::Code(code) => (
            "code".to_owned(),
            vec![
                &code.value,
                code.lang.as_deref().unwrap_or_default(),
                code.meta.as_deref().unwrap_or_default(),
            ],
        ),
        Node::Link(link) => (
            "link".to_owned(),
            vec![&link.url, link.title.as_deref().unwrap_or_default()],
        ),
        Node::Image(image) => (
            "image".to_owned(),
            vec![
                &image.url,
                image.title.as_deref().unwrap_or_default(),
                &image.alt,
            ],
        ),
        Node::ListItem(item) => (format!("item {:?}", item.checked), vec![]),
        Node::Html(_) => ("html".to_owned(), vec![]),
        other => {
            let name = format!("{other:?}");
            (name.split([' ', '{']).next().unwrap().to_owned(), vec![])
        }
    };
    outline.kinds.push(format!("{depth} {kind}"));
    outline.values.extend(values.into_iter().map(str::to_owned));
    for child in node.children().into_iter().flatten() {
        match (node, child) {
            // The parser puts literal autolinks also in links, where no link can be.
            (Node::Link(_), Node::Link(inner)) => {
                inner
                    .children
                    .iter()
                    .for_each(|child| add(child, depth + 1, outline));
            }
            _ => add(child, depth + 1, outline),
        }
    }
}

/// Writes a tree and reads it back.
fn read_back(tree: &Node) -> (String, Outline) {
    let markdown = to_string(tree, &SerializeOptions::hud());
    let read = to_mdast(&markdown, &ParseOptions::gfm()).unwrap();
    (markdown, outline(&read))
}

/// Asserts that a tree is read back as it is, by all judges.
fn assert_read_back(tree: &Node) -> Result<(), TestCaseError> {
    assert_read_back_by_one(tree)?;
    let markdown = to_string(tree, &SerializeOptions::hud());
    // What a carriage return is, and which control characters are white space, others see
    // otherwise.
    let is_odd = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if markdown.contains(is_odd) || markdown.contains("&#xD;") {
        return Ok(());
    }
    let expected = independent::of(tree, Addresses::Text);
    let read = independent::read(&markdown, &expected, Addresses::Text);
    prop_assert_eq!(read, expected, "written as\n{}", markdown);
    Ok(())
}

/// Asserts that the `markdown` crate reads a tree back as it is.
fn assert_read_back_by_one(tree: &Node) -> Result<(), TestCaseError> {
    let (markdown, read) = read_back(tree);
    prop_assert_eq!(read, outline(tree), "written as\n{}", markdown);
    Ok(())
}

/// Text in which markdown would find much, and anything else. What no markdown can hold is left
/// out: NUL (read as U+FFFD).
fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => prop::sample::select(PIECES).prop_map(str::to_owned),
        1 => "[ -~]{1,3}",
        1 => "\\PC{1,3}",
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 1..8).prop_map(|pieces| pieces.concat().replace('\0', "\u{FFFD}"))
}

const PIECES: &[&str] = &[
    " ",
    "  ",
    "\t",
    "\n",
    "\n\n",
    "\r",
    "\r\n",
    "\\",
    "\\\\",
    "#",
    "# ",
    "-",
    "- ",
    "- [x] ",
    "---",
    "+ ",
    "1. ",
    "2) ",
    "10.",
    "*",
    "**",
    "***",
    "_",
    "__",
    "~",
    "~~",
    "~~~",
    "`",
    "``",
    "```",
    "> ",
    ">",
    "|",
    "| - |",
    "|-|",
    ":-",
    "-|-",
    "=",
    "===",
    "<",
    "<b>",
    "</b>",
    "<!--",
    "-->",
    "<?",
    "<div>",
    "<https://a.b>",
    "&",
    "&amp;",
    "&#x41;",
    "&copy",
    "[",
    "]",
    "(",
    ")",
    "!",
    "![",
    "[a]: b",
    "[a]:",
    "[a](b)",
    "[a][b]",
    "[^a]",
    "[^a]: b",
    "a",
    "word",
    "snake_case",
    "é",
    "日本",
    "😀",
    "\u{A0}",
    "\u{3000}",
    "\u{85}",
    "\u{200B}",
    "\u{FEFF}",
    "\u{1B}",
    "\u{7F}",
    ":",
    "://",
    "http://a.b",
    "https://a.b/c?d=e&f",
    "www.",
    "www.a.b",
    "a@b.c",
    "mailto:a@b.c",
    "xmpp:a@b.c",
    "$",
    "{",
    "}",
    "'",
    "\"",
    ".",
    "import a",
    "export",
    "x",
];
proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn text_in_blocks_is_read_back(value in any_text()) {
        let paragraph = || paragraph(vec![text(&value)]);
        let quote = node!(Blockquote { children: vec![paragraph()] });
        let list = |ordered, checked| node!(List {
            children: vec![item(vec![paragraph()], checked), item(vec![paragraph()], None)],
            ordered: ordered,
            start: ordered.then_some(1),
            spread: false,
        });
        assert_read_back(&root(vec![paragraph()]))?;
        assert_read_back(&root(vec![
            paragraph(), quote, list(false, None), list(true, None), list(false, Some(true)), paragraph(),
        ]))?;
    }

    #[test]
    fn text_in_headings_is_read_back(value in any_text(), depth in 1_u8..=6) {
        let heading = node!(Heading { children: vec![text(&value)], depth: depth });
        assert_read_back(&root(vec![heading]))?;
    }

    #[test]
    fn text_in_cells_is_read_back(value in any_text()) {
        let cell = |value: &str| node!(TableCell { children: vec![text(value)] });
        let row = || node!(TableRow { children: vec![cell(&value), cell("x"), cell(&value)] });
        let align = vec![AlignKind::None, AlignKind::Left, AlignKind::Center];
        let table = node!(Table { children: vec![row(), row()], align: align });
        assert_read_back(&root(vec![table]))?;
    }

    #[test]
    fn text_in_and_beside_marks_is_read_back(a in any_text(), b in any_text(), c in any_text()) {
        // Beside marks a character may have to be written as a reference, and those to control
        // characters are read as U+FFFD.
        let [a, b, c] = [a, b, c].map(|text| text.replace(is_lost_in_reference, "x"));
        let marks = [
            node!(Emphasis { children: vec![text(&b)] }),
            node!(Strong { children: vec![text(&b)] }),
            node!(Delete { children: vec![text(&b)] }),
            node!(Strong { children: vec![node!(Emphasis { children: vec![text(&b)] })] }),
        ];
        for mark in marks {
            assert_read_back(&root(vec![paragraph(vec![text(&a), mark, text(&c)])]))?;
        }
    }

    #[test]
    fn inline_code_is_read_back(value in any_text()) {
        // Line endings in code are spaces.
        let value = value.replace("\r\n", " ").replace(['\n', '\r'], " ");
        let code = || node!(InlineCode { value: value.clone() });
        assert_read_back(&root(vec![paragraph(vec![code()])]))?;
        assert_read_back(&root(vec![node!(Heading { children: vec![text("a "), code()], depth: 2 })]))?;
    }

    #[test]
    fn code_blocks_are_read_back(value in any_text(), lang in any_text(), meta in any_text()) {
        // A carriage return right before the closing fence's line is one line ending with it.
        let value = value.trim_end_matches('\r').to_owned();
        let code = || node!(Code {
            value: value.clone(), lang: Some(lang.clone()), meta: Some(meta.clone()),
        });
        assert_read_back(&root(vec![code()]))?;
        assert_read_back(&root(vec![node!(List {
            children: vec![item(vec![paragraph(vec![text("a")]), code()], None)],
            ordered: false,
            start: None,
            spread: false,
        })]))?;
    }

    #[test]
    fn links_are_read_back(value in any_text(), url in any_text(), title in any_text()) {
        let link = node!(Link {
            children: vec![text(&value)], url: url.clone(), title: Some(title.clone()),
        });
        // Titles of several lines that have backslashes in them are none to the others.
        let assert_read_back = if title.contains(['\n', '\r']) {
            assert_read_back_by_one
        } else {
            assert_read_back
        };
        assert_read_back(&root(vec![paragraph(vec![link])]))?;
        // Behind an email address in an image the parser leaves references as they are.
        let [url, title] = [url, title].map(|text| text.replace('@', "x"));
        let image = node!(Image { alt: value, url: url, title: Some(title) });
        assert_read_back(&root(vec![paragraph(vec![image])]))?;
    }
}

/// Which marks are in a line beside each other.
#[derive(Clone, Copy, Debug)]
enum Mark {
    Text,
    Code,
    Strong,
    Emphasis,
    Delete,
}

/// Text that may be empty, in any mark.
fn marked() -> impl Strategy<Value = (Mark, String)> {
    let marks = [
        Mark::Text,
        Mark::Text,
        Mark::Code,
        Mark::Strong,
        Mark::Emphasis,
        Mark::Delete,
    ];
    let text = prop_oneof![1 => Just(String::new()), 4 => any_text()];
    // What a carriage return is, others see otherwise.
    let text = text.prop_map(|text| text.replace('\r', "\n"));
    (prop::sample::select(marks.to_vec()), text)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn nothing_opens_beside_what_is_empty_or_ends_in_a_fence(
        pieces in prop::collection::vec(marked(), 1..7),
    ) {
        let piece = |(mark, value): &(Mark, String)| match mark {
            Mark::Text => text(value),
            // Line endings in code are spaces.
            Mark::Code => node!(InlineCode { value: value.replace('\n', " ") }),
            Mark::Strong => node!(Strong { children: vec![text(value)] }),
            Mark::Emphasis => node!(Emphasis { children: vec![text(value)] }),
            Mark::Delete => node!(Delete { children: vec![text(value)] }),
        };
        let line = pieces.iter().map(piece).chain([text(".")]).collect();
        let tree = root(vec![paragraph(line)]);
        let markdown = to_string(&tree, &SerializeOptions::hud());
        let expected = opened(&independent::of(&tree, Addresses::Text));
        for read in independent::read_by_each(&markdown, Addresses::Text) {
            prop_assert_eq!(opened(&read), expected.clone(), "written as\n{}", markdown);
        }
    }
}

#[test]
fn white_space_that_is_no_space_makes_no_break_at_the_end_of_a_line() {
    for end in [" \u{B}", "\t\u{B}", " \u{C}", "\t\u{C}"] {
        let tree = root(vec![paragraph(vec![text(&format!("a{end}\nb"))])]);
        let markdown = to_string(&tree, &SerializeOptions::hud());
        for read in independent::read_by_each(&markdown, Addresses::Text) {
            let expected = opened(&independent::of(&tree, Addresses::Text));
            assert_eq!(opened(&read), expected, "written as\n{markdown}");
        }
    }
}

/// The codes of an outline, an empty one as a space, and what else is not text or attention: that
/// beside its own kind attention may not form.
fn opened(outline: &str) -> Vec<String> {
    let marks = ["root", "text ", "strong", "emphasis", "delete"];
    let lines = outline.lines().map(str::trim_start);
    lines
        .filter(|line| !marks.iter().any(|mark| line.starts_with(mark)))
        .map(|line| line.replace("inlineCode \"\"", "inlineCode \" \""))
        .collect()
}

fn is_lost_in_reference(character: char) -> bool {
    character.is_control() && !matches!(character, '\t' | '\n' | '\r')
}

fn item(children: Vec<Node>, checked: Option<bool>) -> Node {
    node!(ListItem {
        children,
        spread: false,
        checked
    })
}
