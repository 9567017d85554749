//! The check of a tag's props, which the compiler evaluates.

use super::name::{contains, distance, equal};
use super::text::Text;
use crate::component::{PropMeta, TagMeta};

/// The check of one tag's props, which the compiler evaluates. It panics at the first prop that
/// does not exist, or at the tag where a required one is missing, and says all that is wrong.
pub struct Check<const N: usize> {
    tag: &'static TagMeta,
    /// The names, with a space between two.
    given: &'static str,
    /// Whether `{..props}` gives what is not named.
    spread: bool,
    /// Whether nothing is wrong: no name is looked at then.
    fine: bool,
}

impl<const N: usize> Check<N> {
    /// A check of these names, given with their keys. `children` among them
    /// is what is between the tags.
    pub const fn new(
        tag: &'static TagMeta,
        given: &'static str,
        keys: [u64; N],
        spread: bool,
    ) -> Self {
        Self {
            tag,
            given,
            spread,
            fine: tag.fits(&keys, spread),
        }
    }

    /// Panics if the tag has no prop of the name at `index` in what is given.
    #[track_caller]
    #[allow(
        clippy::panic,
        reason = "evaluated by the compiler only: the macros call it in a `const`"
    )]
    pub const fn known(&self, index: usize) {
        if !self.fine && !self.tag.takes(self.names()[index]) {
            panic!("{}", self.message().as_str());
        }
    }

    /// Panics if a required prop is missing.
    #[track_caller]
    #[allow(
        clippy::panic,
        reason = "evaluated by the compiler only: the macros call it in a `const`"
    )]
    pub const fn complete(&self) {
        let mut index = 0;
        while !self.fine && index < self.tag.props.len() {
            if self.lacks(&self.tag.props[index]) {
                panic!("{}", self.message().as_str());
            }
            index += 1;
        }
    }

    const fn names(&self) -> [&'static str; N] {
        let mut names = [""; N];
        let mut rest = self.given;
        let mut index = 0;
        while index < N {
            let mut end = 0;
            while end < rest.len() && rest.as_bytes()[end] != b' ' {
                end += 1;
            }
            names[index] = rest.split_at(end).0;
            rest = rest
                .split_at(if end < rest.len() { end + 1 } else { end })
                .1;
            index += 1;
        }
        names
    }

    const fn lacks(&self, prop: &PropMeta) -> bool {
        prop.required && !self.spread && !contains(&self.names(), prop.name)
    }

    /// All that is wrong.
    const fn message(&self) -> Text {
        let mut text = Text::new();
        // Props that were probably meant by a misspelt one are not reported as missing as well.
        let mut meant: [&str; 16] = [""; 16];
        let mut index = 0;
        while index < N {
            let name = self.names()[index];
            if !self.tag.takes(name) {
                let nearest = self.unknown(&mut text, name);
                if index < meant.len() {
                    meant[index] = nearest;
                }
            }
            index += 1;
        }
        self.missing(&mut text, &meant);
        text
    }

    /// Says that there is no prop `name`, and gives the name that was probably meant.
    const fn unknown(&self, text: &mut Text, name: &str) -> &'static str {
        text.begin(&["`<", self.tag.name, ">` "]);
        if equal(name, "children") {
            text.push(&["takes no children"]);
            if !self.tag.props.is_empty() {
                text.push(&[", only props: "]);
                self.list(text);
            }
            return "";
        }
        text.push(&["has no prop `", name, "`"]);
        let mut index = 0;
        while index < self.tag.ambient.len() {
            if equal(self.tag.ambient[index].name, name) {
                text.push(&[": it is ambient, so write `<Provide value={..}>` around the tag"]);
                return "";
            }
            index += 1;
        }
        if equal(name, "key") {
            text.push(&[": nothing is compared with what was shown before, so remove it"]);
            return "";
        }
        let nearest = self.nearest(name);
        if !nearest.is_empty() {
            text.push(&[": did you mean `", nearest, "`?"]);
        } else if self.tag.props.is_empty() {
            text.push(&[": it takes none"]);
        } else {
            text.push(&[": it takes "]);
            self.list(text);
        }
        nearest
    }

    const fn missing(&self, text: &mut Text, meant: &[&str]) {
        let props = self.tag.props;
        let mut missing = 0;
        let mut index = 0;
        while index < props.len() {
            let prop = &props[index];
            index += 1;
            if !self.lacks(prop) || contains(meant, prop.name) {
                continue;
            }
            if equal(prop.name, "children") {
                text.begin(&[
                    "`<",
                    self.tag.name,
                    ">` needs children: write them between `<",
                    self.tag.name,
                    ">` and `</",
                    self.tag.name,
                    ">`",
                ]);
                missing = 0;
                continue;
            }
            if missing == 0 {
                text.begin(&["`<", self.tag.name, ">` lacks the required prop "]);
            } else {
                text.push(&[", and "]);
            }
            text.push(&["`", prop.name, "` of type `", prop.ty, "`"]);
            missing += 1;
        }
    }

    /// The names of the tag's props.
    const fn list(&self, text: &mut Text) {
        let props = self.tag.props;
        let mut index = 0;
        while index < props.len() {
            let between = if index == 0 {
                ""
            } else if index + 1 == props.len() {
                " and "
            } else {
                ", "
            };
            text.push(&[between, "`", props[index].name, "`"]);
            index += 1;
        }
    }

    /// The prop that is most like `name`, if one is.
    const fn nearest(&self, name: &str) -> &'static str {
        let mut nearest = "";
        // One slip in three letters, as rustc has it.
        let mut least = if name.len() < 3 {
            2
        } else {
            name.len() / 3 + 1
        };
        let mut index = 0;
        while index < self.tag.props.len() {
            let prop = self.tag.props[index].name;
            let distance = distance(name.as_bytes(), prop.as_bytes());
            // A given prop is not what was meant by another.
            if distance < least && !contains(&self.names(), prop) {
                least = distance;
                nearest = prop;
            }
            index += 1;
        }
        nearest
    }
}

/// The key of `children`.
const CHILDREN: u64 = 0x6b72_5d06_8c3c_f2b2;

impl TagMeta {
    /// Whether the tag has a prop for each of these keys, and each prop that it requires is among
    /// them, unless `spread` gives it.
    const fn fits(&self, keys: &[u64], spread: bool) -> bool {
        let mut missing = 0;
        let mut prop = 0;
        while !spread && prop < self.props.len() {
            missing += self.props[prop].required as usize;
            prop += 1;
        }
        let mut key = 0;
        while key < keys.len() {
            let mut prop = 0;
            while prop < self.props.len() && self.props[prop].key != keys[key] {
                prop += 1;
            }
            if prop < self.props.len() {
                // The parser lets no prop be given twice.
                missing -= (!spread && self.props[prop].required) as usize;
            } else if keys[key] != CHILDREN || !self.children {
                return false;
            }
            key += 1;
        }
        missing == 0
    }

    /// Whether the tag has this prop.
    const fn takes(&self, name: &str) -> bool {
        if self.children && equal(name, "children") {
            return true;
        }
        let mut index = 0;
        while index < self.props.len() {
            if equal(self.props[index].name, name) {
                return true;
            }
            index += 1;
        }
        false
    }
}

/// The value of a prop that [`Check`] has found to be given.
///
/// # Panics
///
/// The builder was called by hand, past the check.
#[cold]
#[allow(
    clippy::unreachable,
    reason = "a call without the prop does not compile"
)]
pub fn checked<T>() -> T {
    unreachable!("a required prop is not given")
}
