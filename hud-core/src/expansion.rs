//! What the macros' expansions call. Not for users: it changes with the macros.

mod value;

use std::rc::Rc;
use std::sync::Arc;

pub use value::{AsDebug, AsOpaque, AsValue, PropRef};

use crate::component::{PropMeta, TagMeta};

/// What a prop of type `Option<T>` is given: the value or the option.
#[diagnostic::on_unimplemented(
    message = "expected `{T}` or `Option<{T}>`, found `{Self}`",
    label = "a value of another type than the prop"
)]
pub trait IntoOptional<T> {
    /// The prop's value.
    fn into_optional(self) -> Option<T>;
}

impl<T> IntoOptional<T> for T {
    fn into_optional(self) -> Option<T> {
        Some(self)
    }
}

impl<T> IntoOptional<T> for Option<T> {
    fn into_optional(self) -> Self {
        self
    }
}

/// What a prop with `#[prop(into)]` is given.
#[diagnostic::on_unimplemented(
    message = "expected what turns into `{T}`, found `{Self}`",
    label = "`{T}` is not `From<{Self}>`"
)]
pub trait IntoProp<T> {
    /// The prop's value.
    fn into_prop(self) -> T;
}

#[diagnostic::do_not_recommend]
impl<T, U: Into<T>> IntoProp<T> for U {
    fn into_prop(self) -> T {
        self.into()
    }
}

/// What a component can be called with again.
#[diagnostic::on_unimplemented(
    message = "a prop is cloned, and `{Self}` cannot be",
    label = "`{Self}` is not `Clone`",
    note = "a component is called again for each density that is rendered: derive `Clone`, borrow \
            the value (`&'a T`), or share it (`Rc<T>`, `Rc<dyn Fn(..)>`)"
)]
pub trait Again: Clone {}

#[diagnostic::do_not_recommend]
impl<T: Clone> Again for T {}

/// A prop's value for one more call.
#[inline]
pub fn again<T: Again>(value: &T) -> T {
    value.clone()
}

/// What has a default where nothing provides an ambient value.
#[diagnostic::on_unimplemented(
    message = "there may be no ambient `{Self}`, and it has no default",
    label = "`{Self}` is not `Default`",
    note = "write `#[prop(ambient, default = ..)]`, implement `Default`, or take an `Option`"
)]
pub trait AmbientDefault: Default {}

#[diagnostic::do_not_recommend]
impl<T: Default> AmbientDefault for T {}

/// The ambient value where nothing provides one.
pub fn ambient_default<T: AmbientDefault>() -> T {
    T::default()
}

/// Two values of a prop that is shared: equal if they are, or, where the type has no equality, if
/// they are in the same place.
pub struct Same<'v, T>(pub &'v T);

impl<T: PartialEq> Same<'_, T> {
    /// Whether the values are equal. Where this does not apply, [`SamePlace::same`] does.
    pub fn same(&self, other: &T) -> bool {
        self.0 == other
    }
}

/// See [`Same`].
pub trait SamePlace<T> {
    /// Whether they are in the same place.
    fn same(&self, other: &T) -> bool;
}

impl<T: ?Sized> SamePlace<Rc<T>> for Same<'_, Rc<T>> {
    fn same(&self, other: &Rc<T>) -> bool {
        Rc::ptr_eq(self.0, other)
    }
}

impl<T: ?Sized> SamePlace<Arc<T>> for Same<'_, Arc<T>> {
    fn same(&self, other: &Arc<T>) -> bool {
        Arc::ptr_eq(self.0, other)
    }
}

impl<T> SamePlace<Option<T>> for Same<'_, Option<T>>
where
    for<'v> Same<'v, T>: SamePlace<T>,
{
    fn same(&self, other: &Option<T>) -> bool {
        match (self.0, other) {
            (Some(this), Some(that)) => SamePlace::same(&Same(this), that),
            (this, that) => this.is_none() && that.is_none(),
        }
    }
}

/// Whether a type's values change from turn to turn. A type says so with a constant of its own
/// that has this name, which goes before this one.
pub trait EachTurn {
    /// It does not say so.
    const CHANGES_EACH_TURN: bool = false;
}

impl<T: ?Sized> EachTurn for T {}

