//! A backslash is written where a character would be read as something else, and nowhere else.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use hud_core::gfm::{ParseOptions, SerializeOptions, parse, to_string};
use hud_core::mdast::{root, text};
use hud_core::node::{Cell, Code, Delete, Item, Link, List, Paragraph, Row, Strong, Table};
use hud_core::{Density, Element, render, rsx};

/// A paragraph of a text, without its line ending.
fn written(text: &str) -> String {
    shown(&rsx! { <Paragraph>{text}</Paragraph> })
}

fn shown(element: &Element<'_>) -> String {
    render(element, Density::Full)
        .unwrap()
        .trim_end()
        .to_owned()
}

#[test]
fn what_means_nothing_where_it_is_has_no_backslash() {
    for text in [
        "map[string]any, &v[0], arr[i][j], [error] at 3",
        "_test.go and user_id",
        "cmd/*.go, 2 * 3 * 4, a * b",
        "func(*T) and **kwargs",
        "~130k of ~/.cargo",
        "see http://a.b/c?d=e&f=g, www.a.b and me@a.b.",
        "HashMap<String, Vec<u8, A>, i < 5 and 1 <b",
        "&str && &mut self, AT&T",
        "one ` alone",
        "#123 is fixed, => next",
        "1)x",
        "an!",
        "list![1]",
        "C:\\dir",
    ] {
        assert_eq!(written(text), text);
    }
}

#[test]
fn what_would_be_read_as_something_else_has_one() {
    for (text, expected) in [
        ("[a](b)", r"[a]\(b)"),
        ("![a](b)", r"![a]\(b)"),
        ("[a]: b", r"\[a]: b"),
        ("see [^1]", r"see \[^1]"),
        ("*no* and **none**", r"\*no\* and \*\*none\*\*"),
        ("_no_", r"\_no\_"),
        ("_a.go, __init__.py", r"_a.go, \_\_init\_\_.py"),
        ("a*b*c", r"a\*b\*c"),
        ("~~no~~", r"\~\~no\~\~"),
        ("`no`", r"\`no\`"),
        ("Vec<u8>", r"Vec\<u8>"),
        ("<https://a.b>", r"\<https\://a.b>"),
        ("&lt;b&#62;", r"\&lt;b\&#62;"),
        ("# no", r"\# no"),
        ("- no", r"\- no"),
        ("1. no", r"1\. no"),
        ("> no", r"\> no"),
        ("* no", r"\* no"),
        ("***", r"\*\*\*"),
        ("a\n===", "a\n\\==="),
        ("\\*", r"\\*"),
        ("\\.", r"\\."),
    ] {
        assert_eq!(written(text), expected);
    }
    let item = rsx! { <List><Item>"[x] no box"</Item></List> };
    assert_eq!(shown(&item), r"- \[x] no box");
}

#[test]
fn what_is_beside_a_text_decides_as_well() {
    let bold = rsx! { <Paragraph>"*a " <Strong>"b*"</Strong> "* c"</Paragraph> };
    assert_eq!(shown(&bold), r"*a **b\***\* c");
    let code = rsx! { <Paragraph>"it`s " <Code>"a"</Code></Paragraph> };
    assert_eq!(shown(&code), r"it\`s `a`");
    let struck = rsx! { <Paragraph>"~1 " <Delete>"b"</Delete></Paragraph> };
    assert_eq!(shown(&struck), r"\~1 ~~b~~");
    let link = rsx! { <Paragraph>"a[0] " <Link url="u">"b[1]"</Link></Paragraph> };
    assert_eq!(shown(&link), r"a\[0] [b\[1\]](u)");
    let cell = rsx! { <Table><Row><Cell>"a[0] | b"</Cell></Row></Table> };
    assert_eq!(shown(&cell), "| a[0] \\| b |\n| - |");
}

#[test]
fn what_is_left_bare_in_a_word_opens_and_closes_nothing() {
    // A rule gives no mark around a blank, but mdast can hold one.
    let written = r"\_aa_&#x61;~~&#x20;~~";
    let tree = parse(written, &ParseOptions::default()).unwrap();
    assert_eq!(
        to_string(&tree, &SerializeOptions::hud()).trim_end(),
        written
    );
}

#[test]
fn without_the_option_all_is_escaped_that_could_mean_something() {
    let options = SerializeOptions {
        sparing: false,
        ..SerializeOptions::hud()
    };
    let tree = root(vec![text("map[string]any of *.go")]);
    assert_eq!(to_string(&tree, &options), "map\\[string]any of \\*.go\n");
}
