//! Conversions into elements.

use std::borrow::Cow;
use std::fmt::{Arguments, Display};
use std::rc::Rc;
use std::sync::Arc;
use std::{array, collections, iter, ops, option, slice, str, vec};

use super::{Element, Repr};
use crate::component::Component;

/// A value that can be written in braces in `rsx!`: text, numbers, elements, and options, results,
/// collections and iterators of these, owned or borrowed.
///
/// | value | output |
/// | --- | --- |
/// | `&str`, `String`, `Cow<str>`, `Box<str>`, `Rc<str>`, `Arc<str>`, `format_args!(..)` | the text |
/// | numbers, `char` | the output of [`Display`] |
/// | `Element`, a component's props, `Box<dyn Component>`, `Rc<dyn Component>` | itself |
/// | `Option` | its value, or nothing |
/// | `Result` | its value, or the error's [`Display`] |
/// | arrays, slices, `Vec`, `VecDeque`, `BTreeSet`, iterators | each item, in order |
/// | `()` | nothing |
///
/// Any other type that implements [`Display`] can be shown between tags and in a text, with or
/// without a format: `{value}`, `"{value}"`, `"{value:>8}"`. Elsewhere, convert it with
/// `.to_string()`: in a prop of type `Element`, and within an option, a result or an iterator. A
/// boolean is not shown, as it mostly belongs to an `if`.
///
/// The iterators are those of the standard library. Use `for` with any other iterator: `for item in
/// iterator { {item} }`.
///
/// ```
/// use hud_core::{Density, render, rsx};
///
/// let (names, missing) = (["Ada", "Grace"], None::<&str>);
/// let parsed = "x".parse::<u8>();
/// let element = rsx! {
///     {names.iter().map(|name| name.len())} " " {missing} {&parsed} " " {format_args!("{names:?}")}
/// };
/// assert_eq!(
///     render(&element, Density::Full)?,
///     "35 invalid digit found in string [\"Ada\", \"Grace\"]\n"
/// );
/// # Ok::<(), hud_core::LowerError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shown by `rsx!`",
    label = "not text, a number, an element, or an option, a result or an iterator of them",
    note = "turn it into text with `.to_string()`, show it through a component, or choose what is \
            shown with `if value {{ .. }}`; the items of an iterator are shown with \
            `for item in iterator {{ .. }}`, and a future is awaited before"
)]
pub trait IntoElement<'a> {
    /// Converts this value to an element.
    fn into_element(self) -> Element<'a>;

    /// Converts this value for an optional slot. `None` leaves the slot out.
    fn into_slot(self) -> Option<Element<'a>>
    where
        Self: Sized,
    {
        Some(self.into_element())
    }
}

/// A value that turns into an element while it is borrowed for `'r`. `&'r Self` then implements
/// [`IntoElement`].
///
/// All references share one implementation, which has this trait as its bound. So the compiler can
/// select it without knowing the referenced type, and a component can have the bound `where &'a T:
/// IntoElement<'a>`.
pub trait BorrowedIntoElement<'r, 'a> {
    /// Converts the reference to an element.
    fn borrowed_into_element(&'r self) -> Element<'a>;

    /// Converts the reference for an optional slot.
    fn borrowed_into_slot(&'r self) -> Option<Element<'a>> {
        Some(self.borrowed_into_element())
    }
}

#[diagnostic::do_not_recommend]
impl<'r, 'a, T: BorrowedIntoElement<'r, 'a> + ?Sized> IntoElement<'a> for &'r T {
    fn into_element(self) -> Element<'a> {
        self.borrowed_into_element()
    }

    fn into_slot(self) -> Option<Element<'a>> {
        self.borrowed_into_slot()
    }
}

/// A reference to a reference.
impl<'r, 'a, T: ?Sized + 'r> BorrowedIntoElement<'r, 'a> for &'_ T
where
    &'r T: IntoElement<'a>,
{
    fn borrowed_into_element(&'r self) -> Element<'a> {
        let inner: &'r T = self;
        inner.into_element()
    }

    fn borrowed_into_slot(&'r self) -> Option<Element<'a>> {
        let inner: &'r T = self;
        inner.into_slot()
    }
}

/// Converts the items of an iterator to elements.
fn all<'a, T: IntoElement<'a>>(items: impl IntoIterator<Item = T>) -> Element<'a> {
    Element::fragment(
        items
            .into_iter()
            .map(T::into_element)
            .collect::<Vec<Element<'a>>>(),
    )
}

impl<'a> IntoElement<'a> for Element<'a> {
    fn into_element(self) -> Element<'a> {
        self
    }
}

