//! The body of an `rsx!` as a model that keeps places, line breaks and comments.
//!
//! The grammar is that of the macro. What the macro refuses is an error, as far as it matters for
//! the layout: whether a prop is given twice does not.

mod tag;

use proc_macro2::Delimiter;

use crate::Error;
use crate::source::{Comment, DEPTH, Group, Place, Source, Tree};

/// Things one below the other or side by side.
#[derive(Debug)]
pub(crate) struct List<'s, T> {
    pub(crate) items: Vec<Item<'s, T>>,
    /// Whether its last line ends behind the last item.
    pub(crate) ends_line: bool,
}

/// One of a list.
#[derive(Debug)]
pub(crate) struct Item<'s, T> {
    /// How many line ends are in front of it.
    pub(crate) lines: usize,
    pub(crate) what: Entry<'s, T>,
}

#[derive(Debug)]
pub(crate) enum Entry<'s, T> {
    Comment(Comment<'s>),
    Node(T),
}

/// Rust that keeps its text.
#[derive(Debug)]
pub(crate) struct Rust<'s> {
    pub(crate) place: Place,
    /// What is not indented as the rest is, in order.
    pub(crate) parts: Vec<Part<'s>>,
}

#[derive(Debug)]
pub(crate) enum Part<'s> {
    /// A literal of several lines.
    Literal(Place),
    /// What follows `rsx!`.
    Call(Call<'s>),
    /// A tag in the braces of a layout.
    Tag(Place, Node<'s>),
}

impl Part<'_> {
    /// Where it is.
    pub(crate) fn place(&self) -> &Place {
        match self {
            Self::Literal(place) | Self::Call(Call { place, .. }) | Self::Tag(place, _) => place,
        }
    }
}

/// What is looked for in Rust.
#[derive(Clone, Copy)]
struct Wanted {
    /// How deep in elements it is where calls are wanted, or None where they are left alone.
    calls: Option<usize>,
    /// Whether there may be tags: in the braces of a layout.
    tags: bool,
}

#[derive(Debug)]
pub(crate) struct Call<'s> {
    /// The group, with its delimiters.
    pub(crate) place: Place,
    pub(crate) body: List<'s, Node<'s>>,
}

#[derive(Debug)]
pub(crate) enum Node<'s> {
    /// A string, or what has a comment where none is kept apart.
    Kept(Rust<'s>),
    Braces(Braces<'s>),
    Element(Element<'s>),
    /// `if`, `else if`, `else` and `for`, each with its body.
    Branches(Vec<Branch<'s>>),
    Match {
        value: Rust<'s>,
        arms: List<'s, Arm<'s>>,
    },
}

/// `{..}`
#[derive(Debug)]
pub(crate) struct Braces<'s> {
    /// What is between them, from its first token or comment to its last.
    pub(crate) rust: Rust<'s>,
    /// Whether it is on lines of its own, or must because of a comment.
    pub(crate) apart: bool,
    /// Whether a comment ends it that goes to the end of its line.
    pub(crate) ends_in_comment: bool,
}

#[derive(Debug)]
pub(crate) struct Element<'s> {
    /// The path and the generics; of a fragment, nothing.
    pub(crate) name: Rust<'s>,
    pub(crate) props: List<'s, Prop<'s>>,
    /// What is between the tags; None where it closes itself.
    pub(crate) children: Option<List<'s, Node<'s>>>,
    /// The path in the closing tag; empty where there is none.
    pub(crate) closing: Place,
}

#[derive(Debug)]
pub(crate) enum Prop<'s> {
    /// `{..base}`, or a name alone.
    Alone(Node<'s>),
    /// `name=value`
    Given(Place, Node<'s>),
}

#[derive(Debug)]
pub(crate) struct Branch<'s> {
    /// `if`, `else if`, `else` or `for`.
    pub(crate) keyword: &'static str,
    /// What is between it and the braces; nothing behind `else`.
    pub(crate) head: Rust<'s>,
    pub(crate) body: List<'s, Node<'s>>,
}

#[derive(Debug)]
pub(crate) enum Arm<'s> {
    /// One with a comment where none is kept apart.
    Kept(Rust<'s>),
    Shown {
        pattern: Rust<'s>,
        body: ArmBody<'s>,
        comma: bool,
    },
}

#[derive(Debug)]
pub(crate) enum ArmBody<'s> {
    Node(Node<'s>),
    Braces(List<'s, Node<'s>>),
}

/// Reads a whole file.
pub(crate) fn file<'s>(source: &'s Source<'s>) -> Result<Rust<'s>, Error> {
    rust(source, &source.trees, 0..source.text.len(), 0, false)
}

/// Reads Rust that is `depth` levels deep in elements, and may have tags in it.
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

/// Collects the parts of Rust that goes up to `end`.
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
    // The inside of a definition is not yet a call, and `#[rustfmt::skip]` asks for no change.
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
                        body: Parser::new(source, group, depth + 1).all()?,
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

/// Whether a group is `[rustfmt::skip]`.
fn is_skip(source: &Source<'_>, group: &Group) -> bool {
    let words = group.inside.iter().map(|tree| &source.text[tree.place()]);
    group.delimiter == Delimiter::Bracket && words.eq(["rustfmt", ":", ":", "skip"])
}

struct Parser<'s> {
    source: &'s Source<'s>,
    trees: &'s [Tree],
    at: usize,
    /// Where the last token ends that was taken.
    behind: usize,
    end: usize,
    depth: usize,
    /// Whether a comment is where the model has no place for one.
    misplaced: bool,
}

