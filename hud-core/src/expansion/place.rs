//! Where a builder keeps what a tag is given: a place for each prop, which says what it takes.
//!
//! Each has a `set` of its own, which is no trait's: where a value has another type than a prop, rustc shows it, and
//! what is given is turned into the type as it is for an argument.

use std::marker::PhantomData;

use super::check::given;
use super::given::{IntoOptional, IntoOptionalProp, IntoProp};
use crate::ambient::{Ambient, IntoAmbient};
use crate::component::Component;
use crate::element::{Element, Inner, IntoElement};
use crate::node::Node;

/// A prop that takes its type, and nothing else.
pub struct Exact<T>(pub Option<T>);

impl<T> Exact<T> {
    /// Gives the prop.
    #[inline]
    pub fn set(&mut self, value: T) {
        self.0 = Some(value);
    }
}

/// A prop that may be given, as `T` or as `Option<T>`.
pub struct Optional<T>(pub Option<T>);

impl<T> Optional<T> {
    /// Gives the prop.
    #[inline]
    pub fn set(&mut self, value: impl IntoOptional<T>) {
        self.0 = value.into_optional();
    }
}

/// A prop that takes what turns into its type: `#[prop(into)]`.
pub struct Converted<T>(pub Option<T>);

impl<T> Converted<T> {
    /// Gives the prop.
    #[inline]
    pub fn set(&mut self, value: impl IntoProp<T>) {
        self.0 = Some(value.into_prop());
    }
}

/// A prop that may be given, as what turns into its type or an option of that: `#[prop(into)]` of an `Option`.
pub struct ConvertedOptional<T>(pub Option<T>);

impl<T> ConvertedOptional<T> {
    /// Gives the prop.
    #[inline]
    pub fn set<Given>(&mut self, value: impl IntoOptionalProp<T, Given>) {
        self.0 = value.into_optional_prop();
    }
}

/// A prop that takes elements.
pub struct Elements<'a>(pub Option<Element<'a>>);

impl<'a> Elements<'a> {
    /// Gives the prop.
    #[inline]
    pub fn set(&mut self, value: impl IntoElement<'a>) {
        self.0 = value.into_slot();
    }
}

/// A prop that takes any value, for all that is rendered below.
pub struct Provided<'a>(pub Option<Ambient<'a>>);

impl<'a> Provided<'a> {
    /// Gives the prop.
    #[inline]
    pub fn set(&mut self, value: impl IntoAmbient<'a>) {
        self.0 = Some(value.into_ambient());
    }
}

/// What is between a node's tags.
pub struct Within<'a>(pub Inner<'a>);

impl<'a> Within<'a> {
    /// Gives what is between the tags.
    #[inline]
    pub fn set(&mut self, value: impl IntoInner<'a>) {
        self.0 = value.into_inner();
    }

    /// The node's element.
    pub fn around(self, props: impl Node) -> Element<'a> {
        Element::node_of(props, self.0)
    }
}

/// The children of a node.
#[diagnostic::on_unimplemented(
    message = "the children of a node are not a prop",
    label = "write it between the tags, as `<Name>{{..}}</Name>`"
)]
pub trait IntoInner<'a> {
    /// The children.
    fn into_inner(self) -> Inner<'a>;
}

#[diagnostic::do_not_recommend]
impl<'a, T: Into<Inner<'a>>> IntoInner<'a> for T {
    fn into_inner(self) -> Inner<'a> {
        self.into()
    }
}

/// What is between the tags of a component that takes nothing there, which the check reports.
pub struct Nothing;

impl Nothing {
    /// Takes what is between the tags.
    pub fn set<T>(&mut self, _: T) {}

    /// The component's element.
    pub fn around<'a>(self, props: impl Component + 'a) -> Element<'a> {
        Element::component(props)
    }
}

/// What is between the tags of a node that takes nothing there, which the check reports.
pub struct Leaf;

impl Leaf {
    /// Takes what is between the tags.
    pub fn set<T>(&mut self, _: T) {}

    /// The node's element.
    pub fn around(self, props: impl Node) -> Element<'static> {
        Element::node(props, [])
    }
}

/// The place of an ambient value, which a tag is not given: that is reported where it is.
pub struct Around<T = ()>(PhantomData<T>);

impl Around {
    /// The place.
    pub const EMPTY: Self = Self(PhantomData);
}

impl<T> Around<T>
where
    Self: GivenAround,
{
    /// Takes what nobody can give.
    pub fn set<V>(&mut self, _: V) {}
}

/// What a tag takes an ambient value from, which nothing is.
#[diagnostic::on_unimplemented(
    message = "an ambient value is not given as a prop",
    label = "it is ambient, so write `<Provide value={{..}}>` around the tag"
)]
pub trait GivenAround {}

macro_rules! places {
    ($($place:ident<$parameter:tt> of $held:ty),*) => {$(
        impl<$parameter> $place<$parameter> {
            /// Nothing is given.
            pub const EMPTY: Self = Self(None);

            /// The value of a prop that is required, and that was found to be given.
            ///
            /// # Panics
            ///
            /// The builder was filled by hand, past the check.
            #[inline]
            pub fn given(self) -> $held {
                given(self.0)
            }

            /// Puts what is given in the place of what `{..props}` gave.
            pub fn over(&mut self, prop: &mut impl Holds<$held>) {
                prop.hold(self.0.take());
            }

            /// Puts what is between the tags, if anything is, in the place of what `{..props}` gave.
            pub fn over_children(&mut self, prop: &mut impl Holds<$held>) {
                if self.0.is_some() {
                    self.over(prop);
                }
            }

            /// The element of a component that has what is between its tags among its props.
            pub fn around<'e>(self, props: impl Component + 'e) -> Element<'e> {
                Element::component(props)
            }
        }
    )*};
}
places!(Exact<T> of T, Optional<T> of T, Converted<T> of T, ConvertedOptional<T> of T, Elements<'a> of Element<'a>, Provided<'a> of Ambient<'a>);

/// A prop in the struct of the props: its value, or an option of it.
pub trait Holds<T> {
    /// Holds what is given instead.
    fn hold(&mut self, value: Option<T>);
}

impl<T> Holds<T> for T {
    fn hold(&mut self, value: Option<T>) {
        if let Some(value) = value {
            *self = value;
        }
    }
}

impl<T> Holds<T> for Option<T> {
    fn hold(&mut self, value: Self) {
        *self = value;
    }
}
