//! The output to the terminal, which consists of HUDs, JSON, notices and errors.

use std::io::{self, IsTerminal, Write};

use anstream::ColorChoice;
use anstyle::{AnsiColor, Style};
use hud_agent::frame::Frame;
use hud_agent::layout::LayoutError;
use hud_agent::setup::Setup;
use hud_core::fit::Report;
use hud_store::event::SessionId;
use hud_store::log::LogError;
use hud_store::state::HudState;
use serde::Serialize;

use crate::config::ConfigErrors;
use crate::explain::JsonReport;
use crate::location::LocationError;

/// The error that ends a command.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error(transparent)]
    Log(#[from] LogError),
    #[error(transparent)]
    Location(#[from] LocationError),
    #[error(transparent)]
    Transcript(#[from] hud_clients::transcript::TranscriptError),
    #[error(transparent)]
    Layout(#[from] LayoutError),
    #[cfg(feature = "formats")]
    #[error(transparent)]
    Format(#[from] hud_agent::format::FormatError),
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
    #[error(transparent)]
    Export(#[from] hud_store::jsonl::ExportError),
    #[error("{file}: {source}")]
    Import {
        file: String,
        source: hud_store::jsonl::ImportError,
    },
    #[error("{}{source}", named(.file, .source))]
    Cost {
        file: String,
        source: hud_agent::cost::CostError,
    },
    #[error(transparent)]
    Config(#[from] ConfigErrors),
    #[cfg(feature = "rooms")]
    #[error(transparent)]
    Rooms(#[from] hud_rooms::RoomsError),
    #[error("{0}")]
    Other(String),
}

/// Returns the file's name as a prefix, if the error does not name the file.
fn named(file: &str, error: &hud_agent::cost::CostError) -> String {
    match error {
        hud_agent::cost::CostError::Transcript(_) => String::new(),
        _ => format!("{file}: "),
    }
}

/// Reports an error on standard error.
pub(crate) fn problem(message: impl std::fmt::Display) {
    let style = Style::new().fg_color(Some(AnsiColor::Red.into())).bold();
    notice(style, "error", message);
}

/// Returns the result for the agent. If the built-in layout replaces the program's layout, reports the reason.
pub(crate) fn shown<T>((shown, why): (T, Option<LayoutError>)) -> T {
    if let Some(why) = why {
        problem(format_args!(
            "{why}; the built-in one is shown in its place"
        ));
    }
    shown
}

/// Reports a possible problem on standard error.
pub(crate) fn warning(message: impl std::fmt::Display) {
    let style = Style::new().fg_color(Some(AnsiColor::Yellow.into())).bold();
    notice(style, "warning", message);
}

/// Reports a note on standard error, separate from the output.
pub(crate) fn note(message: impl std::fmt::Display) {
    notice(Style::new().dimmed(), "note", message);
}

fn notice(style: Style, label: &str, message: impl std::fmt::Display) {
    // If standard error is closed, there is nowhere left to report this.
    let _ = writeln!(
        anstream::stderr().lock(),
        "{style}{label}:{style:#} {}",
        visible(&message.to_string())
    );
}

/// Makes standard output private to its owner if it is a file that the shell has just created. The umask sets
/// the permissions of such a file, and other users must not read a session.
pub(crate) fn keep_private() {
    #[cfg(unix)]
    {
        use std::fs::File;
        use std::os::fd::AsFd;

        // An error is ignored, because the choice of the file is the user's.
        let _ = io::stdout()
            .as_fd()
            .try_clone_to_owned()
            .map(File::from)
            .and_then(|file| {
                let made = file.metadata()?;
                if made.is_file() && made.len() == 0 {
                    hud_store::private::narrow_open(&file)?;
                }
                Ok(())
            });
    }
}

/// The writer of a command's output.
pub(crate) struct Output {
    out: io::BufWriter<io::Stdout>,
    terminal: bool,
    colours: bool,
}

impl Output {
    pub(crate) fn new() -> Self {
        let stdout = io::stdout();
        Self {
            terminal: stdout.is_terminal(),
            colours: anstream::AutoStream::choice(&stdout) != ColorChoice::Never,
            out: io::BufWriter::new(stdout),
        }
    }

    /// Writes a HUD, with colours for people and byte for byte for programs.
    pub(crate) fn hud(&mut self, frame: &Frame) -> io::Result<()> {
        self.markdown(&frame.system)
    }

    /// Writes Markdown, with colours for people and byte for byte for programs.
    pub(crate) fn markdown(&mut self, text: &str) -> io::Result<()> {
        if !self.terminal && !self.colours {
            return self.out.write_all(text.as_bytes());
        }
        for line in text.lines() {
            self.line(style(line), line)?;
        }
        Ok(())
    }

    /// Writes text, without invisible characters for people and byte for byte for programs.
    #[cfg(feature = "formats")]
    pub(crate) fn written(&mut self, text: &str) -> io::Result<()> {
        if !self.terminal {
            return self.out.write_all(text.as_bytes());
        }
        text.lines().try_for_each(|line| self.text(line))
    }

    /// Returns the options of the terminal. `width` overrides the width of the terminal.
    #[cfg(feature = "formats")]
    pub(crate) fn terminal(&self, width: Option<usize>) -> hud_core::terminal::TerminalOptions {
        let default = hud_core::terminal::TerminalOptions::default();
        hud_core::terminal::TerminalOptions {
            width: width.or_else(columns).or(default.width),
            colours: self.colours,
        }
    }

    /// Writes a line between two HUDs.
    pub(crate) fn divider(&mut self, text: &str) -> io::Result<()> {
        self.line(Style::new().dimmed(), &format!("── {text} ──"))
    }

    /// Writes a heading.
    pub(crate) fn heading(&mut self, text: &str) -> io::Result<()> {
        self.line(Style::new().bold(), text)
    }

    /// Writes a line of text.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.line(Style::new(), text)
    }

    /// Writes a line of text in parts, some of them highlighted.
    pub(crate) fn marked<'p>(
        &mut self,
        parts: impl IntoIterator<Item = (&'p str, bool)>,
    ) -> io::Result<()> {
        let mark = Style::new().bold().fg_color(Some(AnsiColor::Yellow.into()));
        for (text, is_marked) in parts {
            let text = visible(text).replace('\n', " ");
            if is_marked && self.colours {
                write!(self.out, "{mark}{text}{mark:#}")?;
            } else {
                write!(self.out, "{text}")?;
            }
        }
        writeln!(self.out)
    }

    /// Returns the writer, which writes bytes as they are.
    pub(crate) fn raw(&mut self) -> &mut impl Write {
        &mut self.out
    }

    /// Writes a removed line of a diff.
    pub(crate) fn removed(&mut self, text: &str) -> io::Result<()> {
        self.line(Style::new().fg_color(Some(AnsiColor::Red.into())), text)
    }

    /// Writes an added line of a diff.
    pub(crate) fn added(&mut self, text: &str) -> io::Result<()> {
        self.line(Style::new().fg_color(Some(AnsiColor::Green.into())), text)
    }

    fn line(&mut self, style: Style, line: &str) -> io::Result<()> {
        let line = visible(line);
        if self.colours {
            writeln!(self.out, "{style}{line}{style:#}")
        } else {
            writeln!(self.out, "{line}")
        }
    }

    /// Writes a JSON value on a line.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, value)?;
        self.out.write_all(b"\n")
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Returns the number of columns of the terminal on standard output, if it is one.
#[cfg(all(feature = "formats", unix))]
fn columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

/// Returns `None`, because the number of columns is unknown.
#[cfg(all(feature = "formats", not(unix)))]
fn columns() -> Option<usize> {
    None
}

/// Returns the style of a HUD's line.
fn style(line: &str) -> Style {
    let colour = |colour: AnsiColor| Style::new().fg_color(Some(colour.into()));
    if line.starts_with('#') {
        colour(AnsiColor::Cyan).bold()
    } else if line.starts_with("> **Warning") || line.contains("⚠") {
        colour(AnsiColor::Yellow).bold()
    } else if line.contains("[x] ") {
        Style::new().dimmed()
    } else {
        Style::new()
    }
}

/// Returns a number with the name of the things, in the plural if necessary.
pub(crate) fn count(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

/// Formats a number of bytes for people.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// Returns text without invisible characters and without any that move the cursor.
fn visible(text: &str) -> String {
    hud_components::text::visible(text).replace('\r', "\u{fffd}")
}

/// A HUD in the JSON output.
#[derive(Serialize)]
pub(crate) struct JsonFrame<'f> {
    session: &'f SessionId,
    turn: u64,
    density: &'static str,
    percentage: Option<u8>,
    parts: Vec<JsonPart<'f>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget: Option<JsonReport<'f>>,
    markdown: &'f str,
    state: &'f HudState,
}

/// A part of a HUD.
#[derive(Serialize)]
struct JsonPart<'f> {
    name: &'f str,
    layer: &'static str,
    density: &'static str,
    /// The number of characters. With a budget it is missing, because the report on the budget counts tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    chars: Option<usize>,
}

impl<'f> JsonFrame<'f> {
    pub(crate) fn new(
        session: &'f SessionId,
        turn: u64,
        frame: &'f Frame,
        report: Option<&'f Report>,
        state: &'f HudState,
        setup: &Setup,
    ) -> Result<Self, LayoutError> {
        let lengths = match report {
            None => frame.lengths(state, setup)?,
            Some(_) => Vec::new(),
        };
        let parts = frame.parts.iter().enumerate();
        let parts = parts.map(|(at, shown)| JsonPart {
            name: &shown.part.name,
            layer: shown.part.layer.name(),
            density: shown.density.name(),
            chars: lengths.get(at).copied(),
        });
        Ok(Self {
            session,
            turn,
            density: frame.density.name(),
            percentage: state
                .context
                .as_ref()
                .and_then(|context| context.percentage()),
            parts: parts.collect(),
            budget: report.map(JsonReport::new),
            markdown: &frame.system,
            state,
        })
    }
}