impl<'s> Parser<'s> {
    fn new(source: &'s Source<'s>, group: &'s Group, depth: usize) -> Self {
        let within = group.within();
        Self {
            source,
            trees: &group.inside,
            at: 0,
            behind: within.start,
            end: within.end,
            depth,
            misplaced: false,
        }
    }

    /// A parser at one of the trees of Rust that goes up to `end`.
    fn at(source: &'s Source<'s>, trees: &'s [Tree], at: usize, end: usize, depth: usize) -> Self {
        let start = trees.get(at).map_or(end, |tree| tree.place().start);
        Self {
            source,
            trees,
            at,
            behind: start,
            end,
            depth,
            misplaced: false,
        }
    }

    fn peek(&self, ahead: usize) -> Option<&'s Tree> {
        self.trees.get(self.at + ahead)
    }

    fn is_punct(&self, ahead: usize, wanted: char) -> bool {
        matches!(self.peek(ahead), Some(Tree::Punct(found, _)) if *found == wanted)
    }

    fn word(&self, ahead: usize) -> Option<&'s str> {
        match self.peek(ahead) {
            Some(Tree::Word(place)) => Some(&self.source.text[place.clone()]),
            _ => None,
        }
    }

    fn braces(&self) -> Option<&'s Group> {
        match self.peek(0) {
            Some(Tree::Group(group)) if group.delimiter == Delimiter::Brace => Some(group),
            _ => None,
        }
    }

    /// Takes a token that is the first of something.
    fn first(&mut self) -> Option<&'s Tree> {
        let tree = self.peek(0)?;
        self.at += 1;
        self.behind = tree.place().end;
        Some(tree)
    }

    /// Takes a token within something: no comment is in front of it.
    fn next(&mut self) -> Option<&'s Tree> {
        let start = self.peek(0)?.place().start;
        self.misplaced |= !self.source.gap(self.behind..start).0.is_empty();
        self.first()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.is_punct(0, wanted);
        if found {
            self.next();
        }
        found
    }

    fn error(&self, at: usize, message: impl Into<String>) -> Error {
        let (line, column) = self.source.position(at);
        let message = message.into();
        Error::Body {
            line,
            column,
            message,
        }
    }

    /// An error at the next token, or at the end.
    fn expected(&self, what: &str) -> Error {
        let at = self.peek(0).map_or(self.end, |tree| tree.place().start);
        self.error(at, format!("expected {what}"))
    }

    /// Where the tokens from one on up to here are.
    fn place(&self, from: usize) -> Place {
        let first = self.trees[from..self.at].first();
        first.map_or(self.behind, |tree| tree.place().start)..self.behind
    }

    /// The tokens from one on up to here.
    fn rust(&self, from: usize) -> Result<Rust<'s>, Error> {
        let trees = &self.trees[from..self.at];
        rust(self.source, trees, self.place(from), self.depth, false)
    }

    /// The tokens from one on up to here, with all calls in them left alone: they were read already.
    fn kept(&self, from: usize) -> Result<Rust<'s>, Error> {
        let mut parts = Vec::new();
        let place = self.place(from);
        let kept = Wanted {
            calls: None,
            tags: false,
        };
        let trees = &self.trees[from..self.at];
        find_parts(self.source, trees, place.end, kept, &mut parts)?;
        Ok(Rust { place, parts })
    }

    fn braces_of(&self, group: &'s Group) -> Result<Node<'s>, Error> {
        let within = group.within();
        let text = &self.source.text[within.clone()];
        let start = within.start + (text.len() - text.trim_start().len());
        let place = start..start + text.trim().len();
        let last = group
            .inside
            .last()
            .map_or(within.start, |tree| tree.place().end);
        let (comments, _) = self.source.gap(last..within.end);
        let before = &self.source.text[within.start..start];
        let ends_in_comment = comments.last().is_some_and(Comment::is_line);
        Ok(Node::Braces(Braces {
            apart: ends_in_comment || before.contains('\n') || text.trim().starts_with("//"),
            rust: rust(self.source, &group.inside, place, self.depth, true)?,
            ends_in_comment,
        }))
    }

    /// Where the next token is, or the end.
    fn ahead(&self) -> usize {
        self.peek(0).map_or(self.end, |tree| tree.place().start)
    }

    /// Reads things and the comments between them, until `done` or the end.
    fn list<T>(
        &mut self,
        done: impl Fn(&Self) -> bool,
        one: impl Fn(&mut Self) -> Result<T, Error>,
    ) -> Result<List<'s, T>, Error> {
        let mut items = Vec::new();
        loop {
            let (comments, lines) = self.source.gap(self.behind..self.ahead());
            items.extend(comments.into_iter().map(|comment| Item {
                lines: comment.lines,
                what: Entry::Comment(comment),
            }));
            if self.peek(0).is_none() || done(self) {
                let ends_line = lines > 0 && !items.is_empty();
                return Ok(List { items, ends_line });
            }
            let what = Entry::Node(one(self)?);
            items.push(Item { lines, what });
        }
    }

    fn at_closing_tag(&self) -> bool {
        self.is_punct(0, '<') && self.is_punct(1, '/')
    }

    fn nodes(&mut self) -> Result<List<'s, Node<'s>>, Error> {
        self.list(Self::at_closing_tag, Self::node)
    }

    fn all(&mut self) -> Result<List<'s, Node<'s>>, Error> {
        let nodes = self.nodes()?;
        if self.peek(0).is_some() {
            return Err(self.error(self.ahead(), "this closing tag closes nothing"));
        }
        Ok(nodes)
    }

    /// The nodes within braces.
    fn inside(&self, group: &'s Group) -> Result<List<'s, Node<'s>>, Error> {
        Parser::new(self.source, group, self.depth + 1).all()
    }

    fn node(&mut self) -> Result<Node<'s>, Error> {
        if self.depth >= DEPTH {
            let (line, column) = self.source.position(self.ahead());
            let limit = DEPTH;
            return Err(Error::Depth {
                line,
                column,
                limit,
            });
        }
        self.depth += 1;
        let outer = std::mem::take(&mut self.misplaced);
        let start = self.at;
        let node = self.any_node()?;
        let misplaced = std::mem::replace(&mut self.misplaced, outer);
        self.depth -= 1;
        if misplaced {
            return self.kept(start).map(Node::Kept);
        }
        Ok(node)
    }

    fn any_node(&mut self) -> Result<Node<'s>, Error> {
        let start = self.at;
        if let Some(group) = self.braces() {
            self.first();
            return self.braces_of(group);
        }
        match (self.peek(0), self.word(0)) {
            (Some(Tree::Punct('<', _)), _) => self.element(),
            (Some(Tree::Literal(place)), _) if is_text(&self.source.text[place.clone()]) => {
                self.first();
                self.kept(start).map(Node::Kept)
            }
            (_, Some("if" | "for")) => self.branches(),
            (_, Some("match")) => self.choice(),
            _ => Err(self.expected("an element, a string, braces, `if`, `for` or `match`")),
        }
    }

    fn element(&mut self) -> Result<Node<'s>, Error> {
        let open = self.ahead();
        self.first();
        let start = self.at;
        let path = self.path();
        if path.is_empty() && !self.is_punct(0, '>') {
            return Err(self.expected("a name, or `>` for a fragment"));
        }
        self.generics()?;
        let name = self.rust(start)?;
        let props = self.list(Self::at_end_of_tag, Self::prop)?;
        let (children, closing) = if self.take('/') {
            if !self.take('>') {
                return Err(self.expected("`>` behind `/`"));
            }
            (None, open..open)
        } else if self.is_punct(0, '>') {
            self.first();
            (Some(self.nodes()?), self.closing_tag(open, path)?)
        } else {
            return Err(self.error(open, "this tag is not ended: write `/>` or `>`"));
        };
        Ok(Node::Element(Element {
            name,
            props,
            children,
            closing,
        }))
    }

    /// Takes the closing tag of the path that was opened at `open`, and gives the place of its path.
    fn closing_tag(&mut self, open: usize, path: &[Tree]) -> Result<Place, Error> {
        let start = self.ahead();
        if !self.at_closing_tag() {
            return Err(self.error(open, "this tag is not closed"));
        }
        self.first();
        self.next();
        let at = self.at;
        let text = |tree: &Tree| &self.source.text[tree.place()];
        let closing = self.path();
        let place = self.place(at);
        if !path.iter().map(text).eq(closing.iter().map(text)) {
            return Err(self.error(start, "this closing tag is not that of the open one"));
        }
        if !self.take('>') {
            return Err(self.expected("`>` at the end of the closing tag"));
        }
        Ok(place)
    }

    /// Takes `a::b::Name`.
    fn path(&mut self) -> &'s [Tree] {
        let start = self.at;
        let mut named = false;
        loop {
            if self.is_punct(0, ':') && self.is_punct(1, ':') && !self.is_punct(2, '<') {
                self.next();
                self.next();
                named = false;
            } else if self.word(0).is_some() && !named {
                self.next();
                named = true;
            } else {
                return &self.trees[start..self.at];
            }
        }
    }

    /// Takes the generics behind a path.
    fn generics(&mut self) -> Result<(), Error> {
        if self.is_punct(0, ':') && self.is_punct(1, ':') && self.is_punct(2, '<') {
            self.next();
            self.next();
        }
        let mut depth = 0_usize;
        let mut after_dash = false;
        while self.is_punct(0, '<') || depth > 0 {
            match self.next() {
                Some(Tree::Punct('<', _)) => depth += 1,
                // The `>` of `->` closes nothing.
                Some(Tree::Punct('>', _)) if !after_dash => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
                None => return Err(self.expected("`>` behind the generics")),
                Some(_) => {}
            }
            after_dash = matches!(self.trees[self.at - 1], Tree::Punct('-', _));
        }
        Ok(())
    }

    fn at_end_of_tag(&self) -> bool {
        self.is_punct(0, '/') || self.is_punct(0, '>') || self.is_punct(0, '<')
    }

    fn prop(&mut self) -> Result<Prop<'s>, Error> {
        let start = self.at;
        if let Some(group) = self.braces() {
            self.first();
            return self.braces_of(group).map(Prop::Alone);
        }
        if self.word(0).is_none() {
            return Err(self.expected("a prop, `/>` or `>`"));
        }
        self.first();
        if !self.is_punct(0, '=') {
            return self.kept(start).map(|name| Prop::Alone(Node::Kept(name)));
        }
        let name = self.place(start);
        let outer = std::mem::take(&mut self.misplaced);
        self.next();
        let value = self.value()?;
        let misplaced = std::mem::replace(&mut self.misplaced, outer);
        if misplaced {
            return self.kept(start).map(|prop| Prop::Alone(Node::Kept(prop)));
        }
        Ok(Prop::Given(name, value))
    }

    fn value(&mut self) -> Result<Node<'s>, Error> {
        // A comment behind `=`.
        self.misplaced |= !self.source.gap(self.behind..self.ahead()).0.is_empty();
        let start = self.at;
        if self.is_punct(0, '-') {
            self.next();
        }
        if matches!(self.peek(0), Some(Tree::Literal(_)))
            || matches!(self.word(0), Some("true" | "false"))
        {
            self.next();
            return self.kept(start).map(Node::Kept);
        }
        let is_value = self.braces().is_some() || self.is_punct(0, '<');
        if !is_value || self.at_closing_tag() || self.at > start {
            return Err(self.expected("a value: `{..}`, a literal or an element"));
        }
        self.node()
    }

    fn branches(&mut self) -> Result<Node<'s>, Error> {
        let mut branches = Vec::new();
        let mut keyword = if self.word(0) == Some("if") {
            "if"
        } else {
            "for"
        };
        self.first();
        loop {
            let (head, group) = self.head(keyword)?;
            let body = self.inside(group)?;
            branches.push(Branch {
                keyword,
                head,
                body,
            });
            if !keyword.ends_with("if") || self.word(0) != Some("else") {
                return Ok(Node::Branches(branches));
            }
            self.next();
            keyword = "else";
            if self.word(0) == Some("if") {
                self.next();
                keyword = "else if";
            } else if self.braces().is_none() {
                return Err(self.expected("`if` or `{` behind `else`"));
            }
        }
    }

    /// Takes what is between a keyword, which was taken, and its body.
    fn head(&mut self, keyword: &str) -> Result<(Rust<'s>, &'s Group), Error> {
        let start = self.at;
        // Braces of a pattern belong to it: `if let Point { x, y } = point`.
        let mut in_pattern = keyword == "for";
        loop {
            match (self.peek(0), self.word(0)) {
                (None, _) => return Err(self.expected("the braces of a body")),
                (_, Some("let")) => in_pattern = true,
                (_, Some("in")) | (Some(Tree::Punct('=', _)), _) => in_pattern = false,
                _ if self.braces().is_some() && !in_pattern => break,
                _ => {}
            }
            if self.at == start {
                self.next();
            } else {
                // Comments are kept with the Rust.
                self.first();
            }
        }
        let head = self.rust(start)?;
        Ok((head, self.body()?))
    }

    fn body(&mut self) -> Result<&'s Group, Error> {
        let group = self.braces().ok_or_else(|| self.expected("`{`"))?;
        self.next();
        Ok(group)
    }

    fn choice(&mut self) -> Result<Node<'s>, Error> {
        self.first();
        let (value, group) = self.head("match")?;
        let mut inside = Parser::new(self.source, group, self.depth + 1);
        let arms = inside.list(|_| false, Self::arm)?;
        Ok(Node::Match { value, arms })
    }

    fn arm(&mut self) -> Result<Arm<'s>, Error> {
        let start = self.at;
        while !(self.is_punct(0, '=') && self.is_punct(1, '>')) {
            if self.first().is_none() {
                return Err(self.expected("`=>` behind the pattern"));
            }
        }
        let pattern = self.rust(start)?;
        let outer = std::mem::take(&mut self.misplaced);
        self.next();
        self.next();
        self.misplaced |= !self.source.gap(self.behind..self.ahead()).0.is_empty();
        let body = if let Some(group) = self.braces() {
            self.next();
            ArmBody::Braces(self.inside(group)?)
        } else {
            ArmBody::Node(self.node()?)
        };
        let comma = self.take(',');
        let misplaced = std::mem::replace(&mut self.misplaced, outer);
        if misplaced {
            return self.kept(start).map(Arm::Kept);
        }
        Ok(Arm::Shown {
            pattern,
            body,
            comma,
        })
    }
}

fn is_text(literal: &str) -> bool {
    literal.starts_with('"') || literal.starts_with("r\"") || literal.starts_with("r#")
}
