//! Checks of a layout before anything is rendered.
//!
//! An error that `rsx!` also finds has the text of [`hud_core::expansion::Check`].

mod circle;
mod html;
mod steady;

use std::collections::BTreeMap;
use std::sync::Arc;

use hud_core::{PropMeta, TagMeta};
use serde_json::Value as Json;

pub(crate) use self::circle::Uses;
use self::steady::steadiness;
use crate::catalogue::{Catalogue, Entry};
use crate::expr::{
    Child, Expr, ExprKind, Fitting, LinkKind, Mistake, Name, Prop, Span, Type, Types, check_prop,
    infer, infer_shown, nearest, with_a_word_more,
};
use crate::file::{BROKEN, Component, File, Mark, Piece};
use crate::make::{built_in, lent};
use crate::template::BUILT_IN;
use crate::types;

type Components = BTreeMap<Arc<str>, Component>;

struct Check<'c> {
    components: &'c Components,
    catalogue: &'c Catalogue,
    /// The types of the names that expressions may use.
    types: Types<'c, 'c>,
    is_component: bool,
    fitting: Fitting<'c>,
    mistakes: &'c mut Vec<Mistake>,
}

/// The message for `key`, the prop by which other libraries identify an element.
const NO_KEY: &str = ": nothing is compared with what was shown before, so remove it";

/// Adds the functions of the layout to the types.
fn with_functions<'s>(types: Types<'s, 's>, functions: &[&str]) -> Types<'s, 's> {
    let add = |types: Types<'s, 's>, name: &&str| types.with_function(name);
    functions.iter().fold(types, add)
}

/// Checks the pieces of a layout.
pub(crate) fn layout(
    file: &File,
    components: &Components,
    catalogue: &Catalogue,
    functions: &[&str],
    mistakes: &mut Vec<Mistake>,
    warnings: &mut Vec<Mistake>,
) {
    let mut check = Check {
        components,
        catalogue,
        types: with_functions(types::names(None, false), functions),
        is_component: false,
        fitting: Fitting::default(),
        mistakes,
    };
    check.pieces(&file.pieces, None);
    steadiness(&file.pieces, catalogue, warnings);
}

/// Checks a component declared in a layout.
pub(crate) fn component(
    name: &str,
    component: &Component,
    components: &Components,
    uses: &Uses<'_>,
    catalogue: &Catalogue,
    functions: &[&str],
    mistakes: &mut Vec<Mistake>,
) {
    if catalogue.get(name).is_some() {
        mistakes.push(Mistake::new(
            component.span,
            format!("`<{name}>` is a tag already: give the component another name"),
        ));
    }
    if let Some(circle) = uses.circle(name) {
        mistakes.push(Mistake::new(
            component.span,
            format!("`<{name}>` uses itself: {}", circle.join(" → ")),
        ));
    }
    let mut check = Check {
        components,
        catalogue,
        types: with_functions(types::names(component.head.props.as_ref(), true), functions),
        is_component: true,
        fitting: Fitting::default(),
        mistakes,
    };
    check.pieces(&component.pieces, None);
}

impl<'c> Check<'c> {
    fn note(&mut self, mistake: Mistake) {
        self.mistakes.push(mistake);
    }

    fn pieces(&mut self, pieces: &[Piece], around: Option<&str>) {
        for piece in pieces {
            match piece {
                Piece::Text(_) => {}
                Piece::Mark(mark, inner) => {
                    let around = match mark {
                        Mark::Row => Some("Row"),
                        Mark::Table(_) => Some("Table"),
                        _ => None,
                    };
                    self.pieces(inner, around);
                }
                Piece::Expr(expr) => self.expr(expr),
                Piece::Tag(tag) => {
                    let Some(name) = &tag.name else {
                        self.pieces(&tag.children, around);
                        continue;
                    };
                    if tag.props.iter().all(|prop| &*prop.name.text != BROKEN) {
                        let first = match tag.children.first() {
                            Some(Piece::Expr(expr)) => Some(expr.span),
                            Some(Piece::Tag(tag)) => Some(tag.span),
                            Some(_) => Some(tag.span),
                            None => None,
                        };
                        self.tag(name, &tag.props, first, around);
                    }
                    self.pieces(&tag.children, Some(&name.text));
                }
            }
        }
    }

