//! The way back: mdast lifted to elements.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use hud_core::gfm::{self, ParseOptions};
use hud_core::mdast::{Mdast, text};
use hud_core::node::{
    Alert, AlertKind, Align, Break, Callout, Cell, Code, CodeBlock, Definition, Delete, Emphasis,
    Field, FootnoteDefinition, FootnoteReference, Frontmatter, FrontmatterFormat, Group, Heading,
    Html, HtmlBlock, Image, ImageReference, Item, Line, Link, LinkReference, List, Math, MathBlock,
    MdxEsm, MdxFlowExpression, MdxJsxFlowElement, MdxJsxTextElement, MdxTextExpression, Meter,
    Paragraph, Quote, ReferenceForm, Row, Section, Status, Strong, Table, ThematicBreak,
};
use hud_core::registry::MAX_DEPTH;
use hud_core::{
    Density, Element, Lift, LiftError, LiftResult, Lifted, Lower, LowerResult, Node, Registry,
    Renderer, Scope, component, lift, one_way, render, rsx, two_way,
};
use markdown::mdast::{Blockquote, Node as MdastNode};
use proptest::prelude::*;

type Nodes = Vec<Element<'static>>;

fn lower(element: &Element<'_>) -> MdastNode {
    Renderer::default()
        .mdast(element, Scope::default())
        .unwrap()
}

fn read(markdown: &str) -> Element<'static> {
    lift(&gfm::parse(markdown, &ParseOptions::default()).unwrap()).unwrap()
}

#[test]
fn a_section_takes_what_stands_under_its_heading() {
    let tree = read("a\n\n# b\n\nc\n\n### d\n\ne\n\n## f\n\n# g\n\n### *h*\n\ni\n");
    assert_eq!(
        tree,
        rsx! {
            <Paragraph>"a"</Paragraph>
            <Section title="b">
                <Paragraph>"c"</Paragraph>
                <Section title="d" level=3>"e"</Section>
                <Heading level=2>"f"</Heading>
            </Section>
            <Section title="g">
                <Heading level=3><Emphasis>"h"</Emphasis></Heading>
                <Paragraph>"i"</Paragraph>
            </Section>
        }
    );
}

#[test]
fn a_label_is_a_field_and_in_a_quote_a_callout() {
    let tree = read("**Task:** one\n\n> **Warning:** two\n>\n> three\n\n- **File:** `a.rs`\n");
    assert_eq!(
        tree,
        rsx! {
            <Field label="Task">"one"</Field>
            <Callout label="Warning">"two" <Paragraph>"three"</Paragraph></Callout>
            <List><Item><Field label="File"><Code>"a.rs"</Code></Field></Item></List>
        }
    );
}

#[test]
fn markup_is_a_block_where_it_stands_alone() {
    let tree = read("<div>\n\n<p>\n\na <b>\n");
    assert_eq!(
        tree,
        rsx! {
            <HtmlBlock value="<div>" />
            <HtmlBlock value="<p>" />
            <Paragraph>"a " <Html value="<b>" /></Paragraph>
        }
    );
}

#[test]
fn one_way_nodes_come_back_as_what_they_show() {
    let element = rsx! {
        <Line>"a" <Status state="done" /> <Meter used=1 limit={Some(2)} /></Line>
    };
    let shown = rsx! { "a │ (done) │ 50% (1/2)" };
    assert_eq!(lift(&lower(&element)).unwrap(), shown);
}

#[component]
fn Greeting(name: &str) -> Element {
    rsx! { <Strong>{name}</Strong> }
}

#[test]
fn a_component_comes_back_as_what_it_gave() {
    let element = rsx! { <Greeting name="Ada" /> };
    assert_eq!(
        lift(&lower(&element)).unwrap(),
        rsx! { <Strong>"Ada"</Strong> }
    );
}

