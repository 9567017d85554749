//! The macros need nothing of what surrounds their call: no prelude, no names, no edition.

#![no_implicit_prelude]

use ::hud_core::node::{Item, List, Strong};
use ::hud_core::{Density, Element, IntoElement, Node, Tag, component, render, rsx};

// What a prelude, a user or another macro may have named so.
#[allow(dead_code, reason = "the names are there to be in the way")]
mod names {
    #[derive(::std::fmt::Debug)]
    pub(super) struct Vec;
    #[derive(::std::fmt::Debug)]
    pub(super) struct Outer;
    #[derive(::std::fmt::Debug)]
    pub(super) struct Factory;
    pub(super) struct Some;
    pub(super) struct None;
}
#[allow(unused_imports, reason = "the names are there to be in the way")]
use names::{Factory, None, Outer, Some, Vec};

#[component]
fn Row<'a>(
    builder: &'a str,
    check: ::std::option::Option<u8>,
    #[prop(default = 2)] value: u8,
    #[prop(into)] element: ::std::string::String,
    #[prop(default)] elements: ::std::vec::Vec<u8>,
    density: Density,
    #[prop(default)] children: Element<'a>,
) -> Element<'a> {
    let _ = density;
    rsx! { {builder} {check} {value} {element} {elements} {children} }
}

#[derive(::std::fmt::Debug, ::std::cmp::PartialEq, Node)]
struct Own {
    #[prop(into, default)]
    name: ::std::string::String,
}

fn full(element: &Element<'_>) -> ::std::string::String {
    ::std::result::Result::unwrap_or_default(render(element, Density::Full))
}

#[test]
fn nothing_is_taken_from_the_prelude() {
    let (builder, check, element, elements) = ("b", 1, "e", ::std::vec![3, 4]);
    let rows = ["x", "y"];
    let layout = rsx! {
        <Row builder check element elements>{builder} {check}</Row>
        <List>
            for row in rows { <Item>if row == "x" { <Strong>{row}</Strong> } else { {row} }</Item> }
        </List>
    };
    ::std::assert_eq!(full(&layout), "b12e34b1\n\n- **x**\n- y\n");
    ::std::assert_eq!(<Own as Tag>::META.name, "Own");
    let own = Own {
        name: ::std::string::String::new(),
    };
    ::std::assert!(own.name.is_empty());
    let own = rsx! { <Own name="n" /> };
    ::std::assert_eq!(::std::format!("{own:?}"), "Own { name: \"n\" } []");
}

macro_rules! layout {
    ($tag:ident, $path:path, $prop:ident = $value:expr, $text:literal, $($more:tt)*) => {
        rsx! { <$tag $prop={$value} element=$text /> <$path>$text</$path> $($more)* }
    };
}

macro_rules! part {
    ($name:ident, $prop:ident: $ty:ty, $body:expr) => {
        #[component]
        fn $name($prop: $ty) -> Element<'static> {
            IntoElement::into_element($body)
        }
    };
}
part!(Part, _size: u8, 7);

#[test]
fn the_macros_work_inside_of_others() {
    let element = layout!(Row, ::hud_core::node::Strong, builder = "b", "t", {5} <Part _size=1 />);
    ::std::assert_eq!(full(&element), "b2t │ **t**57\n");
}
