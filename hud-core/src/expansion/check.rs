//! The check that a tag has the props that it needs. The compiler evaluates it.

use super::name::{contains, distance, equal, nth};
use super::text::Text;
use crate::component::{PropMeta, TagKind, TagMeta};

/// A tag and the names of the props that it is given.
#[derive(Clone, Copy)]
struct Check {
    tag: &'static TagMeta,
    /// The given names, separated by spaces.
    given: &'static str,
    /// True if further props may be given, by `{..props}` or by input that could not be parsed.
    open: bool,
}

impl Check {
    /// True if a name is among the given ones.
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

    /// The errors of the tag. It is empty if the compiler reports all of them at the names
    /// themselves: an unknown name has no place in the builder, and the place of a context value
    /// accepts no value.
    ///
    /// If at most as many props are missing as there are unknown names that resemble no prop, these
    /// are probably other names for them. Then only the unknown names are reported.
    const fn message(&self) -> Text {
        let mut text = Text::new();
        let mut only_unknown = true;
        let mut unlike = 0;
        // Props that a misspelt name probably refers to. They are not reported as missing, too.
        let mut meant: [&str; 16] = [""; 16];
        let mut index = 0;
        while !nth(self.given, index).is_empty() {
            let name = nth(self.given, index);
            if !self.tag.takes(name) {
                only_unknown = only_unknown && !equal(name, "children");
                let nearest = self.unknown(&mut text, name);
                if index < meant.len() {
                    meant[index] = nearest;
                }
                if nearest.is_empty() && !surrounds(self.tag, name) {
                    unlike += 1;
                }
            }
            index += 1;
        }
        if only_unknown && unlike > 0 && self.lacks_at_most(unlike, &meant) {
            return Text::new();
        }
        if self.missing(&mut text, &meant) || !only_unknown {
            text
        } else {
            Text::new()
        }
    }

    /// True if at most `most` props are missing, and `children` is not missing.
    const fn lacks_at_most(&self, most: usize, meant: &[&str]) -> bool {
        let mut lacking = 0;
        let mut index = 0;
        while index < self.tag.props.len() {
            let prop = &self.tag.props[index];
            if self.lacks(prop) && !contains(meant, prop.name) {
                if equal(prop.name, "children") {
                    return false;
                }
                lacking += 1;
            }
            index += 1;
        }
        lacking <= most
    }

    /// Adds the error that there is no prop `name`, and returns the name that was probably meant.
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
        if surrounds(self.tag, name) {
            text.push(&[": it is ambient, so write `<Provide value={..}>` around the tag"]);
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

    /// Adds the required props that are missing, and returns true if there are any.
    const fn missing(&self, text: &mut Text, meant: &[&str]) -> bool {
        let props = self.tag.props;
        let mut any = false;
        let mut missing = 0;
        let mut index = 0;
        while index < props.len() {
            let prop = &props[index];
            index += 1;
            if !self.lacks(prop) || contains(meant, prop.name) {
                continue;
            }
            any = true;
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
        any
    }

    /// Adds the names of the tag's props.
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

    /// The prop most similar to `name`, or an empty string if none is similar.
    const fn nearest(&self, name: &str) -> &'static str {
        let mut nearest = "";
        // One edit for every three letters, as in rustc.
        let mut least = if name.len() < 3 {
            2
        } else {
            name.len() / 3 + 1
        };
        let mut index = 0;
        while index < self.tag.props.len() {
            let prop = self.tag.props[index].name;
            let distance = distance(name.as_bytes(), prop.as_bytes());
            // A prop that is given already was not meant by another name.
            if distance < least && !self.gives(prop) {
                least = distance;
                nearest = prop;
            }
            index += 1;
        }
        nearest
    }
}

/// Returns true, or panics with a message about all errors of a tag. `given` has the names of the
/// props, and the numbers are their marks. `children` among the names stands for the content
/// between the tags. `open` is true if further props may be given elsewhere.
///
/// # Panics
///
/// If the tag has an error. The compiler evaluates the call and reports the panic.
#[track_caller]
#[allow(
    clippy::panic,
    reason = "evaluated by the compiler only: the macros call it in a constant"
)]
pub const fn complete(
    tag: &'static TagMeta,
    a: u128,
    b: u128,
    c: u128,
    given: &'static str,
    open: bool,
) -> bool {
    if !tag.marks.fit([a, b, c], open) {
        let message = Check { tag, given, open }.message();
        if !message.as_str().is_empty() {
            panic!("{}", message.as_str());
        }
    }
    true
}

