//! The children of a node.

use std::ops::{Deref, DerefMut};

use super::Element;

/// The children of a node. Most nodes have one child, which needs no allocation.
#[derive(Clone, Default)]
pub enum Inner<'a> {
    /// None.
    #[default]
    None,
    /// One.
    One(Element<'a>),
    /// Several.
    Many(Vec<Element<'a>>),
}

impl<'a> Deref for Inner<'a> {
    type Target = [Element<'a>];

    fn deref(&self) -> &Self::Target {
        match self {
            Self::None => &[],
            Self::One(one) => std::slice::from_ref(one),
            Self::Many(all) => all,
        }
    }
}

impl DerefMut for Inner<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Self::None => &mut [],
            Self::One(one) => std::slice::from_mut(one),
            Self::Many(all) => all,
        }
    }
}

impl<'a> From<Vec<Element<'a>>> for Inner<'a> {
    fn from(mut all: Vec<Element<'a>>) -> Self {
        if all.len() > 1 {
            return Self::Many(all);
        }
        all.pop().map_or(Self::None, Self::One)
    }
}

impl<'a, const N: usize> From<[Element<'a>; N]> for Inner<'a> {
    fn from(all: [Element<'a>; N]) -> Self {
        if N > 1 {
            return Self::Many(Vec::from(all));
        }
        let one = all.into_iter().next();
        one.map_or(Self::None, Self::One)
    }
}
