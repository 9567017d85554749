//! Shell commands, parsed far enough to see that two runs are of the same thing.

use std::cell::RefCell;
use std::rc::Rc;

/// One program of a command line with its arguments, such as `cargo test`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// The program with its subcommand.
    head: String,
    /// The other words that are not options.
    arguments: Vec<String>,
    /// The long options that change the run itself, not its report or its scope.
    options: Vec<String>,
}

impl Run {
    /// True if this run covers everything in the other one. It has the same program, all options of the other one, and
    /// the same or fewer arguments. Fewer arguments mean a larger scope.
    pub(super) fn covers(&self, other: &Self) -> bool {
        let all_in =
            |some: &[String], others: &[String]| some.iter().all(|one| others.contains(one));
        self.head == other.head
            && all_in(&self.arguments, &other.arguments)
            && all_in(&other.options, &self.options)
    }

    /// True if the other run is this one, run by another program on the same machine: `sudo make install`.
    pub(super) fn is_run_by(&self, other: &Self) -> bool {
        /// The largest number of words of such a program.
        const MOST: usize = 2;
        /// Programs that run commands on another machine or in a container.
        const ELSEWHERE: &[&str] = &[
            "adb",
            "docker",
            "docker-compose",
            "kubectl",
            "lxc",
            "machinectl",
            "multipass",
            "nerdctl",
            "oc",
            "podman",
            "ssh",
            "toolbox",
            "vagrant",
            "wsl",
        ];
        let (own, words) = (self.words(), other.words());
        let by = words.strip_suffix(own.as_slice()).unwrap_or_default();
        let is_by = !by.is_empty() && by.len() <= MOST && own.len() > 1;
        is_by && !by.iter().any(|word| ELSEWHERE.contains(word)) && self.options == other.options
    }

    fn words(&self) -> Vec<&str> {
        let head = self.head.split_whitespace();
        head.chain(self.arguments.iter().map(String::as_str))
            .collect()
    }
}

/// Options that only narrow a run or change its report. A run without them covers at least as much.
const NARROWING: &[&str] = &[
    "--bin",
    "--bins",
    "--color",
    "--doc",
    "--example",
    "--lib",
    "--no-color",
    "--no-fail-fast",
    "--nocapture",
    "--package",
    "--quiet",
    "--silent",
    "--test",
    "--tests",
    "--verbose",
];

/// Programs that do not show the purpose of a command.
const INCIDENTAL: &[&str] = &[
    "[", "awk", "cat", "cd", "command", "cut", "diff", "echo", "env", "export", "fd", "file",
    "find", "grep", "head", "jq", "less", "ls", "mkdir", "od", "printf", "ps", "pwd", "rg", "sed",
    "set", "sleep", "sort", "source", "stat", "tail", "tee", "test", "tr", "tree", "true", "type",
    "uniq", "wc", "whereis", "which", "xxd",
];

/// Subcommands of `git` and of the forges' programs that only show something.
const LOOKS: &[&str] = &[
    "blame",
    "cat-file",
    "describe",
    "diff",
    "grep",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "merge-base",
    "reflog",
    "rev-list",
    "rev-parse",
    "shortlog",
    "show",
    "show-ref",
    "status",
    "api",
    "issue",
    "run",
    "search",
    "repo",
];

/// Words before a program that do not change which program it is.
const PREFIXES: &[&str] = &["exec", "nice", "nohup", "sudo", "time", "timeout"];

/// Returns the programs of a command line. If all are incidental, the whole line counts as one.
pub(super) fn runs(command: &str) -> Vec<Run> {
    runs_of(command, linked(command).iter())
}

/// Returns the programs of a command line whose success its exit code shows.
pub(super) fn worked(command: &str) -> Vec<Run> {
    let says_nothing = |part: &Part| {
        let mut words = part.words.iter();
        part.is_masked || words.any(|word| word == "--help" || word == "--version")
    };
    let parts = linked(command);
    let telling = || parts.iter().filter(|part| !says_nothing(part));
    match telling().next() {
        None if !parts.is_empty() => Vec::new(),
        _ => runs_of(command, telling()),
    }
}