#[test]
fn trees_are_equal_however_they_were_put_together() {
    let part = rsx! { "b" <Strong>"c"</Strong> };
    assert_eq!(
        rsx! { "ab" <Strong>"c"</Strong> "d" },
        rsx! { <>"a"</> {&part} {""} "d" }
    );
    assert_ne!(
        rsx! { <Strong>"a"</Strong> },
        rsx! { <Emphasis>"a"</Emphasis> }
    );
    assert_ne!(
        rsx! { <Item checked=true /> },
        rsx! { <Item checked=false /> }
    );
    let call = rsx! { <Greeting name="Ada" /> };
    assert_eq!(call, call.clone());
    assert_ne!(call, rsx! { <Greeting name="Ada" /> });
}

/// A node with the shape of a built-in one.
#[derive(Debug, PartialEq, Node)]
#[node(leaf)]
struct Mention {
    #[prop(into)]
    name: String,
}

fn lower_mention(mention: &Mention, _: &[Element<'_>], _: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    Ok(vec![hud_core::mdast::link(
        format!("@{}", mention.name),
        vec![text(mention.name.as_str())],
    )])
}

fn lift_mention(nodes: &[MdastNode], _: &Lift<'_, Mdast>) -> LiftResult<Mention> {
    let Some(MdastNode::Link(link)) = nodes.first() else {
        return Ok(None);
    };
    let name = link.url.strip_prefix('@').map(str::to_owned);
    Ok(name.map(|name| Lifted::one(Mention { name }, [])))
}

#[test]
fn the_newest_rule_is_asked_first_and_may_pass() {
    let mut registry = Registry::builtin();
    registry.register(two_way(lower_mention, lift_mention));
    let renderer = Renderer::new(registry);
    let element = rsx! { <Mention name="ada" /> " and " <Link url="/grace">"Grace"</Link> };
    let tree = renderer.mdast(&element, Scope::default()).unwrap();
    assert_eq!(renderer.lift(&tree).unwrap(), element);
}

#[test]
fn what_a_one_way_rule_writes_is_not_read() {
    fn shout(_: &Strong, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
        lower.children(children)
    }
    let mut registry = Registry::builtin();
    registry.replace(one_way(shout));
    let error = Renderer::new(registry)
        .lift(&gfm::parse("**a**", &ParseOptions::default()).unwrap())
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "no rule of target `mdast` lifts a `strong`: register a `two_way` rule that does, or keep \
         the built-in ones"
    );
}

#[test]
fn a_tree_that_is_too_deep_to_lower_is_not_lifted() {
    let mut tree = text("a");
    for _ in 0..=MAX_DEPTH {
        tree = MdastNode::Blockquote(Blockquote {
            children: vec![tree],
            position: None,
        });
    }
    let error = lift(&tree).unwrap_err();
    assert!(matches!(error, LiftError::TooDeep { .. }), "{error}");
}

/// Text without a colon, which could end a label.
fn words() -> impl Strategy<Value = String> {
    "[a-c #*_<>|\\[\\]`\n-]{1,6}"
}

fn reference_form() -> impl Strategy<Value = ReferenceForm> {
    prop_oneof![
        Just(ReferenceForm::Full),
        Just(ReferenceForm::Collapsed),
        Just(ReferenceForm::Shortcut),
    ]
}

/// A label that a footnote can have.
fn label() -> impl Strategy<Value = String> {
    "[a-c#*_<>|\\[\\]`\\\\-]{1,6}"
}

/// A label in normal form: it has no blanks at its ends.
fn name() -> impl Strategy<Value = String> {
    words().prop_map(|words| words.trim().to_owned())
}

/// A mark in normal form: it has no blanks at its ends.
fn marked(node: impl hud_core::Node, line: Nodes) -> Element<'static> {
    let edge = || Element::text("x");
    let inner = std::iter::once(edge()).chain(line).chain([edge()]);
    Element::node(node, inner.collect::<Nodes>())
}

/// The content of a line, which no break ends.
fn line() -> impl Strategy<Value = Nodes> {
    phrasing().prop_map(|mut line| {
        while line
            .pop_if(|last| last.as_node::<Break>().is_some())
            .is_some()
        {}
        if line.is_empty() {
            line.push(Element::text("x"));
        }
        line
    })
}