    /// Checks an expression that is shown.
    fn expr(&mut self, expr: &Expr) {
        let mut found = types::Found::default();
        infer_shown(expr, &self.types, &mut found);
        self.take(found);
    }

    /// Adds the errors and checks the tags that were found in an expression.
    fn take(&mut self, found: types::Found<'c>) {
        self.mistakes.extend(found.mistakes);
        for (tag, types) in found.tags {
            let first = tag.children.first().map(|child| match child {
                Child::Text(_, span) => *span,
                Child::Tag(tag) => tag.span,
                Child::Expr(expr) => expr.span,
            });
            self.described(&tag.name, &tag.props, &types, first, None);
        }
    }

    fn tag(&mut self, name: &Name, props: &[Prop], first: Option<Span>, around: Option<&str>) {
        let mut found = types::Found::default();
        let types: Vec<Type<'c>> = props
            .iter()
            .map(|prop| infer(&prop.value, &self.types, &mut found))
            .collect();
        self.take(found);
        self.described(name, props, &types, first, Some(around));
    }

    /// Checks a tag whose props have these types.
    fn described(
        &mut self,
        name: &Name,
        props: &[Prop],
        types: &[Type<'c>],
        first: Option<Span>,
        around: Option<Option<&str>>,
    ) {
        if let Some(component) = self.components.get(&name.text) {
            return self.call(name, component, props, types, first);
        }
        let Some(entry) = self.catalogue.get(&name.text) else {
            return self.unknown(name);
        };
        let meta = entry.meta();
        if let Some(around) = around
            && let Some(wanted) = parent(meta.name)
            && !around.is_some_and(|around| wanted.contains(&around))
            && !self.is_component
        {
            self.note(
                Mistake::new(
                    name.span,
                    format!("`<{0}>` belongs in `<{1}>`", meta.name, wanted[0]),
                )
                .with_help(format!(
                    "write `<{0}><{1}>..</{1}></{0}>`",
                    wanted[0], meta.name
                )),
            );
        }
        let mut meant: Vec<&str> = Vec::new();
        for (prop, of) in props.iter().zip(types) {
            match meta
                .props
                .iter()
                .find(|known| known.name == &*prop.name.text)
            {
                Some(known) => self.value(entry, known, prop, of, around.is_some()),
                None => meant.extend(self.no_prop(meta, props, prop)),
            }
        }
        if let Some(span) = first
            && !meta.children
        {
            self.no_children(meta.name, span, meta.props.iter().map(|prop| prop.name));
        }
        for prop in meta.props.iter().filter(|prop| prop.required) {
            let is_given = props.iter().any(|given| &*given.name.text == prop.name);
            if is_given || meant.contains(&prop.name) {
                continue;
            }
            if prop.name == "children" {
                if first.is_none() {
                    self.note(Mistake::new(
                        name.span,
                        format!(
                            "`<{0}>` needs children: write them between `<{0}>` and `</{0}>`",
                            meta.name
                        ),
                    ));
                }
                continue;
            }
            let mistake = Mistake::new(
                name.span,
                format!(
                    "`<{}>` lacks the required prop `{}`, which takes {}",
                    meta.name,
                    prop.name,
                    types::words(prop.ty)
                ),
            );
            self.note(match mend(meta.name, prop.name) {
                Some(mend) => mistake.with_help(format!("write `{mend}`")),
                None => mistake.with_help(format!("write `{}={{..}}`", prop.name)),
            });
        }
    }

    /// Checks a call of a component that the layout declares.
    fn call(
        &mut self,
        name: &Name,
        component: &Component,
        props: &[Prop],
        types: &[Type<'c>],
        first: Option<Span>,
    ) {
        let none = serde_json::Map::new();
        let schema = component.head.props.as_ref();
        let known = schema
            .and_then(|schema| schema["properties"].as_object())
            .unwrap_or(&none);
        let required: Vec<&str> = schema
            .and_then(|schema| schema["required"].as_array())
            .into_iter()
            .flatten()
            .filter_map(Json::as_str)
            .collect();
        for (prop, of) in props.iter().zip(types) {
            match known.get(&*prop.name.text) {
                Some(schema) => {
                    let mut wanted = Type::of_schema(schema);
                    if !required.contains(&&*prop.name.text) {
                        wanted = wanted.or(Type::Nothing);
                    }
                    let wrong = check_prop(&name.text, &prop.name, prop.value.span, of, &wanted);
                    self.mistakes.extend(wrong);
                }
                None => {
                    let near = nearest(&prop.name.text, known.keys().map(String::as_str));
                    let mut message = format!("`<{}>` has no prop `{}`", name.text, prop.name.text);
                    match near {
                        _ if &*prop.name.text == "key" => message.push_str(NO_KEY),
                        Some(near) => message.push_str(&format!(": did you mean `{near}`?")),
                        None if known.is_empty() => message.push_str(": it takes none"),
                        None => message.push_str(&format!(
                            ": it takes {}",
                            list(known.keys().map(String::as_str))
                        )),
                    }
                    self.note(Mistake::new(prop.name.span, message));
                }
            }
        }
        if let Some(span) = first {
            self.no_children(&name.text, span, known.keys().map(|name| &**name));
        }
        for wanted in required {
            if props.iter().all(|prop| &*prop.name.text != wanted) {
                let words = known.get(wanted).map_or_else(String::new, |schema| {
                    format!(", which takes {}", types::words_of_schema(schema))
                });
                self.note(
                    Mistake::new(
                        name.span,
                        format!(
                            "`<{}>` lacks the required prop `{wanted}`{words}",
                            name.text
                        ),
                    )
                    .with_help(format!("write `{wanted}={{..}}`")),
                );
            }
        }
    }

    /// Reports children of a tag that takes none.
    fn no_children<'n>(&mut self, tag: &str, span: Span, props: impl Iterator<Item = &'n str>) {
        let mut message = format!("`<{tag}>` takes no children");
        let props = list(props);
        if !props.is_empty() {
            message.push_str(&format!(", only props: {props}"));
        }
        self.note(Mistake::new(span, message));
    }

    fn unknown(&mut self, name: &Name) {
        if let Some(node) = html::node_for(&name.text) {
            let message = format!("there are no HTML tags: write `{node}`");
            return self.note(Mistake::new(name.span, message));
        }
        let mut known: Vec<&str> = self.catalogue.names().collect();
        known.extend(self.components.keys().map(|name| &**name));
        let near = nearest(&name.text, known.iter().copied());
        let mistake = match near.or_else(|| with_a_word_more(&name.text, &known)) {
            Some(near) => Mistake::new(
                name.span,
                format!(
                    "there is no tag `<{}>`: did you mean `<{near}>`?",
                    name.text
                ),
            ),
            None => {
                let mut first: Vec<&str> = known.iter().copied().take(6).collect();
                first.push("…");
                Mistake::new(
                    name.span,
                    format!(
                        "there is no tag `<{}>`: there are {}",
                        name.text,
                        first.join(", ")
                    ),
                )
                .with_help("`hud layout tags NAME` says what one takes")
            }
        };
        self.note(mistake);
    }

    /// Reports an unknown prop, and returns the one that was probably meant.
    fn no_prop(
        &mut self,
        meta: &'static TagMeta,
        given: &[Prop],
        prop: &Prop,
    ) -> Option<&'static str> {
        let (tag, name) = (meta.name, &*prop.name.text);
        if name == "children" {
            let help = format!("write them between `<{tag}>` and `</{tag}>`");
            self.note(Mistake::new(prop.name.span, "`children` is not a prop").with_help(help));
            return None;
        }
        let mut message = format!("`<{tag}>` has no prop `{name}`");
        if meta.ambient.iter().any(|ambient| ambient.name == name) {
            let mistake = Mistake::new(prop.name.span, format!("{message}: it is ambient"));
            self.note(match name {
                "cap" => mistake.with_help(format!("write `<Part cap={{5}}><{tag} .. /></Part>`")),
                _ => mistake.with_help("remove it: what is around the tag gives it"),
            });
            return None;
        }
        if name == "key" {
            message.push_str(NO_KEY);
            self.note(Mistake::new(prop.name.span, message));
            return None;
        }
        let mut free: Vec<&'static str> = Vec::new();
        for known in meta.props {
            if given.iter().all(|prop| *prop.name.text != *known.name) {
                free.push(known.name);
            }
        }
        let near = nearest_of(name, &free);
        match near {
            Some(near) => message.push_str(&format!(": did you mean `{near}`?")),
            None if meta.props.is_empty() => message.push_str(": it takes none"),
            None => message.push_str(&format!(
                ": it takes {}",
                list(meta.props.iter().map(|prop| prop.name))
            )),
        }
        self.note(Mistake::new(prop.name.span, message));
        near
    }