impl<'a> BorrowedIntoElement<'_, 'a> for Element<'a> {
    // A clone shares everything except owned text, and outlives the borrow. So rustc can suggest to
    // borrow children that are shown twice.
    fn borrowed_into_element(&self) -> Element<'a> {
        self.clone()
    }
}

impl<'a> IntoElement<'a> for Box<dyn Component + 'a> {
    fn into_element(self) -> Element<'a> {
        Element(Repr::Component(self.into()))
    }
}

impl<'a> IntoElement<'a> for Rc<dyn Component + 'a> {
    fn into_element(self) -> Element<'a> {
        Element(Repr::Component(self))
    }
}

impl<'a> BorrowedIntoElement<'_, 'a> for Rc<dyn Component + 'a> {
    fn borrowed_into_element(&self) -> Element<'a> {
        Rc::clone(self).into_element()
    }
}

impl<'r: 'a, 'a> BorrowedIntoElement<'r, 'a> for Box<dyn Component + '_> {
    fn borrowed_into_element(&'r self) -> Element<'a> {
        Element::component(&**self)
    }
}

impl<'r: 'a, 'a> BorrowedIntoElement<'r, 'a> for dyn Component + '_ {
    fn borrowed_into_element(&'r self) -> Element<'a> {
        Element::component(self)
    }
}

/// Nothing.
impl<'a> IntoElement<'a> for () {
    fn into_element(self) -> Element<'a> {
        Element::empty()
    }
}

impl<'a, T: IntoElement<'a>> IntoElement<'a> for Option<T> {
    fn into_element(self) -> Element<'a> {
        self.map_or_else(Element::empty, T::into_element)
    }

    fn into_slot(self) -> Option<Element<'a>> {
        self.map(T::into_element)
    }
}

impl<'r, 'a, T: 'r> BorrowedIntoElement<'r, 'a> for Option<T>
where
    &'r T: IntoElement<'a>,
{
    fn borrowed_into_element(&'r self) -> Element<'a> {
        self.as_ref().into_element()
    }

    fn borrowed_into_slot(&'r self) -> Option<Element<'a>> {
        self.as_ref().into_slot()
    }
}

impl<'a, T: IntoElement<'a>, E: Display> IntoElement<'a> for Result<T, E> {
    fn into_element(self) -> Element<'a> {
        self.map_or_else(|error| Element::text(error.to_string()), T::into_element)
    }
}

impl<'r, 'a, T: 'r, E: Display> BorrowedIntoElement<'r, 'a> for Result<T, E>
where
    &'r T: IntoElement<'a>,
{
    fn borrowed_into_element(&'r self) -> Element<'a> {
        self.as_ref().into_element()
    }
}

impl<'a, T: IntoElement<'a>, const N: usize> IntoElement<'a> for [T; N] {
    fn into_element(self) -> Element<'a> {
        // A single child needs neither a fragment nor an allocation.
        match N {
            1 => self
                .into_iter()
                .next()
                .map_or_else(Element::empty, T::into_element),
            _ => Element::fragment(self.map(T::into_element)),
        }
    }
}

impl<'a> IntoElement<'a> for Arguments<'_> {
    fn into_element(self) -> Element<'a> {
        self.as_str()
            .map_or_else(|| Element::text(self.to_string()), Element::text)
    }
}

macro_rules! text_into_element {
    ($($text:ty),*) => {$(
        impl<'a> IntoElement<'a> for $text {
            fn into_element(self) -> Element<'a> {
                Element::text(self)
            }
        }
    )*};
}
text_into_element!(String, Cow<'a, str>);

macro_rules! borrowed_text_into_element {
    ($($text:ty),*) => {$(
        impl<'r: 'a, 'a> BorrowedIntoElement<'r, 'a> for $text {
            fn borrowed_into_element(&'r self) -> Element<'a> {
                let text: &'r str = self;
                Element::text(text)
            }
        }
    )*};
}
borrowed_text_into_element!(str, String, Cow<'_, str>, Box<str>, Rc<str>, Arc<str>);

macro_rules! shown_into_element {
    ($($shown:ty),*) => {$(
        impl<'a> IntoElement<'a> for $shown {
            fn into_element(self) -> Element<'a> {
                Element::text(self.to_string())
            }
        }
    )*};
}
shown_into_element!(Box<str>, Rc<str>, Arc<str>);

macro_rules! copied_into_element {
    ($($shown:ty),*) => {
        shown_into_element!($($shown),*);
        $(
            impl<'a> BorrowedIntoElement<'_, 'a> for $shown {
                fn borrowed_into_element(&self) -> Element<'a> {
                    <$shown>::into_element(*self)
                }
            }
        )*
    };
}
copied_into_element!(
    u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64, char
);

