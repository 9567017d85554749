//! A program of one's own: [`App`].

use std::ffi::OsString;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches};
use hud_agent::layout::Layout;
use hud_agent::section::AgentSection;
use hud_agent::settings::Permission;
use hud_agent::setup::{Setup, SetupError};
use hud_core::Element;
use hud_core::schema::FromData;
use hud_layout::Catalogue;
use hud_layout::section::AgentLayout;
use hud_store::state::HudState;

use crate::args::{Args, Command};
use crate::config::{self, Config, ConfigErrors};
use crate::examples::with_examples;
#[cfg(feature = "formats")]
use crate::formats;
use crate::location::{Location, LocationError};
use crate::output::{self, Failure};
use crate::{
    adopt, archive, at, backup, begin, bridge, cost, diff, doctor, export, fmt, hook, import,
    install, layout, lexicon, location, log, manual, opened, own, redact, reference, render,
    replay, resume, search, sessions, sweep, welcome,
};

/// The `hud` program as a value: all of its commands, with what they work with.
///
/// ```
/// use hud_cli::App;
///
/// let ended = App::new().run_from(["hud", "--version"]);
/// assert_eq!(ended, std::process::ExitCode::SUCCESS);
/// ```
#[derive(Clone, Debug)]
pub struct App {
    setup: Setup,
    /// Whether the layout is one of the user's own.
    has_layout: bool,
    /// The tags that layouts in files can use.
    catalogue: Catalogue,
}

impl Default for App {
    fn default() -> Self {
        #[allow(unused_mut, reason = "nothing is built in but with the feature")]
        let mut setup = Setup::default();
        #[cfg(feature = "bpe")]
        {
            use hud_core::tokens::Encoding;
            setup.counters = hud_agent::budget::Counters::new(Encoding::counter);
        }
        // What worlds of rooms are made of: `hud at`, `diff` and `log` show it, too.
        #[cfg(feature = "rooms")]
        if let Ok(sections) = hud_rooms::log::sections(setup.sections.clone()) {
            setup.sections = sections;
        }
        Self {
            setup,
            has_layout: false,
            catalogue: Catalogue::built_in(),
        }
    }
}

/// What is reported of a layout that is empty.
const NOTHING: &str = "the layout of this program shows nothing: no HUD will be seen";

impl App {
    /// The program as it is built in.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same program with a section of one's own. It is in every command, in the `hud` tool, and, where
    /// the layout does not show it, in a part of its own at the end of the HUD.
    ///
    /// # Errors
    ///
    /// [`SetupError`] when its name, one of its kinds of events or one of its operations is taken.
    pub fn section<S: AgentSection>(mut self) -> Result<Self, SetupError> {
        self.setup = self.setup.with::<S>()?;
        Ok(self)
    }

    /// The same program with one component or node more that layouts in files can use as a tag: see
    /// [`hud_layout::catalogue`].
    #[must_use]
    pub fn component<T: FromData>(mut self) -> Self {
        self.catalogue = self.catalogue.with::<T>();
        self
    }

    /// What the program is built with, whatever is set.
    pub(crate) fn built_in(&self) -> &Setup {
        &self.setup
    }

