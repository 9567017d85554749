//! Rules: one for each node type and target, found by type.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc;
use std::thread;

use hud_core::mdast::{Mdast, text};
use hud_core::node::{Align, Strong};
use hud_core::{
    Density, Element, Lower, LowerError, LowerResult, Node, Registry, Renderer, Scope, Target,
    component, one_way, render, rsx,
};

/// A node that is not built in.
#[derive(Debug, PartialEq, Node)]
struct Own {}

fn own(_: &Own, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    let mut pieces = vec![text("own ")];
    pieces.extend(lower.children(children)?);
    Ok(pieces)
}

fn shout(_: &Strong, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    let mut pieces = lower.children(children)?;
    pieces.push(text("!"));
    Ok(pieces)
}

fn markdown(registry: Registry, element: &Element<'_>) -> Result<String, LowerError> {
    Renderer::new(registry).markdown(element, Scope::default())
}

#[test]
fn a_node_without_a_rule_is_an_error_that_names_it() {
    let error = render(&rsx! { <Own /> }, Density::Full).unwrap_err();
    assert_eq!(
        error.to_string(),
        "node `Own` has no rule for target `mdast`: register one with `Registry::register`, \
         or one for all nodes with `Registry::register_default`, and render with a `Renderer` of that \
         registry, as `render()` has the rules of the built-in nodes only"
    );
}

#[test]
fn a_registered_rule_lowers_its_node() {
    let mut registry = Registry::builtin();
    registry.register(one_way(own));
    let element = rsx! { <Own><Strong>"x"</Strong></Own> };
    assert_eq!(markdown(registry, &element).unwrap(), "own **x**\n");
}

#[test]
fn a_replaced_rule_takes_the_place_of_the_built_in_one() {
    let mut registry = Registry::builtin();
    registry.replace(one_way(shout));
    assert_eq!(
        markdown(registry, &rsx! { <Strong>"x"</Strong> }).unwrap(),
        "x!\n"
    );
}

#[test]
#[should_panic(expected = "has a rule for target `mdast` already: use `replace`")]
fn a_second_rule_for_a_node_is_refused() {
    Registry::builtin().register(one_way(shout));
}

#[test]
#[should_panic(expected = "has no rule for target `mdast` to replace: use `register`")]
fn a_rule_that_is_not_there_cannot_be_replaced() {
    Registry::builtin().replace(one_way(own));
}

/// Counts the words of a tree.
enum Words {}

impl Target for Words {
    const NAME: &'static str = "words";
    type Piece = usize;
    type Context = ();

    fn text(text: &str) -> usize {
        text.split_whitespace().count()
    }
}

#[test]
fn a_target_of_ones_own_needs_only_its_rules() {
    let mut registry = Registry::builtin();
    registry.register(one_way(
        |_: &Strong, children: &[Element<'_>], lower: &Lower<'_, Words>| -> LowerResult<Words> {
            lower.children(children)
        },
    ));
    let element = rsx! { "one two " <Strong>"three"</Strong> };
    let words = Lower::<Words>::new(&registry, Scope::default()).element(&element);
    assert_eq!(words.unwrap().iter().sum::<usize>(), 3);
}

#[component]
fn Endless() -> Element {
    rsx! { "x" <Endless /> }
}

#[test]
fn a_component_that_renders_itself_is_an_error() {
    let error = render(&rsx! { <Endless /> }, Density::Full).unwrap_err();
    assert!(matches!(error, LowerError::TooDeep { .. }), "{error}");
}

#[test]
fn what_a_node_holds_is_made_what_it_needs() {
    use hud_core::node::{CodeBlock, Field, Item, List, Paragraph, Row, Section, Table};
    let element = rsx! {
        <Strong><Paragraph>"a"</Paragraph> <Field label="b">"c"</Field></Strong>
        <List>"bare"</List>
        <Table>"cell" <Row>"x"</Row></Table>
        <Item><CodeBlock lang="rs">"let x;"</CodeBlock></Item>
        <Section title="s"><Section title="t">""</Section></Section>
    };
    insta::assert_snapshot!(render(&element, Density::Full).unwrap());
}

/// A node with props of many types.
#[derive(Debug, PartialEq, Node)]
#[node(leaf)]
struct Many {
    r#type: &'static str,
    count: Option<u64>,
    huge: u128,
    share: f32,
    align: Vec<Align>,
    range: std::ops::Range<u8>,
    secret: Secret,
}

/// Something that does not say what it is.
#[derive(PartialEq)]
struct Secret;

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("(secret)")
    }
}

#[test]
fn props_are_data_for_a_rule_that_does_not_know_the_node() {
    let many = Many {
        r#type: "t",
        count: None,
        huge: u128::MAX,
        share: 0.5,
        align: vec![Align::Left, Align::None],
        range: 1..3,
        secret: Secret,
    };
    insta::assert_debug_snapshot!(many.props());
}

#[test]
#[should_panic(expected = "target `words` has a default rule already")]
fn a_second_default_rule_is_refused() {
    let mut registry = Registry::new();
    registry
        .register_default::<Words>(|_, children, lower| lower.children(children))
        .register_default::<Words>(|_, _, _| Ok(Vec::new()));
}

#[test]
fn a_mistake_with_rules_is_reported_in_the_line_that_makes_it() {
    let (sender, files) = mpsc::channel();
    let (this, before) = (thread::current().id(), panic::take_hook());
    panic::set_hook(Box::new(move |panic| {
        if thread::current().id() == this {
            let file = panic.location().map(|place| place.file().to_owned());
            sender.send(file).unwrap();
        } else {
            before(panic);
        }
    }));
    let mistakes: [fn(&mut Registry); 3] = [
        |registry| {
            registry.register(one_way(shout));
        },
        |registry| {
            registry.replace(one_way(own));
        },
        |registry| {
            registry.register_default::<Mdast>(|_, _, _| Ok(Vec::new()));
            registry.register_default::<Mdast>(|_, _, _| Ok(Vec::new()));
        },
    ];
    for mistake in mistakes {
        let mut registry = Registry::builtin();
        panic::catch_unwind(AssertUnwindSafe(|| mistake(&mut registry))).unwrap_err();
        assert_eq!(files.recv().unwrap().as_deref(), Some(file!()));
    }
}
