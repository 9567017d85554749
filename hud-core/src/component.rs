//! Components: functions from props to elements. They have a description and are called lazily.

use std::any::Any;

use crate::ambient::Scope;
use crate::density::Density;
use crate::element::Element;
use crate::expansion::Marks;
use crate::part::PartMeta;

/// A call of a component: its props, ready to be rendered at any density, any number of times.
///
/// [`component`](macro@crate::component) implements this for the props struct that it generates
/// from a function's arguments. Building a tree renders nothing. [`Lower`](crate::Lower) calls
/// [`render`](Self::render) when it reaches the call.
pub trait Component {
    /// The component's name, docs and props.
    fn meta(&self) -> &'static TagMeta;

    /// The density that the caller set with a `density` prop. It applies to this component and
    /// everything that it renders. Without it, the scope's density applies.
    fn density(&self) -> Option<Density> {
        None
    }

    /// The [context value](crate::ambient) that this component provides to everything that it
    /// renders.
    fn provided(&self) -> Option<&dyn Any> {
        None
    }

    /// True if the output of the call counts as written directly among its siblings. It is then not
    /// [separated](crate::guide#3-components) from them.
    fn is_inlined(&self) -> bool {
        false
    }

    /// The elements of this call in `scope`.
    fn render<'scope>(&'scope self, scope: &'scope Scope<'scope>) -> Element<'scope>;
}

/// A borrowed call.
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

/// A component or a node: a tag of [`rsx!`](crate::rsx).
///
/// [`component`](macro@crate::component) and [`derive(Node)`](macro@crate::Node) implement it, so a
/// catalogue of tags needs no registration:
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

    /// The factory of the props' builder for `rsx!`. The parameter is
    /// [`Checked`](crate::expansion::Checked).
    #[doc(hidden)]
    type Factory<'children, Checked>;
}

/// The description of a tag: its name, docs and props.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagMeta {
    /// The tag as it is written in `rsx!`.
    pub name: &'static str,
    /// The kind of the tag.
    pub kind: TagKind,
    /// The doc comment, with its line breaks.
    pub docs: &'static str,
    /// The props, in declaration order. A node's `children` are not among them.
    pub props: &'static [PropMeta],
    /// The [context values](crate::ambient) that a component reads.
    pub ambient: &'static [PropMeta],
    /// True if the tag accepts children.
    pub children: bool,
    /// The facts of a component as a [part](crate::part) of a layout, if it is one.
    pub part: Option<PartMeta>,
    /// The hashed names of the props, which [`complete`](crate::expansion::complete) compares.
    #[doc(hidden)]
    pub marks: Marks,
}

/// The kind of a tag: component or node.
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
    /// True if a call without this prop does not compile.
    pub required: bool,
}