    /// The tags that layouts in files can use.
    pub(crate) fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The same program with a layout of one's own, a function from a session's state to elements.
    ///
    /// ```
    /// use hud_cli::App;
    /// use hud_components::{DecisionsList, TaskSection};
    /// use hud_core::{Element, component, rsx};
    /// use hud_store::state::HudState;
    ///
    /// #[component]
    /// fn Short<'a>(state: &'a HudState) -> Element<'a> {
    ///     rsx! {
    ///         <TaskSection task={state.task.as_ref()} />
    ///         <DecisionsList decisions={&state.decisions} />
    ///     }
    /// }
    ///
    /// let app = App::new().layout(|state| rsx! { <Short state /> });
    /// # assert_eq!(app.run_from(["hud", "--version"]), std::process::ExitCode::SUCCESS);
    /// ```
    #[must_use]
    pub fn layout(
        self,
        view: impl for<'a> Fn(&'a HudState) -> Element<'a> + Send + Sync + 'static,
    ) -> Self {
        self.with_layout(Layout::new(view))
    }

    /// The same program with a layout of one's own that has a renderer of its own.
    ///
    /// Where a layout panics, the agent is shown the built-in one, and what was wrong is reported on
    /// standard error; `render` and `replay` end with that error.
    #[must_use]
    pub fn with_layout(mut self, layout: Layout) -> Self {
        self.setup = self.setup.with_layout(layout);
        self.has_layout = true;
        self
    }

    /// Does what the command line of this process asks for, and gives how the process is to end: what
    /// went wrong was said on standard error.
    pub fn run(&self) -> ExitCode {
        self.run_from(std::env::args_os())
    }

    /// Does what a command line asks for; its first word is the program's own name.
    pub fn run_from<W: Into<OsString>>(&self, words: impl IntoIterator<Item = W>) -> ExitCode {
        let words: Vec<OsString> = words.into_iter().map(Into::into).collect();
        own::called_as(&words);
        let args = match parse(&words) {
            Ok(args) => args,
            Err(refusal) => {
                // If that is closed, there is nowhere left to report it.
                let _ = say(&refusal, &words);
                return u8::try_from(refusal.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from);
            }
        };
        let done = match &args.command {
            Some(command) => self.execute(command),
            None => welcome::run(self),
        };
        match done {
            Ok(()) => ExitCode::SUCCESS,
            // Whoever read our output has seen enough.
            Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {
                ExitCode::SUCCESS
            }
            Err(Failure::Config(errors)) => {
                errors.report();
                ExitCode::FAILURE
            }
            Err(failure) => {
                output::problem(&failure);
                ExitCode::FAILURE
            }
        }
    }

    fn execute(&self, command: &Command) -> Result<(), Failure> {
        match command {
            Command::Replay(args) => replay::run(args, self),
            Command::Render(args) => render::run(args, self),
            #[cfg(feature = "formats")]
            Command::Formats(args) => formats::run(args, self),
            Command::Cost(args) => cost::run(args, self),
            Command::Log(args) => log::run(args, self),
            Command::At(args) => at::run(args, self),
            Command::Diff(args) => diff::run(args, self),
            Command::Search(args) => search::run(args, self),
            Command::Sessions(args) => sessions::run(args, self),
            Command::Sweep(args) => sweep::run(args, self),
            Command::Begin(args) => begin::run(args, self),
            Command::Resume(args) => resume::run(args, self),
            Command::Export(args) => export::run(args, self),
            Command::Import(args) => import::run(args, self),
            Command::Backup(args) => backup::run(args, self),
            Command::Doctor(args) => doctor::run(args, self),
            Command::Where(args) => location::show(args, self),
            Command::Config(args) => config::run(args, self),
            Command::Adopt(args) => adopt::run(args, self),
            Command::Redact(args) => redact::run(args, self),
            Command::Archive(args) => archive::run(args, self),
            #[cfg(feature = "mcp")]
            Command::Mcp(args) => crate::mcp::run(args, self),
            #[cfg(feature = "distill")]
            Command::Distill(args) => crate::distill::run(args, self),
            #[cfg(feature = "inspect")]
            Command::Inspect(args) => crate::inspect::run(args, self),
            #[cfg(feature = "rooms")]
            Command::Rooms(args) => crate::rooms::run(args, self),
            #[cfg(feature = "postgres")]
            Command::Push(args) => crate::fleet::push::run(args, self),
            #[cfg(feature = "postgres")]
            Command::Pull(args) => crate::fleet::pull::run(args, self),
            #[cfg(feature = "postgres")]
            Command::Fleet(args) => crate::fleet::run(args, self),
            #[cfg(feature = "watch")]
            Command::Watch(args) => crate::watch::run(args, self),
            Command::Install(args) => install::install(args),
            Command::Uninstall(args) => install::uninstall(args),
            Command::Hook(args) => hook::run(args, self),
            Command::Bridge(args) => bridge::run(args, self),
            Command::Fmt(args) => fmt::run(args),
            Command::Lexicon(args) => lexicon::run(args),
            Command::Layout(args) => layout::run(args, self),
            Command::Catalogue(args) => layout::catalogue(args, self),
            Command::Completions(args) => manual::completions(args),
            Command::Man(args) => manual::run(args),
            Command::Reference(args) => reference::run(args, self),
            #[cfg(feature = "script")]
            Command::RunFunctions => hud_layout::script::run(std::io::stdin(), std::io::stdout())
                .map_err(Failure::Output),
        }
    }

    /// Where the log is that a user named, or else the one of the project that a directory is in.
    pub(crate) fn location(
        &self,
        named: Option<&Path>,
        directory: &Path,
    ) -> Result<Location, LocationError> {
        // What waits to be written follows the settings, too; who needs them reports what is wrong there.
        let setup = self.with(self.config(directory));
        Location::of(named, directory).map(|location| location.serving(&setup))
    }

    /// The sections of sessions that are worked on in a directory.
    #[cfg(feature = "postgres")]
    pub(crate) fn sections(&self, directory: &Path) -> hud_store::section::Sections {
        self.with(self.config(directory)).sections
    }

    /// What a command for people works with in a directory: wrong settings are refused, to be mended first.
    pub(crate) fn setup(&self, directory: &Path) -> Result<Setup, ConfigErrors> {
        let setup = self.with(self.config(directory).sound()?);
        Ok(layout::in_place_of(setup, directory, &self.catalogue))
    }

    /// What serves an agent in a directory: no turn and no event is lost because of a setting. What is
    /// wrong is reported and left out.
    pub(crate) fn serving(&self, directory: &Path) -> Setup {
        if let Some(warning) = self.warning() {
            output::problem(warning);
        }
        let config = self.config(directory);
        config.errors.report();
        config.of_others.report();
        layout::in_place_of(self.with(config), directory, &self.catalogue)
    }

    /// The notices that are shown when the program starts.
    fn warning(&self) -> Option<&'static str> {
        (self.has_layout && self.setup.layout.is_empty()).then_some(NOTHING)
    }

    /// The settings that hold in a directory.
    pub(crate) fn config(&self, directory: &Path) -> Config {
        // A part of a layout is a section of the HUD, whatever it shows.
        let parts = self.setup.layout.parts(&HudState::default());
        let parts = parts
            .into_iter()
            .flatten()
            .map(|part| part.name.to_string());
        let mut sections: Vec<String> = parts.collect();
        for name in self.setup.sections.names() {
            if !sections.iter().any(|known| known == name) {
                sections.push(name.to_owned());
            }
        }
        Config::of(directory, sections)
    }

    fn with(&self, config: Config) -> Setup {
        let mut setup = self.setup.clone();
        if config.settings.agent_layout != Permission::No {
            // A program that has it already, or something else by its name, keeps what it has.
            setup = setup.clone().with::<AgentLayout>().unwrap_or(setup);
            setup.operations = setup.operations.providing(config.settings.agent_layout);
        }
        setup.settings = config.settings;
        setup
    }
}