fn leaf(node: impl hud_core::Node) -> Element<'static> {
    Element::node(node, [])
}

/// What is written in a line.
fn phrasing() -> BoxedStrategy<Nodes> {
    let leaf = prop_oneof![
        words().prop_map(Element::text),
        words().prop_map(|text| Element::node(Code {}, [Element::text(text)])),
        words().prop_map(|text| Element::node(Math {}, [Element::text(text)])),
        Just(()).prop_map(|()| leaf(Break {})),
        words().prop_map(|value| leaf(Html { value })),
        words().prop_map(|value| leaf(MdxTextExpression { value })),
        label().prop_map(|label| leaf(FootnoteReference { label })),
        [words(), words(), words()].prop_map(|[url, alt, title]| leaf(Image { url, alt, title })),
        (words(), words(), reference_form()).prop_map(|(label, alt, form)| leaf(ImageReference {
            label,
            alt,
            form
        })),
    ];
    let marks = leaf.prop_recursive(3, 12, 3, |inner| {
        let children = || prop::collection::vec(inner.clone(), 0..3);
        prop_oneof![
            children().prop_map(|children| marked(Strong {}, children)),
            children().prop_map(|children| marked(Emphasis {}, children)),
            children().prop_map(|children| marked(Delete {}, children)),
            (prop::option::of(words()), children()).prop_map(|(name, children)| {
                let attributes = Vec::new();
                Element::node(MdxJsxTextElement { name, attributes }, children)
            }),
        ]
    });
    let marks = marks.boxed();
    let children = || prop::collection::vec(marks.clone(), 0..3);
    // No link is in a link, but marks are around links.
    let links = prop_oneof![
        (words(), words(), children())
            .prop_map(|(url, title, children)| Element::node(Link { url, title }, children)),
        (words(), reference_form(), children()).prop_map(|(label, form, children)| {
            Element::node(LinkReference { label, form }, children)
        }),
    ];
    let links = prop_oneof![
        3 => links.clone(),
        1 => links.prop_map(|link| marked(Strong {}, vec![link])),
    ];
    prop::collection::vec(prop_oneof![3 => marks, 1 => links], 1..4).boxed()
}

/// A block that is neither a paragraph nor a section.
fn block(depth: u32) -> BoxedStrategy<Element<'static>> {
    let flat = prop_oneof![
        (name(), line()).prop_map(|(label, line)| Element::node(Field { label }, line)),
        [words(), words(), words()].prop_map(|[lang, meta, text]| {
            Element::node(CodeBlock { lang, meta }, [Element::text(text)])
        }),
        [words(), words()]
            .prop_map(|[meta, text]| { Element::node(MathBlock { meta }, [Element::text(text)]) }),
        Just(()).prop_map(|()| leaf(ThematicBreak {})),
        words().prop_map(|value| leaf(HtmlBlock { value })),
        words().prop_map(|value| leaf(MdxFlowExpression { value })),
        words().prop_map(|value| leaf(MdxEsm { value })),
        [words(), words(), words()]
            .prop_map(|[label, url, title]| { leaf(Definition { label, url, title }) }),
        line()
            .prop_map(|line| { Element::node(Heading { level: 6 }, [marked(Emphasis {}, line)]) }),
        prop::collection::vec(prop::collection::vec(line(), 0..3), 1..3).prop_map(table),
    ];
    if depth == 0 {
        return flat.boxed();
    }
    prop_oneof![
        flat,
        blocks(depth - 1).prop_map(quote),
        (prop::sample::select(&AlertKind::ALL[..]), blocks(depth - 1))
            .prop_map(|(kind, blocks)| Element::node(Alert { kind }, blocks)),
        (
            name(),
            line(),
            prop::collection::vec(block(depth - 1), 0..2)
        )
            .prop_map(|(label, mut line, blocks)| {
                line.extend(blocks);
                Element::node(Callout { label }, line)
            }),
        (label(), blocks(depth - 1))
            .prop_map(|(label, blocks)| Element::node(FootnoteDefinition { label }, blocks)),
        (prop::option::of(words()), blocks(depth - 1)).prop_map(|(name, blocks)| {
            let attributes = Vec::new();
            Element::node(MdxJsxFlowElement { name, attributes }, blocks)
        }),
        (
            any::<bool>(),
            1..3u32,
            any::<bool>(),
            prop::collection::vec(item(depth - 1), 1..3)
        )
            .prop_map(|(ordered, start, spread, items)| {
                let start = if ordered { start } else { 1 };
                Element::node(
                    List {
                        ordered,
                        start,
                        spread,
                    },
                    items,
                )
            }),
    ]
    .boxed()
}

