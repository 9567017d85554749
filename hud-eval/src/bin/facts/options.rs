//! The options of the command.

use std::path::PathBuf;

use super::Outcome;
use super::room::Room;

/// The parsed options.
pub(super) struct Options {
    pub(super) facts: PathBuf,
    pub(super) sessions: PathBuf,
    pub(super) with_calls: Option<PathBuf>,
    pub(super) after_summary: Option<PathBuf>,
    pub(super) summaries: Option<PathBuf>,
    pub(super) texts: Option<PathBuf>,
    /// The maximum size of the HUD.
    pub(super) room: Option<Room>,
    pub(super) last: Option<usize>,
    pub(super) least: Option<(f64, f64)>,
    pub(super) keep: Option<f64>,
    pub(super) misses: bool,
    pub(super) show: bool,
    pub(super) without: Vec<String>,
    pub(super) ablate: bool,
    pub(super) curve: bool,
    pub(super) memory: bool,
    pub(super) written: bool,
}

impl Options {
    pub(super) fn parse(mut arguments: impl Iterator<Item = String>) -> Outcome<Self> {
        const USAGE: &str = "usage: facts FACTS SESSIONS [--with-calls FILE] [--after-summary FILE] \
                             [--summaries FILE] [--texts FILE] [--chars N | --tokens N | --handoff N] [--last N] \
                             [--curve] [--least HELD OUT] [--keep PERCENT] [--without NAMES] \
                             [--memory [--written]] [--ablate] [--show] [--misses]";
        let mut places = Vec::new();
        let (mut with_calls, mut after_summary) = (None, None);
        let (mut summaries, mut texts) = (None, None);
        let (mut room, mut last, mut least, mut keep) = (None, None, None, None);
        let (mut misses, mut show, mut ablate) = (false, false, false);
        let (mut curve, mut memory, mut written) = (false, false, false);
        let mut without = Vec::new();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(USAGE);
            match argument.as_str() {
                "--with-calls" => with_calls = Some(value()?.into()),
                "--after-summary" => after_summary = Some(value()?.into()),
                "--summaries" => summaries = Some(value()?.into()),
                "--texts" => texts = Some(value()?.into()),
                "--chars" => room = Some(Room::Chars(value()?.parse()?)),
                "--tokens" => room = Some(Room::Tokens(value()?.parse()?)),
                "--handoff" => room = Some(Room::Handoff(value()?.parse()?)),
                "--last" => last = Some(value()?.parse()?),
                "--least" => least = Some((value()?.parse()?, value()?.parse()?)),
                "--keep" => keep = Some(value()?.parse()?),
                "--without" => without.extend(value()?.split(',').map(str::to_owned)),
                "--ablate" => ablate = true,
                "--curve" => curve = true,
                "--memory" => memory = true,
                "--written" => written = true,
                "--misses" => misses = true,
                "--show" => show = true,
                flag if flag.starts_with("--") => return Err(USAGE.into()),
                _ => places.push(PathBuf::from(argument)),
            }
        }
        let [facts, sessions] = <[PathBuf; 2]>::try_from(places).map_err(|_| USAGE)?;
        Ok(Self {
            facts,
            sessions,
            with_calls,
            after_summary,
            summaries,
            texts,
            room,
            last,
            least,
            keep,
            misses,
            show,
            without,
            ablate,
            curve,
            memory,
            written,
        })
    }
}
