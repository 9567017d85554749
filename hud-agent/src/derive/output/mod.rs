//! What the output of a run says: what failed, what passed, and how many.
//!
//! It is read line by line with what many runners, compilers and linters write. What is read is bounded:
//! the beginning of a long output and its end.

mod counts;
mod place;
mod verdict;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use self::counts::Counts;
use self::place::{is_aside, place};

/// How much of the beginning of an output is read, in bytes.
const BEGINNING: usize = 64 * 1024;

/// How much of its end.
const END: usize = 16 * 1024;

/// How many failures of a run are reported by name.
const FOUND_CAP: usize = 40;

/// How much of a line is read, in bytes.
const LINE: usize = 600;

/// What kind of thing failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A test, by its name.
    Test,
    /// A place in a file, that a compiler or a linter names.
    Place,
    /// Anything else that stopped the run.
    Stop,
}

/// One thing that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub kind: Kind,
    /// The test, or the place.
    pub name: String,
    /// How it failed; may be nothing.
    pub detail: String,
}

impl Found {
    /// The failure on one line, its name first.
    pub(super) fn message(&self) -> String {
        match (self.name.is_empty(), self.detail.is_empty()) {
            (_, true) if self.kind == Kind::Test => format!("{} failed", self.name),
            (_, true) => self.name.clone(),
            (true, _) => self.detail.clone(),
            (false, false) => format!("{}: {}", self.name, self.detail),
        }
    }
}

/// What an output says.
#[derive(Clone, Debug, Default)]
pub(super) struct Output {
    /// What failed; at most [`FOUND_CAP`].
    pub found: Vec<Found>,
    /// The tests that it names as passed.
    pub passed: HashSet<String>,
    /// Whether it says of the whole that it passed.
    pub says: Option<bool>,
    /// Whether it says that tests failed, or could not be built.
    pub fails_tests: bool,
    /// What it says of all tests.
    pub tests: Option<String>,
    /// What it says of all problems of a linter or a compiler.
    pub problems: Option<String>,
    /// How many failed, if it says so.
    pub count: Option<u64>,
    /// Whether there is anything in it.
    pub is_empty: bool,
}

/// Reads what a command printed.
pub(super) fn read(output: &str) -> Output {
    Reader::default().read(output)
}

/// Reads what a person pasted: only what is certainly no prose counts.
pub(super) fn read_pasted(text: &str) -> Output {
    let reader = Reader {
        is_pasted: true,
        ..Reader::default()
    };
    reader.read(text)
}

#[derive(Default)]
struct Reader {
    is_pasted: bool,
    out: Output,
    counts: Counts,
    /// The test whose lines follow, and the first place that each one names.
    running: Option<String>,
    logged: HashMap<String, String>,
    /// The failure that the next line is the detail of.
    waiting: Option<usize>,
    /// A message whose place comes on a line of its own.
    header: Option<String>,
    /// The file that the next places are in.
    file: Option<String>,
    /// The innermost place of the trace that is being read.
    trace: Option<String>,
    /// What stopped a run, if nothing else says why.
    stop: Option<Found>,
    files: Vec<Found>,
    packages: u64,
    passed_tests: u64,
    /// Whether the last line says that something was left out behind it.
    is_gap: bool,
}

impl Reader {
    fn read(mut self, output: &str) -> Output {
        let (beginning, end) = bounded(output);
        self.out.is_empty = output.trim().is_empty();
        for line in beginning.lines().chain(end.lines()) {
            let line = plain(upto(line, LINE));
            self.line(&line);
        }
        self.end()
    }

