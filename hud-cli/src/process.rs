//! The client that a process belongs to. It is the nearest ancestor that does more than start other programs,
//! as shells and scripts around this program do. A client's hooks and its server have the same client process.

use std::collections::HashSet;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The maximum number of processes between the client and this process, such as shells.
const FAR: usize = 16;

/// The names of programs that only start other programs. None of them is a client.
const STARTERS: [&str; 22] = [
    "ash",
    "bash",
    "busybox",
    "cmd",
    "csh",
    "dash",
    "doas",
    "env",
    "fish",
    "ksh",
    "nice",
    "nohup",
    "nu",
    "powershell",
    "pwsh",
    "setsid",
    "sh",
    "stdbuf",
    "sudo",
    "tcsh",
    "timeout",
    "zsh",
];

/// The names of the first process of a machine or a container. It adopts processes whose parents ended, so
/// processes that share it do not necessarily belong together.
const FIRST: [&str; 7] = [
    "init",
    "systemd",
    "launchd",
    "tini",
    "docker-init",
    "dumb-init",
    "catatonit",
];

/// The process of a client. Another process can have the same process ID later.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Client {
    pid: u32,
    /// The start time, in the system's format.
    started: String,
    /// The boot and the container in which the ID and the start time are valid.
    place: String,
}

impl Client {
    /// Returns the client that started this process, or `None` if it is unknown. It is unknown on Windows,
    /// which does not report the parent of a process that has ended.
    pub(crate) fn of_this_process() -> Option<Self> {
        let own: Vec<String> = std::env::args_os()
            .skip(1)
            .map(|argument| argument.to_string_lossy().into_owned())
            .collect();
        let mut seen = HashSet::new();
        let mut next = parent_of_this_process()?;
        while seen.len() < FAR && seen.insert(next) {
            let process = system::look(next)?;
            if !process.is_starter() && !passes_on(&system::arguments(next), &own) {
                let is_first = FIRST.contains(&plain(&process.name).as_str());
                return (!is_first).then(|| Self {
                    pid: next,
                    started: process.started,
                    place: system::place(),
                });
            }
            next = process.parent;
        }
        None
    }

    /// Returns this process.
    pub(crate) fn itself() -> Option<Self> {
        let pid = std::process::id();
        let process = system::look(pid)?;
        Some(Self {
            pid,
            started: process.started,
            place: system::place(),
        })
    }

    /// True if the process still runs. A process in another container is not visible here, and counts as
    /// running.
    pub(crate) fn runs(&self) -> bool {
        self.place != system::place()
            || system::look(self.pid).is_some_and(|process| process.started == self.started)
    }
}

/// Shows the process ID and the start time, which identify the process.
impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.pid, self.started)
    }
}

/// A process as the system describes it.
#[derive(Debug, PartialEq, Eq)]
struct Process {
    name: String,
    /// The program of the process, if it is visible. For a script, `name` is the name of its file and this is
    /// the shell.
    program: Option<String>,
    parent: u32,
    started: String,
}

impl Process {
    /// True if the process only starts other programs.
    fn is_starter(&self) -> bool {
        let is_one = |name: &str| STARTERS.contains(&plain(name).as_str());
        is_one(&self.name) || self.program.as_deref().is_some_and(is_one)
    }
}

/// Returns the name of a program in the form of the lists above.
fn plain(name: &str) -> String {
    let name = name.trim_start_matches('-').to_ascii_lowercase();
    name.strip_suffix(".exe").unwrap_or(&name).to_owned()
}

/// True if a process passes its arguments on to this one, as a script around this program does. Its arguments
/// after the subcommand are then arguments of this process, which may have more.
fn passes_on(its: &[String], own: &[String]) -> bool {
    let may_be_subcommand = |argument: &&String| !argument.starts_with('-');
    own.iter().filter(may_be_subcommand).any(|subcommand| {
        let at = its
            .iter()
            .skip(1)
            .rposition(|argument| argument == subcommand);
        at.is_some_and(|at| {
            // The subcommand itself is not included.
            let handed = its.get(at + 1..).unwrap_or_default();
            own.windows(handed.len()).any(|part| part == handed)
        })
    })
}

#[cfg(unix)]
fn parent_of_this_process() -> Option<u32> {
    Some(std::os::unix::process::parent_id())
}

