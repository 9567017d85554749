//! Writes the model as text.

mod columns;
mod flat;

use crate::parse::{
    self, Arm, ArmBody, Braces, Call, Element, Item, List, Listed, Node, Part, Prop, Rust,
};
use crate::source::{Comment, Place, Source};
use crate::{Error, Options};
use columns::{last_line, shift};

pub(crate) fn format(source: &Source<'_>, options: &Options) -> Result<String, Error> {
    let file = parse::file(source)?;
    let mut layout = Layout {
        text: source.text,
        options,
        out: String::with_capacity(source.text.len()),
    };
    layout.rust(&file, 0);
    Ok(layout.out)
}

/// The source, and the text that is written so far.
struct Layout<'s> {
    text: &'s str,
    options: &'s Options,
    out: String,
}

impl Layout<'_> {
    /// Writes a node, on several lines if necessary. `after` is the width of the text that follows it.
    fn node(&mut self, node: &Node<'_>, indent: usize, after: usize) {
        match self.flat(node) {
            Some(flat) if self.fits(&flat, after) => self.out.push_str(&flat),
            _ => self.broken(node, indent),
        }
    }

    fn broken(&mut self, node: &Node<'_>, indent: usize) {
        match node {
            Node::Kept(rust) => self.moved(rust),
            Node::Braces(braces) => self.braces(braces, indent),
            Node::Element(element) => self.element(element, indent),
            Node::Branches(branches) => {
                for (at, branch) in branches.iter().enumerate() {
                    self.out.push_str(if at > 0 { " " } else { "" });
                    self.head(branch.keyword, &branch.head, indent);
                    if !branch.body.items.is_empty() {
                        self.lines(&branch.body, indent + self.options.tab_spaces);
                        self.line(indent);
                    }
                    self.out.push('}');
                }
            }
            Node::Match { value, arms } => {
                self.head("match", value, indent);
                self.column(arms, indent, Self::arm);
                self.out.push('}');
            }
        }
    }

    /// Writes a keyword, the tokens after it, and the opening brace.
    fn head(&mut self, keyword: &str, head: &Rust<'_>, indent: usize) {
        self.out.push_str(keyword);
        self.out.push(' ');
        if head.place.is_empty() {
            self.out.push('{');
            return;
        }
        let start = self.out.len();
        self.moved(head);
        let lines = self.out[start..].contains('\n');
        // As in rustfmt, the brace on its own line shows the end of a head with several lines.
        if lines
            && !last_line(&self.out)
                .trim_start()
                .starts_with([')', ']', '}'])
        {
            self.line(indent);
        } else {
            self.out.push(' ');
        }
        self.out.push('{');
    }

    fn element(&mut self, element: &Element<'_>, indent: usize) {
        let end = if element.children.is_some() {
            ">"
        } else {
            " />"
        };
        match self.flat_open(element) {
            Some(open) if self.fits(&open, end.len()) => {
                self.out.push_str(&open);
                self.out.push_str(end);
            }
            _ => {
                self.out.push('<');
                self.moved(&element.name);
                self.column(&element.props, indent, Self::prop);
                self.out.push_str(end.trim_start());
            }
        }
        if let Some(children) = &element.children {
            if !children.items.is_empty() {
                self.lines(children, indent + self.options.tab_spaces);
                self.line(indent);
            }
            let closing = format!("</{}>", self.closing(element));
            self.out.push_str(&closing);
        }
    }

    fn prop(&mut self, prop: &Prop<'_>, indent: usize) {
        match prop {
            Prop::Alone(node) => self.node(node, indent, 0),
            Prop::Given(name, value) => {
                self.out.push_str(&self.text[name.clone()]);
                self.out.push('=');
                self.node(value, indent, 0);
            }
        }
    }

    fn arm(&mut self, arm: &Arm<'_>, indent: usize) {
        let (pattern, body, comma) = match arm {
            Arm::Kept(rust) => return self.moved(rust),
            Arm::Shown {
                pattern,
                body,
                comma,
            } => (pattern, body, *comma),
        };
        self.moved(pattern);
        self.out.push_str(" => ");
        let after = usize::from(comma);
        match body {
            ArmBody::Node(node) => self.node(node, indent, after),
            ArmBody::Braces(body) => match self.flat_braces(body) {
                Some(flat) if self.fits(&flat, after) => self.out.push_str(&flat),
                _ => {
                    self.out.push('{');
                    self.lines(body, indent + self.options.tab_spaces);
                    self.line(indent);
                    self.out.push('}');
                }
            },
        }
        self.out.push_str(if comma { "," } else { "" });
    }

    /// Writes items one below the other, and begins the line after them.
    fn column<T>(
        &mut self,
        list: &List<'_, T>,
        indent: usize,
        one: fn(&mut Self, &T, indent: usize),
    ) {
        let inner = indent + self.options.tab_spaces;
        for (at, item) in list.items.iter().enumerate() {
            match &item.what {
                Listed::Comment(comment) if item.lines == 0 && comment.is_line() => {
                    self.out.push(' ');
                    self.comment(comment);
                }
                what => {
                    self.blank_line(at, item.lines);
                    self.line(inner);
                    match what {
                        Listed::Comment(comment) => self.comment(comment),
                        Listed::Node(node) => one(self, node, inner),
                    }
                }
            }
        }
        if !list.items.is_empty() {
            self.line(indent);
        }
    }

    /// Writes nodes on separate lines. They are broken where they were, and where they do not fit.
    fn lines(&mut self, list: &List<'_, Node<'_>>, indent: usize) {
        let mut rest = list.items.as_slice();
        // A comment at the end of the opening tag's line stays there.
        if let Some((first, behind)) = rest.split_first()
            && let Listed::Comment(comment) = &first.what
            && first.lines == 0
            && comment.is_line()
        {
            self.out.push(' ');
            self.comment(comment);
            rest = behind;
        }
        // Elements that were on one line with their parent are not a sentence, so each gets a line.
        let apart = !list.ends_line
            && list.items.iter().all(|item| {
                item.lines == 0
                    && !matches!(item.what, Listed::Node(Node::Kept(_) | Node::Braces(_)))
            });
        let mut runs = 0;
        while !rest.is_empty() {
            let end = rest.iter().skip(1).position(|item| apart || item.lines > 0);
            let (run, behind) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
            self.blank_line(runs, run[0].lines);
            self.line(indent);
            self.run(run, indent);
            rest = behind;
            runs += 1;
        }
    }

    /// Writes nodes that were on one line. They are broken only if they do not fit.
    fn run(&mut self, run: &[Item<'_, Node<'_>>], indent: usize) {
        let mut fresh = true;
        let mut full = false;
        for item in run {
            // A comment at the end of a line may exceed the width.
            if let Listed::Comment(comment) = &item.what
                && comment.is_line()
            {
                self.out.push_str(if fresh { "" } else { " " });
                self.comment(comment);
                continue;
            }
            let flat = self.flat_entry(item);
            let beside = !fresh && !full;
            match flat {
                Some(flat) if beside && self.fits(&flat, 1) => {
                    self.out.push(' ');
                    self.out.push_str(&flat);
                }
                flat => {
                    if !fresh {
                        self.line(indent);
                    }
                    full = !flat.is_some_and(|flat| {
                        let fits = self.fits(&flat, 0);
                        if fits {
                            self.out.push_str(&flat);
                        }
                        fits
                    });
                    if full {
                        match &item.what {
                            Listed::Node(node) => self.broken(node, indent),
                            Listed::Comment(comment) => self.comment(comment),
                        }
                    }
                }
            }
            fresh = false;
        }
    }

    fn braces(&mut self, braces: &Braces<'_>, indent: usize) {
        let rust = &braces.rust;
        let old = self.indent_of(rust.place.start);
        self.out.push('{');
        if braces.apart {
            let inner = indent + self.options.tab_spaces;
            // If the code begins after the brace, its further lines are indented one level more.
            let begins_line = self.begins_line(rust.place.start);
            let level = if begins_line {
                0
            } else {
                self.options.tab_spaces
            };
            self.line(inner);
            self.rust(rust, shift(inner, old + level));
            self.line(indent);
        } else {
            self.rust(rust, shift(self.indent(), old));
        }
        self.out.push('}');
    }

    /// Writes Rust code whose lines move as far as its first one.
    fn moved(&mut self, rust: &Rust<'_>) {
        let by = shift(self.indent(), self.indent_of(rust.place.start));
        self.rust(rust, by);
    }

    fn comment(&mut self, comment: &Comment<'_>) {
        let by = shift(self.indent(), self.indent_of(comment.place.start));
        self.shifted(comment.place.clone(), by);
    }

    /// Writes Rust code, and moves all lines after the first by some columns.
    fn rust(&mut self, rust: &Rust<'_>, by: isize) {
        let mut at = rust.place.start;
        for part in &rust.parts {
            self.shifted(at..part.place().start, by);
            match part {
                Part::Literal(place) => self.out.push_str(&self.text[place.clone()]),
                Part::Call(call) => self.call(call),
                Part::Tag(place, node) => {
                    let (indent, after) = (self.indent(), self.behind(place));
                    self.node(node, indent, after);
                }
            }
            at = part.place().end;
        }
        self.shifted(at..rust.place.end, by);
    }

    /// The width of the closing punctuation after a place, which can't move to the next line.
    fn behind(&self, place: &Place) -> usize {
        let behind = self.text[place.end..].lines().next().unwrap_or("");
        let after = behind.chars().filter(|c| !c.is_whitespace());
        after.take_while(|c| ";,)]}?".contains(*c)).count()
    }

    fn call(&mut self, call: &Call<'_>) {
        let after = self.behind(&call.place);
        match self.flat_call(call) {
            Some(flat) if self.fits(&flat, after) => self.out.push_str(&flat),
            _ => {
                let (open, close) = self.delimiters(call);
                let indent = self.indent();
                self.out.push_str(open);
                if !call.body.items.is_empty() {
                    self.lines(&call.body, indent + self.options.tab_spaces);
                    self.line(indent);
                }
                self.out.push_str(close);
            }
        }
    }

    fn closing(&self, element: &Element<'_>) -> String {
        let path = &self.text[element.closing.clone()];
        path.split_whitespace().collect()
    }

    /// The delimiters of a call.
    fn delimiters(&self, call: &Call<'_>) -> (&'static str, &'static str) {
        match self.text.as_bytes()[call.place.start] {
            b'(' => ("(", ")"),
            b'[' => ("[", "]"),
            _ => ("{", "}"),
        }
    }
}
