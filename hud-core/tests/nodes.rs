//! What the built-in nodes show of their children, and of none.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use hud_core::node::{
    Callout, Cell, Description, DescriptionList, Field, Group, Item, Line, List, Paragraph, Quote,
    Row, Section, Strong, Table, Value,
};
use hud_core::{
    Children, Density, Element, Renderer, Scope, component, graph, html, lift, lift_markdown,
    render, rsx,
};

fn markdown(element: &Element<'_>) -> String {
    render(element, Density::Full).unwrap()
}

#[component]
fn Minutes(count: u32) -> Element {
    rsx! { {count} " min" }
}

#[component]
fn Laps<'a>(children: Children<'a>) -> Element<'a> {
    rsx! { <Line separator="; ">{children}</Line> }
}

#[component]
fn Nothing() -> Element {
    rsx! { if false { "something" } }
}

#[test]
fn a_group_and_what_a_component_renders_are_one_piece_of_a_line() {
    let element = rsx! {
        <Line separator="; ">
            for count in [1, 2] { <Group>{count} " min"</Group> }
            <Minutes count=3 />
            for count in [4, 5] { <Minutes count /> }
            <Group>if true { <Minutes count=6 /> " or more" }</Group>
        </Line>
    };
    let shown = "1 min; 2 min; 3 min; 4 min; 5 min; 6 min or more\n";
    assert_eq!(markdown(&element), shown);
}

#[test]
fn a_group_is_nothing_of_itself() {
    let element =
        rsx! { <Group>"a" <Group>"b"</Group></Group> <Strong><Group>"c"</Group></Strong> };
    assert_eq!(markdown(&element), "ab**c**\n");
    let empty = rsx! { <Line>"a" <Group /> <Group><Nothing /></Group> "b"</Line> };
    assert_eq!(markdown(&empty), "a │ b\n");
}

#[test]
fn what_a_line_is_given_is_parted_whether_it_is_borrowed_or_not() {
    let pair = rsx! { "a" "b" };
    let (owned, borrowed) = (pair.clone(), &pair);
    assert_eq!(
        markdown(&rsx! { <Line separator="; ">{owned}</Line> }),
        markdown(&rsx! { <Line separator="; ">{borrowed}</Line> })
    );
    assert_eq!(markdown(&rsx! { <Laps>"a" "b"</Laps> }), "a; b\n");
}

#[test]
fn a_section_without_anything_under_it_has_no_heading() {
    let nobody: [&str; 0] = [];
    for empty in [
        rsx! { <Section title="a" /> },
        rsx! { <Section title="a">{""} <Nothing /></Section> },
        rsx! {
            <Section title="a"><List>for name in nobody { <Item>{name}</Item> }</List></Section>
        },
        rsx! { <Section title="a"><Section title="b"><Line><Nothing /></Line></Section></Section> },
    ] {
        assert_eq!(markdown(&empty), "", "{empty:?}");
    }
    let element = rsx! { <Section title="a"><Section title="b" /> "c"</Section> };
    assert_eq!(markdown(&element), "# a\n\nc\n");
}

#[test]
fn a_label_has_one_space_behind_it_and_none_before_nothing() {
    let element = rsx! {
        <Field label="Line"><Line>"a" "b"</Line></Field>
        <Field label="Paragraph"><Paragraph>"a"</Paragraph></Field>
        <Field label="Nothing"><Nothing /></Field>
        <Callout label="Line"><Line>"a" "b"</Line> <Paragraph>"c"</Paragraph></Callout>
        <Callout label="List"><List><Item>"a"</Item></List></Callout>
        <Callout label="Nothing" />
    };
    insta::assert_snapshot!(markdown(&element));
}

