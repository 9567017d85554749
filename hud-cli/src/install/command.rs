//! The commands that clients run as hooks, and how ours are known from others.
//!
//! Clients read the exit code of a hook, and some refuse the user's prompt when it is not 0: a command of
//! ours ends with 0, whatever becomes of `hud`.

use std::path::Path;
use std::time::Duration;

use crate::deadline;
use crate::output::Failure;

/// How long clients wait, in seconds: longer than this program takes by itself, and no longer than a user
/// would.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waits {
    /// For a hook.
    pub(super) hook: u32,
    /// For the server to begin, and for an answer of it.
    pub(super) server: u32,
    /// The same where the client tries twice to begin it.
    pub(super) server_each_try: u32,
}

impl Waits {
    /// For a program that takes as long as its [deadline](crate::deadline) at most.
    pub(super) fn of(deadline: Duration) -> Self {
        let whole = u32::try_from(deadline.as_millis().div_ceil(1_000)).unwrap_or(u32::MAX);
        let hook = whole.saturating_add(4);
        let server = whole.saturating_add(9);
        Self {
            hook,
            server,
            server_each_try: hook.max(server / 2),
        }
    }
}

/// What the program is called as it is built in.
pub(super) const BUILT_IN: &str = "hud";

/// What a command for two shells [begins with](Program::waited_anywhere).
const ANYWHERE: &str = "set x 'eval exec 3<&0; ";

/// What a [watched](Program::watched) command begins with.
const WATCHED: &str = "exec 3<&0; ";

/// What a [watched](Program::watched) command ends with.
const WATCHED_END: &str =
    "wait $s; kill -9 $p) <&- 3<&- >/dev/null 2>&1 & wait $p; kill $! 2>/dev/null || true";

/// The shell that a client hands the command of a hook to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shell {
    /// A POSIX shell, and `cmd` on Windows.
    Sh,
    /// A POSIX shell, and PowerShell on Windows, whose older versions have no `||`.
    PowerShell,
}

impl Shell {
    /// What a command ends with, so that it always ends well: it means the same in both shells.
    fn end(self) -> &'static str {
        match self {
            Self::Sh => " || exit 0",
            Self::PowerShell => "; exit 0",
        }
    }
}

/// The file that a name finds in the `PATH`, if any.
pub(super) fn on_path(name: &str) -> Option<std::path::PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join(&file))
        .find(|path| path.is_file())
}

/// This program: where it is, and what it is called.
#[derive(Clone, Debug)]
pub(super) struct Program {
    path: String,
    name: String,
    waits: Waits,
}

impl Program {
    /// The program that runs.
    pub(super) fn own() -> Result<Self, Failure> {
        let path = std::env::current_exe()?;
        let name = path.file_stem().unwrap_or_default();
        Ok(Self {
            path: path_text(&path)?.to_owned(),
            name: path_text(name.as_ref())?.to_owned(),
            waits: Waits::of(deadline::of_user()),
        })
    }

    /// How long clients wait for it.
    pub(super) fn waits(&self) -> Waits {
        self.waits
    }

    /// Where it is.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// What it is called, without a folder: what finds it in another's `PATH`, too.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// What its name finds in the `PATH`, if anything.
    pub(super) fn by_name(&self) -> Option<std::path::PathBuf> {
        on_path(&self.name)
    }

    /// The command of a hook. For all of a user's projects, the program is where it was when its name
    /// finds none; a project's own configuration is for other machines, too, and has the name alone.
    pub(super) fn hook(&self, user: bool, shell: Shell, arguments: &str) -> String {
        let name = word(&self.name);
        let end = shell.end();
        let program = match (user, cfg!(windows), shell) {
            (false, _, Shell::Sh) => name,
            (false, _, Shell::PowerShell) => return self.waited_anywhere(arguments),
            (true, true, Shell::Sh) => format!("\"{}\"", self.path),
            (true, true, Shell::PowerShell) => format!("& '{}'", self.path.replace('\'', "''")),
            (true, false, Shell::Sh) => self.found(),
            (true, false, Shell::PowerShell) => return self.waited(arguments),
        };
        format!("{program} hook{arguments}{end}")
    }

    /// The program in a POSIX shell: what its name finds, or else where it was.
    fn found(&self) -> String {
        let (name, path) = (word(&self.name), quoted(&self.path));
        format!("\"$(command -v {name} || echo {path})\"")
    }

    /// The command of a hook in a POSIX shell that ends with the shell, for clients that end the shell
    /// alone when they have waited long enough, and then wait for what it started.
    fn waited(&self, arguments: &str) -> String {
        let program = self.found();
        format!(
            "exec 3<&0; trap 'kill -9 $!' TERM; {program} hook{arguments} <&3 & wait $!; exit 0"
        )
    }

