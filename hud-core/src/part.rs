//! The parts of a layout: elements that are shown at a density of their own, or left out.
//!
//! A layout declares its content and the order of it. Its *parts* are the calls of components that
//! are declared as parts, for example with `#[component(layer = static)]`, and the children of
//! [`Part`](crate::node::Part). [`Renderer::parts`](crate::Renderer::parts) asks for the density of
//! each part, and renders those that were chosen:
//!
//! ```
//! use hud_core::node::{Item, List, Section};
//! use hud_core::part::{Arrangement, Layer};
//! use hud_core::{Density, Element, Renderer, Scope, component, rsx};
//!
//! /// What the guests get. It is printed once, before anybody comes.
//! #[component(layer = static)]
//! fn Menu<'a>(courses: &'a [&'a str], density: Density) -> Element<'a> {
//!     match density {
//!         Density::Full => rsx! {
//!             <Section title="Menu">
//!                 <List>for course in courses { <Item>{course}</Item> }</List>
//!             </Section>
//!         },
//!         _ => rsx! { {courses.len()} " courses" },
//!     }
//! }
//!
//! /// Who is here by now.
//! #[component(layer = dynamic)]
//! fn Guests<'a>(names: &'a [&'a str], density: Density) -> Element<'a> {
//!     match density {
//!         Density::Full => rsx! { <Section title="Guests">{names.join(", ")}</Section> },
//!         _ => rsx! { {names.len()} " guests" },
//!     }
//! }
//!
//! let party = rsx! { <Menu courses={&["soup", "cake"]} /> <Guests names={&["Ada"]} /> };
//! let shown = |choose: fn(Layer) -> Option<Density>| {
//!     let parts = Renderer::builtin().parts(
//!         &party,
//!         Scope::default(),
//!         &Arrangement::default(),
//!         &mut |part| choose(part.layer),
//!     );
//!     parts.map(|parts| parts.markdown)
//! };
//! // The printed card.
//! assert_eq!(
//!     shown(|layer| (layer == Layer::Static).then_some(Density::Full))?,
//!     "# Menu\n\n- soup\n- cake\n"
//! );
//! // A line for the cook.
//! assert_eq!(shown(|_| Some(Density::Minimal))?, "2 courses │ 1 guests\n");
//! # Ok::<(), hud_core::LowerError>(())
//! ```
//!
//! # Parts of a layout
//!
//! - The call of a component with a layer, or with another of the facts below, in its
//!   `#[component(..)]`.
//! - A [`Part`](crate::node::Part), which makes a part of any elements. Around a single such call
//!   it inherits the facts of that call and overrides those that it sets.
//! - All other content of a layout. It is a part without a name, dynamic, and of the default
//!   priority.
//!
//! Parts are found within calls of other components, fragments, [`Parts`] and [`Beside`].
//! Everything within a part belongs to it, so a nested part is not a part of the layout. Any other
//! node, such as a `Section`, is kept whole: a part within it is not a part of the layout either.
//!
//! # What is written
//!
//! Blocks are written as blocks, and lines as lines. Adjacent pieces of a line (text and marks,
//! without a paragraph around them) share a line, those of the highest priority first. Within
//! [`Beside`], adjacent single lines share a line, too. A part without output leaves no trace.
//!
//! After a part with [`heading`](PartMeta::heading) whose output begins with a heading, sections
//! are one level deeper.
//!
//! [`render()`](crate::render()) writes a layout within [`Parts`] in the same way, with all parts
//! at the density of the scope.
//!
//! [`Parts`]: crate::node::Parts
//! [`Beside`]: crate::node::Beside

mod cache;
mod gather;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use cache::PartCache;
pub(crate) use cache::{Kept, Place};
pub(crate) use gather::{Gathered, Gatherer};

use crate::density::Density;
use crate::element::Element;
use crate::gfm;
use crate::registry::{Lower, LowerError, Target};

/// The layer of a part: how often it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layer {
    /// Keeps the same bytes until one of its own events changes it, so a provider's prompt cache
    /// stays valid.
    Static,
    /// Changes from turn to turn.
    Dynamic,
}

impl Layer {
    /// The layer's name in lower case: `static` or `dynamic`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Dynamic => "dynamic",
        }
    }
}

impl std::fmt::Display for Layer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// The facts of a part.
///
/// | fact | at a component | by default |
/// | --- | --- | --- |
/// | [`name`](Self::name) | `part = "menu"` | the component's name |
/// | [`layer`](Self::layer) | `layer = static`, `layer = dynamic` | dynamic |
/// | [`worth`](Self::worth) | `worth = 8` | [`WORTH`](Self::WORTH) |
/// | [`floor`](Self::floor) | `floor = minimal` | none |
/// | [`cap`](Self::cap) | `cap = 10` | none |
/// | [`heading`](Self::heading) | `heading` | no |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartMeta {
    /// The name. It is empty for content outside of all parts. Two calls of the same component are
    /// two parts with the same name.
    pub name: Cow<'static, str>,
    /// The layer.
    pub layer: Layer,
    /// The priority among the parts, from 0 to 255.
    pub worth: u8,
    /// The least density of a part that must be shown. A part without a floor may be left out. If a
    /// [fit](crate::fit) has no room for all required parts, each shows only its first characters.
    pub floor: Option<Density>,
    /// The maximum number of items that it lists: see [`Cap`].
    pub cap: Option<u32>,
    /// True if it has the heading that the parts after it are under.
    pub heading: bool,
}

