//! What surrounds a component when it is rendered: the density, and values of any type.
//!
//! A theme, a language, a width: what many components read and none of those in between wants to
//! pass on is an *ambient value*. [`Provide`] gives it to all that is rendered between its tags, and
//! an argument with `#[prop(ambient)]` reads it:
//!
//! ```
//! use hud_core::{Density, Element, Provide, component, render, rsx};
//!
//! /// How things look.
//! struct Theme {
//!     done: &'static str,
//! }
//!
//! impl Default for Theme {
//!     fn default() -> Self {
//!         Self { done: "done" }
//!     }
//! }
//!
//! #[component]
//! fn Step<'a>(name: &'a str, #[prop(ambient)] theme: &Theme) -> Element<'a> {
//!     rsx! { {name} ": " {theme.done} }
//! }
//!
//! let theme = Theme { done: "✓" };
//! let layout = rsx! {
//!     <Step name="read" /> ", "
//!     <Provide value={&theme}><Step name="write" /></Provide>
//! };
//! assert_eq!(render(&layout, Density::Full)?, "read: done, write: ✓\n");
//! # Ok::<(), hud_core::LowerError>(())
//! ```
//!
//! A value is found by its type, and the innermost one counts; so a text or a number gets a type of
//! its own. Nothing else is looked at: rendering stays pure.
//!
//! | argument | where nothing provides a value |
//! | --- | --- |
//! | `#[prop(ambient)] theme: &Theme` | `Theme::default()`, made once; a type without it does not compile |
//! | `#[prop(ambient, default = Theme::dark())] theme: &Theme` | the expression, evaluated once |
//! | `#[prop(ambient)] theme: Option<&Theme>` | `None` |
//! | `theme: Theme`, `theme: Option<Theme>` | the same, with a clone of the value |
//!
//! A default that is shared, as that of `&Theme`, is `Send` and `Sync`.
//!
//! # Values that are not lent
//!
//! What a component makes itself can not be lent to elements that outlive it. It is shared:
//! `<Provide value={Rc::new(theme)}>`, which is found as a `Theme` as well. And a prop of any
//! component can be provided to all that it renders:
//!
//! ```
//! use hud_core::{Children, Density, Element, component, render, rsx};
//!
//! #[derive(Clone, Copy, Default)]
//! struct Language {
//!     german: bool,
//! }
//!
//! #[component]
//! fn German<'a>(
//!     #[prop(provide, default = Language { german: true })] language: Language,
//!     children: Children<'a>,
//! ) -> Element<'a> {
//!     let _ = language;
//!     children
//! }
//!
//! #[component]
//! fn Yes(#[prop(ambient)] language: Language) -> Element {
//!     rsx! { if language.german { "ja" } else { "yes" } }
//! }
//!
//! let layout = rsx! { <Yes /> ", " <German><Yes /></German> };
//! assert_eq!(render(&layout, Density::Full)?, "yes, ja\n");
//! # Ok::<(), hud_core::LowerError>(())
//! ```
//!
//! # In rules, and without a tag
//!
//! A node's rule asks the walk: `walk.scope().ambient::<Theme>()`. What is provided for a whole
//! tree can be put into the [`Scope`] that it is rendered in, with [`Scope::provide`].

use std::any::Any;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use crate::density::Density;
use crate::element::{Children, Element};

/// What surrounds a component when it is rendered.
#[derive(Clone, Copy, Default)]
pub struct Scope<'s> {
    density: Density,
    ambient: Option<&'s Provided<'s>>,
}

/// A scope with one more ambient value than the scope that it was made of.
pub struct Provided<'s> {
    value: &'s dyn Any,
    outer: Scope<'s>,
}

impl<'s> Scope<'s> {
    /// A scope of this density, without ambient values.
    pub const fn new(density: Density) -> Self {
        Self {
            density,
            ambient: None,
        }
    }

    /// The ambient density.
    pub const fn density(self) -> Density {
        self.density
    }

