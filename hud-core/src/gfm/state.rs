//! The walk over a tree: what is open, and where text goes.
//!
//! Trees are walked with an explicit stack, so their depth is bounded by memory alone. A node is
//! *entered*: a leaf writes its text, a container pushes a [`Frame`] for its children. When they
//! are written, the frame is *left*, and the container writes what comes after them.
//!
//! Text goes to the innermost open content ([`Content`]): lines of flow to a [`Writer`], phrasing
//! to a [`Region`], cells to their row.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;

use markdown::mdast::Node;

use super::attention::Region;
use super::character::{Classes, is_eol};
use super::constructs::Constructs;
use super::html_kind::html_kind;
use super::join::{Join, join};
use super::node::{self, Role};
use super::options::Options;
use super::safe::{Info, Safe};
use super::unsafe_patterns::Scope;
use super::writer::Writer;

/// Everything known while a tree is written.
pub(super) struct State<'a> {
    pub(super) options: &'a Options,
    /// What is open around the next child.
    pub(super) constructs: Constructs,
    /// The marker of the items being written.
    pub(super) bullet_current: Option<char>,
    /// The marker of the list right before, which the next list must not take.
    pub(super) bullet_last_used: Option<char>,
    /// The patterns of the constructs that text was made safe for last: most often the next ones.
    scope: Cell<(Constructs, Scope)>,
    frames: Vec<Frame<'a>>,
    writers: Vec<Writer>,
    regions: Vec<Region>,
}

/// A container whose children are being written.
pub(super) struct Frame<'a> {
    pub(super) role: Role<'a>,
    children: &'a [Node],
    /// The index of the next child.
    next: usize,
    content: Content,
    /// What was open around the container.
    outer: Constructs,
}

/// How the children of a container stand together.
enum Content {
    /// In lines of their own. With `is_fresh` in a writer of their own.
    Flow { is_fresh: bool },
    /// Flush, between two characters. With `is_fresh` in a region of their own.
    Phrasing {
        before: Option<char>,
        after: Option<char>,
        is_fresh: bool,
    },
    /// The rows of a table.
    Rows(Vec<Vec<String>>),
    /// The cells of a row.
    Cells(Vec<String>),
}

impl<'a> State<'a> {
    pub(super) fn new(options: &'a Options) -> Self {
        Self {
            options,
            constructs: Constructs::NONE,
            bullet_current: None,
            bullet_last_used: None,
            scope: Cell::new((Constructs::NONE, Scope::new(Constructs::NONE, options))),
            frames: Vec::new(),
            writers: vec![Writer::default()],
            regions: Vec::new(),
        }
    }

    /// Writes a tree.
    pub(super) fn write(mut self, tree: &'a Node) -> String {
        if node::root::is_phrasing(tree) {
            let constructs = Constructs::PHRASING;
            let tree = std::slice::from_ref(tree);
            self.open_phrasing(Role::Root, tree, constructs, Info::LINE);
        } else {
            node::enter(&mut self, tree, Info::LINE);
        }
        while let Some(frame) = self.frames.last_mut() {
            let children = frame.children;
            let index = frame.next;
            frame.next += 1;
            match children.get(index) {
                Some(child) => self.enter_child(children, index, child),
                None => {
                    if let Some(last) = children.last() {
                        self.forget_bullet(last);
                    }
                    self.leave();
                }
            }
        }
        let mut text = self.writers.pop().map(Writer::finish).unwrap_or_default();
        if !text.is_empty() && !text.ends_with(is_eol) {
            text.push('\n');
        }
        text
    }

    pub(super) fn safe(&self, constructs: Constructs) -> Safe {
        let (last, mut scope) = self.scope.get();
        if last != constructs {
            scope = Scope::new(constructs, self.options);
            self.scope.set((constructs, scope));
        }
        Safe::new(constructs, scope, self.options)
    }

    pub(super) fn classes(&self) -> Classes {
        Classes::of(self.options)
    }

    /// The containers around, the innermost first, each with the index of the child being written.
    pub(super) fn around(&self) -> impl Iterator<Item = (&Role<'a>, usize)> {
        self.frames
            .iter()
            .rev()
            .map(|frame| (&frame.role, frame.next.saturating_sub(1)))
    }

    /// The writer of the flow around.
    pub(super) fn writer(&mut self) -> &mut Writer {
        if self.writers.is_empty() {
            self.writers.push(Writer::default());
        }
        let last = self.writers.len() - 1;
        &mut self.writers[last]
    }

