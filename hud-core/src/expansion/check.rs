//! The check of a tag's props, which the compiler evaluates.

use super::name::{contains, distance, equal, nth};
use super::text::Text;
use crate::component::{PropMeta, TagMeta};

/// The check of one tag's props, which the compiler evaluates. It panics at the first prop that
/// does not exist, or at the tag where a required one is missing, and says all that is wrong.
#[derive(Clone, Copy)]
pub struct Check {
    tag: &'static TagMeta,
    /// The names, with a space between two.
    given: &'static str,
    /// Whether what is not named may be given elsewhere: by `{..props}`, or by what could not be read.
    open: bool,
    /// Whether nothing is wrong: no name is looked at then.
    fine: bool,
}

impl Check {
    /// A check of these names, given with their marks. `children` among them
    /// is what is between the tags.
    pub const fn new(
        tag: &'static TagMeta,
        given: &'static str,
        marks: [u128; 3],
        open: bool,
    ) -> Self {
        Self {
            tag,
            given,
            open,
            fine: tag.marks.fit(marks, open),
        }
    }

    /// Whether a name is among those that are given.
    const fn gives(&self, name: &str) -> bool {
        let mut index = 0;
        loop {
            let given = nth(self.given, index);
            if given.is_empty() || equal(given, name) {
                return !given.is_empty();
            }
            index += 1;
        }
    }

    const fn lacks(&self, prop: &PropMeta) -> bool {
        prop.required && !self.open && !self.gives(prop.name)
    }

    /// All that is wrong.
    const fn message(&self) -> Text {
        let mut text = Text::new();
        // Props that were probably meant by a misspelt one are not reported as missing as well.
        let mut meant: [&str; 16] = [""; 16];
        let mut index = 0;
        while !nth(self.given, index).is_empty() {
            let name = nth(self.given, index);
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
            if distance < least && !self.gives(prop) {
                least = distance;
                nearest = prop;
            }
            index += 1;
        }
        nearest
    }
}

/// The check again, or a panic if the tag has no prop of the name at `index` in what is given.
#[track_caller]
#[allow(
    clippy::panic,
    reason = "evaluated by the compiler only: the macros call it in a constant"
)]
pub const fn known(check: Check, index: usize) -> Check {
    if !check.fine && !check.tag.takes(nth(check.given, index)) {
        panic!("{}", check.message().as_str());
    }
    check
}

/// True, or a panic if a required prop is missing.
#[track_caller]
#[allow(
    clippy::panic,
    reason = "evaluated by the compiler only: the macros call it in a constant"
)]
pub const fn complete(check: Check) -> bool {
    let mut index = 0;
    while !check.fine && index < check.tag.props.len() {
        if check.lacks(&check.tag.props[index]) {
            panic!("{}", check.message().as_str());
        }
        index += 1;
    }
    true
}

/// The parameter of a builder whose props were checked. What the check has found is reported, and the
/// parameter is then no type, so that rustc does not report a method that the builder lacks, too.
pub struct Checked<const FINE: bool>;

/// The names of a tag's props as numbers, which the compiler compares sooner than texts: a name sets
/// one bit in each of three numbers, by its hash.
///
/// A name that the tag does not have is missed if all of its bits are set by others. It has no method
/// in the builder then, which rustc reports. A required one is never missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marks {
    /// Of all names that the tag takes.
    pub known: [u128; 3],
    /// Of those that it requires.
    pub required: [u128; 3],
    /// Whether each required name sets a bit that no other name of the tag sets.
    pub certain: bool,
}

impl Marks {
    /// No marks: texts are compared.
    pub const NONE: Self = Self {
        known: [0; 3],
        required: [0; 3],
        certain: false,
    };

    /// Whether a tag is known to have the given names and to lack none, unless it is `open` for others.
    const fn fit(&self, given: [u128; 3], open: bool) -> bool {
        let [known_a, known_b, known_c] = self.known;
        let [required_a, required_b, required_c] = self.required;
        let [a, b, c] = given;
        let unknown = (a & !known_a) | (b & !known_b) | (c & !known_c);
        let missing = (required_a & !a) | (required_b & !b) | (required_c & !c);
        self.certain && unknown == 0 && (open || missing == 0)
    }
}

impl TagMeta {
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
pub fn given<T>(value: Option<T>) -> T {
    value.unwrap_or_else(checked)
}

/// What is never called.
///
/// # Panics
///
/// It was called by hand.
#[cold]
#[allow(
    clippy::unreachable,
    reason = "a call without the prop does not compile"
)]
pub fn checked<T>() -> T {
    unreachable!("a required prop is not given")
}