fn table(rows: Vec<Vec<Nodes>>) -> Element<'static> {
    let rows = rows.into_iter().map(|cells| {
        let cells = cells.into_iter().map(|cell| Element::node(Cell {}, cell));
        Element::node(Row {}, cells.collect::<Nodes>())
    });
    let align = vec![Align::Left, Align::None];
    Element::node(Table { align }, rows.collect::<Nodes>())
}

/// A quote that begins with a field is a callout.
fn quote(mut blocks: Nodes) -> Element<'static> {
    if blocks
        .first()
        .is_some_and(|first| first.as_node::<Field>().is_some())
    {
        blocks.insert(0, leaf(ThematicBreak {}));
    }
    Element::node(Quote {}, blocks)
}

fn item(depth: u32) -> BoxedStrategy<Element<'static>> {
    let tight =
        (line(), prop::collection::vec(block(depth), 0..2)).prop_map(|(mut line, blocks)| {
            line.extend(blocks);
            (false, line)
        });
    let spread = blocks(depth).prop_map(|blocks| (true, blocks));
    (any::<Option<bool>>(), prop_oneof![tight, spread])
        .prop_map(|(checked, (spread, children))| {
            let item = Item {
                key: None,
                checked,
                spread,
            };
            Element::node(item, children)
        })
        .boxed()
}

/// What a quote, a section or a document holds: a line alone, or blocks and then sections.
fn blocks(depth: u32) -> BoxedStrategy<Nodes> {
    let paragraph = line().prop_map(|line| Element::node(Paragraph {}, line));
    let any_block = prop_oneof![paragraph, block(depth)];
    let sections = if depth == 0 {
        Just(()).prop_map(|()| Nodes::new()).boxed()
    } else {
        let section = (words(), blocks(depth - 1)).prop_map(|(title, mut blocks)| {
            if blocks.is_empty() {
                blocks.push(leaf(ThematicBreak {}));
            }
            Element::node(Section { title, level: None }, blocks)
        });
        prop::collection::vec(section, 0..2).boxed()
    };
    prop_oneof![
        line(),
        (prop::collection::vec(any_block, 0..3), sections).prop_map(|(mut blocks, sections)| {
            blocks.extend(sections);
            match blocks.as_slice() {
                [one] => match one.as_node::<Paragraph>() {
                    Some((_, line)) => line.to_vec(),
                    None => blocks,
                },
                _ => blocks,
            }
        }),
    ]
    .boxed()
}

fn frontmatter() -> impl Strategy<Value = Option<Frontmatter>> {
    let format = FrontmatterFormat::Toml;
    prop::option::weighted(
        0.1,
        words().prop_map(move |value| Frontmatter { format, value }),
    )
}

/// Any built-in node of a line in any other, in pieces.
fn mess_in_line() -> BoxedStrategy<Element<'static>> {
    let leaf = prop_oneof![
        "[a-c:* ]{0,4}".prop_map(Element::text),
        Just(()).prop_map(|()| leaf(Break {})),
        words().prop_map(|value| leaf(Html { value })),
        words().prop_map(|value| leaf(HtmlBlock { value })),
        words().prop_map(|state| leaf(Status { state })),
    ];
    leaf.prop_recursive(4, 16, 4, |inner| {
        let children = prop::collection::vec(inner, 0..4);
        (0..7, children).prop_map(|(kind, children)| match kind {
            0 => Element::fragment(children),
            1 => Element::node(Strong {}, children),
            2 => Element::node(Emphasis {}, children),
            3 => Element::node(Paragraph {}, children),
            4 => Element::node(Field { label: "b".into() }, children),
            5 => Element::node(Code {}, children),
            _ => Element::node(Group {}, children),
        })
    })
    .boxed()
}

