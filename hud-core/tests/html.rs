//! mdast as HTML, as a browser's parser reads it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use html5ever::driver::ParseOpts;
use html5ever::tendril::TendrilSink as _;
use html5ever::{QualName, local_name, ns, parse_fragment};
use hud_core::gfm::{self, ParseOptions};
use hud_core::html;
use hud_core::mdast::Node as MdastNode;
use hud_core::node::{
    Align, Cell, Code, CodeBlock, Emphasis, Html, HtmlBlock, Item, Link, List, Quote, Row, Section,
    Strong, Table, ThematicBreak,
};
use hud_core::{Density, Element, Renderer, Scope, rsx};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use proptest::prelude::*;

fn written(markdown: &str) -> String {
    html::to_string(&gfm::parse(markdown, &ParseOptions::default()).unwrap())
}

fn shown(element: &Element<'_>) -> String {
    let tree = Renderer::builtin().mdast(element, Scope::new(Density::Full));
    html::to_string(&tree.unwrap())
}

#[test]
fn each_kind_of_markdown_has_its_element() {
    insta::assert_snapshot!(written(
        "# A *b* **c** ~~d~~ `e`\n\nOne  \ntwo[^n] <b>three</b> [four][l] ![five](/5.png \"t\")\n\n\
         > quoted\n\n3. three\n4. four\n   - [ ] open\n   - [x] done\n\n- spread\n\n  item\n\n\
         | a | b |\n| :- | -: |\n| 1 | 2 |\n\n```rust\nlet a = \"<b>\";\n```\n\n---\n\n\
         <div onclick=\"x\">block</div>\n\n[l]: <https://example.org/?a&b> \"title\"\n[^n]: A note.\n"
    ));
}

#[test]
fn what_an_item_begins_with_and_does_not_show_leaves_no_line() {
    assert_eq!(
        written("- [l]: /a\n  [l]\n"),
        "<ul>\n<li><a href=\"/a\">l</a></li>\n</ul>\n"
    );
}

#[test]
fn markup_is_shown_and_a_script_has_no_address() {
    let page = rsx! {
        <Section title="<img src=x onerror=alert(1)>">
            <Html value="<script>alert(1)</script>" />
            <HtmlBlock value="<iframe src=/a>" />
            <Link url="data:text/html,<b>">"a"</Link>
            <Link url="java\tscript:alert(1)">"b"</Link>
            <Link url="\"onmouseover=\"alert(1)">"c"</Link>
        </Section>
    };
    insta::assert_snapshot!(shown(&page));
}

const ELEMENTS: [&str; 28] = [
    "html",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "p",
    "blockquote",
    "hr",
    "br",
    "ul",
    "ol",
    "li",
    "input",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "pre",
    "code",
    "strong",
    "em",
    "del",
    "a",
    "img",
];

const ATTRIBUTES: [&str; 11] = [
    "href", "src", "alt", "title", "class", "start", "type", "disabled", "checked", "align", "id",
];

/// The text of a fragment, and what is in it that should not be.
fn read(handle: &Handle, text: &mut String, wrong: &mut Vec<String>) {
    match &handle.data {
        NodeData::Text { contents } => text.push_str(&contents.borrow()),
        NodeData::Element { name, attrs, .. } => {
            if !ELEMENTS.contains(&&*name.local) {
                wrong.push(name.local.to_string());
            }
            for attribute in attrs.borrow().iter() {
                let is_address = matches!(&*attribute.name.local, "href" | "src");
                let is_wrong = is_address && !html::is_safe(&attribute.value);
                if is_wrong || !ATTRIBUTES.contains(&&*attribute.name.local) {
                    wrong.push(format!("{}={}", attribute.name.local, attribute.value));
                }
            }
        }
        NodeData::Comment { contents } => wrong.push(contents.to_string()),
        _ => {}
    }
    for child in handle.children.borrow().iter() {
        read(child, text, wrong);
    }
}

fn parsed(html: &str) -> (String, Vec<String>) {
    let body = QualName::new(None, ns!(html), local_name!("body"));
    let dom = parse_fragment(
        RcDom::default(),
        ParseOpts::default(),
        body,
        Vec::new(),
        false,
    )
    .one(html);
    let (mut text, mut wrong) = (String::new(), Vec::new());
    read(&dom.document, &mut text, &mut wrong);
    (text, wrong)
}

/// What would be structure in HTML.
const HOSTILE: &str = "(</?(b|p|script|title|table|pre|svg|math|textarea|select)[ />]|<!--|-->|<!\\[CDATA\\[|]]>|&(lt|#60|amp);?|[\"'&<>=`:/ -]|on[a-c]=|java|script|[ab1é深]|\n|\t|\u{0}){1,14}";

/// Pieces of markdown.
const MARKDOWN: &str = "([a-b]|[ \n#*_|\\[\\]()!`:.~^&;\"'=-]|- |- \\[x\\] |\n\n|> |1\\. |    |\\[\\^a\\]|\\[a\\]\\(/b\\)|\n\\[\\^a\\]: |  \n|\n\\| a \\|\n\\| :- \\|\n){0,40}";

