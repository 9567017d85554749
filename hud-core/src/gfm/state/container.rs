//! Opening and closing of containers.

use std::borrow::Cow;

use markdown::mdast::{Node, Table};

use super::super::attention::{Region, Sequences};
use super::super::character::Classes;
use super::super::constructs::Constructs;
use super::super::context::Container;
use super::super::description::{Flow, FlowRole, Phrasing, PhrasingRole};
use super::super::node;
use super::super::safe::Info;
use super::super::sparing;
use super::super::writer::Writer;
use super::{Content, Frame, State};

impl<'a> State<'a> {
    pub(super) fn open_flow(&mut self, flow: Flow<'a>) {
        let Flow {
            role,
            children,
            lead,
            prefix,
            trail,
        } = flow;
        let around = self.frames.last().map(|frame| &frame.content);
        let is_fresh = !matches!(around, None | Some(Content::Flow { .. }));
        if is_fresh {
            self.writers.push(Writer::default());
        }
        let content = Content::Flow {
            role,
            is_prefixed: prefix.is_some(),
            trail,
            is_fresh,
        };
        self.open(children, content);
        if let FlowRole::List { bullet, .. } = role {
            self.context.bullet_current = Some(bullet);
        }
        let writer = self.writer();
        writer.write(&lead);
        if let Some(prefix) = prefix {
            writer.open(&prefix.first, &prefix.rest);
        }
    }

    pub(super) fn open_phrasing(&mut self, phrasing: Phrasing<'a>) {
        let Phrasing {
            role,
            children,
            lead,
            constructs,
            info,
        } = phrasing;
        // Fast path: the adjacent nodes do not matter.
        if let ([Node::Text(text)], true) = (children, lead.is_empty()) {
            let text = self.context.safe(constructs).text(&text.value, info);
            if matches!(text, Cow::Borrowed(_)) {
                return self.emit_closed(&role, &text);
            }
        }
        let Info { before, after } = info;
        let region = self.written.take().unwrap_or_default();
        self.regions.push(region.anew(before, after));
        let content = Content::Phrasing {
            role,
            before,
            after,
            is_fresh: true,
        };
        self.open(children, content);
        self.context.constructs = constructs;
        if !lead.is_empty() {
            self.emit(&lead);
        }
    }

    /// Opens emphasis, strong emphasis or strikethrough.
    pub(super) fn open_attention(
        &mut self,
        sequences: Sequences,
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
            role: PhrasingRole::Attention { marker },
            before: marker,
            after: marker,
            is_fresh,
        };
        self.open(children, content);
        self.context.constructs = self.context.constructs.and(Constructs::PHRASING);
    }

    pub(super) fn open_table(&mut self, table: &'a Table) {
        let content = Content::Rows {
            align: &table.align,
            rows: Vec::with_capacity(table.children.len()),
        };
        self.open(&table.children, content);
    }

    pub(super) fn open(&mut self, children: &'a [Node], content: Content<'a>) {
        let role = match &content {
            Content::Flow { role, .. } => Some(*role),
            Content::Phrasing { .. } | Content::Rows { .. } | Content::Cells(_) => None,
        };
        self.context.containers.push(Container { role, next: 0 });
        self.frames.push(Frame {
            children,
            content,
            outer: self.context.constructs,
            outer_bullet: self.context.bullet_current,
        });
    }

    /// Closes the innermost container, and writes the text after its children.
    pub(super) fn leave(&mut self) {
        self.context.containers.pop();
        let Some(frame) = self.frames.pop() else {
            return;
        };
        self.context.constructs = frame.outer;
        self.context.bullet_current = frame.outer_bullet;
        match frame.content {
            Content::Flow {
                role,
                is_prefixed,
                trail,
                is_fresh,
            } => {
                match role {
                    FlowRole::List { bullet, .. } => self.context.bullet_last_used = Some(bullet),
                    FlowRole::ListItem(_) | FlowRole::Plain => {}
                }
                if is_prefixed {
                    self.writer().close();
                }
                self.writer().write(&trail);
                if is_fresh && let Some(writer) = self.writers.pop() {
                    self.emit(&writer.finish());
                }
            }
            Content::Phrasing { role, is_fresh, .. } => self.leave_phrasing(&role, is_fresh),
            Content::Rows { align, rows } => {
                let text = node::table::write(&self.context, rows, align);
                self.emit(&text);
            }
            Content::Cells(cells) => {
                if let Some(Frame {
                    content: Content::Rows { rows, .. },
                    ..
                }) = self.frames.last_mut()
                {
                    rows.push(cells);
                } else {
                    let text = node::table::write_row(&self.context, cells);
                    self.emit(&text);
                }
            }
        }
    }

    /// Writes a phrasing container with the text of its children.
    fn emit_closed(&mut self, role: &PhrasingRole<'a>, text: &str) {
        let around = self.frames.last().map(|frame| &frame.content);
        // If the text goes to lines, it can be written in pieces.
        if matches!(around, None | Some(Content::Flow { .. }))
            && let Some(lead) = node::lead(&self.context, role, text)
        {
            let writer = self.writer();
            writer.write(lead);
            writer.write(text);
            return;
        }
        let text = node::close(&self.context, role, text);
        self.emit(&text);
    }

    /// Writes an item that is one line of text without escapes, as most are. Returns true if it was
    /// one. It opens no containers.
    pub(super) fn write_line_item(&mut self, flow: &Flow<'a>) -> bool {
        let (FlowRole::ListItem(item), Some(prefix)) = (flow.role, &flow.prefix) else {
            return false;
        };
        let [Node::Paragraph(paragraph)] = flow.children else {
            return false;
        };
        let [Node::Text(text)] = paragraph.children.as_slice() else {
            return false;
        };
        let around = self.frames.last().map(|frame| &frame.content);
        if !matches!(around, None | Some(Content::Flow { .. })) {
            return false;
        }
        let constructs = self.context.constructs.and(Constructs::PHRASING);
        let text = self.context.safe(constructs).text(&text.value, Info::LINE);
        if !matches!(text, Cow::Borrowed(_)) {
            return false;
        }
        let checkbox = node::list_item::checkbox(item, 0);
        let writer = self.writer();
        writer.open(&prefix.first, &prefix.rest);
        writer.write(checkbox);
        writer.write(&text);
        writer.close();
        self.context.bullet_last_used = None;
        true
    }

    fn leave_phrasing(&mut self, role: &PhrasingRole<'a>, is_fresh: bool) {
        if let PhrasingRole::Attention { marker } = role {
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
            if let Some(text) = region.as_plain() {
                self.emit_closed(role, text);
                self.written = Some(region);
                return;
            }
            let resolved = region.resolve(Classes::of(self.options()));
            // Text that is part of another text keeps its escapes, because its final place is
            // unknown.
            let is_whole = self.regions.is_empty() && role.is_block();
            let text = if self.options().sparing && !self.options().mdx && is_whole {
                sparing::spare(resolved, self.has_definitions())
            } else {
                resolved.text
            };
            let text = node::close(&self.context, role, &text);
            self.emit(&text);
        }
    }

    fn has_definitions(&mut self) -> bool {
        let tree = self.tree;
        *self
            .has_definitions
            .get_or_insert_with(|| node::definition::is_within(tree))
    }
}