/// Any built-in node in any other that can hold it, in pieces.
fn mess() -> BoxedStrategy<Element<'static>> {
    let line = || prop::collection::vec(mess_in_line(), 0..4);
    let leaf = prop_oneof![
        4 => mess_in_line(),
        1 => Just(()).prop_map(|()| leaf(ThematicBreak {})),
        1 => line().prop_map(|line| Element::node(Heading { level: 2 }, line)),
        1 => line().prop_map(|line| {
            let (lang, meta) = (String::new(), String::new());
            Element::node(CodeBlock { lang, meta }, line)
        }),
        1 => prop::collection::vec((0..3, line()), 0..4).prop_map(|rows| {
            let rows = rows.into_iter().map(|(kind, line)| match kind {
                0 => Element::fragment(line),
                1 => Element::node(Row {}, line),
                _ => Element::node(Row {}, [Element::node(Cell {}, line)]),
            });
            Element::node(Table { align: Vec::new() }, rows.collect::<Nodes>())
        }),
    ];
    leaf.prop_recursive(5, 32, 4, |inner| {
        let children = prop::collection::vec(inner, 0..4);
        (0..9, children).prop_map(|(kind, children)| match kind {
            0 => Element::fragment(children),
            1 => Element::node(Quote {}, children),
            2 => Element::node(Callout { label: "a".into() }, children),
            3 => Element::node(
                Section {
                    title: "c".into(),
                    level: None,
                },
                children,
            ),
            4 => Element::node(
                Section {
                    title: String::new(),
                    level: Some(2),
                },
                children,
            ),
            5 => Element::node(
                List {
                    ordered: true,
                    start: 3,
                    spread: false,
                },
                children,
            ),
            6 | 7 => Element::node(
                Item {
                    key: None,
                    checked: None,
                    spread: kind == 7,
                },
                children,
            ),
            _ => Element::node(Group {}, children),
        })
    })
    .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_tree_in_normal_form_comes_back(front in frontmatter(), blocks in blocks(3)) {
        let mut blocks = blocks;
        let is_block = |first: &Element<'_>| {
            first.as_node::<Paragraph>().is_some() || first.as_node::<Section>().is_some()
        };
        // A line is alone where no node is around it.
        if blocks.first().is_some_and(is_block) {
            blocks.splice(..0, front.map(leaf));
        }
        let tree = Element::fragment(blocks);
        let back = lift(&lower(&tree)).unwrap();
        prop_assert!(back == tree, "{tree:#?}\ncame back as\n{back:#?}");
    }

    #[test]
    fn any_tree_comes_back_in_normal_form(tree in mess()) {
        let lowered = lower(&tree);
        let normal = lift(&lowered).unwrap();
        let again = lower(&normal);
        prop_assert_eq!(
            gfm::to_string(&again, &gfm::SerializeOptions::hud()),
            gfm::to_string(&lowered, &gfm::SerializeOptions::hud())
        );
        prop_assert!(lift(&again).unwrap() == normal, "{normal:#?}");
    }

    #[test]
    fn any_markdown_comes_back_as_the_same_text(
        markdown in "([a-b]|[ \n#*_<>|\\[\\]()!`:.~^&;-]|- |\n\n|> |1\\. |    |\\*\\*a:\\*\\* ){0,40}"
    ) {
        let tree = gfm::parse(&markdown, &ParseOptions::default()).unwrap();
        let elements = lift(&tree).unwrap();
        let options = gfm::SerializeOptions::hud();
        prop_assert_eq!(
            render(&elements, Density::Full).unwrap(),
            gfm::to_string(&tree, &options)
        );
    }
}
