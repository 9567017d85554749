//! The check that a tag is given what it needs, which the compiler evaluates.

use super::name::{contains, distance, equal, nth};
use super::text::Text;
use crate::component::{PropMeta, TagKind, TagMeta};

/// What one tag is given, and the tag.
#[derive(Clone, Copy)]
struct Check {
    tag: &'static TagMeta,
    /// The names, with a space between two.
    given: &'static str,
    /// Whether what is not named may be given elsewhere: by `{..props}`, or by what could not be read.
    open: bool,
}

impl Check {
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

    /// All that is wrong, or nothing where it is reported at the name itself: a name that the tag does not have has no
    /// place in its builder, and that of an ambient value has one that takes nothing.
    ///
    /// As many unknown names as missing props are probably the same props: then the unknown names are reported, where they are.
    const fn message(&self) -> Text {
        let mut text = Text::new();
        let mut only_unknown = true;
        let mut unlike = 0;
        // Props that were probably meant by a misspelt one are not reported as missing as well.
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

    /// True if at most so many props are missing, and children are not.
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

    /// Says which required props are missing, and whether any is.
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

/// True, or a panic that says what is wrong with what a tag is given: these names, which have these marks. `children`
/// among them is what is between the tags. Whether what is not named may be given elsewhere, it is `open`.
///
/// # Panics
///
/// Something is wrong. The compiler evaluates it, and reports that.
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

/// True, or a panic with the reason why a tag has no prop of this name, for names of which rustc does not know it.
///
/// # Panics
///
/// The tag has none. The compiler evaluates it, and reports that.
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

/// True for the name of an ambient value of a tag.
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

/// The description of a helper of another library, for where no component has its name.
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

/// True, or a panic with the code to write instead of a [helper of another library](HELPER).
///
/// # Panics
///
/// The tag is that. The compiler evaluates it, and reports that.
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

/// Props without docs by their names and types, and whether they are required: in fewer tokens than the structs take,
/// which is what there is most of in a component.
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

/// The same with docs, which are behind the types.
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

/// What a tag's factory takes once the tag was checked. What the check has found is reported, and this is then no
/// type, nor is the builder, so that rustc does not report what it lacks, too.
pub struct Checked<const FINE: bool>;

/// The names of a tag's props as numbers, which the compiler compares sooner than texts: a name sets
/// one bit in each of three numbers, by its hash.
///
/// A name that the tag does not have is missed if all of its bits are set by others: rustc reports it, since the
/// builder has no place for it. A required one is never missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marks {
    /// Of all names that the tag takes.
    pub known: [u128; 3],
    /// Of those that it requires.
    pub required: [u128; 3],
}

impl Marks {
    /// No marks, of a tag whose names can not be told apart by them: texts are compared.
    pub const NONE: Self = Self {
        known: [0; 3],
        required: [u128::MAX; 3],
    };

    /// Whether a tag is known to have the given names and to lack none, unless it is `open` for others.
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

/// The value of a prop that [`complete`] has found to be given.
///
/// # Panics
///
/// The builder was called by hand, past the check.
pub(super) fn given<T>(value: Option<T>) -> T {
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
