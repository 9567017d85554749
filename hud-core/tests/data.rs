//! Trees as values, values as text, and back.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use hud_core::data::{ShortKeys, json, toon, xml};
use hud_core::node::{
    Beside, Break, Callout, Cell, Code, CodeBlock, Delete, Field, Group, Heading, Item, Line, Link,
    List, Meter, Paragraph, Part, Parts, Quote, Row, Section, Status, Strong, Table, Value,
};
use hud_core::part::Arrangement;
use hud_core::{Density, Element, Node, Renderer, Scope, component, rsx};
use proptest::prelude::*;

fn data(element: &Element<'_>) -> Value {
    Renderer::builtin().data(element, Scope::default()).unwrap()
}

fn pretty(element: &Element<'_>) -> String {
    json::to_string_pretty(&data(element)).unwrap()
}

fn hud() -> Element<'static> {
    rsx! {
        <Section title="Task">
            "Implement " <Code>"login()"</Code>
            <Field label="Began as">"an idea"</Field>
        </Section>
        <Section title="Context">
            <Meter used=90_000 limit={200_000} rounded=true /> ", growing"
        </Section>
        <Section title="Active Files (2) in src">
            <List>
                <Item><Code>"mod.rs"</Code> " " <Status state="editing" /> ": line 7"</Item>
                <Item><Code>"old.rs"</Code></Item>
            </List>
        </Section>
        <Section title="Next Steps (1/2 done)">
            <List ordered=true>
                <Item checked=true>"Read"</Item>
                <Item checked=false>"Write"</Item>
            </List>
        </Section>
        <Callout label="Warning">"the disk is full"</Callout>
        <Line><Field label="Branch">"main"</Field> <Group>"2 commits"</Group></Line>
        <Link url="https://example.org">"docs"</Link>
    }
}

#[test]
fn a_hud_is_an_object_with_a_member_for_each_section() {
    insta::assert_snapshot!(pretty(&hud()));
}

#[test]
fn a_hud_is_written_in_each_format() {
    let value = data(&hud());
    insta::assert_snapshot!("toon", toon::to_string(&value).unwrap());
    insta::assert_snapshot!("xml", xml::to_string(&value, "hud").unwrap());
}

#[test]
fn what_is_under_headings_is_theirs_up_to_the_next_one() {
    let document = rsx! {
        "Before"
        <Heading level=1>"Soup"</Heading>
        "hot"
        <Heading level=2>"Price"</Heading>
        <Paragraph>"three"</Paragraph>
        <Heading level=1>"Cake"</Heading>
        <Quote>"sweet"</Quote>
    };
    assert_eq!(
        json::to_string(&data(&document)).unwrap(),
        r#"{"text":"Before","soup":{"text":"hot","price":"three"},"cake":"sweet"}"#
    );
}

#[test]
fn a_link_is_an_object_and_among_words_its_address_is_in_brackets() {
    let link = || rsx! { <Link url="/a">"A"</Link> };
    assert_eq!(
        json::to_string(&data(&link())).unwrap(),
        r#"{"text":"A","url":"/a"}"#
    );
    let line = rsx! { "See " {link()} " and " <Link url="/b">"/b"</Link> };
    assert_eq!(data(&line), Value::Text("See A (/a) and /b".to_owned()));
}

#[derive(Debug, PartialEq, Node)]
struct Stars {
    count: usize,
    of: Option<String>,
}

#[test]
fn a_node_without_a_rule_is_a_member_with_its_props() {
    let review = rsx! { <Stars count=4>"good"</Stars> };
    assert_eq!(
        json::to_string(&data(&review)).unwrap(),
        r#"{"stars":{"count":4,"content":"good"}}"#
    );
    let error = Renderer::builtin().lift_data(&data(&review)).unwrap_err();
    assert!(error.to_string().contains("number"), "{error}");
}

#[component(part = "guests", worth = 9)]
fn Guests(density: Density) -> Element {
    match density {
        Density::Full => {
            rsx! { <Section title="Guests (2)"><Item>"Ada"</Item> <Item>"Grace"</Item></Section> }
        }
        _ => rsx! { "2 guests" },
    }
}

