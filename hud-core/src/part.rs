//! The parts of a layout: what is shown at a density of its own, or left out.
//!
//! A layout says what may be shown, in which order. Its *parts* are the calls in it of components
//! that say so of themselves, with `#[component(layer = static)]` for example, and whatever is between
//! the tags of [`Part`](crate::node::Part). [`Renderer::parts`](crate::Renderer::parts) asks for the
//! density of each, and writes what was chosen:
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
//! # What is a part
//!
//! - The call of a component with a layer, or another of the facts below, in its `#[component(..)]`.
//! - A [`Part`](crate::node::Part), which makes one of anything. Around a single such call it has the
//!   facts of that call, but for those that it is given itself.
//! - What a layout shows besides: a part without a name, dynamic, and of the usual worth.
//!
//! Calls of other components are looked through, and so are fragments, [`Parts`] and [`Beside`].
//! What is within a part belongs to it: a part within a part is not one of its own, and neither is a
//! part within any other node, such as a `Section`, which is a whole.
//!
//! # What is written
//!
//! Blocks are written as blocks, and lines as lines. Neighbours that are no more than a piece of a line
//! (text and marks, without a paragraph around them) share one, those that are worth most first; within
//! [`Beside`], neighbours that are one line do so, too. A part that shows nothing leaves nothing behind.
//!
//! Behind a part that is the [`heading`](PartMeta::heading) of the rest and has a heading, sections are
//! one level deeper.
//!
//! A layout within [`Parts`] is written so by [`render()`](crate::render()), too, with all parts at
//! the ambient density.
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

/// Parts by how often they change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layer {
    /// The same bytes until an event of its own changes it: a provider's prompt cache survives it.
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

/// What a part says of itself.
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
    /// What it is named by. Empty for what a layout shows outside of its parts. The same component
    /// called twice gives two parts of one name.
    pub name: Cow<'static, str>,
    /// How often it changes.
    pub layer: Layer,
    /// What it is worth beside the others, from 0 to 255.
    pub worth: u8,
    /// The least density at which it has to be there. Without one it may be left out. In a
    /// [fit](crate::fit) that does not hold all that has to be there, it is there with the first characters
    /// of what it says then.
    pub floor: Option<Density>,
    /// How many items it lists at most, where it lists any: see [`Cap`].
    pub cap: Option<u32>,
    /// Whether it has the heading that the parts behind it are under.
    pub heading: bool,
}

impl PartMeta {
    /// What a part is worth that does not say so.
    pub const WORTH: u8 = 5;

    /// What is known of a part that says nothing of itself.
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

    /// The density of this part where `density` is asked for: no less than its floor.
    #[must_use]
    pub fn at(&self, density: Density) -> Density {
        self.floor.map_or(density, |floor| floor.max(density))
    }
}

/// How many items of a list are shown at most. Without a cap, all of them.
///
/// It is an [ambient value](crate::ambient): a component that lists items reads it, and finds what its
/// own `#[component(cap = 10)]` says, unless something around it says otherwise.
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
    /// How many of so many are shown.
    pub fn of(self, count: usize) -> usize {
        usize::try_from(self.0).map_or(count, |cap| cap.min(count))
    }
}

/// What a reader calls to see all of a part that shows some of what it has; empty where there is nothing to
/// call.
///
/// It is an [ambient value](crate::ambient), which a component that lists some of its items names behind
/// how many the others are. The [`Arrangement`] says what it is for each part.
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
    /// What is called.
    pub name: String,
    /// The same in as few words as its reader understands; empty where there is no room for it.
    pub brief: String,
}

impl<T: Into<String>> From<T> for Handle {
    fn from(name: T) -> Self {
        let name = name.into();
        let brief = name.clone();
        Self { name, brief }
    }
}

/// What its reader changes of a layout, by the names of its parts. Names that no part has change
/// nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrangement {
    /// The parts that are not shown.
    pub off: BTreeSet<String>,
    /// Numbers by which parts are ordered, lowest first; that of the others is 0, and those with the same
    /// one are in the layout's order. What is within one [`Beside`](crate::node::Beside) stays there, and
    /// a part that has the heading stays in front of what is under it.
    pub order: BTreeMap<String, i32>,
    /// How many items parts list at most, in place of their own caps.
    pub caps: BTreeMap<String, u32>,
    /// What the reader calls to see all of a part: its [`Handle`].
    pub handles: Handles,
}

/// What a reader calls to see all of each part, by the names of the parts. It is shared, as it is the same
/// for all that a reader is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Handles(Arc<BTreeMap<String, Handle>>);

impl Handles {
    /// That of a part, if it has one.
    pub fn of(&self, part: &str) -> Option<&Handle> {
        self.0.get(part)
    }

    /// Sets that of a part.
    pub fn insert(&mut self, part: String, handle: impl Into<Handle>) {
        Arc::make_mut(&mut self.0).insert(part, handle.into());
    }

    /// The same without their brief names.
    pub(crate) fn without_briefs(&self) -> Self {
        let mut others = self.clone();
        for handle in Arc::make_mut(&mut others.0).values_mut() {
            handle.brief.clear();
        }
        others
    }

    /// Adds those of others for parts that have none here.
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

/// A layout as markdown, with the parts that were chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rendered {
    /// The text. It ends with a line ending unless it is empty.
    pub markdown: String,
    /// The parts that were chosen, in their order. What one of them says may be nothing.
    pub parts: Vec<RenderedPart>,
}

impl Rendered {
    /// The markdown under the first heading of a title, up to the next one that is not under it: what a test of a
    /// layout looks at.
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
    /// What it says of itself.
    pub part: PartMeta,
    /// How much it says.
    pub density: Density,
    /// The error that it is left out for, if the renderer has
    /// [error boundaries](crate::Renderer::with_error_boundaries): a line in its place shows it.
    pub error: Option<LowerError>,
}

/// The line in the place of a part that cannot be lowered.
pub(crate) fn left_out(part: &PartMeta, error: &LowerError) -> String {
    match &*part.name {
        "" => format!("Left out: {error}"),
        name => format!("{name} is left out: {error}"),
    }
}

/// How much a part says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Amount {
    pub(crate) density: Density,
    /// How many items it lists at most, where that is fewer than it would.
    pub(crate) items: Option<u32>,
    /// After how many characters it is cut, if it is.
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
    /// The cap that a part has at this amount, if it is another than it has by itself.
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

/// What is done with the parts of a layout, in their order.
pub(crate) trait Visitor<T: Target> {
    /// A part, where the walk is; `asked` is the density that the layout gives it, if it does.
    fn part(
        &mut self,
        part: PartMeta,
        asked: Option<Density>,
        element: &Element<'_>,
        lower: &Lower<'_, T>,
    ) -> Result<(), LowerError>;

    /// Something that is in no part.
    fn besides(&mut self, element: &Element<'_>, lower: &Lower<'_, T>) -> Result<(), LowerError>;

    /// An element around parts that cannot be walked.
    fn failed(&mut self, error: LowerError) -> Result<(), LowerError>;

    /// The beginning of a call of a component that is no part.
    fn begin_call(&mut self) {}

    /// The end of that call.
    fn end_call(&mut self) {}

    /// The beginning of [`Beside`](crate::node::Beside).
    fn begin_beside(&mut self, separator: &str);

    /// Its end.
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
