//! Components: functions from props to elements, described and called late.

use crate::density::Density;
use crate::element::Element;

/// A call of a component: its props, ready to be rendered at any density, any number of times.
///
/// [`component`](macro@crate::component) implements this for the props struct that it makes of a
/// function's arguments. Nothing is rendered when the tree is built; [`Lower`](crate::Lower)
/// calls [`render`](Self::render) when it gets there.
pub trait Component {
    /// The component's name, docs and props.
    fn meta(&self) -> &'static TagMeta;

    /// The density that the caller asked for with a `density` prop. It holds for this component
    /// and all that it renders; without it the ambient density of the scope holds.
    fn density(&self) -> Option<Density> {
        None
    }

    /// The elements of this call in `scope`.
    fn render(&self, scope: &Scope) -> Element<'_>;
}

/// What surrounds a component when it is rendered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    density: Density,
}

impl Scope {
    /// A scope of this density.
    pub const fn new(density: Density) -> Self {
        Self { density }
    }

    /// The ambient density.
    pub const fn density(&self) -> Density {
        self.density
    }
}

/// What a tag is: its name, docs and props. Each component and each node has a constant of its
/// own name that holds this, so that a catalogue of tags needs no registration.
///
/// ```
/// use hud_core::node::Section;
///
/// assert_eq!(Section.name, "Section");
/// assert_eq!(Section.props[0].name, "title");
/// assert!(Section.props[0].required);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagMeta {
    /// The tag as it is written in `rsx!`.
    pub name: &'static str,
    /// Whether the tag is a component or a node.
    pub kind: TagKind,
    /// The doc comment, one line each for its lines.
    pub docs: &'static str,
    /// The props, in the order of their declaration. A node's `children` are not among them.
    pub props: &'static [PropMeta],
}

/// What a tag stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagKind {
    /// A function from props to elements.
    Component,
    /// A typed element that rules lower.
    Node,
}

/// One prop of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PropMeta {
    /// The prop's name.
    pub name: &'static str,
    /// The prop's type, as it was declared.
    pub ty: &'static str,
    /// The doc comment.
    pub docs: &'static str,
    /// Whether a call without this prop does not compile.
    pub required: bool,
    /// What the compiler says when the prop is missing.
    #[doc(hidden)]
    pub missing: &'static str,
}

impl TagMeta {
    /// Panics, at compile time, with the message of the first required prop that is not given.
    #[doc(hidden)]
    #[track_caller]
    pub const fn check(&self, given: &[&str]) {
        let mut index = 0;
        while index < self.props.len() {
            let prop = &self.props[index];
            if prop.required && !contains(given, prop.name) {
                #[allow(
                    clippy::panic,
                    reason = "evaluated by the compiler only: the macros call it in a `const`"
                )]
                {
                    panic!("{}", prop.missing);
                }
            }
            index += 1;
        }
    }
}

const fn contains(names: &[&str], name: &str) -> bool {
    let mut index = 0;
    while index < names.len() {
        if equal(names[index].as_bytes(), name.as_bytes()) {
            return true;
        }
        index += 1;
    }
    false
}

const fn equal(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut index = 0;
    while index < left.len() {
        if left[index] != right[index] {
            return false;
        }
        index += 1;
    }
    true
}
