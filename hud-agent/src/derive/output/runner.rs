//! What test runners of many languages print of each test.

use super::Kind;
use super::counts::Counts;
use super::line::first;
use super::reader::Reader;

impl Reader {
    pub(super) fn go(&mut self, text: &str) -> bool {
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

    pub(super) fn rust(&mut self, text: &str) -> bool {
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

    pub(super) fn python(&mut self, line: &str, text: &str) -> bool {
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
    pub(super) fn other_runners(&mut self, text: &str) -> bool {
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
