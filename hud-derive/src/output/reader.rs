//! The reader of an output, line by line.

use std::collections::HashMap;

use hud_store::text::beginning;

use super::super::runner::{self, Part, Report};
use super::counts::Counts;
use super::line::{first, is_end, is_gap, is_mark, is_part, plain, python_frame, says_wrong};
use super::place::{is_aside, place};
use super::{FOUND_CAP, Found, Kind, LINE, Output, bounded};

/// The results of an output so far.
#[derive(Default)]
pub(super) struct Reader {
    is_pasted: bool,
    out: Output,
    counts: Counts,
    /// The test that the following lines belong to, and the logged message of each test.
    running: Option<String>,
    logged: HashMap<String, String>,
    /// The index of the failure whose detail is on the next line.
    waiting: Option<usize>,
    /// A message whose place is on a separate line.
    header: Option<String>,
    /// The file of the next places.
    file: Option<String>,
    /// The innermost place of the current trace.
    trace: Option<String>,
    /// The failure that stopped the run, if nothing else explains it.
    stop: Option<Found>,
    files: Vec<Found>,
    packages: u64,
    passed_tests: u64,
    /// True if the last line marks omitted output after it.
    is_gap: bool,
}

/// True for a numbered line of source code, as it is printed with an error: `101 | assert(failed)`. A message may come
/// before it.
fn is_source(line: &str) -> bool {
    let Some((before, code)) = line.split_once(" |") else {
        return false;
    };
    let numbered = before.ends_with(|c: char| c.is_ascii_digit());
    let starts = before.chars().all(|c| c.is_ascii_digit());
    numbered && (starts || code.contains(['(', '{', '}', ';', '=']))
}

impl Reader {
    /// A reader of pasted output.
    pub(super) fn of_pasted() -> Self {
        Self {
            is_pasted: true,
            ..Self::default()
        }
    }

    pub(super) fn read(mut self, output: &str) -> Output {
        let (head, tail) = bounded(output);
        self.out.is_empty = output.trim().is_empty();
        for line in head.lines().chain(tail.lines()) {
            let line = plain(beginning(line, LINE));
            self.line(&line);
            if !line.trim().is_empty() {
                self.out.last.clear();
                self.out.last.push_str(line.trim());
            }
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
        // A test with parts failed because one of its parts failed.
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
        if text.is_empty() || is_source(text) {
            return;
        }
        // The line after a gap is the end of a line whose beginning is not known.
        if std::mem::replace(&mut self.is_gap, is_gap(text)) {
            return;
        }
        let runner::Line { part, run } = runner::line(text);
        let part = part.filter(|part| part.is_certain || !self.is_pasted);
        let taken = self.follows(line, text)
            || part.is_some_and(|part| self.part(&part))
            || self.begins(text)
            || self.detail_of(line, text)
            || self.diagnostic(line, text);
        if !taken && !self.is_pasted {
            self.whole(text, run);
        }
    }

    /// Handles a line's report on a part of the run. True if the line is one.
    fn part(&mut self, part: &Part<'_>) -> bool {
        let name = without_time(part.taken.name);
        match part.report {
            Report::Begins => self.running = Some(name.to_owned()),
            Report::Passed => self.pass(name),
            Report::Failed => {
                self.test(name, part.taken.detail);
                if part.is_certain {
                    self.says(false);
                }
            }
            Report::FilePassed => {
                self.packages += 1;
                self.says(true);
            }
            Report::FileFailed => {
                self.file(name);
                self.out.fails_tests = true;
                self.says(false);
                self.running = None;
            }
            Report::Place => drop(self.found(Kind::Place, name, part.taken.detail)),
            Report::Heads => self.header = Some(part.taken.detail.to_owned()),
            _ => return false,
        }
        true
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

    /// True for a line that begins an item of several lines, or that stops a run.
    fn begins(&mut self, text: &str) -> bool {
        if text.starts_with("panic: ") {
            self.stop("", text);
            return true;
        }
        if text.starts_with("Traceback (most recent call last)") {
            self.trace = Some(String::new());
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

    /// A test failed. One of the next lines may have the reason.
    fn test(&mut self, name: &str, detail: &str) {
        let logged = self.logged.get(name).cloned().unwrap_or_default();
        let detail = if detail.is_empty() { &logged } else { detail };
        let index = self.found(Kind::Test, name, detail);
        let is_open = |index: &usize| self.out.found[*index].detail.is_empty();
        self.waiting = index.filter(is_open);
        self.running = Some(name.to_owned());
    }

    /// All tests of a file or a package failed, or the failed ones are not named.
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

    /// True for a line that continues earlier lines: the detail of a failure, the end of a trace.
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
        // The line after `panicked at src/a.rs:1:2:`.
        match self.waiting {
            Some(index) if self.out.found[index].detail.ends_with(' ') => {
                self.waiting = None;
                self.detail(index, text);
                true
            }
            _ => false,
        }
    }

    /// True if a line has the detail of the failure before it.
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

    /// A test logs a line with a place. The first line that reports an error is kept, otherwise the last line.
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

    /// Handles a diagnostic of a compiler or a linter about a place. True if the line is one.
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
        // The places of a file are on the lines below its name: `12:5  error  text`.
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
        // The message of an exception: `TypeError: x is not a function`.
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

    /// Handles a line's report on the whole run.
    fn whole(&mut self, text: &str, run: Option<Report>) {
        if let Some(run) = run {
            self.out.fails_tests |= run == Report::TestsFailed;
            self.says(run == Report::RunPassed);
        }
        if let Some(counts) = Counts::of(text) {
            self.counts.follow(counts);
        }
    }
}

/// A name without the duration of its run: `adds (5 ms)`, `adds 5ms`.
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

/// True for the code of a linter's rule: `F401`.
fn is_rule(word: &str) -> bool {
    let letters = word.bytes().take_while(u8::is_ascii_uppercase).count();
    let digits = word.bytes().skip(letters).take_while(u8::is_ascii_digit);
    (1..=5).contains(&letters) && (2..=5).contains(&digits.count()) && word.len() <= letters + 5
}

fn has_test(found: &[Found]) -> bool {
    found.iter().any(|one| one.kind == Kind::Test)
}
