//! The client that a process belongs to: the nearest of those that started it that does not just start
//! others, as shells and scripts around this program do. A client's hooks and its server have it in common.

use std::collections::HashSet;
use std::fmt;

use serde::{Deserialize, Serialize};

/// How many processes are between a client's and ours at most: shells, and what starts programs.
const FAR: usize = 16;

/// Programs that start what they are given, by their names. None of them is a client.
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

/// The first process of a machine or a container takes in those whose parents ended: that they have it
/// in common says nothing.
const FIRST: [&str; 7] = [
    "init",
    "systemd",
    "launchd",
    "tini",
    "docker-init",
    "dumb-init",
    "catatonit",
];

/// A client's process. The number alone may be another one's later.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Client {
    pid: u32,
    /// When it started, as the system says it.
    started: String,
    /// The boot and the container that the two are of.
    place: String,
}

impl Client {
    /// The client that started this process; `None` where that can't be known, as on Windows, which
    /// does not say which process started another once that has ended.
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

    /// This process, as others see it.
    pub(crate) fn itself() -> Option<Self> {
        let pid = std::process::id();
        let process = system::look(pid)?;
        Some(Self {
            pid,
            started: process.started,
            place: system::place(),
        })
    }

    /// Whether it still runs, as far as this process can see: it sees nothing of another container.
    pub(crate) fn runs(&self) -> bool {
        self.place != system::place()
            || system::look(self.pid).is_some_and(|process| process.started == self.started)
    }
}

/// Its number and its start, which is another name for a process.
impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.pid, self.started)
    }
}

/// A process as the system describes it.
#[derive(Debug, PartialEq, Eq)]
struct Process {
    name: String,
    /// The program that it runs, if that can be seen: a script has the name of its file, and runs a shell.
    program: Option<String>,
    parent: u32,
    started: String,
}

impl Process {
    /// True if it only starts what it is given.
    fn is_starter(&self) -> bool {
        let is_one = |name: &str| STARTERS.contains(&plain(name).as_str());
        is_one(&self.name) || self.program.as_deref().is_some_and(is_one)
    }
}

/// A program's name as it is listed above.
fn plain(name: &str) -> String {
    let name = name.trim_start_matches('-').to_ascii_lowercase();
    name.strip_suffix(".exe").unwrap_or(&name).to_owned()
}

/// True if a process hands its arguments on to this one: a script around this program does, in whatever language it
/// is. From the subcommand on its arguments are those of this process, which may have more.
fn passes_on(its: &[String], own: &[String]) -> bool {
    let may_be_subcommand = |argument: &&String| !argument.starts_with('-');
    own.iter().filter(may_be_subcommand).any(|subcommand| {
        let at = its
            .iter()
            .skip(1)
            .rposition(|argument| argument == subcommand);
        at.is_some_and(|at| {
            // From the subcommand itself on.
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

    /// The arguments that a process was started with; none where that can't be seen.
    pub(super) fn arguments(pid: u32) -> Vec<String> {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let arguments = line
            .split(|byte| *byte == 0)
            .filter(|text| !text.is_empty());
        arguments
            .map(|text| String::from_utf8_lossy(text).into_owned())
            .collect()
    }

    /// A line of `proc_pid_stat(5)`. The name is in parentheses, and may have some in it.
    fn read(stat: &str) -> Option<Process> {
        let (head, rest) = stat.rsplit_once(')')?;
        let (_, name) = head.split_once('(')?;
        let mut fields = rest.split_ascii_whitespace().skip(1);
        let parent = fields.next()?.parse().ok()?;
        // The parent is field 4 and the start field 22.
        let started = fields.nth(17)?.to_owned();
        let name = name.to_owned();
        Some(Process {
            name,
            program: None,
            parent,
            started,
        })
    }

    /// Numbers and ticks are of one boot, and of one container.
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

    /// The arguments that a process was started with; none where that can't be seen.
    pub(super) fn arguments(pid: u32) -> Vec<String> {
        let output = Command::new("ps")
            .args(["-o", "command=", "-p", &pid.to_string()])
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output();
        let line = output.map(|output| output.stdout).unwrap_or_default();
        // Where an argument has a space, it is not one of ours.
        let line = String::from_utf8_lossy(&line);
        line.split_whitespace().map(str::to_owned).collect()
    }

    /// A start is a date, and containers are machines of their own.
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

/// A line of `ps -o ppid=,lstart=,comm=`: the start has five words, and the program's path any number.
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
