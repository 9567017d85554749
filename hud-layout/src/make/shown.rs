//! The elements of a layout that are not tags of a catalogue.

use hud_core::expansion::Marks;
use hud_core::node::{self, Part};
use hud_core::{Component, Density, Element, Scope, TagKind, TagMeta};

use crate::file::Mark;

/// A line of the HUD about its layout.
pub(crate) fn note(line: &str) -> Element<'static> {
    let part = Part {
        name: Some("layout".to_owned()),
        layer: Some(hud_core::Layer::Dynamic),
        worth: Some(9),
        floor: None,
        cap: None,
        heading: None,
    };
    Element::node(part, [Element::text(line.to_owned())])
}

const COMPONENT: &TagMeta = &TagMeta {
    name: "Component",
    kind: TagKind::Component,
    docs: "",
    props: &[],
    ambient: &[],
    children: false,
    part: None,
    marks: Marks::NONE,
};

/// The content at each density.
pub(super) struct ByDensity(pub(super) [Element<'static>; 3]);

impl Component for ByDensity {
    fn meta(&self) -> &'static TagMeta {
        COMPONENT
    }

    fn is_inlined(&self) -> bool {
        true
    }

    fn render<'scope>(&'scope self, scope: &'scope Scope<'scope>) -> Element<'scope> {
        let shown = Density::ALL.iter().zip(&self.0);
        let now = scope.density();
        { shown }
            .find(|(density, _)| **density == now)
            .map_or_else(Element::empty, |(_, shown)| Element::borrowed(shown))
    }
}

/// The content of a component of a layout, with the component's density if it has one.
pub(super) struct Called {
    pub(super) density: Option<Density>,
    pub(super) shown: Element<'static>,
}

impl Component for Called {
    fn meta(&self) -> &'static TagMeta {
        COMPONENT
    }

    fn density(&self) -> Option<Density> {
        self.density
    }

    fn render<'scope>(&'scope self, _: &'scope Scope<'scope>) -> Element<'scope> {
        Element::borrowed(&self.shown)
    }
}

/// The node of a markdown construct.
pub(super) fn marked(mark: &Mark, inner: Vec<Element<'static>>) -> Element<'static> {
    match mark.clone() {
        Mark::Paragraph => Element::node(node::Paragraph {}, inner),
        Mark::Heading(level) => Element::node(node::Heading { level }, inner),
        Mark::Strong => Element::node(node::Strong {}, inner),
        Mark::Emphasis => Element::node(node::Emphasis {}, inner),
        Mark::Delete => Element::node(node::Delete {}, inner),
        Mark::Code => Element::node(node::Code {}, inner),
        Mark::CodeBlock { lang, meta } => Element::node(node::CodeBlock { lang, meta }, inner),
        Mark::Quote => Element::node(node::Quote {}, inner),
        Mark::Alert(kind) => Element::node(node::Alert { kind }, inner),
        Mark::List {
            ordered,
            start,
            spread,
        } => Element::node(
            node::List {
                ordered,
                start,
                spread,
            },
            inner,
        ),
        Mark::Item { checked, spread } => Element::node(
            node::Item {
                key: None,
                checked,
                spread,
            },
            inner,
        ),
        Mark::ThematicBreak => Element::node(node::ThematicBreak {}, inner),
        Mark::Break => Element::node(node::Break {}, inner),
        Mark::Link { url, title } => Element::node(node::Link { url, title }, inner),
        Mark::Image { url, alt, title } => Element::node(node::Image { url, alt, title }, inner),
        Mark::Table(align) => Element::node(node::Table { align }, inner),
        Mark::Row => Element::node(node::Row {}, inner),
        Mark::Cell => Element::node(node::Cell {}, inner),
    }
}