/// Whether a tree has markup in it, which is text in HTML.
fn has_markup(node: &MdastNode) -> bool {
    let mut children = node.children().into_iter().flatten();
    matches!(node, MdastNode::Html(_)) || children.any(has_markup)
}

fn without_bare_links(html: &str) -> String {
    let mut plain = String::new();
    let mut rest = html;
    while let Some((before, behind)) = rest.split_once("<a>") {
        let (inner, behind) = behind.split_once("</a>").unwrap();
        plain.push_str(before);
        plain.push_str(inner);
        rest = behind;
    }
    plain + rest
}

#[test]
fn what_is_not_written_is_refused_with_its_place() {
    let errors = [
        "<p>a</p>\n<script>b</script>",
        "<p><ul></ul></p>",
        "<ul>a</ul>",
        "<p>a",
        "a</p>",
        "a<!-- b -->",
        "<!DOCTYPE html>",
        "<li>a</li>",
        "<sup>1</sup>",
        "<pre>a</pre>",
        "<table><tr><td>a</td></tr></table>",
    ];
    let mut said: Vec<String> = errors
        .iter()
        .map(|html| html::parse(html).unwrap_err().to_string())
        .collect();
    said.push(html::parse(&"<em>".repeat(300)).unwrap_err().to_string());
    insta::assert_snapshot!(said.join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn words_are_text_and_nothing_else_in_the_eyes_of_a_browser(words in HOSTILE, url in HOSTILE) {
        let page = rsx! {
            <Section title={&words}>
                <List><Item>{&words} <Link url={&url} title={&words}>{&words}</Link></Item></List>
                <Table>
                    <Row><Cell>{&words}</Cell></Row>
                    <Row><Cell><Html value={&words} /></Cell></Row>
                </Table>
                <HtmlBlock value={&words} />
            </Section>
        };
        let html = shown(&page);
        let (text, wrong) = parsed(&html);
        prop_assert!(wrong.is_empty(), "{wrong:?} in {html}");
        let word = |text: &str| text.replace('\0', "\u{fffd}").split_whitespace().collect::<String>();
        let times = word(&text).matches(&word(&words)).count();
        prop_assert!(word(&words).is_empty() || times >= 2, "{text}");
    }

    #[test]
    fn what_is_read_is_written_as_the_same_html(markdown in MARKDOWN) {
        let tree = gfm::parse(&markdown, &ParseOptions::default()).unwrap();
        prop_assume!(!has_markup(&tree));
        let html = html::to_string(&tree);
        // A link without an address is what it shows.
        let plain = without_bare_links(&html);
        let read = html::parse(&html).map_err(|error| TestCaseError::fail(format!("{error}: {html}")))?;
        prop_assert_eq!(html::to_string(&read), plain);
    }

    #[test]
    fn a_tree_comes_back_from_its_html(words in "[a-c<&\"' ]{0,8}[a-c]", other in "[a-c*_#`]{1,5}", checked in any::<Option<bool>>()) {
        let tree = rsx! {
            <Section title={&words}>
                {&other} " " <Strong>{&words}</Strong> <Code>{&other}</Code>
                <Link url="/a?b&c" title={&other}>{&words}</Link>
                <List>
                    <Item checked>
                        {&other} <Emphasis>{&words}</Emphasis> <List><Item>{&words}</Item></List>
                    </Item>
                    <Item>{&words}</Item>
                </List>
                <Quote>{&words}</Quote>
                <CodeBlock lang="rust">{&words} "\n" {&other}</CodeBlock>
                <Table align={vec![Align::Left, Align::None]}>
                    <Row><Cell>{&words}</Cell> <Cell>"b"</Cell></Row>
                    <Row><Cell>{&other}</Cell> <Cell>{&words}</Cell></Row>
                </Table>
                <ThematicBreak />
            </Section>
        };
        let renderer = Renderer::builtin();
        let mdast = renderer.mdast(&tree, Scope::new(Density::Full)).unwrap();
        let read = html::parse(&html::to_string(&mdast)).unwrap();
        prop_assert_eq!(renderer.lift(&read).unwrap(), renderer.lift(&mdast).unwrap());
    }

    #[test]
    fn any_html_is_read_or_refused(text in "(</?(p|b|h1|ul|ol|li|a|em|pre|code|table|thead|tr|td|script|textarea|title|section|sup|br|hr|img|input|!--)( class=\"?math| href=\"/a\"| start=\"x)?/?>|[<>&;a-c\n ]){0,24}") {
        if let Ok(tree) = html::parse(&text) {
            let html = html::to_string(&tree);
            let again = html::parse(&html).map_err(|error| TestCaseError::fail(format!("{error}: {html}")))?;
            prop_assert_eq!(html::to_string(&again), html);
        }
    }

    #[test]
    fn any_markdown_gives_known_elements(markdown in "([a-b]|[ \n#*_<>|\\[\\]()!`:.~^&;\"'=-]|- |\n\n|> |1\\. |    |<b>|\\[\\^a\\]){0,40}") {
        let (_, mut wrong) = parsed(&written(&markdown));
        wrong.retain(|name| !matches!(name.as_str(), "sup" | "section"));
        prop_assert!(wrong.is_empty(), "{wrong:?}");
    }
}
