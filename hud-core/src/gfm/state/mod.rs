//! The walk over a tree: the open containers, and the destination of text.
//!
//! Trees are walked with an explicit stack, so only memory limits their depth. A node is *entered*:
//! it [describes](node::describe) its output as text or as a container. A [`Frame`] is opened for
//! the children of a container. After the children, the frame is *left*, and the text after them is
//! written.
//!
//! Text goes to the innermost open content ([`Content`]): flow as lines to a [`Writer`], phrasing
//! to a [`Region`], cells to their row.

mod container;
mod siblings;

use markdown::mdast::{AlignKind, Node};

use super::attention::Region;
use super::constructs::Constructs;
use super::context::Context;
use super::description::{Description, FlowRole, Phrasing, PhrasingRole};
use super::node;
use super::options::SerializeOptions;
use super::safe::Info;
use super::writer::Writer;

/// The initial capacity of a text, in bytes.
const TEXT: usize = 1 << 11;

/// The state of the walk.
pub(super) struct State<'a> {
    /// The part of the state that nodes may know.
    context: Context<'a>,
    /// A frame for each of the context's containers.
    frames: Vec<Frame<'a>>,
    writers: Vec<Writer>,
    regions: Vec<Region>,
    /// A finished region, whose memory is reused.
    written: Option<Region>,
    tree: &'a Node,
    /// True if the tree has definitions, so that brackets may be references. `None` until it is
    /// needed.
    has_definitions: Option<bool>,
}

/// A container whose children are being written.
struct Frame<'a> {
    children: &'a [Node],
    content: Content<'a>,
    /// The constructs that were open around the container.
    outer: Constructs,
    /// The marker of the enclosing list's items.
    outer_bullet: Option<char>,
}

/// The way in which the children of a container are written.
enum Content<'a> {
    /// On lines of their own. With `is_fresh`, in a writer of their own.
    Flow {
        role: FlowRole<'a>,
        is_prefixed: bool,
        /// The text after the children.
        trail: String,
        is_fresh: bool,
    },
    /// Without separators, between two characters. With `is_fresh`, in a region of their own.
    Phrasing {
        role: PhrasingRole<'a>,
        before: Option<char>,
        after: Option<char>,
        is_fresh: bool,
    },
    /// The rows of a table.
    Rows {
        align: &'a [AlignKind],
        rows: Vec<Vec<String>>,
    },
    /// The cells of a row.
    Cells(Vec<String>),
}

impl<'a> State<'a> {
    pub(super) fn new(tree: &'a Node, options: &'a SerializeOptions) -> Self {
        Self {
            context: Context::new(options),
            frames: Vec::new(),
            writers: vec![Writer::with_capacity(TEXT)],
            regions: Vec::new(),
            written: None,
            tree,
            has_definitions: None,
        }
    }

    /// Writes the tree, without a line ending at the end.
    pub(super) fn write(mut self) -> String {
        let tree = self.tree;
        if node::root::is_phrasing(tree) {
            self.open_phrasing(Phrasing {
                role: PhrasingRole::Root,
                children: std::slice::from_ref(tree),
                lead: String::new(),
                constructs: Constructs::PHRASING,
                info: Info::LINE,
            });
        } else {
            let description = node::describe(&self.context, tree, Info::LINE);
            self.enter(description);
        }
        while let (Some(container), Some(frame)) =
            (self.context.containers.last_mut(), self.frames.last())
        {
            let children = frame.children;
            let index = container.next;
            container.next += 1;
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
        self.writers.pop().map(Writer::finish).unwrap_or_default()
    }

    /// The writer of the enclosing flow.
    fn writer(&mut self) -> &mut Writer {
        if self.writers.is_empty() {
            self.writers.push(Writer::default());
        }
        let last = self.writers.len() - 1;
        &mut self.writers[last]
    }

    /// Writes the output of a node to the innermost open content.
    fn emit(&mut self, text: &str) {
        match self.frames.last_mut().map(|frame| &mut frame.content) {
            None | Some(Content::Flow { .. } | Content::Rows { .. }) => self.writer().write(text),
            Some(Content::Cells(cells)) => cells.push(text.to_owned()),
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

    /// Writes the escaped text of text nodes.
    fn emit_text(&mut self, text: &str) {
        match (
            self.frames.last_mut().map(|frame| &mut frame.content),
            self.regions.last_mut(),
        ) {
            (Some(Content::Phrasing { before, .. }), Some(region)) => {
                if let Some(last) = text.chars().next_back() {
                    *before = Some(last);
                }
                region.push_text(text);
            }
            _ => self.emit(text),
        }
    }

    /// Writes a text, or opens a container.
    fn enter(&mut self, description: Description<'a>) {
        match description {
            Description::Text(text) => self.emit(&text),
            Description::Flow(flow) => {
                if !self.write_line_item(&flow) {
                    self.open_flow(flow);
                }
            }
            Description::Phrasing(phrasing) => self.open_phrasing(phrasing),
            Description::Attention {
                sequences,
                children,
                info,
            } => self.open_attention(sequences, children, info),
            Description::Table(table) => self.open_table(table),
            Description::Row(cells) => {
                self.open(cells, Content::Cells(Vec::with_capacity(cells.len())));
            }
        }
    }

    fn options(&self) -> &'a SerializeOptions {
        self.context.options
    }
}