#[test]
fn each_part_is_a_member_at_the_density_that_is_chosen() {
    let layout = rsx! {
        <Parts>
            <Beside><Part name="menu" worth=1>"soup"</Part></Beside>
            <Guests />
            <Part name="nothing">""</Part>
        </Parts>
    };
    let shown = |choose: &mut dyn FnMut(&str) -> Option<Density>| {
        let (value, _) = Renderer::builtin()
            .data_parts(
                &layout,
                Scope::default(),
                &Arrangement::default(),
                &mut |part| choose(&part.name),
            )
            .unwrap();
        json::to_string(&value).unwrap()
    };
    assert_eq!(
        shown(&mut |_| Some(Density::Full)),
        r#"{"menu":"soup","guests":["Ada","Grace"]}"#
    );
    assert_eq!(
        shown(&mut |name| (name == "guests").then_some(Density::Minimal)),
        r#"{"guests":"2 guests"}"#
    );
    assert_eq!(shown(&mut |_| None), "{}");
}

#[test]
fn what_is_no_value_is_refused_with_its_place() {
    let errors = [
        json::from_str("{\"a\":1,\"a\":2}").unwrap_err().to_string(),
        json::from_str("{\"a\":").unwrap_err().to_string(),
        json::from_str(&"[".repeat(1000)).unwrap_err().to_string(),
        xml::from_str("<a><b></a>").unwrap_err().to_string(),
        xml::from_str("<a>").unwrap_err().to_string(),
        xml::from_str("").unwrap_err().to_string(),
        xml::from_str("<a/><b/>").unwrap_err().to_string(),
        xml::from_str("<a>&no;</a>").unwrap_err().to_string(),
        xml::from_str("<!DOCTYPE a [<!ENTITY b \"b\">]><a>&b;</a>")
            .unwrap_err()
            .to_string(),
        xml::from_str(&"<a>".repeat(1000)).unwrap_err().to_string(),
        xml::to_string(&Value::None, "a b").unwrap_err().to_string(),
    ];
    insta::assert_snapshot!(errors.join("\n"));
}

/// What would be structure in one of the formats.
const HOSTILE: &str = "(</?[a-c]+>|[\"'&<>{}:,#\\\\|\\[\\]]|]]>|<!--|\\n|\\r|\\t|  - |\\[2\\]\\{a,b\\}:|[ab1é深]| |\u{1}|\u{7f}|\u{202e}){1,12}";

fn words() -> BoxedStrategy<String> {
    prop_oneof!["[a-c0-9 ]{0,6}", HOSTILE].boxed()
}

/// Nodes within one another, in any order.
fn mess() -> BoxedStrategy<Element<'static>> {
    let leaf = prop_oneof![
        4 => words().prop_map(Element::text),
        1 => Just(()).prop_map(|()| rsx! { <Break /> }),
        1 => words().prop_map(|state| rsx! { <Status state /> }),
        1 => (0..9_u64, any::<Option<u8>>(), any::<bool>(), "[a-b]{0,2}").prop_map(|(used, limit, rounded, unit)| {
            let limit = limit.map(u64::from);
            rsx! { <Meter used limit rounded unit /> }
        }),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let children = prop::collection::vec(inner, 0..4).prop_map(Element::fragment);
        (0..17, words(), any::<Option<bool>>(), children).prop_map(
            |(kind, title, checked, children)| match kind {
                0 => children,
                1 => rsx! { <Strong>{children}</Strong> },
                2 => rsx! { <Paragraph>{children}</Paragraph> },
                3 => rsx! { <Quote>{children}</Quote> },
                4 => rsx! { <Callout label={title}>{children}</Callout> },
                5 => rsx! { <Field label={title}>{children}</Field> },
                6 | 7 => rsx! { <Section title>{children}</Section> },
                8 => rsx! { <List>{children}</List> },
                9 | 10 => rsx! { <Item checked>{children}</Item> },
                11 => rsx! { <Table><Row><Cell>{title}</Cell></Row> <Row>{children}</Row></Table> },
                12 => rsx! { <CodeBlock lang="c">{children}</CodeBlock> },
                13 => rsx! { <CodeBlock>{children}</CodeBlock> },
                14 => rsx! { <Link url={title}>{children}</Link> },
                15 => rsx! { <Line>{children} <Delete>{title}</Delete></Line> },
                _ => rsx! { <Heading level=2>{title}</Heading> {children} },
            },
        )
    })
    .boxed()
}