    fn end(mut self) -> Output {
        if self.out.found.is_empty() {
            let files = std::mem::take(&mut self.files);
            self.out.found.extend(files);
        }
        if self.out.found.is_empty() {
            self.out.found.extend(self.stop.take());
        }
        // A test with parts failed because one of these did.
        let names: Vec<String> = self.out.found.iter().map(|one| one.name.clone()).collect();
        let is_whole = |one: &Found| {
            one.kind == Kind::Test
                && names
                    .iter()
                    .any(|name| is_part(name, &one.name) && name != &one.name)
        };
        self.out.found.retain(|one| !is_whole(one));
        if self.counts.failed.is_none() && self.counts.passed.is_none() {
            let failed = self.out.found.iter().filter(|one| one.kind == Kind::Test);
            let failed = u64::try_from(failed.count()).unwrap_or(0);
            self.counts.failed = Some(failed).filter(|count| *count > 0);
            self.counts.passed = Some(self.passed_tests).filter(|count| *count > 0);
        }
        let failures = self.counts.failed.unwrap_or(0) + self.counts.problems.unwrap_or(0);
        self.out.count = Some(failures).filter(|count| *count > 0);
        if self.counts.has_failures() {
            self.out.says = Some(false);
        } else if self.counts != Counts::default() && self.out.says.is_none() {
            self.out.says = Some(true);
        }
        let packages = (self.packages > 0 && self.out.says != Some(false)).then(|| {
            let ending = if self.packages == 1 { "" } else { "s" };
            format!("ok, {} package{ending}", self.packages)
        });
        self.out.fails_tests |= self.counts.failed.is_some_and(|failed| failed > 0)
            || self.out.found.iter().any(|one| one.kind == Kind::Test);
        let problems = Counts {
            problems: self.counts.problems,
            ..Counts::default()
        };
        self.out.problems = problems.said();
        let with_errors = self.counts.passed.is_some() || self.counts.failed.is_some();
        let tests = Counts {
            problems: self.counts.problems.filter(|_| with_errors),
            ..self.counts
        };
        self.out.tests = tests.said().or(packages);
        self.out
    }

    fn line(&mut self, line: &str) {
        let text = line.trim();
        if text.is_empty() {
            return;
        }
        // What comes behind a gap is the end of a line of which the beginning is not known.
        if std::mem::replace(&mut self.is_gap, is_gap(text)) {
            return;
        }
        let taken = self.follows(line, text)
            || self.go(text)
            || self.rust(text)
            || self.python(line, text)
            || (!self.is_pasted && self.other_runners(text))
            || self.detail_of(line, text)
            || self.diagnostic(line, text);
        if !taken && !self.is_pasted {
            self.whole(text);
        }
    }

    fn found(&mut self, kind: Kind, name: &str, detail: &str) -> Option<usize> {
        let same = |one: &Found| {
            one.kind == kind
                && (one.name == name || (kind == Kind::Test && is_end(name, &one.name)))
        };
        if let Some(index) = self.out.found.iter().position(same) {
            let known = &mut self.out.found[index];
            if known.name.len() < name.len() {
                name.clone_into(&mut known.name);
            }
            if known.detail.is_empty() {
                detail.clone_into(&mut known.detail);
            }
            return Some(index);
        }
        if self.out.found.len() >= FOUND_CAP || name.is_empty() {
            return None;
        }
        self.out.found.push(Found {
            kind,
            name: name.to_owned(),
            detail: detail.to_owned(),
        });
        Some(self.out.found.len() - 1)
    }

    /// A test failed; how may be said on one of the next lines.
    fn test(&mut self, name: &str, detail: &str) {
        let logged = self.logged.get(name).cloned().unwrap_or_default();
        let detail = if detail.is_empty() { &logged } else { detail };
        let index = self.found(Kind::Test, name, detail);
        let is_open = |index: &usize| self.out.found[*index].detail.is_empty();
        self.waiting = index.filter(is_open);
        self.running = Some(name.to_owned());
    }

    /// All tests of a file or a package failed, or nobody says which.
    fn file(&mut self, name: &str) {
        if self.files.len() < FOUND_CAP && !name.is_empty() {
            self.files.push(Found {
                kind: Kind::Test,
                name: name.to_owned(),
                detail: String::new(),
            });
        }
    }

    fn pass(&mut self, name: &str) {
        self.waiting = None;
        self.passed_tests += 1;
        self.out.passed.insert(name.to_owned());
    }

    fn says(&mut self, passed: bool) {
        if self.out.says != Some(false) {
            self.out.says = Some(passed);
        }
    }

    /// What a line adds to the ones before it: the detail of a failure, the end of a trace.
    fn follows(&mut self, line: &str, text: &str) -> bool {
        if let Some(at) = &mut self.trace {
            if let Some(frame) = python_frame(text) {
                *at = frame;
                return true;
            }
            if line.starts_with([' ', '\t']) {
                return true;
            }
            let at = std::mem::take(at);
            self.trace = None;
            match self.waiting.take() {
                Some(index) => self.detail(index, &format!("{at}: {text}")),
                None => {
                    let running = self.out.found.iter().any(|one| one.kind == Kind::Test);
                    if !running {
                        self.found(Kind::Place, &at, text);
                    }
                }
            }
            return true;
        }
        if let Some(at) = text.strip_prefix("--> ").and_then(place) {
            if let Some(header) = self.header.take() {
                self.found(Kind::Place, &at.at, &header);
            }
            return true;
        }
        // The line behind `panicked at src/a.rs:1:2:`.
        match self.waiting {
            Some(index) if self.out.found[index].detail.ends_with(' ') => {
                self.waiting = None;
                self.detail(index, text);
                true
            }
            _ => false,
        }
    }

