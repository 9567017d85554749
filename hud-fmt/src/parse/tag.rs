//! Detects tags within Rust code, in the same way as the macro.

use proc_macro2::Delimiter;

use crate::source::{Source, Tree};

/// True if the `<` at an index begins a tag. A value must be expected there, and it must not begin the type of a
/// path, `<T as Trait>::NAME` or `<T>::NAME`.
pub(super) fn begins(source: &Source<'_>, trees: &[Tree], at: usize) -> bool {
    let around = Around { source, trees };
    around.expects_value(at) && around.looks_like_tag(at)
}

struct Around<'s> {
    source: &'s Source<'s>,
    trees: &'s [Tree],
}

impl Around<'_> {
    fn punct(&self, at: usize) -> Option<char> {
        match self.trees.get(at) {
            Some(Tree::Punct(found, _)) => Some(*found),
            _ => None,
        }
    }

    fn word(&self, at: usize) -> Option<&str> {
        match self.trees.get(at) {
            Some(Tree::Word(place)) => Some(&self.source.text[place.clone()]),
            _ => None,
        }
    }

    fn expects_value(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return true;
        };
        match (self.punct(before), self.word(before)) {
            (Some('&' | '|' | '=' | ',' | ';'), _) => true,
            (Some(':'), _) => before == 0 || self.punct(before - 1) != Some(':'),
            (Some('>'), _) => before > 0 && self.punct(before - 1) == Some('='),
            (_, Some(word)) => word == "return" || word == "break",
            _ => false,
        }
    }

    fn looks_like_tag(&self, open: usize) -> bool {
        let mut at = open + 1;
        while self.punct(at) == Some(':') || self.word(at).is_some() {
            let is_name = self.word(at).is_some();
            at += 1;
            if is_name && self.punct(at) != Some(':') {
                break;
            }
        }
        let named = at > open + 1;
        if named && self.punct(at) == Some('<') {
            at = self.behind_generics(at);
        }
        match self.trees.get(at) {
            None => false,
            Some(Tree::Punct('>', _)) => {
                self.punct(at + 1) != Some(':') || self.punct(at + 2) != Some(':')
            }
            Some(Tree::Punct('/', _)) => named && self.punct(at + 1) == Some('>'),
            Some(Tree::Group(group)) => named && group.delimiter == Delimiter::Brace,
            Some(Tree::Word(_)) => named && self.word(at) != Some("as"),
            Some(_) => false,
        }
    }

    /// The index after the generics that begin at `at`.
    fn behind_generics(&self, mut at: usize) -> usize {
        let mut depth = 0_usize;
        while at < self.trees.len() {
            match self.punct(at) {
                Some('<') => depth += 1,
                Some('>') if self.punct(at - 1) != Some('-') => depth -= 1,
                _ => {}
            }
            at += 1;
            if depth == 0 {
                break;
            }
        }
        at
    }
}
