//! Nothing is lost, joined or hidden without an error.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use hud_core::node::{
    Break, Callout, Cell, Code, CodeBlock, Emphasis, Field, FootnoteDefinition, FootnoteReference,
    Frontmatter, Group, Heading, Item, Line, Link, List, Paragraph, Part, Parts, Quote, Row,
    Section, Status, Strong, Table,
};
use hud_core::part::{Arrangement, PartMeta};
use hud_core::{
    Children, Density, Element, LowerError, Provide, Renderer, Scope, component, lift_markdown,
    render, render_within, rsx,
};

fn shown(element: &Element<'_>) -> String {
    render(element, Density::Minimal).unwrap()
}

#[component]
fn Header(density: Density) -> Element<'static> {
    match density {
        Density::Full => rsx! { <Section title="INC-2041">"slow"</Section> },
        _ => rsx! { "INC-2041" },
    }
}

#[component]
fn Services(density: Density) -> Element<'static> {
    match density {
        Density::Full => rsx! { <Section title="Services">"2 not up"</Section> },
        _ => rsx! { "2 not up" },
    }
}

#[component]
fn Nothing() -> Element<'static> {
    Element::empty()
}

#[component]
fn Around<'a>(children: Children<'a>) -> Element<'a> {
    children
}

#[component]
fn Suffix() -> Element<'static> {
    rsx! { " (late)" }
}

#[test]
fn calls_side_by_side_are_kept_apart() {
    assert_eq!(
        shown(&rsx! { <Header /> <Services /> }),
        "INC-2041 │ 2 not up\n"
    );
    assert_eq!(
        render(&rsx! { <Header /> <Services /> }, Density::Full).unwrap(),
        "# INC-2041\n\nslow\n\n# Services\n\n2 not up\n"
    );
    let all = rsx! { for _ in 0..3 { <Header /> } };
    assert_eq!(shown(&all), "INC-2041 │ INC-2041 │ INC-2041\n");
    let within =
        rsx! { <Around><Around><Header /></Around></Around> <Around><Services /></Around> };
    assert_eq!(shown(&within), "INC-2041 │ 2 not up\n");
}

#[test]
fn calls_are_kept_apart_in_each_place() {
    let (pair, apart) = (rsx! { <Header /> <Services /> }, "INC-2041 │ 2 not up");
    let places = [
        (rsx! { <Parts>{&pair}</Parts> }, format!("{apart}\n")),
        (
            rsx! { <Parts><Part>{&pair}</Part></Parts> },
            format!("{apart}\n"),
        ),
        (
            rsx! { <Parts><Around>{&pair}</Around></Parts> },
            format!("{apart}\n"),
        ),
        (rsx! { <Strong>{&pair}</Strong> }, format!("**{apart}**\n")),
        (
            rsx! { <List><Item>{&pair}</Item></List> },
            format!("- {apart}\n"),
        ),
        (
            rsx! { <Field label="Now">{&pair}</Field> },
            format!("**Now:** {apart}\n"),
        ),
        (
            rsx! { <Section title="Now">{&pair}</Section> },
            format!("# Now\n\n{apart}\n"),
        ),
        (
            rsx! { <Line separator="; "><Group>{&pair}</Group> "ok"</Line> },
            format!("{apart}; ok\n"),
        ),
        (
            rsx! { <Provide value={&1}>{&pair}</Provide> },
            format!("{apart}\n"),
        ),
    ];
    for (place, expected) in places {
        assert_eq!(shown(&place), expected, "{place:?}");
        let part = rsx! { <Parts><Part><Section title="Of">{&place}</Section></Part></Parts> };
        let parted = shown(&part);
        assert!(parted.contains(apart), "{parted}");
    }
    let parts = rsx! { <Header /> <Services /> };
    let rendered = Renderer::builtin()
        .parts(
            &parts,
            Scope::new(Density::Minimal),
            &Arrangement::default(),
            &mut |_: &PartMeta| Some(Density::Minimal),
        )
        .unwrap();
    assert_eq!(rendered.markdown, "INC-2041 │ 2 not up\n");
}