    /// Whether a line says how the failure before it came.
    fn detail_of(&mut self, line: &str, text: &str) -> bool {
        if is_mark(text) {
            return false;
        }
        let Some(index) = self.waiting.take() else {
            return false;
        };
        let is_indented = line.starts_with([' ', '\t']);
        if is_indented {
            self.detail(index, text);
        }
        is_indented
    }

    fn detail(&mut self, index: usize, text: &str) {
        if let Some(found) = self.out.found.get_mut(index) {
            found.detail.push_str(text);
        }
    }

    fn go(&mut self, text: &str) -> bool {
        for start in ["=== RUN ", "=== NAME ", "=== CONT "] {
            if let Some(name) = text.strip_prefix(start) {
                self.running = Some(name.trim().to_owned());
                return true;
            }
        }
        if let Some(name) = text.strip_prefix("--- FAIL: ") {
            self.says(false);
            self.test(first(name), "");
            return true;
        }
        if let Some(name) = text.strip_prefix("--- PASS: ") {
            self.pass(first(name));
            self.running = None;
            return true;
        }
        if text == "FAIL" || text.starts_with("FAIL\t") {
            if let Some(package) = text.strip_prefix("FAIL\t") {
                self.file(first(package));
            }
            self.out.fails_tests = true;
            self.says(false);
            self.running = None;
            return true;
        }
        if text.starts_with("ok  ") || text.starts_with("ok\t") {
            self.packages += u64::from(!text.ends_with("[no tests to run]"));
            self.says(true);
            return true;
        }
        if text == "PASS" {
            self.says(true);
            return true;
        }
        if text.starts_with("panic: ") {
            self.stop("", text);
            return true;
        }
        false
    }

    fn rust(&mut self, text: &str) -> bool {
        if let Some((name, outcome)) = text
            .strip_prefix("test ")
            .and_then(|test| test.rsplit_once(" ... "))
        {
            match outcome {
                "FAILED" => self.test(name, ""),
                "ok" => self.pass(name),
                _ => {}
            }
            self.waiting = None;
            return true;
        }
        if let Some(rest) = text.strip_prefix("thread '")
            && let Some((name, at)) = rest.split_once("' ")
            && let Some((_, at)) = at.split_once("panicked at ")
        {
            let at = at.trim_end_matches(':');
            let index = match name {
                "main" => self.found(Kind::Stop, &format!("panicked at {at}"), ""),
                _ => self.found(Kind::Test, name, ""),
            };
            if let Some(index) = index.filter(|index| self.out.found[*index].detail.is_empty()) {
                let said = if name == "main" {
                    String::new()
                } else {
                    format!("{at}: ")
                };
                self.out.found[index].detail = said;
                self.waiting = Some(index);
            }
            return true;
        }
        if let Some(rest) = text.strip_prefix("test result: ") {
            self.out.fails_tests |= rest.starts_with("FAILED");
            self.says(!rest.starts_with("FAILED"));
            if let Some(counts) = Counts::of(text) {
                self.counts.add(counts);
            }
            return true;
        }
        let header = text.starts_with("error[") || text.starts_with("error: ");
        const ENDS: &[&str] = &[
            "could not compile",
            "aborting due",
            "test failed",
            "build failed",
        ];
        if header && !ENDS.iter().any(|end| text.contains(end)) {
            self.stop("", text);
            self.header = Some(text.to_owned());
            if text.starts_with("error[") {
                self.says(false);
            }
            return true;
        }
        if is_rule(first(text)) {
            self.header = Some(text.to_owned());
        } else if text.starts_with("warning") {
            self.header = None;
        }
        false
    }