    /// Compares a prop with the type that it takes. Outside of expressions `state` is always the state of the
    /// session.
    fn value(
        &mut self,
        entry: &'c Entry,
        known: &'static PropMeta,
        prop: &Prop,
        of: &Type<'c>,
        is_outside: bool,
    ) {
        if known.name == "density"
            && let ExprKind::Text(word) = &prop.value.kind
            && word.parse::<hud_core::Density>().is_err()
        {
            return self.note(Mistake::new(
                prop.value.span,
                "`density` is `full`, `compact` or `minimal`",
            ));
        }
        if Entry::is_slot(known) {
            return;
        }
        if let ExprKind::Number(number) = &prop.value.kind
            && number.fract() != 0.0
            && entry.takes_whole_number(known)
        {
            return self.note(Mistake::new(
                prop.value.span,
                format!(
                    "`{}` of `<{}>` takes a whole number",
                    known.name,
                    entry.meta().name
                ),
            ));
        }
        let tag = entry.meta().name;
        let path = lent(tag, prop, self.components, self.catalogue)
            .filter(|_| is_outside)
            .map(|_| written(&prop.value));
        if let Some(path) = &path
            && entry.is_fitting(known.name, path)
        {
            return;
        }
        if let Some(wanted) = entry.prop_type(known) {
            let wrong = self
                .fitting
                .check_prop(tag, &prop.name, prop.value.span, of, &wanted);
            if wrong.is_none()
                && let Some(path) = path
            {
                entry.fits(known.name, path);
            }
            self.mistakes.extend(wrong);
        }
    }
}

