//! Members, indices and methods.

use super::narrow::path_of;
use super::schema::Member;
use super::types::Type;
use super::{Inferrer, Types};
use crate::expr::eval::{link_words, missing, not_a_method, unknown_name};
use crate::expr::tree::{Expr, Link, LinkKind, Name};
use crate::expr::{Method, Receiver, Span, nearest, refused};

impl<'s> Inferrer<'_, 's> {
    pub(super) fn path(&mut self, of: &Expr, links: &[Link], types: &Types<'_, 's>) -> Type<'s> {
        let mut found = self.infer(of, types);
        let mut path = path_of(of);
        // True if the whole path is nothing once a value before a `?.` is nothing.
        let mut may_end = false;
        for (index, link) in links.iter().enumerate() {
            if found.may_be_nothing() {
                if link.optional {
                    may_end = true;
                } else {
                    self.may_be_nothing(of, links, index);
                }
                found = found.something();
            }
            found = self.link(&found, link, path.as_deref(), types);
            path = path_behind(path, link);
            if found.may_be_nothing() && path.as_deref().is_some_and(|path| types.knows(path)) {
                found = found.something();
            }
        }
        if may_end && !path.is_some_and(|path| types.knows(&path)) {
            found = found.or(Type::Nothing);
        }
        found
    }

    fn link(
        &mut self,
        of: &Type<'s>,
        link: &Link,
        path: Option<&str>,
        types: &Types<'_, 's>,
    ) -> Type<'s> {
        match &link.kind {
            LinkKind::Member(name) => self.member(of, name),
            LinkKind::Index(place) => {
                let at = self.infer(place, types);
                let has_items = path.is_some_and(|path| types.knows(&format!("{path}[]")));
                self.index(of, &at, place.span, has_items)
            }
            LinkKind::Method { name, method, args } => {
                let Some(method) = self.fitting(of, name, *method) else {
                    for arg in args {
                        self.infer(arg, types);
                    }
                    return Type::Unknown;
                };
                let has_items = path.is_some_and(|path| types.knows(&format!("{path}[]")));
                self.method(of, method, args, has_items, link.span, types)
            }
        }
    }

    /// Reports a member of a value that may be nothing.
    fn may_be_nothing(&mut self, of: &Expr, links: &[Link], index: usize) {
        let (what, span, mend) = link_words(of, links, index);
        self.wrong(span, format!("{what} may be nothing: write `{mend}`"));
    }

    fn member(&mut self, of: &Type<'s>, name: &Name) -> Type<'s> {
        let mut found: Option<Type<'s>> = None;
        let mut names: Vec<&'s str> = Vec::new();
        let mut without: Option<&Type<'s>> = None;
        for kind in of.kinds() {
            let own = match kind {
                Type::Unknown => Some(Type::Unknown),
                Type::Object(object) => match object.member(&name.text) {
                    Member::Known(member) => Some(member),
                    Member::Open => Some(Type::Unknown),
                    Member::Missing(others) => {
                        names.extend(others);
                        None
                    }
                },
                Type::List(_) | Type::Text(_) if &*name.text == "length" => Some(Type::Number),
                _ => None,
            };
            match own {
                Some(own) => {
                    found = Some(match found {
                        Some(before) => before.or(own),
                        None => own,
                    });
                }
                None => without = Some(kind),
            }
        }
        match (found, without) {
            (Some(found), None) => found,
            // Some shapes of the object have the member, and some do not.
            (Some(found), Some(_)) => found.or(Type::Nothing),
            (None, without) => {
                self.no_member(without, name, &names);
                Type::Unknown
            }
        }
    }

    fn no_member(&mut self, of: Option<&Type<'s>>, name: &Name, names: &[&str]) {
        let Some(of) = of else {
            return;
        };
        if matches!(of, Type::Object(_)) {
            let mistake = unknown_name(&name.text, name.span, names.iter().copied());
            self.findings.mistake(mistake);
            return;
        }
        if Method::named(&name.text).is_some_and(|method| has(of, method)) {
            let text = &name.text;
            self.wrong(
                name.span,
                format!("`{text}` is a method: write `{text}(..)`"),
            );
            return;
        }
        let mistake = missing(of.kind_words(), names_of(of), name);
        self.findings.mistake(mistake);
    }

    fn index(&mut self, of: &Type<'s>, at: &Type<'s>, span: Span, has_items: bool) -> Type<'s> {
        match of {
            Type::List(list) => {
                self.check_place(
                    of,
                    at,
                    "numbers",
                    matches!(at, Type::Number | Type::Unknown),
                    span,
                );
                if has_items {
                    list.item.clone()
                } else {
                    list.item.clone().or(Type::Nothing)
                }
            }
            Type::Text(_) => {
                self.check_place(
                    of,
                    at,
                    "numbers",
                    matches!(at, Type::Number | Type::Unknown),
                    span,
                );
                Type::TEXT.or(Type::Nothing)
            }
            Type::Object(object) => {
                let is_name =
                    |kind: &Type<'_>| matches!(kind, Type::Text(_) | Type::Number | Type::Unknown);
                self.check_place(of, at, "names", at.kinds().iter().any(is_name), span);
                let Type::Text(Some(texts)) = at else {
                    return Type::Unknown;
                };
                match (&**texts, texts.first().map(|text| object.member(text))) {
                    ([_], Some(Member::Known(member))) => member,
                    ([text], Some(Member::Missing(names))) => {
                        self.findings
                            .mistake(unknown_name(text, span, names.into_iter()));
                        Type::Unknown
                    }
                    _ => Type::Unknown,
                }
            }
            Type::Unknown | Type::Union(_) => Type::Unknown,
            Type::Nothing | Type::Bool | Type::Number | Type::Element => {
                self.wrong(span, format!("{of} has no parts"));
                Type::Unknown
            }
        }
    }

    fn check_place(&mut self, of: &Type<'s>, at: &Type<'s>, by: &str, fits: bool, span: Span) {
        if !fits && !matches!(at, Type::Union(_)) {
            let message = format!(
                "{} is indexed by {by}, found {}",
                of.kind_words(),
                at.kind_words()
            );
            self.wrong(span, message);
        }
    }

    /// The method, if values of this type can have it. Otherwise the error is reported.
    fn fitting(&mut self, of: &Type<'s>, name: &Name, method: Option<Method>) -> Option<Method> {
        let kinds = of.kinds();
        if let Some(method) = method
            && kinds.iter().any(|kind| has(kind, method))
        {
            return Some(method);
        }
        match of {
            Type::Unknown | Type::Union(_) => self.no_such_method(name, method),
            Type::Object(object) => {
                let is_there = matches!(object.member(&name.text), Member::Known(found) if found != Type::Nothing);
                self.findings.mistake(not_a_method(name, is_there));
            }
            Type::List(_) | Type::Text(_) if &*name.text == "length" => {
                self.wrong(name.span, "`length` is not a method: write `.length`");
            }
            _ => {
                let mistake = missing(of.kind_words(), names_of(of), name);
                self.findings.mistake(mistake);
            }
        }
        None
    }

    /// Reports a method that no value of this type has.
    fn no_such_method(&mut self, name: &Name, method: Option<Method>) {
        if method.is_some() {
            self.wrong(
                name.span,
                format!("nothing that this can be has `{}`", name.text),
            );
            return;
        }
        let message = format!("there is no method `{}`", name.text);
        if let Some(help) = refused::method(&name.text) {
            return self.wrong_with(name.span, message, help);
        }
        let names = Method::ALL.iter().map(|method| method.name());
        match nearest(&name.text, names) {
            Some(meant) => self.wrong(name.span, format!("{message}: did you mean `{meant}`?")),
            None => self.wrong(name.span, message),
        }
    }
}

/// True if values of this type can have the method.
fn has(of: &Type<'_>, method: Method) -> bool {
    matches!(
        (of, method.receiver()),
        (Type::Unknown, _)
            | (Type::List(_), Receiver::List | Receiver::Both)
            | (Type::Text(_), Receiver::Text | Receiver::Both)
            | (Type::Number, Receiver::Number)
    )
}

fn names_of(of: &Type<'_>) -> Vec<&'static str> {
    let methods = Method::ALL.iter().filter(|method| has(of, **method));
    let mut names: Vec<&str> = methods.map(|method| method.name()).collect();
    if matches!(of, Type::List(_) | Type::Text(_)) {
        names.push("length");
    }
    names
}

/// The path with this link added, if it still has only names and members.
fn path_behind(path: Option<String>, link: &Link) -> Option<String> {
    match &link.kind {
        LinkKind::Member(name) => path.map(|path| format!("{path}.{}", name.text)),
        _ => None,
    }
}
