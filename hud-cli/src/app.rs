//! The `hud` program as a library: [`App`].

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

/// The `hud` program as a value, with all of its commands and their setup.
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
    /// True if the user set a custom layout.
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
        // The sections of rooms are built in, so that `hud at`, `diff` and `log` show them too.
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

/// The warning about an empty layout.
const NOTHING: &str = "the layout of this program shows nothing: no HUD will be seen";

impl App {
    /// Returns the program with the built-in sections and the built-in layout.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a custom section to the program. All commands and the `hud` tool include it. If the layout does not
    /// show the section, it is a separate part at the end of the HUD.
    ///
    /// # Errors
    ///
    /// [`SetupError`] if its name, one of its event kinds or one of its operations is already taken.
    pub fn section<S: AgentSection>(mut self) -> Result<Self, SetupError> {
        self.setup = self.setup.with::<S>()?;
        Ok(self)
    }

    /// Adds a component or a node that layouts in files can use as a tag. See [`hud_layout::catalogue`].
    #[must_use]
    pub fn component<T: FromData>(mut self) -> Self {
        self.catalogue = self.catalogue.with::<T>();
        self
    }

    /// Returns the built-in setup, without the user's settings.
    pub(crate) fn built_in(&self) -> &Setup {
        &self.setup
    }

    /// The tags that layouts in files can use.
    pub(crate) fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// Sets a custom layout, which is a function from a session's state to elements.
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

    /// Sets a custom layout that has its own renderer.
    ///
    /// If the layout panics, the agent sees the built-in layout, and the error is reported on standard error.
    /// `render` and `replay` fail with that error.
    #[must_use]
    pub fn with_layout(mut self, layout: Layout) -> Self {
        self.setup = self.setup.with_layout(layout);
        self.has_layout = true;
        self
    }

    /// Runs the command line of this process and returns the exit code. Errors are reported on standard error.
    pub fn run(&self) -> ExitCode {
        self.run_from(std::env::args_os())
    }

    /// Runs a command line. Its first word is the program's name.
    pub fn run_from<W: Into<OsString>>(&self, words: impl IntoIterator<Item = W>) -> ExitCode {
        let words: Vec<OsString> = words.into_iter().map(Into::into).collect();
        own::called_as(&words);
        let args = match parse(&words) {
            Ok(args) => args,
            Err(refusal) => {
                // If standard error is closed, there is nowhere left to report this.
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
            // A reader that closed the output early is not an error.
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

    /// Returns the location of the log that the user named, or else of the log of the directory's project.
    pub(crate) fn location(
        &self,
        named: Option<&Path>,
        directory: &Path,
    ) -> Result<Location, LocationError> {
        // The outbox follows the settings too. Commands that need valid settings report errors in them.
        let setup = self.with(self.config(directory));
        Location::of(named, directory).map(|location| location.serving(&setup))
    }

    /// Returns the sections that apply to sessions in a directory.
    #[cfg(feature = "postgres")]
    pub(crate) fn sections(&self, directory: &Path) -> hud_store::section::Sections {
        self.with(self.config(directory)).sections
    }

    /// Returns the setup of a user's command in a directory. Invalid settings are an error.
    pub(crate) fn setup(&self, directory: &Path) -> Result<Setup, ConfigErrors> {
        let setup = self.with(self.config(directory).sound()?);
        Ok(layout::in_place_of(setup, directory, &self.catalogue))
    }

    /// Returns the setup that serves an agent in a directory. Invalid settings are reported and ignored, so
    /// that no turn and no event is lost because of a setting.
    pub(crate) fn serving(&self, directory: &Path) -> Setup {
        if let Some(warning) = self.warning() {
            output::problem(warning);
        }
        let config = self.config(directory);
        config.errors.report();
        config.of_others.report();
        layout::in_place_of(self.with(config), directory, &self.catalogue)
    }

    /// Returns the warning that is reported before an agent is served, if any.
    fn warning(&self) -> Option<&'static str> {
        (self.has_layout && self.setup.layout.is_empty()).then_some(NOTHING)
    }

    /// Returns the settings that apply in a directory.
    pub(crate) fn config(&self, directory: &Path) -> Config {
        // Settings treat each part of a layout as a section of the HUD.
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
            // A program that already has this section, or another one with its name, stays unchanged.
            setup = setup.clone().with::<AgentLayout>().unwrap_or(setup);
            setup.operations = setup.operations.providing(config.settings.agent_layout);
        }
        setup.settings = config.settings;
        setup
    }
}

/// Prints why a command line is refused, or the help or the version that was requested.
fn say(refusal: &clap::Error, words: &[OsString]) -> std::io::Result<()> {
    match refusal.use_stderr() {
        true => {
            let said = opened::masked(&refusal.render().ansi().to_string(), words);
            write!(anstream::stderr(), "{said}")
        }
        false => refusal.print(),
    }
}

/// The commands that are optional in a build, each with its feature.
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

/// Parses a command line. The name of the program is the name of its file.
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

/// Replaces the error about a command that this build lacks with one that names the feature.
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
