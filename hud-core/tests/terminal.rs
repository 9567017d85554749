//! mdast for a terminal: nothing of it is an order, and no line is wider than the terminal.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use hud_core::gfm::{self, ParseOptions};
use hud_core::node::{
    Callout, Cell, Code, CodeBlock, Delete, Emphasis, Field, Html, Item, Link, List, Meter, Quote,
    Row, Section, Strong, Table,
};
use hud_core::terminal::{self, LEAST, TerminalOptions};
use hud_core::{Density, Element, Renderer, Scope, rsx};
use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

fn written(markdown: &str, width: usize) -> String {
    let tree = gfm::parse(markdown, &ParseOptions::default()).unwrap();
    let width = Some(width);
    let colours = false;
    terminal::to_string(&tree, &TerminalOptions { width, colours })
}

fn shown(element: &Element<'_>, width: Option<usize>, colours: bool) -> String {
    let tree = Renderer::builtin().mdast(element, Scope::new(Density::Full));
    terminal::to_string(&tree.unwrap(), &TerminalOptions { width, colours })
}

const DOCUMENT: &str = "# A *b* **c** ~~d~~ `e  f`\n\nOne  \ntwo[^n] <b>three</b> [four][l] ![five](/5.png \"t\")\n\n\
    > **Warning:** quoted words that go on for more than one line\n\n9. nine\n10. ten\n    - [ ] open\n    - [x] done\n\n- spread\n\n  item\n\n\
    | name | what it is | # |\n| :- | :-: | -: |\n| one | the first of all numbers, if nought is none | 1 |\n| 日本 | `two  words` | 10 |\n\n```rust\nlet a = \"<b>\";\n\tlet long = \"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz\";\n```\n\n---\n\n\
    <https://example.org/> [l]\n\n[l]: <https://example.org/?a&b> \"title\"\n[^n]: A note.\n";

#[test]
fn each_kind_of_markdown_has_its_look() {
    insta::assert_snapshot!("wide", written(DOCUMENT, 60));
    insta::assert_snapshot!("narrow", written(DOCUMENT, 24));
}

#[test]
fn what_matters_is_in_colour() {
    let hud = rsx! {
        <Section title="Files">
            <List>
                <Item checked=true><Code>"a.rs"</Code> " " <Strong>"done"</Strong></Item>
                <Item>"see " <Link url="/b">"b " <Emphasis>"c"</Emphasis></Link></Item>
            </List>
        </Section>
        <Callout label="Warning">"the disk is full"</Callout>
        <Field label="Context"><Meter used=90_000 limit={200_000} /></Field>
    };
    let coloured = shown(&hud, Some(60), true);
    insta::assert_snapshot!(coloured.replace('\u{1b}', "␛"));
}

#[test]
fn a_table_without_room_for_its_columns_is_written_cell_by_cell() {
    let table = "| first | second | third | fourth |\n| - | - | - | - |\n| aaaaaaa | bbbbbbb | ccccccc | ddddddd |\n";
    insta::assert_snapshot!(written(table, 20));
}

#[test]
fn what_is_nested_deeply_still_has_room() {
    let mut list = rsx! { "the last words of all" };
    for _ in 0..60 {
        list = rsx! { <List><Item><Quote>{list}</Quote></Item></List> };
    }
    let text = shown(&list, Some(30), false);
    assert!(text.lines().all(|line| line.width() <= 30), "{text}");
    assert!(text.contains("last"), "{text}");
}

/// What would be an order to a terminal.
const HOSTILE: &str = "(\u{1b}\\[[0-9;?]{0,4}[A-Zm]|\u{1b}\\]0;a\u{7}|\u{1b}\\]8;;http://a\u{1b}\\\\|\u{1b}[c7P^_X]|\u{9b}2J|\u{9d}|\u{90}|\u{85}|\r|\u{8}|\u{7f}|\u{0}|\u{202e}|\u{2066}|\u{2028}|\u{200b}|\u{feff}|\u{e0041}|\u{fe0f}|e\u{301}|日本|👩\u{200d}🚀|☁|\\PC|[a-c]{1,9}| |  |\n|\t|[*_`#>|~\\[\\]()<-]){0,12}";

/// A text without the sequences that set a style.
fn stripped(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(|c: char| !c.is_ascii_digit() && c != ';');
        let at = end.unwrap_or(piece.len());
        assert!(piece[at..].starts_with('m'), "{piece:?}");
        plain.push_str(&piece[at + 1..]);
    }
    plain
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_is_an_order(words in HOSTILE, other in HOSTILE, width in 0..60_usize) {
        let hud = rsx! {
            <Section title={&words}>
                <List>
                    <Item checked=true>
                        {&words} <Code>{&other}</Code> <Strong>{&words}</Strong>
                    </Item>
                    <Item>
                        <Link url={&other}>{&words}</Link>
                        <Html value={&words} />
                        <Delete>{&other}</Delete>
                    </Item>
                </List>
                <Table>
                    <Row><Cell>{&words}</Cell> <Cell>{&other}</Cell></Row>
                    <Row><Cell>{&other}</Cell> <Cell><Code>{&words}</Code></Cell></Row>
                </Table>
                <CodeBlock lang={&words}>{&other}</CodeBlock>
                <Callout label={&other}>{&words}</Callout>
            </Section>
        };
        let width = (width > 0).then_some(width);
        let (plain, coloured) = (shown(&hud, width, false), shown(&hud, width, true));
        let is_order = |c: char| {
            (c.is_control() && c != '\n')
                || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        prop_assert!(!plain.contains(is_order), "{plain:?}");
        prop_assert_eq!(stripped(&coloured), &*plain);
        if let Some(width) = width {
            for line in plain.lines() {
                prop_assert!(line.width() <= width.max(LEAST), "{line:?} of {width}");
            }
        }
    }

    #[test]
    fn all_that_is_said_is_shown(words in prop::collection::vec("[a-z]{1,12}|日本|é{1,4}", 0..20), width in 20..60_usize) {
        let said = words.join(" ");
        let paragraph = rsx! { <Quote>{&said}</Quote> };
        let shown = shown(&paragraph, Some(width), false).replace('│', "");
        prop_assert_eq!(shown.split_whitespace().collect::<Vec<_>>(), words);
    }

    #[test]
    fn any_markdown_is_shown(markdown in "([a-b]|[ \n#*_<>|\\[\\]()!`:.~^&;\"'=-]|- |\n\n|> |1\\. |    |<b>|\\[\\^a\\]){0,40}", width in 1..40_usize) {
        let text = written(&markdown, width);
        prop_assert!(text.lines().all(|line| line.width() <= width.max(LEAST)), "{text}");
    }
}
