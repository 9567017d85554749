//! The model of a component, which is the result of parsing.

use proc_macro2::Ident;
use syn::{Attribute, Generics, ReturnType, Stmt, Type, Visibility};

use super::options::Options;
use crate::krate::Krate;
use crate::props::Prop;

/// A function that becomes a tag.
pub(super) struct Component {
    /// The path of `hud_core` in the user's crate.
    pub(super) krate: Krate,
    /// The arguments of `#[component(..)]`.
    pub(super) options: Options,
    pub(super) vis: Visibility,
    pub(super) name: Ident,
    /// The doc comments, which are copied to the struct and its constant.
    pub(super) docs: Vec<Attribute>,
    /// The derives of the struct.
    pub(super) derives: Vec<Attribute>,
    /// All other attributes, which stay on the function.
    pub(super) attrs: Vec<Attribute>,
    /// The generics of the struct, with the lifetime that is elided in the props' types.
    pub(super) generics: Generics,
    /// The generics of the function: those of the struct, and a lifetime for the arguments that are passed in,
    /// unless they can share one of the props.
    pub(super) function_generics: Generics,
    /// The arguments that a caller gives, in their order.
    pub(super) props: Vec<Prop>,
    /// The arguments that get context values, in their order.
    pub(super) ambient: Vec<Ambient>,
    /// The type of the argument `scope`, if the function has one. It is also passed in.
    pub(super) scope: Option<Type>,
    pub(super) output: Output,
    /// The statements of the function.
    pub(super) body: Vec<Stmt>,
}

/// An argument that gets a context value: `#[prop(ambient)]`.
pub(super) struct Ambient {
    /// The name, type, docs and default, as in a prop.
    pub(super) prop: Prop,
    /// The type that the value is found by: `T` of `T`, `&T`, `Option<T>` and `Option<&T>`.
    pub(super) key: Type,
    /// True if it is passed as a reference, false if it is passed as a clone.
    pub(super) by_reference: bool,
    /// True if it is an `Option`, which is `None` if no value is provided.
    pub(super) optional: bool,
    /// True if a value can be found by its type. If not, the error is already reported.
    pub(super) findable: bool,
}

/// The return type of the function.
pub(super) enum Output {
    /// An element, with its lifetime made explicit.
    Element(Box<Type>),
    /// Another type. The error is already reported.
    Other(ReturnType),
}

impl Component {
    /// The prop that is a context value for everything that is rendered below.
    pub(super) fn provided(&self) -> Option<&Prop> {
        self.props.iter().find(|prop| prop.provide)
    }

    /// The types of all arguments except `scope`.
    pub(super) fn argument_types(&self) -> impl Iterator<Item = &Type> {
        let ambient = self.ambient.iter().map(|argument| &argument.prop);
        self.props.iter().chain(ambient).map(|prop| &prop.ty)
    }
}