    fn python(&mut self, line: &str, text: &str) -> bool {
        if text.starts_with("Traceback (most recent call last)") {
            self.trace = Some(String::new());
            return true;
        }
        for start in ["FAILED ", "ERROR "] {
            if let Some(rest) = text.strip_prefix(start)
                && (first(rest).contains("::") || first(rest).ends_with(".py"))
            {
                let (name, detail) = rest.split_once(" - ").unwrap_or((rest, ""));
                self.says(false);
                self.test(name.trim(), detail);
                self.waiting = None;
                return true;
            }
        }
        if let Some((name, rest)) = text.split_once(' ')
            && name.contains("::")
        {
            match first(rest) {
                "FAILED" | "ERROR" => self.test(name, ""),
                "PASSED" => self.pass(name),
                _ => return false,
            }
            self.waiting = None;
            return true;
        }
        for start in ["FAIL: ", "ERROR: "] {
            if let Some(rest) = text.strip_prefix(start)
                && rest.split_once(" (").is_some_and(|(name, _)| is_name(name))
                && !line.starts_with(' ')
            {
                self.test(first(rest), "");
                return true;
            }
        }
        if let Some((name, "ok")) = text.rsplit_once(" ... ")
            && is_name(first(name))
        {
            self.pass(first(name));
            return true;
        }
        false
    }

    /// Runners that mark what failed with a sign or a word of their own.
    fn other_runners(&mut self, text: &str) -> bool {
        if let Some((passed, name)) = signed(text) {
            match passed {
                true => self.pass(name),
                false => self.test(name, ""),
            }
            return true;
        }
        if let Some(rest) = text.strip_prefix("not ok ") {
            if !rest.contains("# TODO") && !rest.contains("# SKIP") {
                self.test(tap(rest), "");
            }
            return true;
        }
        if let Some(rest) = text.strip_prefix("ok ")
            && rest.starts_with(|c: char| c.is_ascii_digit())
        {
            self.pass(tap(rest));
            return true;
        }
        if let Some(rest) = text.strip_prefix("FAIL ") {
            let rest = rest.trim();
            // `FAIL [ 0.005s] crate test`, `FAIL src/a.test.ts > suite > name`, `FAIL src/a.test.ts`
            match rest
                .strip_prefix('[')
                .and_then(|rest| rest.split_once("] "))
            {
                Some((_, name)) => {
                    let name = name.rsplit(' ').next().unwrap_or(name);
                    self.test(name, "");
                }
                None if rest.contains(" > ") => self.test(rest, ""),
                None => self.file(first(rest)),
            }
            return true;
        }
        if let Some(name) = text.strip_prefix("PASS [") {
            self.pass(name.rsplit(' ').next().unwrap_or(name));
            return true;
        }
        // `FooTest > bar() FAILED`, `//pkg:test FAILED in 3s`, `3 - name (Failed)`, `Failed A.B [1 ms]`
        if let Some(name) = text.strip_suffix(" FAILED")
            && name.contains(" > ")
            && !name.starts_with('>')
        {
            self.test(name, "");
            return true;
        }
        if text.starts_with("//") && text.contains(" FAILED") {
            self.test(first(text), "");
            return true;
        }
        if let Some(name) = text.strip_suffix(" (Failed)") {
            self.test(name.split_once(" - ").map_or(name, |(_, name)| name), "");
            return true;
        }
        if text.ends_with(']')
            && let Some((outcome, rest)) = text.split_once(' ')
            && let Some((name, _)) = rest.rsplit_once(" [")
        {
            match outcome {
                "Failed" => self.test(name.trim(), ""),
                "Passed" => self.pass(name.trim()),
                _ => return false,
            }
            return true;
        }
        if text.contains("<<< FAILURE!") || text.contains("<<< ERROR!") {
            let name = text.trim_start_matches("[ERROR]").trim();
            if !name.starts_with("Tests run") {
                self.test(first(name), "");
            }
            return true;
        }
        // `1) Suite does this`
        if let Some((number, name)) = text.split_once(") ")
            && number.len() < 4
            && number.bytes().all(|b| b.is_ascii_digit())
            && !number.is_empty()
        {
            self.test(name.trim_end_matches(':'), "");
            return true;
        }
        false
    }

    /// A test logs where it is: what says that something is wrong counts most, else the last line.
    fn log(&mut self, text: &str) {
        let Some(running) = &self.running else {
            return;
        };
        let is_better = |known: &str| says_wrong(text) && !says_wrong(known);
        let known = self.out.found.iter_mut().find(|one| one.name == *running);
        if let Some(known) = known {
            if known.detail.is_empty() || is_better(&known.detail) {
                text.clone_into(&mut known.detail);
            }
        } else if self.logged.len() < 200 {
            let known = self.logged.entry(running.clone()).or_default();
            if !says_wrong(known) || is_better(known) {
                text.clone_into(known);
            }
        }
    }