#[test]
fn a_call_is_kept_apart_from_a_node_but_not_from_text() {
    assert_eq!(
        shown(&rsx! { <Strong>"Now"</Strong> <Services /> }),
        "**Now** │ 2 not up\n"
    );
    assert_eq!(
        shown(&rsx! { <Header /> <Status state="new" /> }),
        "INC-2041 │ (new)\n"
    );
    assert_eq!(
        shown(&rsx! { "See " <Header /> ", (" <Services /> ")" }),
        "See INC-2041, (2 not up)\n"
    );
    assert_eq!(shown(&rsx! { <Header /> <Suffix /> }), "INC-2041 (late)\n");
    assert_eq!(
        shown(&rsx! { <Header /> <Break /> <Services /> }),
        "INC-2041\\\n2 not up\n"
    );
    assert_eq!(
        shown(&rsx! { <Header /> <FootnoteReference label="1" /> }),
        "INC-2041[^1]\n"
    );
}

#[test]
fn a_label_is_a_label_with_any_character_but_blanks() {
    for name in ["X]Y", "[a", "b\\", "\\]", "note-1"] {
        let note = rsx! {
            <Paragraph>"a" <FootnoteReference label={name} /></Paragraph>
            <FootnoteDefinition label={name}>"b"</FootnoteDefinition>
        };
        assert_eq!(lift_markdown(&shown(&note)).unwrap(), note, "{name}");
    }
    // A blank at its end would take the mark from it.
    assert_eq!(
        shown(&rsx! { <Field label=" a ">"b"</Field> }),
        "**a:** b\n"
    );
    assert_eq!(
        shown(&rsx! { <Callout label="\na">"b"</Callout> }),
        "> **a:** b\n"
    );
}

#[test]
fn what_is_written_stays_as_it_is_written() {
    assert_eq!(
        shown(&rsx! { "a" <Strong>"b"</Strong> <Code>"c"</Code> "d" }),
        "a**b**`c`d\n"
    );
    assert_eq!(shown(&rsx! { "a" <Nothing /> "b" }), "ab\n");
    assert_eq!(
        shown(&rsx! { <Nothing /> <Header /> <Nothing /> }),
        "INC-2041\n"
    );
    assert_eq!(
        shown(&rsx! { <Header /> <Nothing /> <Services /> }),
        "INC-2041 │ 2 not up\n"
    );
    assert_eq!(
        shown(&rsx! { <CodeBlock><Header /> "\n" <Services /> <Header /></CodeBlock> }),
        "```\nINC-2041\n2 not upINC-2041\n```\n"
    );
}

#[test]
fn values_and_diagrams_keep_calls_apart() {
    let pair = rsx! { <Header /> <Services /> };
    let scope = Scope::new(Density::Minimal);
    let value = Renderer::builtin().data(&pair, scope).unwrap();
    assert_eq!(value.to_string(), "INC-2041 │ 2 not up");
    let item = rsx! { <List><Item>{&pair}</Item></List> };
    let diagram = Renderer::builtin().diagram(&item, scope).unwrap();
    let mermaid = hud_core::graph::mermaid::to_string(&diagram);
    assert!(mermaid.contains("INC-2041 │ 2 not up"), "{mermaid}");
}

fn refused(element: &Element<'_>) -> String {
    render(element, Density::Full).unwrap_err().to_string()
}

#[test]
fn a_block_in_a_line_is_refused() {
    let list = || rsx! { <List><Item>"a"</Item> <Item>"b"</Item></List> };
    let cell = |inner: Element<'static>| rsx! { <Table><Row><Cell>{inner}</Cell></Row></Table> };
    insta::assert_snapshot!(
        [
            refused(&cell(list())),
            refused(&cell(rsx! { <CodeBlock lang="rs">"a\nb"</CodeBlock> })),
            refused(&cell(cell(rsx! { "a" }))),
            refused(&rsx! { <Strong>{list()}</Strong> }),
            refused(
                &rsx! { <Strong><Group><Emphasis><Quote>"a"</Quote></Emphasis></Group></Strong> }
            ),
            refused(&rsx! { <Field label="a"><Header /></Field> }),
            refused(&rsx! { <Code>{list()}</Code> }),
            refused(&rsx! { <Link url="/a">"a" <Strong><Link url="/b">"b"</Link></Strong></Link> }),
        ]
        .join("\n")
    );
}