#[test]
fn a_label_with_nothing_beside_it_comes_back() {
    for element in [
        rsx! { <Field label="a" /> },
        rsx! { <Callout label="a" /> },
        rsx! { <Callout label="a"><List><Item>"b"</Item></List></Callout> },
        rsx! { <Callout label="a">"b" <Paragraph>"c"</Paragraph></Callout> },
        rsx! { <Quote><Field label="a" /> <Paragraph>"b"</Paragraph></Quote> },
    ] {
        let tree = hud_core::Renderer::default()
            .mdast(&element, Default::default())
            .unwrap();
        assert_eq!(lift(&tree).unwrap(), element);
    }
}

#[test]
fn items_outside_of_a_list_are_one_list() {
    let element = rsx! {
        <Item>"a"</Item> <Item checked=true>"b"</Item>
        "between"
        <Item>"c"</Item>
        <Quote><Item>"d"</Item> <Item>"e" <Item>"f"</Item></Item></Quote>
        <Table>"x"</Table>
    };
    insta::assert_snapshot!(markdown(&element));
}

#[test]
fn descriptions_are_items_that_begin_with_their_terms() {
    let element = rsx! {
        <DescriptionList>
            <Description term="p99">
                "99 of 100 are faster" <List><Item>"by hour"</Item></List>
            </Description>
            <Description term="RPS"><List><Item>"reads"</Item></List></Description>
            "and others"
        </DescriptionList>
        <DescriptionList />
    };
    let shown =
        "- **p99:** 99 of 100 are faster\n  - by hour\n- **RPS:**\n  - reads\n- and others\n";
    assert_eq!(markdown(&element), shown);
    let outside =
        rsx! { <Description term="a">"b"</Description> <Description term="c">"d"</Description> };
    assert_eq!(markdown(&outside), "- **a:** b\n- **c:** d\n");
    let in_cell = rsx! { <Table><Row><Cell>{&outside}</Cell></Row></Table> };
    assert_eq!(
        render(&in_cell, Density::Full).unwrap_err().to_string(),
        "`<Description>` cannot be in `<Cell>`: put its list beside that node, or show a `<Field>` there"
    );
}

#[test]
fn descriptions_are_lifted_as_the_list_that_they_became() {
    let layout = rsx! {
        <DescriptionList>
            <Description term="a">"b"</Description> <Description term="c">"d"</Description>
        </DescriptionList>
    };
    let text = markdown(&layout);
    let lifted = lift_markdown(&text).unwrap();
    assert_eq!(
        lifted,
        rsx! {
            <List>
                <Item><Field label="a">"b"</Field></Item> <Item><Field label="c">"d"</Field></Item>
            </List>
        }
    );
    assert_eq!(markdown(&lifted), text);
}

#[test]
fn each_target_has_descriptions() {
    let layout = rsx! {
        <Section title="Words">
            <DescriptionList>
                <Description term="p99">"fast"</Description>
                <Description term="RPS">"many"</Description>
            </DescriptionList>
        </Section>
    };
    let (renderer, scope) = (Renderer::builtin(), Scope::new(Density::Full));
    let text = |text: &str| Value::Text(text.to_owned());
    let words = Value::Object(vec![
        ("p99".to_owned(), text("fast")),
        ("rps".to_owned(), text("many")),
    ]);
    assert_eq!(
        renderer.data(&layout, scope).unwrap(),
        Value::Object(vec![("words".to_owned(), words)])
    );
    let diagram = renderer.diagram(&layout, scope).unwrap();
    assert_eq!(
        graph::mermaid::to_string(&diagram),
        "flowchart LR\n  v0[\"Words\"]\n  v1[\"p99: fast\"]\n  v2[\"RPS: many\"]\n  v0 --> v1\n  v0 --> v2\n"
    );
    let tree = renderer.mdast(&layout, scope).unwrap();
    assert_eq!(
        html::to_string(&tree),
        "<h1>Words</h1>\n<ul>\n<li><strong>p99:</strong> fast</li>\n<li><strong>RPS:</strong> many</li>\n</ul>\n"
    );
}
