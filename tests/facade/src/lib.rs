//! A crate that does not depend on `hud-core` and has it from another one: that the macros find it is what is tested.

use facade::facade_rsx as rsx;
use facade::hud_core::node::{Item, List, Strong};
use facade::hud_core::{Children, Density, Element, Node, component, rsx as plain_rsx};

/// A badge.
#[derive(Debug, PartialEq, Node)]
#[node(leaf, crate = facade::hud_core)]
pub struct Badge {
    /// The text on it.
    #[prop(into)]
    pub label: String,
}

/// A list of guests.
#[component(crate = facade::hud_core, layer = static)]
pub fn Guests<'a>(
    /// Their names.
    names: &'a [&'a str],
    /// The text after the list.
    #[prop(default)]
    children: Children<'a>,
) -> Element<'a> {
    rsx! {
        <List>for name in names { <Item>{name} " (" {names.len()} ")"</Item> }</List> {children}
    }
}

/// A seat.
#[component(worth = 3, crate = facade::hud_core)]
pub fn Seat(
    /// The number.
    #[cfg(debug_assertions)]
    number: u8,
    density: Density,
) -> Element {
    #[cfg(not(debug_assertions))]
    let number = 2_u8;
    match density {
        Density::Full => plain_rsx! { crate = facade::hud_core; <Strong>"Seat {number}"</Strong> },
        _ => plain_rsx! { crate = ::facade::hud_core; {number} },
    }
}

#[cfg(test)]
mod tests {
    use facade::facade_rsx as rsx;
    use facade::hud_core::mdast::{Mdast, text};
    use facade::hud_core::{
        Density, Element, Lower, Registry, Renderer, Scope, Tag, one_way, render,
    };

    use super::{Badge, Guests, Seat};

    #[test]
    fn the_macros_take_the_path_that_they_are_given() {
        let layout = rsx! { <Guests names={&["Ada", "Bo"]}>"And others."</Guests> };
        assert_eq!(
            render(&layout, Density::Full).unwrap(),
            "- Ada (2)\n- Bo (2)\n\nAnd others.\n"
        );
        let part = <Guests<'_> as Tag>::META.part.as_ref().unwrap();
        assert_eq!(part.name, "Guests");
    }

    #[test]
    #[cfg(debug_assertions)]
    fn a_conditional_prop_keeps_the_path() {
        let seat = rsx! { <Seat number=2 /> };
        assert_eq!(render(&seat, Density::Full).unwrap(), "**Seat 2**\n");
        assert_eq!(render(&seat, Density::Minimal).unwrap(), "2\n");
    }

    #[test]
    fn a_node_takes_the_path_that_it_is_given() {
        let mut registry = Registry::builtin();
        registry.register(one_way(
            |badge: &Badge, _: &[Element<'_>], _: &Lower<'_, Mdast>| Ok(vec![text(&badge.label)]),
        ));
        let badge = rsx! { <Badge label="Ada" /> };
        let shown = Renderer::new(registry).markdown(&badge, Scope::default());
        assert_eq!(shown.unwrap(), "Ada\n");
    }
}
