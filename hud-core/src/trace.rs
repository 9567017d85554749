//! Maps each line of a markdown text to the component that rendered it.
//!
//! A [`Trace`] is a [context value](crate::ambient). Everything that is rendered to markdown in a
//! scope with a trace is recorded in it; the text is the same as without. The trace then maps each
//! line of a text to the component calls and nodes that rendered it.
//!
//! ```
//! use hud_core::node::{Item, List, Section};
//! use hud_core::trace::Trace;
//! use hud_core::{Element, Renderer, Scope, component, rsx};
//!
//! #[component]
//! fn Guests<'a>(names: &'a [&'a str]) -> Element<'a> {
//!     rsx! {
//!         <Section title="Guests"><List>for name in names { <Item>{name}</Item> }</List></Section>
//!     }
//! }
//!
//! let trace = Trace::default();
//! let scope = Scope::default().provide(&trace);
//! let guests = rsx! { <Guests names={&["Ada", "Grace"]} /> };
//! let text = Renderer::builtin().markdown(&guests, scope.scope())?;
//! assert_eq!(text, "# Guests\n\n- Ada\n- Grace\n");
//!
//! let traced = trace.explain(&text);
//! let path = |line: usize| -> Vec<&str> {
//!     let call = traced.lines[line][0];
//!     traced.path(call).iter().map(|call| call.name).collect()
//! };
//! assert_eq!(path(0), ["Guests", "Section"]);
//! assert_eq!(path(3), ["Guests", "Section", "List", "Item"]);
//! # Ok::<(), hud_core::LowerError>(())
//! ```
//!
//! # Implementation
//!
//! Each mdast node is marked with its call. The mark is stored as the node's position, which is
//! unused until a text is written. The text is then parsed, and the parsed tree has real positions.
//! Both trees are walked together: the written one has the calls, the parsed one the lines. Without
//! a trace, none of this happens.

use std::cell::RefCell;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use markdown::mdast::Node as MdastNode;
use markdown::unist::{Point, Position};

use crate::component::TagKind;
use crate::density::Density;
use crate::gfm;
use crate::mdast::kind_of;
use crate::node::Value;

/// The record of rendered texts and their components. Clones share the record.
#[derive(Clone, Default)]
pub struct Trace(Arc<Mutex<Vec<Written>>>);

impl fmt::Debug for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trace").finish_non_exhaustive()
    }
}

/// A rendered text, and the tree that it was serialized from.
struct Written {
    text: String,
    tree: MdastNode,
    calls: Vec<Call>,
}

/// The number of texts that are kept. A fit tries some before it finishes, and a frame has a few.
const KEPT: usize = 64;

/// A call of a component, or a node.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Call {
    /// The name.
    pub name: &'static str,
    /// The kind: a component or a node.
    pub kind: TagKind,
    /// The index of the enclosing call among all calls.
    pub within: Option<usize>,
    /// The name of the [part](crate::part), if it is one.
    pub part: Option<String>,
    /// The density that it was rendered at.
    pub density: Density,
    /// The props of a node. The props of components are not known as data.
    pub props: Vec<(&'static str, Value)>,
    /// True if some of the text is its own, and not that of a call within it.
    pub wrote: bool,
}

/// The calls that rendered a text.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Traced {
    /// The calls, each after the call that encloses it.
    pub calls: Vec<Call>,
    /// For each line of the text, the innermost calls that rendered it, as indices into
    /// [`calls`](Self::calls). Empty for a line without a call, such as a blank line between
    /// blocks.
    pub lines: Vec<Vec<usize>>,
}

impl Traced {
    /// The path to a call: the enclosing calls, outermost first, and the call.
    pub fn path(&self, call: usize) -> Vec<&Call> {
        let mut path = Vec::new();
        let mut next = Some(call);
        while let Some(call) = next.and_then(|at| self.calls.get(at)) {
            path.push(call);
            next = call.within;
        }
        path.reverse();
        path
    }

    /// The part of a call: the innermost enclosing part.
    pub fn part(&self, call: usize) -> Option<&str> {
        let path = self.path(call).into_iter().rev();
        path.filter_map(|call| call.part.as_deref()).next()
    }
}

impl Trace {
    /// Drops everything that was recorded.
    pub fn clear(&self) {
        self.written().clear();
    }