    /// The command of a hook that ends with its shell as [`waited`](Self::waited) does in `bash`, and that
    /// PowerShell can read. To the one, `set` sets `$2`, which is run and ends the shell. To the other, it
    /// sets the variable `x`, and `$2` is nothing.
    fn waited_anywhere(&self, arguments: &str) -> String {
        let name = word(&self.name);
        let plain = format!("{name} hook{arguments}{}", Shell::PowerShell.end());
        // A name with quotes of its own can't be within these.
        if name.starts_with('\'') {
            return plain;
        }
        format!(
            "{ANYWHERE}trap \"kill -9 \\$!\" TERM; {name} hook{arguments} <&3 & wait $!; exit 0'; $2; {plain}"
        )
    }

    /// The command of a hook in a POSIX shell that ends by itself after the [wait](Waits) for one, for clients
    /// whose own limit is far too long and can't be set. What a user has behind it in a script runs, too.
    pub(super) fn watched(&self, user: bool) -> String {
        let program = match user {
            true => self.found(),
            false => word(&self.name),
        };
        let hook = self.waits.hook;
        format!(
            "{WATCHED}{program} hook <&3 & p=$!; \
             (trap 'kill $s; exit' TERM; sleep {hook} & s=$!; {WATCHED_END}"
        )
    }

    /// Whether a command is one that we give to clients, or gave to them once.
    pub(super) fn is_hook(&self, command: &str) -> bool {
        let command = command.trim();
        // No other command looks for its program and has that name.
        if let Some((_, found)) = command.split_once("\"$(command -v ")
            && found.contains(" || echo ")
            && found.contains(")\" hook")
        {
            return true;
        }
        if let Some(watched) = command.strip_prefix(WATCHED)
            && let Some((program, rest)) = watched.split_once(" hook <&3 & ")
            && rest.ends_with(WATCHED_END)
        {
            return self.is_ours(program.trim_matches('\''));
        }
        let command = match command.strip_prefix(ANYWHERE) {
            Some(both) => both
                .split_once("; $2; ")
                .map_or(command, |(_, plain)| plain),
            None => command,
        };
        let command = [Shell::Sh, Shell::PowerShell]
            .iter()
            .find_map(|shell| command.strip_suffix(shell.end()))
            .unwrap_or(command);
        let command = command.strip_prefix("exec ").unwrap_or(command);
        let command = command
            .rsplit_once(" --write")
            .map_or(command, |(command, _)| command);
        let Some(program) = command.strip_suffix(" hook") else {
            return false;
        };
        self.is_ours(program.trim_start_matches("& ").trim_matches(['\'', '"']))
    }

    /// Whether a program is ours: by where it is, or by its name.
    pub(super) fn is_ours(&self, program: &str) -> bool {
        let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
        let name = name.strip_suffix(".exe").unwrap_or(name);
        program == self.path || name == BUILT_IN || name == self.name
    }
}

/// A text as one word for a shell, as plain as it can be.
pub(crate) fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => quoted(text),
    }
}

/// A text as one word for a shell.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

pub(super) fn path_text(path: &Path) -> Result<&str, Failure> {
    path.to_str()
        .ok_or_else(|| Failure::Other(format!("{} is no text", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_for_two_shells_is_known_from_others() {
        let program = Program {
            path: "/opt/agent-hud".to_owned(),
            name: "agent-hud".to_owned(),
            waits: Waits::of(Duration::from_secs(1)),
        };
        let command = program.hook(false, Shell::PowerShell, "");
        assert!(command.starts_with(ANYWHERE), "{command}");
        assert!(program.is_hook(&command), "{command}");
        let other = command.replace("agent-hud", "theirs");
        assert!(!program.is_hook(&other), "{other}");
    }

    #[test]
    fn our_commands_are_distinguished_from_others_whatever_the_binary_is_called() {
        let program = Program {
            path: "/opt/it's mine/hud 2".to_owned(),
            name: "hud 2".to_owned(),
            waits: Waits::of(Duration::from_secs(1)),
        };
        for user in [false, true] {
            for shell in [Shell::Sh, Shell::PowerShell] {
                for arguments in ["", " --write", " --write '.hud/a b.md'"] {
                    let command = program.hook(user, shell, arguments);
                    assert!(program.is_hook(&command), "{command}");
                    assert!(command.ends_with("exit 0"), "{command}");
                }
            }
        }
        for user in [false, true] {
            assert!(program.is_hook(&program.watched(user)));
        }
        for old in ["'/usr/bin/hud' hook", "hud hook", "C:\\bin\\hud.exe hook"] {
            assert!(program.is_hook(old), "{old}");
        }
        for other in [
            "lefthook hook || exit 0",
            "exec 3<&0; hud hook <&3 & wait $!",
            "hud render",
            "hud",
            "",
            "cargo fmt",
        ] {
            assert!(!program.is_hook(other), "{other}");
        }
    }
}