/// Says why a command line is refused, or what was asked for instead of a command, as its help.
fn say(refusal: &clap::Error, words: &[OsString]) -> std::io::Result<()> {
    match refusal.use_stderr() {
        true => {
            let said = opened::masked(&refusal.render().ansi().to_string(), words);
            write!(anstream::stderr(), "{said}")
        }
        false => refusal.print(),
    }
}

/// The commands that not every build has, with the feature that has each.
const OPTIONAL: [(&str, &str); 9] = [
    ("formats", "formats"),
    ("mcp", "mcp"),
    ("distill", "distill"),
    ("inspect", "inspect"),
    ("rooms", "rooms"),
    ("push", "postgres"),
    ("pull", "postgres"),
    ("fleet", "postgres"),
    ("watch", "watch"),
];

/// Reads a command line. The program is called as its file is, whoever built it.
fn parse(words: &[OsString]) -> Result<Args, clap::Error> {
    let name = words
        .first()
        .and_then(|program| Path::new(program).file_stem());
    let name = name.and_then(|name| name.to_str()).unwrap_or("hud");
    let mut command = with_examples(Args::command(), name).display_name(name.to_owned());
    let mut matches = command
        .try_get_matches_from_mut(words)
        .map_err(|error| with_feature(error, &mut command))?;
    Args::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// Says of a command that this build lacks how to build one that has it.
fn with_feature(error: clap::Error, command: &mut clap::Command) -> clap::Error {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    let Some((name, feature)) = OPTIONAL.iter().find(|(optional, _)| optional == name) else {
        return error;
    };
    command.error(
        ErrorKind::InvalidSubcommand,
        format!("this program was built without `{name}`: build it with `--features {feature}`"),
    )
}

#[cfg(test)]
mod tests {
    use hud_core::rsx;

    use super::*;

    #[test]
    fn a_command_that_a_build_lacks_is_refused_with_its_feature() {
        for (name, feature) in OPTIONAL {
            if Args::command().find_subcommand(name).is_none() {
                let refused = parse(&["hud".into(), name.into()]).unwrap_err().to_string();
                assert!(
                    refused.contains(&format!("`--features {feature}`")),
                    "{refused}"
                );
            }
        }
        let refused = parse(&["hud".into(), "no".into()]).unwrap_err().to_string();
        assert!(refused.contains("unrecognized subcommand"), "{refused}");
    }

    #[test]
    fn a_layout_that_shows_nothing_is_reported() {
        assert_eq!(App::new().warning(), None);
        assert_eq!(App::new().layout(|_| rsx! {}).warning(), Some(NOTHING));
    }

    #[test]
    fn a_program_is_called_as_its_file_is() {
        for (file, name) in [("hud", "hud"), ("/opt/bin/risks-hud", "risks-hud")] {
            let version = parse(&[file.into(), "--version".into()]);
            let version = version.map_err(|said| said.to_string()).unwrap_err();
            assert_eq!(version, format!("{name} {}\n", env!("CARGO_PKG_VERSION")));
            let help = parse(&[file.into(), "render".into(), "--help".into()]);
            let help = help.map_err(|said| said.to_string()).unwrap_err();
            assert!(help.contains(&format!("Usage: {name} render")), "{help}");
        }
    }
}
