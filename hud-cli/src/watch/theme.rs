//! The styles of the screen. Every meaning of a colour is also shown by a word or a sign.

use hud_core::Band;
use ratatui::style::{Color, Modifier, Style};

/// The theme, which is with or without colours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Theme {
    pub(super) colours: bool,
}

impl Theme {
    /// The style of headings, and of the pane that has the keys.
    pub(super) const fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// The style of less important text.
    pub(super) const fn faint(self) -> Style {
        match self.colours {
            true => Style::new().fg(Color::DarkGray),
            false => Style::new().add_modifier(Modifier::DIM),
        }
    }

    /// The style of search hits.
    pub(super) const fn found(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    /// The style of warnings.
    pub(super) const fn warning(self) -> Style {
        self.coloured(Color::Yellow).add_modifier(Modifier::BOLD)
    }

    /// The style of a good state.
    pub(super) const fn good(self) -> Style {
        self.coloured(Color::Green)
    }

    /// The style of removed text.
    pub(super) const fn gone(self) -> Style {
        self.coloured(Color::Red)
    }

    /// The style of a band of context use.
    pub(super) const fn band(self, band: Band) -> Style {
        self.coloured(match band {
            Band::Green => Color::Green,
            Band::Yellow => Color::Yellow,
            Band::Red | Band::Critical => Color::Red,
        })
    }

    /// The style of names, such as those of sections and of event kinds.
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