fn runs_of<'p>(command: &str, parts: impl Iterator<Item = &'p Part>) -> Vec<Run> {
    let runs: Vec<Run> = parts
        .map(|part| &part.words)
        .filter(|words| !is_incidental(words))
        .map(|words| run(words))
        .collect();
    if runs.is_empty() {
        vec![Run {
            head: command.trim().to_owned(),
            arguments: Vec::new(),
            options: Vec::new(),
        }]
    } else {
        runs
    }
}

/// True if a command line only looks at something. Its exit code is then an answer.
pub(super) fn only_looks(command: &str) -> bool {
    let parts = linked(command);
    parts.iter().all(|part| is_incidental(&part.words))
}

/// Returns the pattern that a command line searches for in files, if it does.
pub(super) fn sought(command: &str) -> Option<String> {
    linked(command).iter().find_map(|part| {
        let mut words = part.words.iter();
        let mut program = words.next()?;
        if program == "git" {
            program = words.next()?;
        }
        let searches = ["grep", "egrep", "fgrep", "rg", "ag", "ack"].contains(&program.as_str());
        searches.then(|| words.find(|word| !word.starts_with('-')).cloned())?
    })
}

fn is_incidental(words: &[String]) -> bool {
    let mut words = words.iter().map(String::as_str);
    match (words.next(), words.find(|word| !word.starts_with('-'))) {
        (None, _) => true,
        (Some("git" | "gh" | "glab"), Some(command)) => LOOKS.contains(&command),
        (Some(program), _) => INCIDENTAL.contains(&program),
    }
}

fn run(words: &[String]) -> Run {
    let mut plain = words.iter().filter(|word| !word.starts_with('-'));
    let mut head: Vec<&str> = plain.by_ref().take(1).map(String::as_str).collect();
    let mut rest: Vec<&String> = plain.collect();
    // `go test`, `cargo clippy`, `npm run build`: the head ends with the word that names the task.
    while let Some(word) = rest.first().filter(|word| is_subcommand(word)) {
        head.push(word);
        let goes_on = word.as_str() == "run";
        rest.remove(0);
        if !goes_on {
            break;
        }
    }
    let options = words
        .iter()
        .filter(|word| word.len() > 2 && word.starts_with("--"));
    Run {
        head: head.join(" "),
        arguments: rest.into_iter().cloned().collect(),
        options: options
            .map(|option| option.split('=').next().unwrap_or(option).to_owned())
            .filter(|option| !NARROWING.contains(&option.as_str()))
            .collect(),
    }
}

fn is_subcommand(word: &str) -> bool {
    word.chars()
        .all(|c| c.is_ascii_lowercase() || matches!(c, '-' | '_' | ':'))
}

/// A part of a command line, with the operator after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    /// The program and its words.
    pub words: Vec<String>,
    /// The way in which the next part depends on it.
    pub link: Link,
    /// True if its exit code is lost through a pipe, `||` or a later part.
    pub is_masked: bool,
    /// The files that its output is written to.
    pub writes: Vec<String>,
    /// The here-document that it reads.
    pub document: Option<String>,
}

/// The operator between two parts of a command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Link {
    And,
    Or,
    Pipe,
    /// `;`, `&` and line ends.
    Then,
    /// Nothing follows the part.
    #[default]
    End,
}

/// Returns the parts of a command line with the operators between them. Leaves out assignments, prefixes and
/// comments. Redirections and the bodies of here-documents are not words.
///
/// Several rules ask for the parts of the same command in a row, so those of the last command are cached.
pub(super) fn linked(command: &str) -> Rc<[Part]> {
    thread_local! {
        static LAST: RefCell<(String, Rc<[Part]>)> = RefCell::default();
    }
    LAST.with_borrow_mut(|(last, parts)| {
        if last != command {
            command.clone_into(last);
            *parts = parse(command).into();
        }
        Rc::clone(parts)
    })
}

