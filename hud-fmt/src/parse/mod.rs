//! Parses the body of an `rsx!` to a model that keeps places, line breaks and comments.
//!
//! The grammar is that of the macro. Errors of the macro are errors here if they matter for the layout. A prop that
//! is given twice does not.

mod control;
mod cursor;
mod element;
mod model;
mod node;
mod tag;

use proc_macro2::Delimiter;

use crate::Error;
use crate::source::{Group, Place, Source, Tree};
use cursor::Parser;
pub(crate) use model::*;

/// The constructs that are searched for in Rust code.
#[derive(Clone, Copy)]
struct Wanted {
    /// The depth in elements for calls, or `None` if calls are kept unchanged.
    calls: Option<usize>,
    /// True if there may be tags, as in the braces of a layout.
    tags: bool,
}

/// Parses a whole file.
pub(crate) fn file<'s>(source: &'s Source<'s>) -> Result<Rust<'s>, Error> {
    rust(source, &source.trees, 0..source.text.len(), 0, false)
}

/// Parses Rust code that is `depth` levels deep in elements. With `tags`, it may contain tags.
fn rust<'s>(
    source: &'s Source<'s>,
    trees: &'s [Tree],
    place: Place,
    depth: usize,
    tags: bool,
) -> Result<Rust<'s>, Error> {
    let mut parts = Vec::new();
    let wanted = Wanted {
        calls: Some(depth),
        tags,
    };
    find_parts(source, trees, place.end, wanted, &mut parts)?;
    Ok(Rust { place, parts })
}

/// Collects the parts of Rust code that ends at `end`.
fn find_parts<'s>(
    source: &'s Source<'s>,
    trees: &'s [Tree],
    end: usize,
    wanted: Wanted,
    parts: &mut Vec<Part<'s>>,
) -> Result<(), Error> {
    let word = |at: usize| match trees.get(at) {
        Some(Tree::Word(place)) => &source.text[place.clone()],
        _ => "",
    };
    let is_punct = |at: usize, wanted| matches!(trees.get(at), Some(Tree::Punct(found, _)) if *found == wanted);
    // The inside of a macro definition is not a call yet, and `#[rustfmt::skip]` forbids changes.
    let mut in_macro = false;
    let mut skipped = false;
    let mut at = 0;
    while let Some(tree) = trees.get(at) {
        let calls = wanted.calls.filter(|_| !in_macro && !skipped);
        match tree {
            Tree::Literal(place) if source.text[place.clone()].contains('\n') => {
                parts.push(Part::Literal(place.clone()));
            }
            Tree::Punct('<', _) if wanted.tags && tag::begins(source, trees, at) => {
                if let Some(depth) = calls {
                    let mut parser = Parser::at(source, trees, at, end, depth + 1);
                    let start = parser.ahead();
                    let node = parser.node()?;
                    parts.push(Part::Tag(start..parser.behind, node));
                    at = parser.at;
                    continue;
                }
            }
            Tree::Word(_) if word(at) == "macro_rules" && is_punct(at + 1, '!') => in_macro = true,
            Tree::Punct(';', _) => skipped = false,
            Tree::Group(group) if at > 0 && is_skip(source, group) => {
                if is_punct(at - 1, '!') {
                    let kept = Wanted {
                        calls: None,
                        ..wanted
                    };
                    return find_parts(source, &trees[at + 1..], end, kept, parts);
                }
                skipped |= is_punct(at - 1, '#');
            }
            Tree::Group(group) => {
                let is_macro = at > 1 && !word(at - 2).is_empty() && is_punct(at - 1, '!');
                let called = is_macro && word(at - 2) == "rsx";
                if let Some(depth) = calls.filter(|_| called) {
                    parts.push(Part::Call(Call {
                        place: group.place.clone(),
                        body: Parser::new(source, group, depth + 1).call()?,
                    }));
                } else {
                    let tags = wanted.tags && !is_macro;
                    let wanted = Wanted { calls, tags };
                    find_parts(source, &group.inside, group.within().end, wanted, parts)?;
                }
                if group.delimiter == Delimiter::Brace {
                    skipped = false;
                }
                in_macro = false;
            }
            _ => {}
        }
        at += 1;
    }
    Ok(())
}

/// True if a group is `[rustfmt::skip]`.
fn is_skip(source: &Source<'_>, group: &Group) -> bool {
    let words = group.inside.iter().map(|tree| &source.text[tree.place()]);
    group.delimiter == Delimiter::Bracket && words.eq(["rustfmt", ":", ":", "skip"])
}