    /// Writes text where the innermost open content goes.
    pub(super) fn emit(&mut self, text: String) {
        match self.frames.last_mut().map(|frame| &mut frame.content) {
            None | Some(Content::Flow { .. } | Content::Rows(_)) => self.writer().write(&text),
            Some(Content::Cells(cells)) => cells.push(text),
            Some(Content::Phrasing { before, .. }) => {
                if let Some(last) = text.chars().next_back() {
                    *before = Some(last);
                }
                if let Some(region) = self.regions.last_mut() {
                    region.push(text);
                }
            }
        }
    }

    /// Opens a container of flow.
    pub(super) fn open_flow(&mut self, role: Role<'a>, children: &'a [Node]) {
        let around = self.frames.last().map(|frame| &frame.content);
        let is_fresh = !matches!(around, None | Some(Content::Flow { .. }));
        if is_fresh {
            self.writers.push(Writer::default());
        }
        self.open(role, children, Content::Flow { is_fresh });
    }

    /// Opens a container of phrasing with these constructs open in it.
    pub(super) fn open_phrasing(
        &mut self,
        role: Role<'a>,
        children: &'a [Node],
        constructs: Constructs,
        Info { before, after }: Info,
    ) {
        self.regions.push(Region::new(before, after));
        self.open(
            role,
            children,
            Content::Phrasing {
                before,
                after,
                is_fresh: true,
            },
        );
        self.constructs = constructs;
    }

    /// Opens emphasis, strong emphasis or strikethrough.
    pub(super) fn open_attention(
        &mut self,
        sequences: [&'static str; 2],
        children: &'a [Node],
        info: Info,
    ) {
        let around = self.frames.last().map(|frame| &frame.content);
        let is_fresh = !matches!(around, Some(Content::Phrasing { .. }));
        if is_fresh {
            self.regions.push(Region::new(info.before, info.after));
        }
        if let Some(region) = self.regions.last_mut() {
            region.open(sequences);
        }
        let marker = sequences[0].chars().next();
        let content = Content::Phrasing {
            before: marker,
            after: marker,
            is_fresh,
        };
        self.open(Role::Attention { marker }, children, content);
        self.constructs = self.constructs.and(Constructs::PHRASING);
    }

    pub(super) fn open_table(&mut self, role: Role<'a>, rows: &'a [Node]) {
        self.open(role, rows, Content::Rows(Vec::with_capacity(rows.len())));
    }

    pub(super) fn open_row(&mut self, cells: &'a [Node]) {
        let row = Vec::with_capacity(cells.len());
        self.open(Role::TableRow, cells, Content::Cells(row));
    }

    fn open(&mut self, role: Role<'a>, children: &'a [Node], content: Content) {
        let outer = self.constructs;
        self.frames.push(Frame {
            role,
            children,
            next: 0,
            content,
            outer,
        });
    }

    fn enter_child(&mut self, siblings: &'a [Node], index: usize, child: &'a Node) {
        let info = match self.frames.last().map(|frame| &frame.content) {
            None => Info::LINE,
            Some(Content::Rows(_)) => return node::enter_row(self, child),
            Some(Content::Cells(_)) => return node::enter_cell(self, child),
            Some(Content::Flow { .. }) => {
                if let Some(left) = index.checked_sub(1).and_then(|left| siblings.get(left)) {
                    self.forget_bullet(left);
                    self.write_join(left, child);
                }
                Info::LINE
            }
            Some(Content::Phrasing { .. }) if self.options.strict && is_void(child) => return,
            Some(Content::Phrasing { before, after, .. }) => {
                let behind = self.behind(siblings, index);
                let info = Info {
                    before: *before,
                    after: match siblings.get(behind) {
                        Some(next) => node::peek(self, next),
                        None => *after,
                    },
                };
                if matches!(child, Node::Text(_)) {
                    return self.enter_texts(siblings, index..behind, info);
                }
                self.part_from_fence(siblings.get(..index).unwrap_or_default(), child, info)
            }
        };
        let info = self.part_from_html(child, info);
        node::enter(self, child, info);
    }

    /// The index of the sibling whose text comes behind a child's. If strict, that is the next for
    /// which anything is written, and for texts the next that is no text.
    fn behind(&self, siblings: &[Node], index: usize) -> usize {
        let is_text = |node: &Node| matches!(node, Node::Text(_));
        let is_in_run = siblings.get(index).is_some_and(is_text);
        let belongs = |next: &&Node| is_void(next) || is_in_run && is_text(next);
        let rest = siblings.get(index + 1..).unwrap_or_default();
        let skipped = if self.options.strict {
            rest.iter().take_while(belongs).count()
        } else {
            0
        };
        index + 1 + skipped
    }

    /// Writes texts that stand side by side as one, since what has to be escaped in one may depend
    /// on how the line began in another.
    fn enter_texts(&mut self, siblings: &'a [Node], run: Range<usize>, info: Info) {
        let end = run.end;
        let run = siblings.get(run).unwrap_or_default().iter();
        let texts = run.filter_map(|node| match node {
            Node::Text(text) => Some(text.value.as_str()),
            _ => None,
        });
        let value = texts.fold(Cow::Borrowed(""), |value, text| value + text);
        let text = node::text::write(self, &value, info);
        self.emit(text);
        if let Some(frame) = self.frames.last_mut() {
            frame.next = end;
        }
    }

    /// A list takes another marker than the list before it only if nothing stands in between.
    fn forget_bullet(&mut self, left: &Node) {
        let is_flow = matches!(
            self.frames.last(),
            Some(Frame {
                content: Content::Flow { .. },
                ..
            })
        );
        if is_flow && !matches!(left, Node::List(_)) {
            self.bullet_last_used = None;
        }
    }

    fn write_join(&mut self, left: &Node, right: &Node) {
        let joined = match self.frames.last().map(|frame| &frame.role) {
            Some(role) => join(left, right, role, self.options),
            None => Join::BlankLine,
        };
        self.writer().write(joined.text());
    }

    /// The fence of code right behind another would be one with it, and what the code holds
    /// would be read as markup. So, if strict, a space parts them, and likewise math.
    fn part_from_fence(&mut self, left: &[Node], child: &Node, info: Info) -> Info {
        let fence = match child {
            Node::InlineCode(_) => '`',
            Node::InlineMath(_) => '$',
            _ => return info,
        };
        // A text may end in the same character: that is escaped.
        let written = left.iter().rfind(|left| !is_void(left));
        let is_behind_fence = self.options.strict
            && info.before == Some(fence)
            && written.is_some_and(|left| !matches!(left, Node::Text(_)));
        if !is_behind_fence {
            return info;
        }
        self.emit(" ".to_owned());
        Info {
            before: Some(' '),
            ..info
        }
    }

    /// HTML after a line ending could be read as a block, which nothing can keep it from. So the
    /// line ending becomes a space.
    fn part_from_html(&mut self, child: &Node, info: Info) -> Info {
        let Node::Html(html) = child else {
            return info;
        };
        let is_softened = info.before.is_some_and(is_eol)
            && html_kind(&html.value) != Some(7)
            && matches!(
                self.frames.last(),
                Some(Frame {
                    content: Content::Phrasing { .. },
                    ..
                })
            )
            && self.regions.last_mut().is_some_and(Region::soften_eol);
        if is_softened {
            Info {
                before: Some(' '),
                ..info
            }
        } else {
            info
        }
    }

    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        self.constructs = frame.outer;
        match frame.content {
            Content::Flow { is_fresh } => {
                node::leave_flow(self, &frame.role);
                if is_fresh && let Some(writer) = self.writers.pop() {
                    self.emit(writer.finish());
                }
            }
            Content::Phrasing { is_fresh, .. } => self.leave_phrasing(&frame.role, is_fresh),
            Content::Rows(rows) => {
                if let Role::Table(table) = frame.role {
                    let text = node::table::write(self, rows, &table.align);
                    self.emit(text);
                }
            }
            Content::Cells(cells) => {
                if let Some(Frame {
                    content: Content::Rows(rows),
                    ..
                }) = self.frames.last_mut()
                {
                    rows.push(cells);
                } else {
                    let text = node::table::write_row(self, cells);
                    self.emit(text);
                }
            }
        }
    }