/// Returns true, or panics with the reason that a tag has no prop of this name. For names whose
/// reason rustc does not know.
///
/// # Panics
///
/// If the tag has no such prop. The compiler evaluates the call and reports the panic.
#[track_caller]
#[allow(
    clippy::panic,
    reason = "evaluated by the compiler only: the macros call it in a constant"
)]
pub const fn takes(tag: &'static TagMeta, name: &str, reason: &str) -> bool {
    if !tag.takes(name) && !surrounds(tag, name) {
        let mut text = Text::new();
        text.begin(&["`<", tag.name, ">` has no prop `", name, "`: ", reason]);
        panic!("{}", text.as_str());
    }
    true
}

/// True if a name is that of a context value of the tag.
const fn surrounds(tag: &TagMeta, name: &str) -> bool {
    let mut index = 0;
    while index < tag.ambient.len() {
        if equal(tag.ambient[index].name, name) {
            return true;
        }
        index += 1;
    }
    false
}

/// The description of a helper of another library. It is used if no component has the helper's
/// name.
pub const HELPER: &TagMeta = &TagMeta {
    name: "",
    kind: TagKind::Component,
    docs: "",
    props: &[],
    ambient: &[],
    children: true,
    part: None,
    marks: Marks::NONE,
};

/// Returns true, or panics with the code to write instead of a [helper of another library](HELPER).
///
/// # Panics
///
/// If the tag is such a helper. The compiler evaluates the call and reports the panic.
#[track_caller]
#[allow(
    clippy::panic,
    reason = "evaluated by the compiler only: the macros call it in a constant"
)]
pub const fn exists(tag: &'static TagMeta, instead: &str) -> bool {
    if tag.name.is_empty() {
        let mut text = Text::new();
        text.begin(&["no component of this module has this name: ", instead]);
        panic!("{}", text.as_str());
    }
    true
}

/// Props without docs, from their names, types and whether they are required. The macros emit this
/// form because it has fewer tokens than the structs, and props are the largest part of a
/// component.
pub const fn props<const N: usize>(of: [(&'static str, &'static str, bool); N]) -> [PropMeta; N] {
    let mut props = [("", "", "", false); N];
    let mut index = 0;
    while index < N {
        let (name, ty, required) = of[index];
        props[index] = (name, ty, "", required);
        index += 1;
    }
    documented(props)
}

/// Props with docs. Each tuple has the docs after the type.
pub const fn documented<const N: usize>(
    of: [(&'static str, &'static str, &'static str, bool); N],
) -> [PropMeta; N] {
    let nothing = PropMeta {
        name: "",
        ty: "",
        docs: "",
        required: false,
    };
    let mut props = [nothing; N];
    let mut index = 0;
    while index < N {
        let (name, ty, docs, required) = of[index];
        props[index] = PropMeta {
            name,
            ty,
            docs,
            required,
        };
        index += 1;
    }
    props
}

/// The parameter of a tag's factory after the check. If the check failed, neither this type nor the
/// builder exists. So rustc does not report the missing builder methods, too.
pub struct Checked<const FINE: bool>;

/// The names of a tag's props as bit sets, which the compiler compares faster than strings. A name
/// sets one bit in each of three numbers, by its hash.
///
/// An unknown name is not found if other names set all of its bits. rustc still reports it, since
/// the builder has no place for it. A missing required prop is always found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marks {
    /// The bits of all names that the tag accepts.
    pub known: [u128; 3],
    /// The bits of the required names.
    pub required: [u128; 3],
}

impl Marks {
    /// No marks, for a tag whose names collide. Strings are compared instead.
    pub const NONE: Self = Self {
        known: [0; 3],
        required: [u128::MAX; 3],
    };

    /// True if the tag certainly accepts the given names and no required name is missing. If `open`,
    /// required names may be missing.
    const fn fit(&self, given: [u128; 3], open: bool) -> bool {
        let [known_a, known_b, known_c] = self.known;
        let [required_a, required_b, required_c] = self.required;
        let [a, b, c] = given;
        let unknown = (a & !known_a) | (b & !known_b) | (c & !known_c);
        let missing = (required_a & !a) | (required_b & !b) | (required_c & !c);
        unknown == 0 && (open || missing == 0)
    }
}

impl TagMeta {
    /// True if the tag has this prop.
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

/// The value of a prop that [`complete`] has checked to be given.
///
/// # Panics
///
/// If the builder was called manually, without the check.
pub(super) fn given<T>(value: Option<T>) -> T {
    value.unwrap_or_else(checked)
}

/// A function that is never called.
///
/// # Panics
///
/// If it was called manually.
#[cold]
#[allow(
    clippy::unreachable,
    reason = "a call without the prop does not compile"
)]
pub fn checked<T>() -> T {
    unreachable!("a required prop is not given")
}