#[test]
fn what_belongs_elsewhere_is_refused() {
    insta::assert_snapshot!(
        [
            refused(&rsx! { <List><Row><Cell>"a"</Cell></Row></List> }),
            refused(&rsx! { <Row><Cell>"a"</Cell></Row> }),
            refused(&rsx! { <Table><Cell>"a"</Cell> <Cell>"b"</Cell></Table> }),
            refused(&rsx! { "a" <Frontmatter value="a: b" /> }),
            refused(&rsx! { <Frontmatter value="a: b" /> <Frontmatter value="a: b" /> }),
            refused(
                &rsx! { <Parts><Part>"a"</Part> <Part><Frontmatter value="a: b" /></Part></Parts> }
            ),
            refused(&rsx! { <Section title="a"><Frontmatter value="a: b" /></Section> }),
            refused(&rsx! { <Heading level=9>"a"</Heading> }),
            refused(&rsx! { <Parts><Part><Section title="b" level=0>"c"</Section></Part></Parts> }),
            refused(&rsx! { "a" <FootnoteReference label="a b" /> }),
            refused(&rsx! { <FootnoteDefinition label="">"one"</FootnoteDefinition> }),
        ]
        .join("\n")
    );
    let parts = rsx! { <Part>"a"</Part> <Part><Frontmatter value="a: b" /></Part> };
    let error = Renderer::builtin().parts(
        &parts,
        Scope::default(),
        &Arrangement::default(),
        &mut |_: &PartMeta| Some(Density::Full),
    );
    assert!(matches!(
        error,
        Err(LowerError::Misplaced(misplaced)) if misplaced.node == "Frontmatter"
    ));
}

#[test]
fn what_can_be_held_is_held() {
    let rows = rsx! {
        for name in ["a", "b"] { <Group><Row><Around><Cell>{name}</Cell></Around></Row></Group> }
    };
    assert_eq!(
        shown(&rsx! { <Table>{rows}</Table> }),
        "| a |\n| - |\n| b |\n"
    );
    let front = rsx! { <Frontmatter value="a: b" /> <Section title="c">"d"</Section> };
    assert_eq!(shown(&front), "---\na: b\n---\n\n# c\n\nd\n");
    assert_eq!(
        shown(&rsx! { <Parts>{front}</Parts> }),
        "---\na: b\n---\n\n# c\n\nd\n"
    );
    assert_eq!(
        shown(&rsx! { <Table><Row><Cell><Field label="a">"b"</Field></Cell></Row></Table> }),
        "| **a:** b |\n| - |\n"
    );
}

#[test]
fn blanks_move_out_of_marks() {
    assert_eq!(
        shown(&rsx! { "down" <Strong>" SEV1"</Strong> }),
        "down **SEV1**\n"
    );
    assert_eq!(shown(&rsx! { <Strong>"a "</Strong> "b" }), "**a** b\n");
    assert_eq!(
        shown(&rsx! { "a" <Strong><Emphasis>" b "</Emphasis></Strong> "c" }),
        "a **_b_** c\n"
    );
    assert_eq!(
        shown(&rsx! { "a" <Strong>"  "</Strong> "b" <Strong /> }),
        "a  b\n"
    );
    assert_eq!(
        shown(&rsx! { <Strong>"a" <Break /></Strong> "b" }),
        "**a**\\\nb\n"
    );
}

#[test]
fn a_break_with_nothing_after_it_is_not_written() {
    assert_eq!(shown(&rsx! { "a" <Break /> }), "a\n");
    assert_eq!(
        shown(&rsx! { "a" <Break /> <Quote>"b" <Break /></Quote> }),
        "a\n\n> b\n"
    );
    assert_eq!(shown(&rsx! { <Break /> }), "");
    assert_eq!(shown(&rsx! { "a" <Break /> "b" }), "a\\\nb\n");
}