/// Panics with `message` if a type of which a component of the static layer has props changes.
#[track_caller]
#[allow(
    clippy::panic,
    reason = "evaluated by the compiler only: the macros call it in a `const`"
)]
pub const fn steady(changes: bool, message: &str) {
    if changes {
        panic!("{}", message);
    }
}

/// A prop's value in the `Debug` of its component: its own `Debug`, or `..` where it has none.
pub struct Shown<'v, T: ?Sized>(pub &'v T);

impl<T: std::fmt::Debug> Shown<'_, T> {
    /// The value itself. Where this does not apply, [`Hidden::shown`] does.
    pub fn shown(&self) -> &dyn std::fmt::Debug {
        self.0
    }
}

/// See [`Shown`].
pub trait Hidden {
    /// Two dots.
    fn shown(&self) -> &dyn std::fmt::Debug {
        &Dots
    }
}

struct Dots;

impl std::fmt::Debug for Dots {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("..")
    }
}

impl<T: ?Sized> Hidden for Shown<'_, T> {}

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

/// The check of one tag's props, which the compiler evaluates. It panics at the first prop that
/// does not exist, or at the tag where a required one is missing, and tells all that is wrong.
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
    /// A check of these names, given with the keys that stand for them. `children` among them
    /// stands for what is between the tags.
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
        // Props that a misspelt one probably stands for are not told to be missing as well.
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

    /// Tells that there is no prop `name`, and gives the name that was probably meant.
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
                // The parser lets no prop stand twice.
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

/// Text that is put together while a constant is evaluated. What is too long is cut.
struct Text {
    bytes: [u8; 1024],
    len: usize,
}

impl Text {
    const fn new() -> Self {
        Self {
            bytes: [0; 1024],
            len: 0,
        }
    }

    /// Begins another mistake.
    const fn begin(&mut self, words: &[&str]) {
        if self.len > 0 {
            self.push(&["; "]);
        }
        self.push(words);
    }

    const fn push(&mut self, words: &[&str]) {
        let mut word = 0;
        while word < words.len() {
            let bytes = words[word].as_bytes();
            // Whole words only, so that no character is cut in two.
            if self.len + bytes.len() <= self.bytes.len() {
                let mut index = 0;
                while index < bytes.len() {
                    self.bytes[self.len] = bytes[index];
                    self.len += 1;
                    index += 1;
                }
            }
            word += 1;
        }
    }

    const fn as_str(&self) -> &str {
        match std::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}

const fn contains(names: &[&str], name: &str) -> bool {
    let mut index = 0;
    while index < names.len() {
        if equal(names[index], name) {
            return true;
        }
        index += 1;
    }
    false
}

const fn equal(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut index = 0;
    while index < left.len() {
        if left[index] != right[index] {
            return false;
        }
        index += 1;
    }
    true
}

/// How many bytes must be put in, left out, changed or swapped with the next to make one name of
/// the other (optimal string alignment). Names of more than 31 bytes are unlike all others.
const fn distance(left: &[u8], right: &[u8]) -> usize {
    const LONGEST: usize = 31;
    if left.len() > LONGEST || right.len() > LONGEST {
        return usize::MAX;
    }
    let mut rows = [[0; LONGEST + 1]; LONGEST + 1];
    let mut line = 0;
    while line <= left.len() {
        let mut column = 0;
        while column <= right.len() {
            rows[line][column] = if line == 0 || column == 0 {
                line + column
            } else {
                let change = (left[line - 1] != right[column - 1]) as usize;
                let mut least = rows[line - 1][column - 1] + change;
                least = min(least, rows[line - 1][column] + 1);
                least = min(least, rows[line][column - 1] + 1);
                if line > 1
                    && column > 1
                    && left[line - 1] == right[column - 2]
                    && left[line - 2] == right[column - 1]
                {
                    least = min(least, rows[line - 2][column - 2] + 1);
                }
                least
            };
            column += 1;
        }
        line += 1;
    }
    rows[left.len()][right.len()]
}

const fn min(left: usize, right: usize) -> usize {
    if left < right { left } else { right }
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn names_are_as_far_apart_as_their_slips() {
        for (left, right, slips) in [
            ("", "", 0),
            ("title", "title", 0),
            ("titel", "title", 1),
            ("colour", "color", 1),
            ("a", "", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(left.as_bytes(), right.as_bytes()), slips);
            assert_eq!(distance(right.as_bytes(), left.as_bytes()), slips);
        }
    }
}
