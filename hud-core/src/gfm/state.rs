//! The walk over a tree: what is open, and where text goes.
//!
//! Trees are walked with an explicit stack, so their depth is bounded by memory alone. A node is
//! *entered*: a leaf writes its text, a container pushes a [`Frame`] for its children. When they
//! are written, the frame is *left*, and the container writes what comes after them.
//!
//! Text goes to the innermost open content ([`Content`]): lines of flow to a [`Writer`], phrasing
//! to a [`Region`], cells to their row.

use std::cell::Cell;

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
            Some(Content::Phrasing { before, after, .. }) => {
                let after = match siblings.get(index + 1) {
                    Some(next) => node::peek(self, next),
                    None => *after,
                };
                Info {
                    before: *before,
                    after,
                }
            }
        };
        let info = self.part_from_html(child, info);
        node::enter(self, child, info);
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