impl PartMeta {
    /// The default priority.
    pub const WORTH: u8 = 5;

    /// The facts of content outside of all parts.
    pub const fn unnamed() -> Self {
        Self {
            name: Cow::Borrowed(""),
            layer: Layer::Dynamic,
            worth: Self::WORTH,
            floor: None,
            cap: None,
            heading: false,
        }
    }

    /// The density of this part for a requested density: at least its floor.
    #[must_use]
    pub fn at(&self, density: Density) -> Density {
        self.floor.map_or(density, |floor| floor.max(density))
    }
}

/// The maximum number of items of a list that are shown. Without a cap, all are shown.
///
/// It is a [context value](crate::ambient) that a component with a list reads. It is the value of
/// the component's own `#[component(cap = 10)]`, unless an outer element provides another.
///
/// ```
/// use hud_core::part::Cap;
/// use hud_core::{Density, Element, Provide, component, render, rsx};
///
/// #[component(cap = 2)]
/// fn Guests<'a>(names: &'a [&'a str], #[prop(ambient)] cap: Cap) -> Element<'a> {
///     rsx! { {names[..cap.of(names.len())].join(", ")} }
/// }
///
/// let guests = rsx! { <Guests names={&["Ada", "Grace", "Edsger"]} /> };
/// assert_eq!(render(&guests, Density::Full)?, "Ada, Grace\n");
/// let one = rsx! { <Provide value={&Cap(1)}>{&guests}</Provide> };
/// assert_eq!(render(&one, Density::Full)?, "Ada\n");
/// # Ok::<(), hud_core::LowerError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cap(pub u32);

/// No cap.
impl Default for Cap {
    fn default() -> Self {
        Self(u32::MAX)
    }
}

impl Cap {
    /// The number of items that are shown of `count` items.
    pub fn of(self, count: usize) -> usize {
        usize::try_from(self.0).map_or(count, |cap| cap.min(count))
    }
}

/// The operation that a reader calls to see all of a shortened part. It is empty if there is none.
///
/// It is a [context value](crate::ambient). A component that shortens a list shows it after the
/// number of hidden items. The [`Arrangement`] sets it for each part.
///
/// ```
/// use hud_core::part::{Arrangement, Handle};
/// use hud_core::{Density, Element, Renderer, Scope, component, rsx};
///
/// #[component(part = "guests")]
/// fn Guests(#[prop(ambient)] handle: Handle) -> Element {
///     rsx! { "Ada, 2 more: " {handle.name} }
/// }
///
/// let mut arrangement = Arrangement::default();
/// arrangement.handles.insert("guests".to_owned(), "guests.list");
/// let shown = Renderer::builtin().parts(
///     &rsx! { <Guests /> },
///     Scope::default(),
///     &arrangement,
///     &mut |_| Some(Density::Full),
/// )?;
/// assert_eq!(shown.markdown, "Ada, 2 more: guests.list\n");
/// # Ok::<(), hud_core::LowerError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Handle {
    /// The name of the operation.
    pub name: String,
    /// A shorter form that the reader also understands. It is empty if there is no room for it.
    pub brief: String,
}

impl<T: Into<String>> From<T> for Handle {
    fn from(name: T) -> Self {
        let name = name.into();
        let brief = name.clone();
        Self { name, brief }
    }
}

/// The reader's changes to a layout, by the names of its parts. Unknown names have no effect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrangement {
    /// The parts that are hidden.
    pub off: BTreeSet<String>,
    /// Sort keys of parts, lowest first. The default is 0, and parts with equal keys keep the
    /// layout's order. The children of a [`Beside`](crate::node::Beside) stay together, and a part
    /// with the heading stays before the parts under it.
    pub order: BTreeMap<String, i32>,
    /// The maximum numbers of items that parts list. They override the caps of the parts.
    pub caps: BTreeMap<String, u32>,
    /// The [`Handle`] of each part.
    pub handles: Handles,
}

/// The [`Handle`] of each part, by the part's name. The map is shared, as it is the same for
/// everything that a reader is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Handles(Arc<BTreeMap<String, Handle>>);

impl Handles {
    /// The handle of a part.
    pub fn of(&self, part: &str) -> Option<&Handle> {
        self.0.get(part)
    }

    /// Sets the handle of a part.
    pub fn insert(&mut self, part: String, handle: impl Into<Handle>) {
        Arc::make_mut(&mut self.0).insert(part, handle.into());
    }

