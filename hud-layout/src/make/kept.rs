//! What is made of states that every layout is tried on: [`element`].

use std::cell::RefCell;
use std::sync::Arc;

use hud_core::Element;

/// How many elements are kept: as many as a few layouts make of these states, whose texts are shared.
const MOST: usize = 256;

/// An element, with the tag and the props as JSON that it was made of.
struct Kept {
    tag: &'static str,
    props: Vec<(String, Arc<str>)>,
    element: Element<'static>,
}

impl Kept {
    fn is(&self, tag: &str, props: &[(&str, Arc<str>)]) -> bool {
        let own = self.props.iter().map(|(name, json)| (&**name, json));
        let given = props.iter().map(|(name, json)| (*name, json));
        self.tag == tag && own.eq(given)
    }
}

thread_local! {
    static KEPT: RefCell<Vec<Kept>> = const { RefCell::new(Vec::new()) };
}

/// The element of a built-in tag with these props, which is made when it is first asked for: large parts of the same
/// states are read from their JSON once, and not for each layout that is tried.
pub(super) fn element<E>(
    tag: &'static str,
    props: &[(&str, Arc<str>)],
    make: impl FnOnce() -> Result<Element<'static>, E>,
) -> Result<Element<'static>, E> {
    let find = |kept: &RefCell<Vec<Kept>>| {
        let kept = kept.borrow();
        let found = kept.iter().find(|kept| kept.is(tag, props));
        found.map(|kept| kept.element.clone())
    };
    if let Some(known) = KEPT.with(find) {
        return Ok(known);
    }
    let element = make()?;
    KEPT.with_borrow_mut(|kept| {
        if kept.len() < MOST {
            let props = props
                .iter()
                .map(|(name, json)| ((*name).to_owned(), Arc::clone(json)));
            kept.push(Kept {
                tag,
                props: props.collect(),
                element: element.clone(),
            });
        }
    });
    Ok(element)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use hud_core::{Density, render};

    use super::*;

    #[test]
    fn an_element_is_made_once_of_the_same_props_and_anew_of_others() {
        let shown = |json: &str, made: Result<&'static str, ()>| {
            let props = [("words", Arc::from(json))];
            let element = element("Kept", &props, || made.map(Element::text));
            element.map(|element| render(&element, Density::Full).unwrap())
        };
        assert_eq!(shown("1", Err(())), Err(()), "what fails is not kept");
        assert_eq!(shown("1", Ok("one")).unwrap(), "one\n");
        assert_eq!(shown("1", Ok("other")).unwrap(), "one\n");
        assert_eq!(shown("2", Ok("two")).unwrap(), "two\n");
    }
}
