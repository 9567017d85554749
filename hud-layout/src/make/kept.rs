//! Cache of the elements for the states that layouts are tried on: [`Kept`].

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use hud_core::Element;

/// The maximum number of cached elements. It is enough for the elements that a few layouts make of shared states.
const MOST: usize = 256;

/// An element, with its tag and its props as JSON.
struct Made {
    tag: &'static str,
    props: Vec<(String, Arc<str>)>,
    element: Element<'static>,
}

impl Made {
    fn is(&self, tag: &str, props: &[(&str, Arc<str>)]) -> bool {
        let own = self.props.iter().map(|(name, json)| (&**name, json));
        let given = props.iter().map(|(name, json)| (*name, json));
        self.tag == tag && own.eq(given)
    }
}

/// The elements of built-in tags that were made from the JSON of states. Large parts of a state are deserialized
/// once, and not each time that a layout is tried.
#[derive(Clone, Default)]
pub(crate) struct Kept(Rc<RefCell<Vec<Made>>>);

thread_local! {
    static KNOWN: Kept = Kept::default();
}

impl Kept {
    /// Returns the cache for the states that every layout is tried on.
    pub(crate) fn known() -> Self {
        KNOWN.with(Self::clone)
    }

    /// The element of a tag with these props. It is made on the first call.
    pub(super) fn element<E>(
        &self,
        tag: &'static str,
        props: &[(&str, Arc<str>)],
        make: impl FnOnce() -> Result<Element<'static>, E>,
    ) -> Result<Element<'static>, E> {
        let find = |made: &[Made]| {
            let found = made.iter().find(|made| made.is(tag, props));
            found.map(|made| made.element.clone())
        };
        if let Some(known) = find(&self.0.borrow()) {
            return Ok(known);
        }
        let element = make()?;
        let mut made = self.0.borrow_mut();
        if made.len() < MOST {
            let props = props
                .iter()
                .map(|(name, json)| ((*name).to_owned(), Arc::clone(json)));
            made.push(Made {
                tag,
                props: props.collect(),
                element: element.clone(),
            });
        }
        Ok(element)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use hud_core::{Density, render};

    use super::*;

    #[test]
    fn an_element_is_made_once_of_the_same_props_and_anew_of_others() {
        let kept = Kept::default();
        let shown = |json: &str, made: Result<&'static str, ()>| {
            let props = [("words", Arc::from(json))];
            let element = kept.element("Kept", &props, || made.map(Element::text));
            element.map(|element| render(&element, Density::Full).unwrap())
        };
        assert_eq!(shown("1", Err(())), Err(()), "what fails is not kept");
        assert_eq!(shown("1", Ok("one")).unwrap(), "one\n");
        assert_eq!(shown("1", Ok("other")).unwrap(), "one\n");
        assert_eq!(shown("2", Ok("two")).unwrap(), "two\n");
    }
}
