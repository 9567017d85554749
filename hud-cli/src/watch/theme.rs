//! How things look. No colour says anything that a word or a sign does not say as well.

use hud_core::Band;
use ratatui::style::{Color, Modifier, Style};

/// Whether there are colours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Theme {
    pub(super) colours: bool,
}

impl Theme {
    /// Headings, and what has the reader's keys.
    pub(super) const fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// What is less important than what is around it.
    pub(super) const fn faint(self) -> Style {
        match self.colours {
            true => Style::new().fg(Color::DarkGray),
            false => Style::new().add_modifier(Modifier::DIM),
        }
    }

    /// What was looked for.
    pub(super) const fn found(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// Something to look at.
    pub(super) const fn warning(self) -> Style {
        self.coloured(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    /// Something that is as it is to be.
    pub(super) const fn good(self) -> Style {
        self.coloured(Color::Green)
    }

    /// Something that is not there any more.
    pub(super) const fn gone(self) -> Style {
        self.coloured(Color::Red)
    }

    /// How full the context is.
    pub(super) const fn band(self, band: Band) -> Style {
        self.coloured(match band {
            Band::Green => Color::Green,
            Band::Yellow => Color::Yellow,
            Band::Red | Band::Critical => Color::Red,
        })
    }

    /// Names: of sections, of kinds of events.
    pub(super) const fn name(self) -> Style {
        self.coloured(Color::Cyan)
    }

    const fn coloured(self, colour: Color) -> Style {
        match self.colours {
            true => Style::new().fg(colour),
            false => Style::new(),
        }
    }
}