fn parse(command: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut part = Part::default();
    let mut word = Word::default();
    let mut quote = None;
    // The word that ends the here-document, and the index of the part that reads it.
    let mut document: Option<(String, usize)> = None;
    let mut chars = command
        .char_indices()
        .chain([(command.len(), '\n')])
        .peekable();
    while let Some((index, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None | Some('"'), '\\') => match next {
                Some('\n') => drop(chars.next()),
                // The backslash of the Windows path `D:\src` is not an escape.
                Some(next) if next.is_alphanumeric() && is_windows_path(&word.text) => {
                    word.text.push(c);
                }
                Some(escaped) if quote.is_none() || matches!(escaped, '"' | '\\' | '$' | '`') => {
                    word.text.push(escaped);
                    chars.next();
                }
                _ => word.text.push(c),
            },
            (Some(_), _) => word.text.push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.is_quoted = true;
            }
            (None, '>') => {
                word.redirects.get_or_insert(word.text.len());
                word.text.push(c);
            }
            (None, '#') if word.text.is_empty() && !word.is_quoted => {
                while chars.next_if(|(_, c)| *c != '\n').is_some() {}
            }
            (None, ' ' | '\t' | '\n' | ';' | '|' | '&') => {
                // `2>&1` and `&>` are redirections and do not end a part.
                if c == '&' && (word.text.ends_with('>') || next == Some('>')) {
                    word.text.push(c);
                    continue;
                }
                if let Some(tag) = document_tag(&word.text) {
                    document = Some((tag.to_owned(), parts.len()));
                }
                word = part.take(word);
                if matches!(c, ' ' | '\t') {
                    continue;
                }
                let is_double = matches!(c, '|' | '&') && next == Some(c);
                if is_double {
                    chars.next();
                }
                let link = match (c, is_double) {
                    ('&', true) => Link::And,
                    ('|', true) => Link::Or,
                    ('|', false) => Link::Pipe,
                    _ => Link::Then,
                };
                word = Word::default();
                let part = std::mem::take(&mut part);
                if !part.words.is_empty() {
                    parts.push(Part { link, ..part });
                }
                if c == '\n'
                    && let Some((tag, reader)) = document.take()
                {
                    // The lines up to the tag are not commands.
                    let body = command.get(index + 1..).unwrap_or_default();
                    let ends = body.split_inclusive('\n').scan(index + 1, |at, line| {
                        *at += line.len();
                        Some((*at, line.trim()))
                    });
                    let end = ends.into_iter().find(|(_, line)| *line == tag);
                    let end = end.map_or(command.len(), |(end, _)| end);
                    while chars.next_if(|(at, _)| *at < end).is_some() {}
                    if let Some(reader) = parts.get_mut(reader) {
                        let lines = command.get(index + 1..end).unwrap_or_default();
                        let lines = lines.trim_end().strip_suffix(&tag).unwrap_or(lines);
                        reader.document = Some(lines.to_owned());
                    }
                }
            }
            (None, _) => word.text.push(c),
        }
    }
    if !part.words.is_empty() {
        parts.push(part);
    }
    mask(&mut parts);
    parts
}

/// Marks each part whose success the exit code of the whole line does not show.
fn mask(parts: &mut [Part]) {
    let has_set = |parts: &[Part], option: &str| {
        let sets = |part: &Part| part.words.first().is_some_and(|word| word == "set");
        let mut set = parts.iter().filter(|part| sets(part));
        set.any(|part| part.words.iter().any(|word| word == option))
    };
    let stops = ["-e", "-eu", "-euo", "-ex", "-eo"]
        .iter()
        .any(|option| has_set(parts, option));
    let fails_in_pipes = has_set(parts, "pipefail");
    if let Some(last) = parts.last_mut() {
        last.link = Link::End;
    }
    let mut is_lost = false;
    for part in parts.iter_mut().rev() {
        is_lost |= match part.link {
            Link::Or => true,
            Link::Then => !stops,
            Link::And | Link::Pipe | Link::End => false,
        };
        part.is_masked = is_lost || (part.link == Link::Pipe && !fails_in_pipes);
    }
}

/// True if a word begins like a Windows path: `D:`, `.\`, `..`.
pub(super) fn is_windows_path(word: &str) -> bool {
    let drive = word.as_bytes();
    let has_drive =
        drive.first().is_some_and(u8::is_ascii_alphabetic) && drive.get(1) == Some(&b':');
    has_drive || matches!(word.split('\\').next(), Some("." | ".."))
}