    /// The same scope at another density.
    #[must_use]
    pub const fn with_density(self, density: Density) -> Self {
        Self { density, ..self }
    }

    /// The ambient value of a type: that of the innermost place that provides one. None if none
    /// does.
    pub fn ambient<T: Any>(self) -> Option<&'s T> {
        let mut next = self.ambient;
        while let Some(provided) = next {
            if let Some(value) = provided.value.downcast_ref() {
                return Some(value);
            }
            next = provided.outer.ambient;
        }
        None
    }

    /// This scope with an ambient value, which hides one of the same type.
    ///
    /// ```
    /// use hud_core::{Element, Renderer, Scope, component, rsx};
    ///
    /// struct Width(usize);
    ///
    /// #[component]
    /// fn Rule(#[prop(ambient, default = Width(3))] width: &Width) -> Element {
    ///     rsx! { {"–".repeat(width.0)} }
    /// }
    ///
    /// let provided = Scope::default().provide(&Width(5));
    /// let line = Renderer::default().markdown(&rsx! { <Rule /> }, provided.scope())?;
    /// assert_eq!(line, "–––––\n");
    /// # Ok::<(), hud_core::LowerError>(())
    /// ```
    pub const fn provide(self, value: &'s dyn Any) -> Provided<'s> {
        Provided { value, outer: self }
    }
}

impl fmt::Debug for Scope<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = std::iter::successors(self.ambient, |provided| provided.outer.ambient);
        f.debug_struct("Scope")
            .field("density", &self.density)
            .field("ambient", &values.count())
            .finish()
    }
}

impl Provided<'_> {
    /// The scope that has the value.
    pub const fn scope(&self) -> Scope<'_> {
        Scope {
            density: self.outer.density,
            ambient: Some(self),
        }
    }
}

/// An ambient value, lent or shared: the type of a prop with `#[prop(provide)]` that takes values of
/// any type.
#[derive(Clone)]
pub struct Ambient<'a>(Held<'a>);

#[derive(Clone)]
enum Held<'a> {
    Lent(&'a dyn Any),
    Rc(Rc<dyn Any>),
    Arc(Arc<dyn Any + Send + Sync>),
}

impl Ambient<'_> {
    /// The value, by whose type it is found.
    pub fn as_any(&self) -> &dyn Any {
        match &self.0 {
            Held::Lent(value) => *value,
            Held::Rc(value) => &**value,
            Held::Arc(value) => &**value,
        }
    }
}

impl fmt::Debug for Ambient<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Ambient(..)")
    }
}

/// What [`Provide`] takes: a reference to a value, or a value in an `Rc` or an `Arc`.
#[diagnostic::on_unimplemented(
    message = "an ambient value is lent or shared, and `{Self}` is neither",
    label = "write `{{&value}}`, or `{{Rc::new(value)}}` where the value does not live long enough"
)]
pub trait IntoAmbient<'a> {
    /// The value as an ambient one.
    fn into_ambient(self) -> Ambient<'a>;
}

impl<'a> IntoAmbient<'a> for Ambient<'a> {
    fn into_ambient(self) -> Self {
        self
    }
}

impl<'a, T: Any> IntoAmbient<'a> for &'a T {
    fn into_ambient(self) -> Ambient<'a> {
        Ambient(Held::Lent(self))
    }
}

impl<'a, T: Any> IntoAmbient<'a> for Rc<T> {
    fn into_ambient(self) -> Ambient<'a> {
        Ambient(Held::Rc(self))
    }
}

impl<'a, T: Any + Send + Sync> IntoAmbient<'a> for Arc<T> {
    fn into_ambient(self) -> Ambient<'a> {
        Ambient(Held::Arc(self))
    }
}

/// Gives an [ambient value](self) to all that is rendered between its tags.
#[hud_core::component]
pub fn Provide<'a>(
    /// The value, lent or shared: `{&theme}`, `{Rc::new(theme)}`.
    #[prop(provide)]
    value: Ambient<'a>,
    /// What may read it.
    children: Children<'a>,
) -> Element<'a> {
    let _ = value;
    children
}
