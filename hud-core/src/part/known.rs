//! Parts that are not made again.

use std::cell::RefCell;
use std::sync::Arc;

use super::{Amount, Arrangement, Cap, Handle, PartMeta};
use crate::density::Density;
use crate::mdast::Made;

/// What was made of the parts of a layout, so that a part is not rendered, written and counted again while what it
/// shows is the same. Only who gave the layout its data can know that, and [forgets](Self::forget) the parts of which
/// it is not.
///
/// It is for one layout, one renderer, one counter, and scopes with the same ambient values.
///
/// ```
/// use hud_core::node::{Part, Section};
/// use hud_core::part::{Arrangement, Known};
/// use hud_core::{Density, Renderer, Scope, rsx};
///
/// let mut known = Known::default();
/// let show = |soup: &str, known: &Known| {
///     let layout = rsx! { <Part name="soup"><Section title="Soup">{soup}</Section></Part> };
///     let (arrangement, mut all) = (Arrangement::default(), |_: &_| Some(Density::Full));
///     let renderer = Renderer::builtin().parts_known(&layout, Scope::default(), &arrangement, known, &mut all);
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
pub struct Known {
    /// By where the parts are in the layout.
    parts: RefCell<Vec<Option<KnownPart>>>,
}

#[derive(Clone, Debug)]
struct KnownPart {
    part: PartMeta,
    made: Vec<(Way, Arc<Made>)>,
}

/// What a part was made by, besides what it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Way {
    density: Density,
    chars: Option<u32>,
    cap: Option<Cap>,
    handle: Option<Handle>,
    place: Place,
}

/// Where a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// How many parts of the layout are before it.
    pub(crate) nth: usize,
    /// The level of its sections.
    pub(crate) level: u8,
    /// Whether it can share a line though it is a block.
    pub(crate) is_beside: bool,
}

impl Known {
    /// Forgets the parts with these names.
    pub fn forget(&mut self, mut is_other: impl FnMut(&str) -> bool) {
        for known in self.parts.get_mut() {
            known.take_if(|known| is_other(&known.part.name));
        }
    }

    /// A part in an amount, as it is known or as it is made now.
    pub(crate) fn made<E>(
        &self,
        part: &PartMeta,
        amount: Amount,
        place: Place,
        arrangement: &Arrangement,
        make: impl FnOnce() -> Result<Made, E>,
    ) -> Result<Arc<Made>, E> {
        let handle = arrangement.handles.of(&part.name);
        let cap = amount.cap(part, arrangement);
        let is_it = |(way, _): &&(Way, Arc<Made>)| {
            (way.density, way.chars, way.cap, way.place)
                == (amount.density, amount.chars, cap, place)
                && way.handle.as_ref() == handle
        };
        if let Some(Some(known)) = self.parts.borrow().get(place.nth)
            && known.part == *part
            && let Some((_, made)) = known.made.iter().find(is_it)
        {
            return Ok(Arc::clone(made));
        }
        // Nothing is borrowed meanwhile: what is made may be anybody's code.
        let made = Arc::new(make()?);
        let way = Way {
            density: amount.density,
            chars: amount.chars,
            cap,
            handle: handle.cloned(),
            place,
        };
        let mut parts = self.parts.borrow_mut();
        if parts.len() <= place.nth {
            parts.resize_with(place.nth + 1, || None);
        }
        if let Some(entry) = parts.get_mut(place.nth) {
            entry.take_if(|known| known.part != *part);
            let known = entry.get_or_insert_with(|| KnownPart {
                part: part.clone(),
                made: Vec::new(),
            });
            known.made.push((way, Arc::clone(&made)));
        }
        Ok(made)
    }
}