    /// A copy without the brief names.
    pub(crate) fn without_briefs(&self) -> Self {
        let mut others = self.clone();
        for handle in Arc::make_mut(&mut others.0).values_mut() {
            handle.brief.clear();
        }
        others
    }

    /// Adds the handles of `others` for parts that have none yet.
    pub fn add(&mut self, others: &Self) {
        if Arc::ptr_eq(&self.0, &others.0) {
            return;
        }
        let all = Arc::make_mut(&mut self.0);
        for (part, handle) in &*others.0 {
            all.entry(part.clone()).or_insert_with(|| handle.clone());
        }
    }
}

/// A layout as markdown, with its chosen parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rendered {
    /// The text. It is empty or ends with a line ending.
    pub markdown: String,
    /// The chosen parts, in their order. Some may have no output.
    pub parts: Vec<RenderedPart>,
}

impl Rendered {
    /// The markdown under the first heading with this title, up to the next heading that is not
    /// below it. Tests of a layout compare it.
    ///
    /// ```
    /// use hud_core::node::Section;
    /// use hud_core::part::Arrangement;
    /// use hud_core::{Density, Renderer, Scope, rsx};
    ///
    /// let layout = rsx! {
    ///     <Section title="Tests">"2 failed"</Section>
    ///     <Section title="Build">"passed"</Section>
    /// };
    /// let (arrangement, mut all) = (Arrangement::default(), |_: &_| Some(Density::Full));
    /// let rendered = Renderer::builtin().parts(&layout, Scope::default(), &arrangement, &mut all)?;
    /// assert_eq!(rendered.section("Tests"), Some("2 failed"));
    /// assert_eq!(rendered.section("Deploy"), None);
    /// # Ok::<(), hud_core::LowerError>(())
    /// ```
    pub fn section(&self, title: &str) -> Option<&str> {
        gfm::section(&self.markdown, title)
    }
}

/// The text.
impl std::fmt::Display for Rendered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.markdown)
    }
}

/// A part of a rendered layout.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RenderedPart {
    /// The facts of the part.
    pub part: PartMeta,
    /// The density of the part.
    pub density: Density,
    /// The error that the part is left out for, if the renderer has [error
    /// boundaries](crate::Renderer::with_error_boundaries). A line in its place shows it.
    pub error: Option<LowerError>,
}

/// The line that replaces a part that cannot be lowered.
pub(crate) fn left_out(part: &PartMeta, error: &LowerError) -> String {
    match &*part.name {
        "" => format!("Left out: {error}"),
        name => format!("{name} is left out: {error}"),
    }
}

/// The amount of detail of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Amount {
    pub(crate) density: Density,
    /// The maximum number of items that it lists, if it lists fewer than it would.
    pub(crate) items: Option<u32>,
    /// The maximum number of characters, if it is cut.
    pub(crate) chars: Option<u32>,
}

impl From<Density> for Amount {
    fn from(density: Density) -> Self {
        let (items, chars) = (None, None);
        Self {
            density,
            items,
            chars,
        }
    }
}

impl Amount {
    /// The cap of a part at this amount, if it differs from the part's own cap.
    pub(crate) fn cap(&self, part: &PartMeta, arrangement: &Arrangement) -> Option<Cap> {
        let arranged = arrangement.caps.get(&*part.name).copied();
        match self.items {
            None => arranged.map(Cap),
            Some(items) => {
                let own = arranged.or(part.cap);
                Some(Cap(own.map_or(items, |cap| cap.min(items))))
            }
        }
    }
}

/// The visitor of the parts of a layout, in their order.
pub(crate) trait Visitor<T: Target> {
    /// Visits a part. `asked` is the density that the layout sets for it, if it sets one.
    fn part(
        &mut self,
        part: PartMeta,
        asked: Option<Density>,
        element: &Element<'_>,
        lower: &Lower<'_, T>,
    ) -> Result<(), LowerError>;

    /// Visits content that is in no part.
    fn besides(&mut self, element: &Element<'_>, lower: &Lower<'_, T>) -> Result<(), LowerError>;

    /// Visits an element around parts that cannot be walked.
    fn failed(&mut self, error: LowerError) -> Result<(), LowerError>;

    /// Enters a call of a component that is no part.
    fn begin_call(&mut self) {}

    /// Leaves that call.
    fn end_call(&mut self) {}

    /// Enters a [`Beside`](crate::node::Beside).
    fn begin_beside(&mut self, separator: &str);

    /// Leaves it.
    fn end_beside(&mut self);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_floor_lifts_what_is_asked_for_and_a_cap_counts() {
        let part = PartMeta {
            floor: Some(Density::Compact),
            ..PartMeta::unnamed()
        };
        let at = Density::ALL.map(|density| part.at(density));
        assert_eq!(at, [Density::Full, Density::Compact, Density::Compact]);
        assert_eq!(PartMeta::unnamed().at(Density::Minimal), Density::Minimal);
        assert_eq!([Cap(3).of(2), Cap(3).of(4), Cap(0).of(4)], [2, 3, 0]);
        assert_eq!(Cap::default().of(7), 7);
    }
}
