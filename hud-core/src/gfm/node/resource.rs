//! The resource of a link, image or definition: its destination and title.

use super::super::character::is_control_or_space;
use super::super::constructs::Constructs;
use super::super::context::Context;
use super::super::options::QuoteMarker;
use super::super::safe::Info;

/// A destination and an optional title.
pub(super) struct Resource<'a> {
    pub(super) url: &'a str,
    pub(super) title: Option<&'a str>,
    /// True if an empty destination is written as `<>`.
    pub(super) encloses_empty: bool,
    /// The character after the resource.
    pub(super) after: char,
}

impl Resource<'_> {
    /// Writes the resource, inside these constructs.
    pub(super) fn write(&self, context: &Context<'_>, constructs: Constructs, out: &mut String) {
        let inside = |construct| context.safe(constructs.and(construct));
        let is_enclosed =
            self.url.contains(is_control_or_space) || self.url.is_empty() && self.encloses_empty;
        if is_enclosed {
            out.push('<');
            inside(Constructs::DESTINATION_LITERAL).write(out, self.url, Info::new('<', '>'));
            out.push('>');
        } else {
            let after = if self.title.is_some() {
                ' '
            } else {
                self.after
            };
            inside(Constructs::DESTINATION_RAW).write(out, self.url, Info::new('(', after));
        }
        if let Some(title) = self.title {
            let quote = context.options.quote.char();
            let construct = match context.options.quote {
                QuoteMarker::Double => Constructs::TITLE_QUOTE,
                QuoteMarker::Single => Constructs::TITLE_APOSTROPHE,
            };
            out.extend([' ', quote]);
            inside(construct).write(out, title, Info::new(quote, quote));
            out.push(quote);
        }
    }
}

/// The title, or `None` if it is empty.
pub(super) fn title(title: &Option<String>) -> Option<&str> {
    title.as_deref().filter(|title| !title.is_empty())
}