    /// What a compiler or a linter says of a place.
    fn diagnostic(&mut self, line: &str, text: &str) -> bool {
        let is_indented = line.starts_with([' ', '\t']);
        let text = text.strip_prefix("[ERROR] ").unwrap_or(text);
        if let Some(at) = place(text) {
            if is_indented && !self.is_pasted {
                self.log(text);
                return true;
            }
            let is_sure = !self.is_pasted || says_wrong(at.text);
            if !is_aside(at.text) && is_sure && !has_test(&self.out.found) {
                self.found(Kind::Place, &at.at, at.text);
            }
            return true;
        }
        // A file, and below it its places: `12:5  error  text`.
        if !is_indented && !text.contains(' ') && text.contains(['/', '.']) {
            self.file = Some(text.to_owned());
        } else if let (true, Some(file)) = (is_indented, &self.file)
            && let Some((at, rest)) = text.split_once(' ')
            && at.bytes().all(|b| b.is_ascii_digit() || b == b':')
            && let Some(message) = rest.trim().strip_prefix("error ")
        {
            let name = format!("{file}:{at}");
            self.found(Kind::Place, &name, message.trim());
            return true;
        }
        if let Some(file) = text.strip_prefix("would reformat ") {
            self.found(Kind::Place, file, "would be reformatted");
            return true;
        }
        // `TypeError: x is not a function`
        if !is_indented
            && let Some((name, said)) = text.split_once(": ")
            && !said.is_empty()
            && (name.ends_with("Error") || name.ends_with("Exception") || name == "fatal error")
            && name.split(' ').count() <= 2
        {
            self.stop("", text);
            return true;
        }
        false
    }

    fn stop(&mut self, name: &str, detail: &str) {
        self.stop.get_or_insert_with(|| Found {
            kind: Kind::Stop,
            name: name.to_owned(),
            detail: detail.to_owned(),
        });
    }

    /// What a line says of the whole run.
    fn whole(&mut self, text: &str) {
        if let Some(passed) = verdict::verdict(text) {
            self.out.fails_tests |= !passed && text.starts_with("error: test failed");
            self.says(passed);
        }
        if let Some(counts) = Counts::of(text) {
            self.counts.follow(counts);
        }
    }
}

fn has_test(found: &[Found]) -> bool {
    found.iter().any(|one| one.kind == Kind::Test)
}

/// The test that a line names with a sign or a word of its runner's, and whether it passed.
fn signed(text: &str) -> Option<(bool, &str)> {
    const SIGNS: &[(&str, bool)] = &[
        ("✓ ", true),
        ("✔ ", true),
        ("√ ", true),
        ("(pass) ", true),
        ("● ", false),
        ("✕ ", false),
        ("✖ ", false),
        ("✗ ", false),
        ("✘ ", false),
        ("× ", false),
        ("❌ ", false),
        ("(fail) ", false),
    ];
    // Each begins with a letter of no other line, or with a bracket.
    if !text.starts_with(|c: char| c == '(' || !c.is_ascii()) {
        return None;
    }
    let sign = SIGNS.iter().find(|(sign, _)| text.starts_with(sign));
    let (name, passed) = sign.map(|(sign, passed)| (text[sign.len()..].trim_start(), *passed))?;
    // `✖ 3 problems`, `✖ 1 of 2 failed` and `✘ Test run with 3 tests failed` are of the whole run.
    let is_whole = name.starts_with(|c: char| c.is_ascii_digit())
        || [
            "Console",
            "[ERROR]",
            "Test run with",
            "Build failed",
            "All ",
        ]
        .iter()
        .any(|begin| name.starts_with(begin));
    if is_whole && !(passed && name.starts_with(|c: char| c.is_ascii_digit())) {
        return None;
    }
    // `Test adds() failed after 0.1 seconds`
    let own = name.strip_prefix("Test ").and_then(|name| {
        let end = [" passed after ", " failed after ", " recorded an issue "];
        end.iter().find_map(|end| name.split_once(end))
    });
    Some((
        passed,
        own.map_or_else(|| without_time(name), |(name, _)| name),
    ))
}

/// The beginning and the end of an output, cut where lines end.
fn bounded(output: &str) -> (&str, &str) {
    if output.len() <= BEGINNING + END {
        return (output, "");
    }
    let beginning = upto(output, BEGINNING);
    let mut from = output.len() - END;
    while !output.is_char_boundary(from) {
        from += 1;
    }
    let end = &output[from..];
    (beginning, end.split_once('\n').map_or(end, |(_, end)| end))
}

