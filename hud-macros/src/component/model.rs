//! What the macro knows of a component once the function is read: a field for each fact.

use proc_macro2::Ident;
use syn::{Attribute, Generics, ReturnType, Stmt, Type, Visibility};

use super::options::Options;
use crate::krate::Krate;
use crate::props::Prop;

/// A function that becomes a tag.
pub(super) struct Component {
    /// The path of `hud_core` in the user's crate.
    pub(super) krate: Krate,
    /// What `#[component(..)]` declares.
    pub(super) options: Options,
    pub(super) vis: Visibility,
    pub(super) name: Ident,
    /// The doc comments, which the struct and its constant get.
    pub(super) docs: Vec<Attribute>,
    /// What the struct is to derive.
    pub(super) derives: Vec<Attribute>,
    /// All other attributes, which the function keeps.
    pub(super) attrs: Vec<Attribute>,
    /// The generics of the struct, with the lifetime that the props' types left out.
    pub(super) generics: Generics,
    /// The generics of the function: those of the struct, and a lifetime for what is passed in,
    /// where it has none of the props to share.
    pub(super) function_generics: Generics,
    /// The arguments that a caller gives, in their order.
    pub(super) props: Vec<Prop>,
    /// The arguments that are passed in from what surrounds the call, in their order.
    pub(super) ambient: Vec<Ambient>,
    /// The type of the argument `scope`, which is passed in as well, if the function has one.
    pub(super) scope: Option<Type>,
    pub(super) output: Output,
    /// The statements of the function.
    pub(super) body: Vec<Stmt>,
}

/// An argument that is passed in from what surrounds the call: `#[prop(ambient)]`.
pub(super) struct Ambient {
    /// Its name, type, docs and default, as a prop has them.
    pub(super) prop: Prop,
    /// The type that the value is found by: `T` of `T`, `&T`, `Option<T>` and `Option<&T>`.
    pub(super) key: Type,
    /// Whether it is taken as a reference, or else as a clone.
    pub(super) by_reference: bool,
    /// Whether it is taken as an option, which is `None` where nothing provides one.
    pub(super) optional: bool,
    /// Whether a value can be found by its type. If not, this has been reported.
    pub(super) findable: bool,
}

/// What the function returns.
pub(super) enum Output {
    /// An element, with its lifetime written in.
    Element(Box<Type>),
    /// Anything else, which has been reported.
    Other(ReturnType),
}

impl Component {
    /// The prop that is an ambient value for all that is rendered below.
    pub(super) fn provided(&self) -> Option<&Prop> {
        self.props.iter().find(|prop| prop.provide)
    }

    /// The types of all arguments but `scope`.
    pub(super) fn argument_types(&self) -> impl Iterator<Item = &Type> {
        let ambient = self.ambient.iter().map(|argument| &argument.prop);
        self.props.iter().chain(ambient).map(|prop| &prop.ty)
    }
}