/// All texts of a value, in their order.
fn texts<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::Text(text) => found.push(text),
        Value::List(values) => values.iter().for_each(|value| texts(value, found)),
        Value::Object(members) => members.iter().for_each(|(_, value)| texts(value, found)),
        _ => {}
    }
}

/// A value with the members of each object in the order of their names.
fn in_order(value: &Value) -> Value {
    match value {
        Value::List(values) => Value::List(values.iter().map(in_order).collect()),
        Value::Object(members) => {
            let mut members: Vec<_> = members
                .iter()
                .map(|(name, value)| (name.clone(), in_order(value)))
                .collect();
            members.sort_by(|(a, _), (b, _)| a.cmp(b));
            Value::Object(members)
        }
        value => value.clone(),
    }
}

/// Whether figures of two meters are in one place, of which nobody knows any more which belong together.
fn has_two_meters(value: &Value) -> bool {
    match value {
        Value::List(values) => values.iter().any(has_two_meters),
        Value::Object(members) => members.iter().any(|(name, value)| {
            let is_several = matches!(value, Value::List(_) | Value::None);
            (name == "used" && is_several) || has_two_meters(value)
        }),
        _ => false,
    }
}

/// Meters of which the first lacks what the second has, with something before and behind them.
#[test]
fn meters_that_are_not_alike_come_back_in_a_list() {
    let meter = |unit: &'static str| rsx! { <Meter used=1 unit /> };
    let state = |state: &'static str| rsx! { <Status state /> };
    let lists = [
        rsx! {
            <List>
                <Item>{meter("")} {state("x")}</Item>
                <Item>{meter("a")} {state("y")}</Item>
            </List>
        },
        rsx! { <List><Item>{meter("")}</Item> <Item>{state("y")} {meter("a")}</Item></List> },
        rsx! { <List><Item>{meter("")}</Item> <Item>"0" {meter("a")}</Item></List> },
        rsx! {
            <List>
                <Item>{state("x")}</Item>
                <Item>{meter("")}</Item>
                <Item>{meter("a")} {state("y")}</Item>
            </List>
        },
        rsx! {
            <List>
                <Item>{meter("")} {state("x")}</Item>
                <Item><Meter used=2 limit={8} unit="a" /> {state("y")}</Item>
                <Item>{state("z")} {meter("b")}</Item>
            </List>
        },
    ];
    for list in lists {
        let value = data(&list);
        let lifted = Renderer::builtin().lift_data(&value).unwrap();
        assert_eq!(data(&lifted), value, "{lifted:#?}");
    }
}