/// At most so many bytes of a text.
pub(super) fn upto(text: &str, bytes: usize) -> &str {
    let mut end = text.len().min(bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// A line without colours, and without the name of the task that printed it.
fn plain(line: &str) -> Cow<'_, str> {
    let mut line = match line.contains('\u{1b}') {
        true => Cow::Owned(without_escapes(line)),
        false => Cow::Borrowed(line),
    };
    if let Some(rest) = line.strip_prefix('[')
        && let Some((task, rest)) = rest.split_once("] ")
        && task.starts_with(|c: char| c.is_ascii_lowercase())
        && task
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b":-_.".contains(&b))
        && !["warn", "error", "info", "debug", "fatal"].contains(&task)
    {
        line = Cow::Owned(rest.to_owned());
    } else if let Some(rest) = line.strip_prefix("##[error]") {
        line = Cow::Owned(rest.to_owned());
    }
    line
}

fn without_escapes(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c != '\u{1b}' {
            plain.push(c);
        } else if chars.next() == Some('[') {
            chars.by_ref().find(|c| c.is_ascii_alphabetic());
        }
    }
    plain
}

/// The first word.
fn first(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or("")
}

/// A name without the time that its run took: `adds (5 ms)`, `adds 5ms`.
fn without_time(name: &str) -> &str {
    let name = name.trim();
    let inside = name
        .strip_suffix(')')
        .and_then(|name| name.rsplit_once(" ("));
    match inside.or_else(|| name.rsplit_once(' ')) {
        Some((before, time))
            if time.starts_with(|c: char| c.is_ascii_digit()) && time.ends_with('s') =>
        {
            before.trim_end()
        }
        _ => name,
    }
}

/// The name in a line of the Test Anything Protocol: `2 - name # time=1ms`.
fn tap(rest: &str) -> &str {
    let name = rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim();
    let name = name.strip_prefix("- ").unwrap_or(name);
    name.split(" # ").next().unwrap_or(name).trim()
}

/// Whether a word is the name of a function.
fn is_name(word: &str) -> bool {
    !word.is_empty()
        && word
            .chars()
            .all(|c| c.is_alphanumeric() || "_.".contains(c))
}

/// Whether a word is the number of a linter's rule: `F401`.
fn is_rule(word: &str) -> bool {
    let letters = word.bytes().take_while(u8::is_ascii_uppercase).count();
    let digits = word.bytes().skip(letters).take_while(u8::is_ascii_digit);
    (1..=5).contains(&letters) && (2..=5).contains(&digits.count()) && word.len() <= letters + 5
}

/// Whether a test is a part of another one: `TestA/case` of `TestA`.
fn is_part(name: &str, whole: &str) -> bool {
    name.strip_prefix(whole)
        .is_some_and(|rest| rest.starts_with('/'))
}

/// Whether one name is the end of the other: a runner may leave out the suite.
fn is_end(one: &str, other: &str) -> bool {
    let (long, short) = if one.len() > other.len() {
        (one, other)
    } else {
        (other, one)
    };
    long.strip_suffix(short)
        .is_some_and(|rest| rest.ends_with([' ', ':']))
}

/// Whether a line is what a client puts in the place of what it left out.
fn is_gap(text: &str) -> bool {
    let text = text.trim_start_matches(['[', '<', '(']);
    text.starts_with("...") && (text.contains("truncated") || text.contains("omitted"))
}

/// Whether a line is only there for the eye.
fn is_mark(text: &str) -> bool {
    text.chars().all(|c| "-=_*~^".contains(c))
}

/// Whether what is said of a place says that something is wrong, in a text where it need not.
fn says_wrong(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "error",
        "undefined",
        "undeclared",
        "cannot",
        "unexpected",
        "expected",
        "missing",
        "unused",
        "mismatch",
        "should",
        "want",
        "got ",
        "fail",
        "panic",
        "invalid",
        "not found",
        "unresolved",
        "denied",
    ];
    let lower = text.to_lowercase();
    // The linter that says so, behind it: `(errcheck)`.
    let linter = text
        .strip_suffix(')')
        .and_then(|text| text.rsplit_once(" ("));
    let names_linter = linter.is_some_and(|(_, linter)| {
        !linter.is_empty() && linter.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
    });
    names_linter || WORDS.iter().any(|word| lower.contains(word))
}

/// The place of a frame of a Python trace: `File "a.py", line 3, in f`.
fn python_frame(text: &str) -> Option<String> {
    let (file, rest) = text.strip_prefix("File \"")?.split_once("\", line ")?;
    let line: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some(format!("{file}:{line}"))
}

#[cfg(test)]
mod tests;