/// A path of members as text. `?.` is kept, because a path with it may give nothing where the path without it does
/// not.
fn written(path: &Expr) -> String {
    let mut text = String::new();
    if let ExprKind::Path { links, .. } = &path.kind {
        for link in links {
            if let LinkKind::Member(name) = &link.kind {
                text.push_str(if link.optional { "?." } else { "." });
                text.push_str(&name.text);
            }
        }
    }
    text
}

/// The name that is nearest to `wrong`.
fn nearest_of(wrong: &str, names: &[&'static str]) -> Option<&'static str> {
    let near = nearest(wrong, names.iter().copied())?.to_owned();
    names.iter().copied().find(|name| *name == near)
}

/// The tags that a tag must be in.
fn parent(tag: &str) -> Option<&'static [&'static str]> {
    match tag {
        "Row" => Some(&["Table"]),
        "Cell" => Some(&["Row"]),
        _ => None,
    }
}

/// Joins names with commas.
fn list<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        names => names.concat(),
    }
}

/// The prop as the built-in layout writes it.
fn mend(tag: &str, prop: &str) -> Option<String> {
    let prop = built_in(tag)?
        .props
        .iter()
        .find(|given| &*given.name.text == prop)?;
    let value = BUILT_IN.get(prop.value.span.start..prop.value.span.end)?;
    Some(format!("{}={{{value}}}", prop.name.text))
}