/// The word that ends a here-document: `EOF` of `<<'EOF'`.
fn document_tag(word: &str) -> Option<&str> {
    let (_, tag) = word.split_once("<<")?;
    let tag = tag.trim_start_matches('-');
    (!tag.is_empty() && !tag.starts_with('<')).then_some(tag)
}

/// A word that is being parsed.
#[derive(Default)]
struct Word {
    text: String,
    /// True if some of it is in quotes.
    is_quoted: bool,
    /// The byte offset of its redirection operator.
    redirects: Option<usize>,
    /// `Some` if the word is the target of a redirection, with true if the redirection is of the standard output.
    is_target: Option<bool>,
}

impl Part {
    /// Adds a word, and returns the beginning of the next one.
    fn take(&mut self, word: Word) -> Word {
        let mut next = Word::default();
        if word.text.is_empty() {
            next.is_target = word.is_target;
            return next;
        }
        if let Some(is_printed) = word.is_target {
            self.writes.extend(is_printed.then_some(word.text));
            return next;
        }
        let Some((before, target)) = word.redirects.and_then(|at| word.text.split_at_checked(at))
        else {
            self.push(word.text);
            return next;
        };
        let target = target.trim_start_matches('>').trim_start_matches('|');
        let is_printed = before.is_empty() || before == "1" || before == "&";
        if !is_printed && !before.bytes().all(|byte| byte.is_ascii_digit()) {
            self.push(before.to_owned());
        }
        let is_printed = is_printed || !before.bytes().all(|byte| byte.is_ascii_digit());
        match target {
            "" => next.is_target = Some(is_printed),
            // `2>&1` goes to the target of another redirection.
            target if target.starts_with('&') => {}
            target => self.writes.extend(is_printed.then(|| target.to_owned())),
        }
        next
    }

    fn push(&mut self, word: String) {
        let first = self.words.is_empty();
        let left_out = word.contains("<<")
            || (first && (word.contains('=') || PREFIXES.contains(&word.as_str())));
        if !left_out {
            self.words.push(word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(failed: &str, worked: &str) -> bool {
        let failed = runs(failed);
        runs(worked)
            .iter()
            .any(|run| failed.iter().any(|failed| run.covers(failed)))
    }

    #[test]
    fn pipes_redirections_and_options_do_not_matter() {
        assert!(same(
            "mise run test:ci 2>&1",
            "mise run test:ci 2>&1 | tail -40"
        ));
        assert!(same(
            "cd app && cargo test",
            "RUST_LOG=debug cargo test --quiet"
        ));
        assert!(same("mise run fmt && mise run lint", "mise run lint"));
    }

    #[test]
    fn paths_of_windows_keep_their_backslashes() {
        let words = |command: &str| parse(command).remove(0).words;
        assert_eq!(words(r"cd C:\code\web"), ["cd", r"C:\code\web"]);
        assert_eq!(words(r"..\tools\run a\ b"), [r"..\tools\run", "a b"]);
        assert_eq!(words(r"cd C:\\code\\web"), ["cd", r"C:\code\web"]);
    }

    #[test]
    fn a_wider_run_covers_a_narrower_one_and_not_the_other_way_round() {
        assert!(same("cargo test parser", "cargo test"));
        assert!(!same("cargo test", "cargo test parser"));
        assert!(!same("cargo test --test e2e -- --ignored", "cargo test -q"));
        assert!(!same("cargo test", "cargo build"));
        assert!(!same("npm run build", "npm run test"));
    }

    #[test]
    fn a_line_that_only_looks_is_not_taken_for_one_that_works() {
        assert!(only_looks(
            "command -v redis-server docker; grep -rn redis *.yml | head -3"
        ));
        assert!(!only_looks("cd app && make"));
    }

    #[test]
    fn quotes_keep_words_together() {
        assert!(same("python -c 'a; b && c'", "python -c 'a; b && c'"));
        assert!(!same("grep 'a|b' f", "grep x f"));
    }
}
