//! The builder's places for the props of a tag: one place for each prop. Its type determines the
//! values that it accepts.
//!
//! Each place has an inherent `set` method instead of one of a trait. So rustc reports a wrong type
//! at the value, and coerces the value as it does a function argument.

use std::marker::PhantomData;

use super::check::given;
use super::given::{IntoOptional, IntoOptionalProp, IntoProp};
use crate::ambient::{Ambient, IntoAmbient};
use crate::component::Component;
use crate::element::{Element, Inner, IntoElement};
use crate::node::Node;

/// A prop that accepts only its own type.
pub struct Exact<T>(pub Option<T>);

impl<T> Exact<T> {
    /// Sets the prop.
    #[inline]
    pub fn set(&mut self, value: T) {
        self.0 = Some(value);
    }
}

/// An optional prop, given as `T` or as `Option<T>`.
pub struct Optional<T>(pub Option<T>);

impl<T> Optional<T> {
    /// Sets the prop.
    #[inline]
    pub fn set(&mut self, value: impl IntoOptional<T>) {
        self.0 = value.into_optional();
    }
}

/// A prop that accepts values that convert into its type: `#[prop(into)]`.
pub struct Converted<T>(pub Option<T>);

impl<T> Converted<T> {
    /// Sets the prop.
    #[inline]
    pub fn set(&mut self, value: impl IntoProp<T>) {
        self.0 = Some(value.into_prop());
    }
}

/// An optional prop with `#[prop(into)]`: it accepts values that convert into its type, or options
/// of them.
pub struct ConvertedOptional<T>(pub Option<T>);

impl<T> ConvertedOptional<T> {
    /// Sets the prop.
    #[inline]
    pub fn set<Given>(&mut self, value: impl IntoOptionalProp<T, Given>) {
        self.0 = value.into_optional_prop();
    }
}

/// A prop that accepts elements.
pub struct Elements<'a>(pub Option<Element<'a>>);

impl<'a> Elements<'a> {
    /// Sets the prop.
    #[inline]
    pub fn set(&mut self, value: impl IntoElement<'a>) {
        self.0 = value.into_slot();
    }
}

/// A prop that accepts any value, and provides it to all that is rendered below.
pub struct Provided<'a>(pub Option<Ambient<'a>>);

impl<'a> Provided<'a> {
    /// Sets the prop.
    #[inline]
    pub fn set(&mut self, value: impl IntoAmbient<'a>) {
        self.0 = Some(value.into_ambient());
    }
}

/// The children of a node.
pub struct Within<'a>(pub Inner<'a>);

impl<'a> Within<'a> {
    /// Sets the children.
    #[inline]
    pub fn set(&mut self, value: impl IntoInner<'a>) {
        self.0 = value.into_inner();
    }

    /// Builds the node's element.
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
    /// Converts to the children.
    fn into_inner(self) -> Inner<'a>;
}

#[diagnostic::do_not_recommend]
impl<'a, T: Into<Inner<'a>>> IntoInner<'a> for T {
    fn into_inner(self) -> Inner<'a> {
        self.into()
    }
}

/// The place for children of a component that accepts none. The check reports them.
pub struct Nothing;

impl Nothing {
    /// Ignores the children.
    pub fn set<T>(&mut self, _: T) {}

    /// Builds the component's element.
    pub fn around<'a>(self, props: impl Component + 'a) -> Element<'a> {
        Element::component(props)
    }
}

/// The place for children of a node that accepts none. The check reports them.
pub struct Leaf;

impl Leaf {
    /// Ignores the children.
    pub fn set<T>(&mut self, _: T) {}

    /// Builds the node's element.
    pub fn around(self, props: impl Node) -> Element<'static> {
        Element::node(props, [])
    }
}

/// The place of a context value, which is not a prop. Setting it is a compile error at its name.
pub struct Around<T = ()>(PhantomData<T>);

impl Around {
    /// The empty place.
    pub const EMPTY: Self = Self(PhantomData);
}

impl<T> Around<T>
where
    Self: GivenAround,
{
    /// Never compiles, as no type meets the bound.
    pub fn set<V>(&mut self, _: V) {}
}

/// The bound that no type meets, for its message.
#[diagnostic::on_unimplemented(
    message = "an ambient value is not given as a prop",
    label = "it is ambient, so write `<Provide value={{..}}>` around the tag"
)]
pub trait GivenAround {}

macro_rules! places {
    ($($place:ident<$parameter:tt> of $held:ty),*) => {$(
        impl<$parameter> $place<$parameter> {
            /// The empty place.
            pub const EMPTY: Self = Self(None);

            /// The value of a required prop that was checked to be given.
            ///
            /// # Panics
            ///
            /// If the builder was filled manually, without the check.
            #[inline]
            pub fn given(self) -> $held {
                given(self.0)
            }

            /// Overrides the prop of `{..props}` with the given value.
            pub fn over(&mut self, prop: &mut impl Holds<$held>) {
                prop.hold(self.0.take());
            }

            /// Overrides the children of `{..props}` with the given children, if there are any.
            pub fn over_children(&mut self, prop: &mut impl Holds<$held>) {
                if self.0.is_some() {
                    self.over(prop);
                }
            }

            /// Builds the element of a component that has its children among its props.
            pub fn around<'e>(self, props: impl Component + 'e) -> Element<'e> {
                Element::component(props)
            }
        }
    )*};
}
places!(Exact<T> of T, Optional<T> of T, Converted<T> of T, ConvertedOptional<T> of T, Elements<'a> of Element<'a>, Provided<'a> of Ambient<'a>);

/// A field of the props struct: its value, or an option of it.
pub trait Holds<T> {
    /// Replaces the value with the given one.
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