    /// Finds the calls of a text. The text is one that was rendered, or a sequence of rendered
    /// texts with other lines between them.
    pub fn explain(&self, text: &str) -> Traced {
        let written = self.written();
        let mut traced = Traced::default();
        let mut rest = text;
        while !rest.is_empty() {
            let known = written
                .iter()
                .filter(|known| rest.starts_with(&known.text))
                .max_by_key(|known| known.text.len());
            let length = match known {
                Some(known) => {
                    let before = traced.calls.len();
                    let calls = known.calls.iter().map(|call| Call {
                        within: call.within.map(|within| within + before),
                        ..call.clone()
                    });
                    traced.calls.extend(calls);
                    let lines = known.lines().into_iter();
                    let moved = lines.map(|line| line.iter().map(|call| call + before).collect());
                    traced.lines.extend(moved);
                    known.text.len()
                }
                None => {
                    traced.lines.push(Vec::new());
                    rest.find('\n').map_or(rest.len(), |end| end + 1)
                }
            };
            rest = rest.get(length..).unwrap_or_default();
        }
        traced
    }

    pub(crate) fn add(&self, text: &str, tree: MdastNode, recorder: Recorder) {
        if text.is_empty() {
            return;
        }
        let mut written = self.written();
        written.truncate(KEPT - 1);
        written.insert(
            0,
            Written {
                text: text.to_owned(),
                tree,
                calls: recorder.0.into_inner(),
            },
        );
    }

    fn written(&self) -> std::sync::MutexGuard<'_, Vec<Written>> {
        // Code that holds the lock can panic at most while it clones, so the data is intact.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The calls of one rendering, in the order in which they began.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Recorder(RefCell<Vec<Call>>);

impl Recorder {
    /// Records a call, and returns its index.
    pub(crate) fn enter(&self, call: Call) -> usize {
        let mut calls = self.0.borrow_mut();
        calls.push(call);
        calls.len() - 1
    }

    /// Marks a node and its unmarked descendants with the call at an index.
    pub(crate) fn mark(&self, node: &mut MdastNode, call: usize) {
        let mut wrote = false;
        let mut rest = vec![node];
        while let Some(node) = rest.pop() {
            if node.position().is_some() {
                continue;
            }
            node.position_set(Some(mark(call)));
            wrote = true;
            rest.extend(node.children_mut().into_iter().flatten());
        }
        if let Some(call) = self.0.borrow_mut().get_mut(call) {
            call.wrote |= wrote;
        }
    }
}

/// The mark of a node, stored as its position: from the first call that rendered it to the last.
fn mark(call: usize) -> Position {
    let point = Point {
        line: 1,
        column: 1,
        offset: call,
    };
    Position {
        start: point.clone(),
        end: point,
    }
}

/// Joins the marks of two nodes that are merged into one.
pub(crate) fn join(before: &mut Option<Position>, after: Option<Position>) {
    match (before, after) {
        (Some(before), Some(after)) => before.end = after.end,
        (before @ None, after) => *before = after,
        (Some(_), None) => {}
    }
}

impl Written {
    /// The calls of each line.
    fn lines(&self) -> Vec<Vec<usize>> {
        let blank: Vec<bool> = self
            .text
            .lines()
            .map(|line| line.trim().is_empty())
            .collect();
        let mut lines = Lines {
            calls: &self.calls,
            lines: vec![Vec::new(); blank.len()],
            blank,
        };
        let options = gfm::ParseOptions {
            positions: true,
            ..gfm::ParseOptions::default()
        };
        match gfm::parse(&self.text, &options) {
            Ok(read) => lines.walk(&self.tree, &read),
            // The text is nested too deeply to be parsed, so each line gets all calls.
            Err(_) => lines.all_of(&self.tree, 0..lines.lines.len()),
        }
        lines.lines
    }
}

struct Lines<'w> {
    calls: &'w [Call],
    lines: Vec<Vec<usize>>,
    blank: Vec<bool>,
}

impl Lines<'_> {
    /// Walks the written tree and the parsed tree together.
    fn walk(&mut self, written: &MdastNode, read: &MdastNode) {
        let place = place(read);
        match (written.children(), read.children()) {
            (Some(own), Some(found)) => {
                let own = || own.iter().filter(|node| !is_nothing(node));
                let is_same = own().count() == found.len()
                    && own()
                        .zip(found)
                        .all(|(own, found)| kind_of(own) == kind_of(found));
                if is_same {
                    for (own, found) in own().zip(found) {
                        self.walk(own, found);
                    }
                } else {
                    self.all_of(written, place.clone());
                }
                let bare: Vec<usize> = place.filter(|line| self.is_bare(*line)).collect();
                for line in bare {
                    self.give(written, line);
                }
            }
            _ => place.for_each(|line| self.give(written, line)),
        }
    }

    /// Assigns lines to all calls of a tree.
    fn all_of(&mut self, written: &MdastNode, place: Range<usize>) {
        let mut rest = vec![written];
        while let Some(node) = rest.pop() {
            match node.children() {
                Some(children) => rest.extend(children.iter().rev()),
                None => place.clone().for_each(|line| self.give(node, line)),
            }
        }
    }

    fn is_bare(&self, line: usize) -> bool {
        self.lines.get(line).is_some_and(Vec::is_empty)
    }

    fn give(&mut self, node: &MdastNode, line: usize) {
        let Some(mark) = node.position() else {
            return;
        };
        let is_blank = self.blank.get(line).copied().unwrap_or(true);
        let Some(given) = self.lines.get_mut(line).filter(|_| !is_blank) else {
            return;
        };
        let (first, last) = (mark.start.offset, mark.end.offset);
        for call in first..=last.max(first) {
            let is_one = call == first || call == last;
            // In a range of several calls, those without text of their own are left out.
            let wrote = is_one || self.calls.get(call).is_some_and(|call| call.wrote);
            if wrote && call < self.calls.len() && !given.contains(&call) {
                given.push(call);
            }
        }
    }
}

