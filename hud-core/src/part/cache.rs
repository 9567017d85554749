//! The cache of a layout's parts.

use std::cell::RefCell;
use std::sync::Arc;

use super::{Amount, Arrangement, Cap, Handle, PartMeta};
use crate::density::Density;
use crate::mdast::Made;

/// A cache of the parts of a layout. Cached parts are not rendered, serialized and counted again.
/// Only the code that passes data to the layout knows which parts have changed, and
/// [forgets](Self::forget) them.
///
/// Use it for one layout, one renderer, one counter, and scopes with the same context values.
///
/// ```
/// use hud_core::node::{Part, Section};
/// use hud_core::part::{Arrangement, PartCache};
/// use hud_core::{Density, Renderer, Scope, rsx};
///
/// let mut known = PartCache::default();
/// let show = |soup: &str, known: &PartCache| {
///     let layout = rsx! { <Part name="soup"><Section title="Soup">{soup}</Section></Part> };
///     let (arrangement, mut all) = (Arrangement::default(), |_: &_| Some(Density::Full));
///     let renderer = Renderer::builtin().parts_cached(&layout, Scope::default(), &arrangement, known, &mut all);
///     renderer.map(|rendered| rendered.markdown)
/// };
/// assert_eq!(show("tomato", &known)?, "# Soup\n\ntomato\n");
/// // Nobody said that it is another one.
/// assert_eq!(show("leek", &known)?, "# Soup\n\ntomato\n");
/// known.forget(|part| part == "soup");
/// assert_eq!(show("leek", &known)?, "# Soup\n\nleek\n");
/// # Ok::<(), hud_core::LowerError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PartCache {
    /// Parts by their position in the layout.
    parts: RefCell<Vec<Option<CachedPart>>>,
}

#[derive(Clone, Debug)]
struct CachedPart {
    part: PartMeta,
    kept: Vec<(Way, Kept)>,
}

/// The cached result for a part at an amount.
#[derive(Clone, Debug)]
pub(crate) enum Kept {
    Made(Arc<Made>),
    /// Only the text, which is the same at every place. Its nodes were never built.
    Text {
        text: Arc<str>,
        /// The level of its first heading, if it begins with one.
        heading: Option<u8>,
    },
}

/// The inputs that a part was rendered with, in addition to its data.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Way {
    density: Density,
    chars: Option<u32>,
    cap: Option<Cap>,
    handle: Option<Handle>,
    place: Place,
}

/// The place of a part in the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The number of parts before it.
    pub(crate) nth: usize,
    /// The level of its sections.
    pub(crate) level: u8,
    /// True if it can share a line although it is a block.
    pub(crate) is_beside: bool,
}

impl PartCache {
    /// Drops the parts whose names `is_other` accepts.
    pub fn forget(&mut self, mut is_other: impl FnMut(&str) -> bool) {
        for known in self.parts.get_mut() {
            known.take_if(|known| is_other(&known.part.name));
        }
    }

    /// Returns a part at an amount from the cache, or makes it and caches it.
    pub(crate) fn made<E>(
        &self,
        part: &PartMeta,
        amount: Amount,
        place: Place,
        arrangement: &Arrangement,
        make: impl FnOnce() -> Result<Made, E>,
    ) -> Result<Arc<Made>, E> {
        let made = |kept: &Kept| match kept {
            Kept::Made(made) => Some(Arc::clone(made)),
            Kept::Text { .. } => None,
        };
        if let Some(made) = self.kept(part, amount, place, arrangement, made) {
            return Ok(made);
        }
        let made = Arc::new(make()?);
        let kept = Kept::Made(Arc::clone(&made));
        self.keep(part, amount, place, arrangement, kept);
        Ok(made)
    }

    /// Returns the first cached result for a part at an amount that `choose` accepts.
    pub(crate) fn kept<K>(
        &self,
        part: &PartMeta,
        amount: Amount,
        place: Place,
        arrangement: &Arrangement,
        choose: impl Fn(&Kept) -> Option<K>,
    ) -> Option<K> {
        let parts = self.parts.borrow();
        let known = parts.get(place.nth)?.as_ref()?;
        if known.part != *part {
            return None;
        }
        let handle = arrangement.handles.of(&part.name);
        let cap = amount.cap(part, arrangement);
        let is_it = |way: &Way| {
            (way.density, way.chars, way.cap, way.place)
                == (amount.density, amount.chars, cap, place)
                && way.handle.as_ref() == handle
        };
        let mut kept = known.kept.iter().filter(|(way, _)| is_it(way));
        kept.find_map(|(_, kept)| choose(kept))
    }

    /// Caches the result for a part at an amount.
    pub(crate) fn keep(
        &self,
        part: &PartMeta,
        amount: Amount,
        place: Place,
        arrangement: &Arrangement,
        kept: Kept,
    ) {
        let way = Way {
            density: amount.density,
            chars: amount.chars,
            cap: amount.cap(part, arrangement),
            handle: arrangement.handles.of(&part.name).cloned(),
            place,
        };
        let mut parts = self.parts.borrow_mut();
        if parts.len() <= place.nth {
            parts.resize_with(place.nth + 1, || None);
        }
        if let Some(entry) = parts.get_mut(place.nth) {
            entry.take_if(|known| known.part != *part);
            let known = entry.get_or_insert_with(|| CachedPart {
                part: part.clone(),
                kept: Vec::new(),
            });
            known.kept.push((way, kept));
        }
    }
}