macro_rules! borrowed_items_into_element {
    ($([$($generics:tt)*] $items:ty,)*) => {$(
        impl<'r, 'a, T: 'r, $($generics)*> BorrowedIntoElement<'r, 'a> for $items
        where
            &'r T: IntoElement<'a>,
        {
            fn borrowed_into_element(&'r self) -> Element<'a> {
                all(self)
            }
        }
    )*};
}
borrowed_items_into_element! {
    [] [T],
    [const N: usize] [T; N],
    [] Vec<T>,
    [] collections::VecDeque<T>,
    [] collections::BTreeSet<T>,
}

// A blanket implementation for all iterators would conflict with those for text.
macro_rules! iterator_into_element {
    ($([$($generics:tt)*] $items:ty,)*) => {$(
        impl<'a, $($generics)*> IntoElement<'a> for $items
        where
            $items: IntoIterator<Item: IntoElement<'a>>,
        {
            fn into_element(self) -> Element<'a> {
                all(self)
            }
        }
    )*};
}
iterator_into_element! {
    [T] Vec<T>,
    [T] collections::VecDeque<T>,
    [T] collections::BTreeSet<T>,
    [T] slice::Iter<'a, T>,
    [T] vec::IntoIter<T>,
    [T, const N: usize] array::IntoIter<T, N>,
    [T] option::Iter<'a, T>,
    [T] option::IntoIter<T>,
    [T] collections::vec_deque::Iter<'a, T>,
    [T] collections::btree_set::Iter<'a, T>,
    [K, V] collections::btree_map::Keys<'a, K, V>,
    [K, V] collections::btree_map::Values<'a, K, V>,
    [K, V] collections::btree_map::IntoValues<K, V>,
    [T] ops::Range<T>,
    [T] ops::RangeInclusive<T>,
    [] str::Chars<'a>,
    [] str::Lines<'a>,
    [] str::SplitWhitespace<'a>,
    [] str::Split<'a, char>,
    ['p] str::Split<'a, &'p str>,
    [I] Box<dyn Iterator<Item = I> + 'a>,
    [T] iter::Empty<T>,
    [T] iter::Once<T>,
    [I, F] iter::Map<I, F>,
    [I, F] iter::Filter<I, F>,
    [I, F] iter::FilterMap<I, F>,
    [I, J: IntoIterator, F] iter::FlatMap<I, J, F>,
    [I: Iterator<Item: IntoIterator>] iter::Flatten<I>,
    [I, J] iter::Chain<I, J>,
    [I] iter::Rev<I>,
    [I] iter::Skip<I>,
    [I, F] iter::SkipWhile<I, F>,
    [I] iter::StepBy<I>,
    [I] iter::Take<I>,
    [I, F] iter::TakeWhile<I, F>,
    [I, F] iter::MapWhile<I, F>,
    [I, F] iter::Inspect<I, F>,
    [I: Iterator] iter::Peekable<I>,
    [I] iter::Fuse<I>,
    [I] iter::Cloned<I>,
    [I] iter::Copied<I>,
    [F] iter::FromFn<F>,
    [T, F] iter::Successors<T, F>,
}

/// The marker type of the contents of a hash map or a hash set.
pub struct Hashed<T>(std::marker::PhantomData<T>);

/// A value with a stable order. [`Hashed`] never implements it. So a hash map is reported with this
/// message instead of the general one of [`IntoElement`].
#[diagnostic::on_unimplemented(
    message = "a hash map has another order in each run, and what is shown needs one order",
    label = "the order is not known",
    note = "use a `BTreeMap` or a `BTreeSet`, or collect into a `Vec` and sort it"
)]
pub trait Ordered {}

macro_rules! unordered_into_element {
    ($([$first:ident $($generics:tt)*] $items:ty,)*) => {$(
        #[doc(hidden)]
        impl<'a, $first $($generics)*> IntoElement<'a> for $items
        where
            Hashed<$first>: Ordered,
        {
            fn into_element(self) -> Element<'a> {
                Element::empty()
            }
        }
    )*};
}
unordered_into_element! {
    [K, V, S] collections::HashMap<K, V, S>,
    [T, S] collections::HashSet<T, S>,
    [K, V] collections::hash_map::Iter<'a, K, V>,
    [K, V] collections::hash_map::Keys<'a, K, V>,
    [K, V] collections::hash_map::Values<'a, K, V>,
    [K, V] collections::hash_map::IntoKeys<K, V>,
    [K, V] collections::hash_map::IntoValues<K, V>,
    [T] collections::hash_set::Iter<'a, T>,
    [T] collections::hash_set::IntoIter<T>,
}