    fn leave_phrasing(&mut self, role: &Role<'a>, is_fresh: bool) {
        if let Role::Attention { marker } = role {
            let is_kept = self.regions.last_mut().is_some_and(Region::close);
            if !is_fresh
                && is_kept
                && let Some(Frame {
                    content: Content::Phrasing { before, .. },
                    ..
                }) = self.frames.last_mut()
            {
                *before = *marker;
            }
        }
        if is_fresh && let Some(region) = self.regions.pop() {
            let text = region.resolve(self.classes());
            let text = node::leave_phrasing(self, role, text);
            self.emit(text);
        }
    }
}

/// How many nodes are looked at to find out whether anything is written for one.
const SEARCH: usize = 1 << 10;

/// Whether nothing is written for a phrasing node: it is an empty text, or marks nothing else.
fn is_void(node: &Node) -> bool {
    let mut rest = vec![node];
    for _ in 0..SEARCH {
        let Some(node) = rest.pop() else {
            return true;
        };
        match node {
            Node::Text(text) if text.value.is_empty() => {}
            Node::Html(html) if html.value.is_empty() => {}
            Node::Emphasis(_) | Node::Strong(_) | Node::Delete(_) => {
                rest.extend(node.children().into_iter().flatten().rev());
            }
            _ => return false,
        }
    }
    false
}
