//! The scope that a component is rendered in: the density, and values of any type.
//!
//! A *context value* is a value that many components read and that the components in between need
//! not pass on, such as a theme or a language. [`Provide`] sets it for everything that is rendered
//! between its tags. An argument with `#[prop(ambient)]` reads it:
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
//! A value is found by its type, and the innermost one wins. So wrap a string or a number in a new
//! type. Components read nothing else from their surroundings, so rendering stays pure.
//!
//! | argument | without a provided value |
//! | --- | --- |
//! | `#[prop(ambient)] theme: &Theme` | `Theme::default()`, made once; a type without it does not compile |
//! | `#[prop(ambient, default = Theme::dark())] theme: &Theme` | the expression, evaluated once |
//! | `#[prop(ambient)] theme: Option<&Theme>` | `None` |
//! | `theme: Theme`, `theme: Option<Theme>` | the same, with a clone of the value |
//!
//! A shared default, such as that of `&Theme`, is `Send` and `Sync`.
//!
//! # Owned values
//!
//! A value that a component creates cannot be lent to elements that outlive it. Share it instead:
//! `<Provide value={Rc::new(theme)}>`. It is found as a `Theme`, too. A prop of any component can
//! also be provided to everything that the component renders:
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
//! # In rules and without a tag
//!
//! A node's rule reads the value from the walk: `walk.scope().ambient::<Theme>()`.
//! [`Scope::provide`] adds a value to the [`Scope`] that a whole tree is rendered in.

use std::any::Any;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use crate::density::Density;
use crate::element::{Children, Element};

/// The density and the context values that a component is rendered with.
#[derive(Clone, Copy, Default)]
pub struct Scope<'s> {
    density: Density,
    ambient: Option<&'s Provided<'s>>,
}

/// A scope with one more context value than its outer scope.
pub struct Provided<'s> {
    value: &'s dyn Any,
    outer: Scope<'s>,
}

impl<'s> Scope<'s> {
    /// A scope of this density, without context values.
    pub const fn new(density: Density) -> Self {
        Self {
            density,
            ambient: None,
        }
    }

    /// The density of the scope.
    pub const fn density(self) -> Density {
        self.density
    }

    /// The same scope at another density.
    #[must_use]
    pub const fn with_density(self, density: Density) -> Self {
        Self { density, ..self }
    }

    /// The innermost context value of a type, or `None` without one.
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

    /// This scope with one more context value. It hides an outer value of the same type.
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

/// A context value, lent or shared. It is the type of a prop with `#[prop(provide)]` that accepts
/// values of any type.
#[derive(Clone)]
pub struct Ambient<'a>(Held<'a>);

#[derive(Clone)]
enum Held<'a> {
    Lent(&'a dyn Any),
    Rc(Rc<dyn Any>),
    Arc(Arc<dyn Any + Send + Sync>),
}

impl Ambient<'_> {
    /// The value. It is found by its type.
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

/// The values that [`Provide`] accepts: a reference, or a value in an `Rc` or an `Arc`.
#[diagnostic::on_unimplemented(
    message = "an ambient value is lent or shared, and `{Self}` is neither",
    label = "write `{{&value}}`, or `{{Rc::new(value)}}` where the value does not live long enough"
)]
pub trait IntoAmbient<'a> {
    /// Converts this value to a context value.
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
    /// The elements that can read it.
    children: Children<'a>,
) -> Element<'a> {
    let _ = value;
    children
}
