//! The commands that clients run as hooks, and the test that distinguishes our commands from others.
//!
//! Clients read the exit code of a hook, and some refuse the user's prompt if it is not 0. Our commands therefore
//! exit with 0 even if `hud` fails.

use std::path::Path;
use std::time::Duration;

use crate::deadline;
use crate::output::Failure;

/// The time limits that clients are configured with, in seconds. They are longer than this program's own deadline.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waits {
    /// The limit for a hook.
    pub(super) hook: u32,
    /// The limit for the server to start, and for each of its answers.
    pub(super) server: u32,
    /// The same limit, for a client that tries twice to start the server.
    pub(super) server_each_try: u32,
}

impl Waits {
    /// The limits for a program that runs for its [deadline](crate::deadline) at most.
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

/// The name that the program has as it is built.
pub(super) const BUILT_IN: &str = "hud";

/// The start of a command for two shells, see [`Program::waited_anywhere`].
const ANYWHERE: &str = "set x 'eval exec 3<&0; ";

/// The start of a [watched](Program::watched) command.
const WATCHED: &str = "exec 3<&0; ";

/// The end of a [watched](Program::watched) command.
const WATCHED_END: &str =
    "wait $s; kill -9 $p) <&- 3<&- >/dev/null 2>&1 & wait $p; kill $! 2>/dev/null || true";

/// The shell that a client runs the command of a hook in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shell {
    /// A POSIX shell, and `cmd` on Windows.
    Sh,
    /// A POSIX shell, and PowerShell on Windows, whose older versions have no `||`.
    PowerShell,
}

impl Shell {
    /// The end of a command that makes it exit with 0. It means the same in both shells.
    fn end(self) -> &'static str {
        match self {
            Self::Sh => " || exit 0",
            Self::PowerShell => "; exit 0",
        }
    }
}

/// The file that a program name resolves to in the `PATH`, if any.
pub(super) fn on_path(name: &str) -> Option<std::path::PathBuf> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join(&file))
        .find(|path| path.is_file())
}

/// This program, with its path and its name.
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

    /// The time limits that clients are configured with.
    pub(super) fn waits(&self) -> Waits {
        self.waits
    }

    /// The path of the program.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// The file name of the program without its folder. On another machine it resolves in that machine's `PATH`.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The file that the program's name resolves to in the `PATH`, if any.
    pub(super) fn by_name(&self) -> Option<std::path::PathBuf> {
        on_path(&self.name)
    }

    /// The command of a hook. In the user's own configuration, it runs the program that the name resolves to, or
    /// else the program at its current path. On Windows it always uses the current path. A project's configuration
    /// is shared with other machines, so there the command has only the name.
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

    /// A shell word for the program in a POSIX shell: the file that its name resolves to, or else its current path.
    fn found(&self) -> String {
        let (name, path) = (word(&self.name), quoted(&self.path));
        format!("\"$(command -v {name} || echo {path})\"")
    }

    /// The command of a hook in a POSIX shell that ends when its shell ends. It is for clients that end only the
    /// shell after their time limit, and then wait for the processes that the shell started.
    fn waited(&self, arguments: &str) -> String {
        let program = self.found();
        format!(
            "exec 3<&0; trap 'kill -9 $!' TERM; {program} hook{arguments} <&3 & wait $!; exit 0"
        )
    }

    /// The command of a hook that ends with its shell in `bash`, as [`waited`](Self::waited) does, and that
    /// PowerShell can parse too. In `bash`, `set` sets `$2`, which is then run and exits the shell. In PowerShell,
    /// `set` sets the variable `x`, and `$2` is empty.
    fn waited_anywhere(&self, arguments: &str) -> String {
        let name = word(&self.name);
        let plain = format!("{name} hook{arguments}{}", Shell::PowerShell.end());
        // A quoted name can't be nested in these quotes.
        if name.starts_with('\'') {
            return plain;
        }
        format!(
            "{ANYWHERE}trap \"kill -9 \\$!\" TERM; {name} hook{arguments} <&3 & wait $!; exit 0'; $2; {plain}"
        )
    }

    /// The command of a hook in a POSIX shell that ends automatically after the [limit](Waits) for a hook. It is for
    /// clients whose own limit is far too long and can't be configured. Lines that a user has after it in a script
    /// run too.
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

    /// True if a command is one that this or an earlier version writes into clients' configurations.
    pub(super) fn is_hook(&self, command: &str) -> bool {
        let command = command.trim();
        // Only our commands look up their program and contain this text.
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

    /// True if a program is ours, by its path or by its name.
    pub(super) fn is_ours(&self, program: &str) -> bool {
        let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
        let name = name.strip_suffix(".exe").unwrap_or(name);
        program == self.path || name == BUILT_IN || name == self.name
    }
}

/// A text as one word for a shell, quoted only if it has to be.
pub(crate) fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    match !text.is_empty() && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => quoted(text),
    }
}

/// A text as one quoted word for a shell.
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
