//! Props of any type: functions, traits, lifetimes that are left out, conditional ones.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on has failed, and says where"
)]
#![allow(
    clippy::borrowed_box,
    clippy::type_complexity,
    reason = "such types are what is tested"
)]

use std::fmt::Debug;
use std::rc::Rc;
use std::sync::Arc;

use hud_core::node::Strong;
use hud_core::{Component, Density, Element, Tag, component, render, rsx};

fn full(element: &Element<'_>) -> String {
    render(element, Density::Full).unwrap()
}

trait Named {
    fn name(&self) -> String;
}

impl Named for u8 {
    fn name(&self) -> String {
        format!("n{self}")
    }
}

struct Length(u8);

trait Measured {
    fn size(&self) -> u8;
}

impl Measured for Length {
    fn size(&self) -> u8 {
        self.0
    }
}

#[component]
fn Shared(format: Rc<dyn Fn(u8) -> String>, named: Arc<dyn Named>) -> Element<'static> {
    rsx! { {format(1)} {named.name()} }
}

#[component]
fn SharedWithSlot<'a>(
    format: Rc<dyn Fn(&str) -> String>,
    named: Option<Arc<dyn Named>>,
    header: Element<'a>,
) -> Element<'a> {
    rsx! { {header} {format("f")} {named.map(|named| named.name())} }
}

#[component]
fn Lent(named: &dyn Named, measured: Rc<dyn Measured>, boxed: &Box<dyn Fn(u8) -> u8>) -> Element {
    rsx! { {named.name()} {measured.size()} {boxed(1)} }
}

#[component]
fn Generic<T: Clone + Debug>(values: Rc<dyn Fn(T) -> T>, of: T) -> Element<'static> {
    rsx! { {format!("{:?}", values(of))} }
}

#[test]
fn a_prop_may_be_a_shared_function_or_trait() {
    let format: Rc<dyn Fn(u8) -> String> = Rc::new(|size| format!("f{size}"));
    let named: Arc<dyn Named> = Arc::new(2_u8);
    let boxed: Box<dyn Fn(u8) -> u8> = Box::new(|size| size + 6);
    let element = rsx! {
        <Shared format named={Arc::clone(&named)} />
        <SharedWithSlot
            format={Rc::new(|text: &str| text.to_owned())}
            named
            header=<Strong>"h"</Strong>
        />
        <Lent named={&4} measured={Rc::new(Length(5))} boxed={&boxed} />
        <Generic values={Rc::new(|size: u8| size + 1)} of=7 />
    };
    assert_eq!(full(&element), "f1n2 │ **h**fn2 │ n457 │ 8\n");
}

#[component]
fn Elided<F: Clone + Fn(&str) -> usize>(
    text: &str,
    by: &dyn Fn(&str) -> &str,
    pointer: fn(&str) -> usize,
    second: fn(&str, &mut Vec<&str>),
    made: Rc<dyn Fn(u8) -> Element>,
    named: Rc<dyn for<'a> Fn(&'a str, &str) -> &'a str>,
    generic: F,
) -> Element {
    let local = String::from(by(text));
    let mut all = Vec::new();
    second(&local, &mut all);
    rsx! {
        {pointer(&local)}
        {by(&local).to_owned()}
        {all.len()}
        {made(1)}
        {named(&local, "y").to_owned()}
        {generic(&local)}
    }
}

fn rest(text: &str) -> &str {
    &text[1..]
}

#[test]
fn a_lifetime_that_a_signature_leaves_out_is_the_signatures() {
    let text = String::from("abc");
    let (by, shown) = (|text: &'_ str| -> String { text.to_owned() }, "e");
    assert_eq!(by("x"), "x");
    let element = rsx! {
        <Elided
            text={&text}
            by={&rest}
            pointer={str::len}
            second={|_, all| all.clear()}
            made={Rc::new(move |_| Element::text(shown))}
            named={Rc::new(|text, _| text)}
            generic={|text: &str| text.len()}
        />
    };
    assert_eq!(full(&element), "2c0ebc2\n");
}

#[component(layer = static)]
fn Steady(by: Rc<dyn for<'x> Fn(&'x str) -> Option<&'x str>>, of: fn(&str) -> u8) -> Element {
    rsx! { {by("s").map(str::len)} {of("")} }
}

#[test]
fn a_component_of_the_static_layer_may_have_functions_as_props() {
    let element = rsx! { <Steady by={Rc::new(|text| Some(text))} of={|_| 2} /> };
    assert_eq!(full(&element), "12\n");
}

#[component]
fn Conditional<'a>(
    always: u8,
    #[cfg(not(test))] never: DoesNotExist,
    #[cfg(test)]
    #[prop(default = 2)]
    here: u8,
    #[cfg(test)] both: &'a str,
) -> Element<'a> {
    rsx! { {always} {here} {both} }
}

#[derive(Debug, PartialEq, hud_core::Node)]
struct ConditionalNode {
    #[cfg(test)]
    here: u8,
    #[cfg(not(test))]
    never: DoesNotExist,
}

#[test]
fn a_prop_may_depend_on_what_is_compiled() {
    assert_eq!(full(&rsx! { <Conditional always=1 both="b" /> }), "12b\n");
    let names = Conditional::META.props.iter().map(|prop| prop.name);
    assert!(names.eq(["always", "here", "both"]));
    let element = rsx! { <ConditionalNode here=1 /> };
    let (node, _) = element.as_node::<ConditionalNode>().unwrap();
    assert_eq!(node.here, 1);
}

#[component]
fn OwnLifetime<'a>() -> Element<'a> {
    rsx! { "own" }
}

#[test]
fn a_lifetime_may_be_that_of_the_result_alone() {
    assert_eq!(full(&rsx! { <OwnLifetime /> }), "own\n");
}

#[test]
fn components_of_several_types_are_shown_from_one_collection() {
    let text = String::from("t");
    let kept: Box<dyn Component> = Box::new(OwnLifetime {});
    let shared: Rc<dyn Component> = Rc::new(OwnLifetime {});
    let many: Vec<Box<dyn Component + '_>> = vec![
        Box::new(OwnLifetime {}),
        Box::new(Conditional {
            always: 1,
            here: 2,
            both: &text,
        }),
    ];
    let element = rsx! { {&many} " " {&kept} {&shared} {&*kept} };
    assert_eq!(full(&element), "own │ 12t own │ own │ own\n");
    drop(element);
    assert_eq!(
        full(&rsx! { {many} {kept} {shared} }),
        "own │ 12t │ own │ own\n"
    );
}