/// True if the node has no output.
fn is_nothing(node: &MdastNode) -> bool {
    matches!(node, MdastNode::Text(text) if text.value.is_empty())
}

/// The lines of a parsed node, from 0.
fn place(node: &MdastNode) -> Range<usize> {
    match node.position() {
        // A node that includes its line ending ends at the beginning of the next line.
        Some(position) => {
            let end = match position.end.column {
                1 => position.end.line - 1,
                _ => position.end.line,
            };
            position.start.line.saturating_sub(1)..end.max(position.start.line)
        }
        None => 0..0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::{Beside, Cell, Code, Field, Item, List, Part, Parts, Row, Section, Table};
    use crate::part::Arrangement;
    use crate::{Element, Renderer, Scope, component, rsx};

    #[component(part = "menu")]
    fn Menu<'a>(courses: &'a [&'a str], density: Density) -> Element<'a> {
        match density {
            Density::Full => rsx! {
                <Section title="Menu">
                    <Field label="Chef">"Ada, " <Course name="who *cooks*" /></Field>
                    <List>for name in courses { <Item><Course name /></Item> }</List>
                    <Table>
                        <Row><Cell>"a"</Cell> <Cell>"b"</Cell></Row>
                        <Row><Cell><Course name="1 | 2" /></Cell> <Cell>"c"</Cell></Row>
                    </Table>
                </Section>
            },
            _ => rsx! { {courses.len()} " courses" },
        }
    }

    #[component]
    fn Course<'a>(name: &'a str) -> Element<'a> {
        rsx! { {name} " of the day" }
    }

    #[component(part = "silent")]
    fn Silent() -> Element {
        rsx! {}
    }

    fn layout() -> Element<'static> {
        rsx! {
            <Parts>
                <Beside>
                    <Part name="head">"Today"</Part>
                    <Silent />
                    <Menu courses={&["soup\n# x", "cake", "<b>"]} />
                </Beside>
                <Part name="foot">"See " <Code>"menu.list"</Code></Part>
            </Parts>
        }
    }

    fn explained(density: Density) -> String {
        let trace = Trace::default();
        let scope = Scope::new(density).provide(&trace);
        let layout = layout();
        let render = |scope| {
            let mut choose = |_: &_| Some(density);
            let shown =
                Renderer::builtin().parts(&layout, scope, &Arrangement::default(), &mut choose);
            shown.unwrap().markdown
        };
        let text = render(scope.scope());
        assert_eq!(text, render(Scope::new(density)), "a trace changes nothing");
        let traced = trace.explain(&text);
        assert_eq!(traced.lines.len(), text.lines().count());
        let line = |(line, calls): (&str, &Vec<usize>)| {
            let calls: Vec<String> = calls
                .iter()
                .map(|call| {
                    let names: Vec<_> = traced.path(*call).iter().map(|call| call.name).collect();
                    format!(
                        "{} ({})",
                        names.join(" > "),
                        traced.part(*call).unwrap_or("-")
                    )
                })
                .collect();
            format!("{line:<24}| {}\n", calls.join(", "))
                .trim_end()
                .to_owned()
                + "\n"
        };
        text.lines().zip(&traced.lines).map(line).collect()
    }

    #[test]
    fn each_line_of_blocks_has_its_innermost_calls() {
        insta::assert_snapshot!(explained(Density::Full));
    }

    #[test]
    fn a_line_that_parts_share_has_the_calls_of_those_that_say_something() {
        insta::assert_snapshot!(explained(Density::Minimal));
    }

    #[test]
    fn texts_below_each_other_are_found_and_what_is_between_them_is_nobodys() {
        let trace = Trace::default();
        let scope = Scope::default().provide(&trace);
        let one = |name| {
            Renderer::builtin()
                .markdown(&rsx! { <Course name /> }, scope.scope())
                .unwrap()
        };
        let (soup, cake) = (one("soup"), one("cake"));
        let traced = trace.explain(&format!("{soup}\nand\n{cake}"));
        assert_eq!(traced.lines, [vec![0], vec![], vec![], vec![1]]);
        trace.clear();
        assert_eq!(trace.explain(&soup).lines, [Vec::<usize>::new()]);
    }
}