#[cfg(not(unix))]
fn parent_of_this_process() -> Option<u32> {
    None
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs;

    use super::Process;

    pub(super) fn look(pid: u32) -> Option<Process> {
        let process = read(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)?;
        let program = fs::read_link(format!("/proc/{pid}/exe")).ok();
        let program = program.and_then(|path| Some(path.file_name()?.to_str()?.to_owned()));
        Some(Process { program, ..process })
    }

    /// Returns the arguments of a process, or none if they are not visible.
    pub(super) fn arguments(pid: u32) -> Vec<String> {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let arguments = line
            .split(|byte| *byte == 0)
            .filter(|text| !text.is_empty());
        arguments
            .map(|text| String::from_utf8_lossy(text).into_owned())
            .collect()
    }

    /// Parses a line of `proc_pid_stat(5)`. The name is in parentheses and can contain parentheses.
    fn read(stat: &str) -> Option<Process> {
        let (head, rest) = stat.rsplit_once(')')?;
        let (_, name) = head.split_once('(')?;
        let mut fields = rest.split_ascii_whitespace().skip(1);
        let parent = fields.next()?.parse().ok()?;
        // The parent is field 4, and the start time is field 22.
        let started = fields.nth(17)?.to_owned();
        let name = name.to_owned();
        Some(Process {
            name,
            program: None,
            parent,
            started,
        })
    }

    /// Returns the boot and the container in which process IDs and start times are valid.
    pub(super) fn place() -> String {
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let space = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
        format!("{} {}", boot.trim(), space.display())
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_name_may_have_anything_in_it() {
            let stat = "7 (a) b (c) S 3 7 7 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 98765 1 2";
            let process = Process {
                name: "a) b (c".to_owned(),
                program: None,
                parent: 3,
                started: "98765".to_owned(),
            };
            assert_eq!(read(stat), Some(process));
            assert_eq!(read("7 (sh"), None);
            assert_eq!(read("7 (sh) S 3"), None);
        }
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
mod system {
    use std::process::{Command, Stdio};

    use super::Process;

    pub(super) fn look(pid: u32) -> Option<Process> {
        let output = Command::new("ps")
            .args(["-o", "ppid=,lstart=,comm=", "-p", &pid.to_string()])
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .ok()?;
        super::from_ps(std::str::from_utf8(&output.stdout).ok()?)
    }

    /// Returns the arguments of a process, or none if they are not visible.
    pub(super) fn arguments(pid: u32) -> Vec<String> {
        let output = Command::new("ps")
            .args(["-o", "command=", "-p", &pid.to_string()])
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output();
        let line = output.map(|output| output.stdout).unwrap_or_default();
        // An argument with a space is split, so it does not match an argument of this process.
        let line = String::from_utf8_lossy(&line);
        line.split_whitespace().map(str::to_owned).collect()
    }

    /// Returns an empty text, because start times are dates and containers are separate machines.
    pub(super) fn place() -> String {
        String::new()
    }
}

#[cfg(not(unix))]
mod system {
    use super::Process;

    pub(super) fn look(_: u32) -> Option<Process> {
        None
    }

    pub(super) fn arguments(_: u32) -> Vec<String> {
        Vec::new()
    }

    pub(super) fn place() -> String {
        String::new()
    }
}

/// Parses a line of `ps -o ppid=,lstart=,comm=`. The start time has five words, and the program's path can have
/// spaces.
#[cfg(any(test, all(unix, not(target_os = "linux"))))]
fn from_ps(line: &str) -> Option<Process> {
    let mut rest = line.trim();
    let mut word = || {
        let (word, more) = rest.split_once(char::is_whitespace)?;
        rest = more.trim_start();
        Some(word)
    };
    let parent = word()?.parse().ok()?;
    let started = [word()?, word()?, word()?, word()?, word()?].join(" ");
    let name = rest.rsplit('/').next().unwrap_or(rest).to_owned();
    Some(Process {
        name,
        program: None,
        parent,
        started,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use super::*;

    #[test]
    fn a_line_of_ps_is_read() {
        let process = Process {
            name: "Code Helper".to_owned(),
            program: None,
            parent: 502,
            started: "Sat Nov 21 22:27:19 2026".to_owned(),
        };
        let line = "  502 Sat Nov 21 22:27:19 2026     /Applications/Code Helper\n";
        assert_eq!(from_ps(line), Some(process));
        assert_eq!(from_ps("502 Sat"), None);
        assert_eq!(from_ps(""), None);
    }

    #[test]
    fn a_script_around_this_program_is_known_by_the_arguments_that_it_hands_on() {
        let all = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        for (its, own) in [
            ("python3 /usr/local/bin/hud hook", "hook"),
            ("node /opt/npx agent-hud mcp", "mcp"),
            ("ruby hud.rb mcp", "mcp --session x"),
            ("python3 hud.py mcp --session x", "--db y mcp --session x"),
            ("perl wrap hook --db x", "hook --db x"),
        ] {
            assert!(passes_on(&all(its), &all(own)), "{its} | {own}");
        }
        for (its, own) in [
            ("claude mcp list", "mcp"),
            ("claude", "mcp"),
            ("mcp", "mcp"),
            ("node /usr/bin/gemini -p hook-it", "hook"),
            ("codex exec go", "hook"),
            ("python3 client.py", ""),
        ] {
            assert!(!passes_on(&all(its), &all(own)), "{its} | {own}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn this_process_has_a_client_that_runs() {
        let client = Client::of_this_process().unwrap();
        assert!(client.runs());
        let started = "another time".to_owned();
        assert!(!Client { started, ..client }.runs());
    }
}
