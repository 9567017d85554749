//! Components: functions from props to elements, described and called late.

use std::any::Any;

use crate::ambient::Scope;
use crate::density::Density;
use crate::element::Element;
use crate::expansion::Marks;
use crate::part::PartMeta;

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

    /// The [ambient value](crate::ambient) that this component gives to all that it renders.
    fn provided(&self) -> Option<&dyn Any> {
        None
    }

    /// True if it is no call to its reader: what it renders is beside its siblings as if it were written there, and
    /// is not [kept apart](crate::guide#3-components) from them.
    fn is_inlined(&self) -> bool {
        false
    }

    /// The elements of this call in `scope`.
    fn render<'scope>(&'scope self, scope: &'scope Scope<'scope>) -> Element<'scope>;
}

/// A call that something else holds.
impl<C: Component + ?Sized> Component for &C {
    fn meta(&self) -> &'static TagMeta {
        (**self).meta()
    }

    fn density(&self) -> Option<Density> {
        (**self).density()
    }

    fn provided(&self) -> Option<&dyn Any> {
        (**self).provided()
    }

    fn is_inlined(&self) -> bool {
        (**self).is_inlined()
    }

    fn render<'scope>(&'scope self, scope: &'scope Scope<'scope>) -> Element<'scope> {
        (**self).render(scope)
    }
}

/// A component or a node: what can be written as a tag in [`rsx!`](crate::rsx).
///
/// [`component`](macro@crate::component) and [`derive(Node)`](macro@crate::Node) implement it, so
/// that a catalogue of tags needs no registration:
///
/// ```
/// use hud_core::Tag;
/// use hud_core::node::Section;
///
/// assert_eq!(Section::META.name, "Section");
/// assert_eq!(Section::META.props[0].name, "title");
/// assert!(Section::META.props[0].required);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a component nor a node",
    label = "not a tag",
    note = "make a component of a function with `#[component]`, or a node of a struct with \
            `#[derive(Node)]`; a value is shown in braces: `{{value}}`"
)]
pub trait Tag {
    /// The tag's name, docs and props.
    const META: &'static TagMeta;

    /// What makes the builder of the props for `rsx!`; the parameter is [`Checked`](crate::expansion::Checked).
    #[doc(hidden)]
    type Factory<'children, Checked>;
}

/// What a tag is: its name, docs and props.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagMeta {
    /// The tag as it is written in `rsx!`.
    pub name: &'static str,
    /// Whether the tag is a component or a node.
    pub kind: TagKind,
    /// The doc comment, one line each for its lines.
    pub docs: &'static str,
    /// The props, in the order of their declaration. A node's `children` are not among them.
    pub props: &'static [PropMeta],
    /// What a component takes from its surroundings: its [ambient values](crate::ambient).
    pub ambient: &'static [PropMeta],
    /// Whether something may be written between the opening and the closing tag.
    pub children: bool,
    /// What a component says of itself as a [part](crate::part) of a layout, if it says anything.
    pub part: Option<PartMeta>,
    /// The names of the props as [`complete`](crate::expansion::complete) compares them.
    #[doc(hidden)]
    pub marks: Marks,
}

/// What kind of tag it is.
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
}