#[test]
fn what_nobody_sees_is_removed_in_each_target() {
    const HIDDEN: &str = "a\u{202e}b\u{200b}\u{1b}[31mc\0";
    let all = rsx! {
        <Section title={HIDDEN}>
            <Field label={HIDDEN}>{HIDDEN} <Code>{HIDDEN}</Code></Field>
            <Link url={format!("/{HIDDEN}")}>{HIDDEN}</Link>
            <CodeBlock>{HIDDEN}</CodeBlock>
        </Section>
    };
    let parts = rsx! { <Parts><Part>{&all}</Part></Parts> };
    let within = render_within(&parts, 1000).unwrap();
    for shown in [shown(&all), shown(&parts), within] {
        assert!(
            !shown.contains(['\u{202e}', '\u{200b}', '\u{1b}', '\0']),
            "{shown:?}"
        );
        assert_eq!(shown.matches("ab").count(), 7, "{shown}");
    }
    // The character that made it no heading is gone, and so is the heading.
    assert_eq!(shown(&rsx! { "#\u{200b} a" }), "\\# a\n");
    // Data is exact: what reads it is a program.
    let text = rsx! { <List><Item>{HIDDEN}</Item></List> };
    let value = Renderer::builtin().data(&text, Scope::default()).unwrap();
    assert_eq!(value.to_string(), HIDDEN);
}

fn nested(
    levels: usize,
    around: impl Fn(Element<'static>) -> Element<'static>,
) -> Element<'static> {
    (0..levels).fold(Element::text("x"), |inner, _| around(inner))
}

#[test]
fn deep_trees_are_compared_written_and_dropped() {
    let shapes: [fn(Element<'static>) -> Element<'static>; 3] = [
        |inner| rsx! { <Quote>{inner}</Quote> },
        |inner| Element::fragment([Element::text("a"), inner]),
        |inner| rsx! { <Quote>{inner} "a"</Quote> },
    ];
    for shape in shapes {
        let (deep, other) = (nested(100_000, shape), nested(100_000, shape));
        assert!(deep == other);
        assert!(deep == deep.clone());
        assert!(deep != nested(99_999, shape));
        assert!(!deep.is_empty());
        assert!(format!("{deep:?}").contains(".."));
    }
}

#[test]
fn deep_trees_are_refused() {
    let deep = nested(5_000, |inner| rsx! { <Quote>{inner}</Quote> });
    assert!(matches!(
        render(&deep, Density::Full),
        Err(LowerError::TooDeep { .. })
    ));
    let calls = nested(500, |inner| rsx! { <Around>{inner}</Around> });
    assert!(calls == calls.clone());
    assert!(render(&calls, Density::Full).is_err());
}

#[test]
fn many_siblings_are_rendered() {
    let many = rsx! { <List>for count in 0..100_000 { <Item>{count}</Item> }</List> };
    assert_eq!(
        render(&many, Density::Full).unwrap().lines().count(),
        100_000
    );
    assert!(many == many.clone());
}

#[test]
fn an_element_is_shown_as_markdown_or_as_its_error() {
    assert_eq!(rsx! { <Strong>"a"</Strong> }.to_string(), "**a**");
    assert!(
        rsx! { <Heading level=9>"a"</Heading> }
            .to_string()
            .contains("from 1 to 6")
    );
}

#[test]
fn clones_of_a_registry_take_other_rules() {
    let builtin = hud_core::Registry::builtin();
    let mut other = builtin.clone();
    other.replace(hud_core::one_way(
        |_: &Status, _: &[Element<'_>], _: &hud_core::Lower<'_, hud_core::mdast::Mdast>| {
            Ok(vec![hud_core::mdast::text("other")])
        },
    ));
    let status = rsx! { <Status state="new" /> };
    let show = |registry| {
        Renderer::new(registry)
            .markdown(&status, Scope::default())
            .unwrap()
    };
    assert_eq!([show(builtin), show(other)], ["(new)\n", "other\n"]);
}

#[test]
fn densities_are_one_snapshot() {
    hud_core::assert_densities!(rsx! { <Header /> <Services /> });
}