/// What cannot be an attribute in one item is none in the others: a reader sees attributes first.
#[test]
fn a_name_is_an_attribute_in_each_item_of_a_list_or_in_none() {
    let list = rsx! {
        <List>
            <Item><Status state="done" /> "a"</Item>
            <Item><Status state="un\ndone" /> "b"</Item>
        </List>
    };
    insta::assert_snapshot!(xml::to_string(&data(&list), "hud").unwrap(), @r"
    <hud>
      <item>
        <text>a</text>
        <status>done</status>
      </item>
      <item>
        <text>b</text>
        <status>un
    done</status>
      </item>
    </hud>
    ");
}

/// What nobody has a value for is left in an item that can have it, also in XML.
#[test]
fn an_item_that_says_nothing_but_a_name_comes_back() {
    let nameless = || rsx! { <Item><Callout label="" /></Item> };
    let link = || rsx! { <Item><Link url="a">"b"</Link></Item> };
    let lists = [
        rsx! { <List><Item checked={Some(false)} /> {nameless()}</List> },
        rsx! { <List>{link()} {nameless()}</List> },
        rsx! { <List>{link()} {link()} {nameless()} <Item>"c"</Item></List> },
        rsx! { <List><Item><CodeBlock lang="c">"d"</CodeBlock></Item> {nameless()}</List> },
        rsx! { <List><Item><List><Item>"e"</Item></List></Item> {nameless()}</List> },
    ];
    for list in lists {
        let value = data(&list);
        let lifted = Renderer::builtin().lift_data(&value).unwrap();
        assert_eq!(data(&lifted), value, "{lifted:#?}");
        let written = xml::to_string(&value, "hud").unwrap();
        assert!(written.contains("<section/>"), "{written}");
        let lifted = Renderer::builtin().lift_data(&xml::from_str(&written).unwrap());
        let again = data(&lifted.unwrap());
        assert_eq!(xml::to_string(&again, "hud").unwrap(), written);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_lifted_from_a_value_lowers_to_it(tree in mess()) {
        let value = data(&tree);
        match Renderer::builtin().lift_data(&value) {
            Ok(lifted) => prop_assert_eq!(data(&lifted), value, "{:#?}", lifted),
            Err(error) => prop_assert!(has_two_meters(&value), "{error}: {value:#?}"),
        }
    }

    #[test]
    fn json_and_toon_say_the_value_and_nothing_else(tree in mess()) {
        let value = data(&tree);
        for written in [json::to_string(&value), json::to_string_pretty(&value)] {
            prop_assert_eq!(&json::from_str(&written.unwrap()).unwrap(), &value);
        }
        let written = toon::to_string(&value).unwrap();
        let read = toon::from_str(&written).unwrap();
        // Objects that are alike but for the order of their members are one table.
        prop_assert_eq!(in_order(&read), in_order(&value), "{}", written);
    }

    #[test]
    fn xml_comes_back_as_the_same_xml(tree in mess()) {
        let written = xml::to_string(&data(&tree), "hud").unwrap();
        let read = xml::from_str(&written).unwrap();
        let Ok(lifted) = Renderer::builtin().lift_data(&read) else {
            prop_assert!(has_two_meters(&read), "{read:#?}\n{written}");
            return Ok(());
        };
        let again = xml::to_string(&data(&lifted), "hud").unwrap();
        prop_assert_eq!(again, written, "{:#?}", lifted);
    }

    #[test]
    fn words_are_one_text_in_each_format(words in HOSTILE) {
        let hud = rsx! {
            <Section title="Notes"><Item>"a"</Item> <Item>{&words} "."</Item></Section>
        };
        let value = data(&hud);
        let mut expected = Vec::new();
        texts(&value, &mut expected);
        prop_assert_eq!(expected.len(), 2);
        for read in [
            json::from_str(&json::to_string(&value).unwrap()),
            toon::from_str(&toon::to_string(&value).unwrap()),
        ] {
            let read = read.unwrap();
            let mut found = Vec::new();
            texts(&read, &mut found);
            prop_assert_eq!(&found, &expected);
        }
        let legal: Vec<String> = expected.iter().map(|text| text.replace('\u{1}', "\u{fffd}")).collect();
        let written = xml::to_string(&value, "hud").unwrap();
        let judged = roxmltree::Document::parse(&written).unwrap();
        let notes = judged.descendants().filter(|node| node.has_tag_name("note"));
        let found: Vec<String> = notes.map(|note| note.text().unwrap_or_default().to_owned()).collect();
        prop_assert_eq!(found, legal);
    }

    #[test]
    fn short_names_are_told_apart_and_come_back(tree in mess()) {
        let value = data(&tree);
        let keys = ShortKeys::of(&value);
        let short = keys.shorten(&value);
        prop_assert_eq!(keys.lengthen(&short), value);
        prop_assert_eq!(ShortKeys::from_legend(&keys.legend()), keys);
    }
}
