//! The lines of all runners, to find the report of a line in an output.

use aho_corasick::AhoCorasick;
use serde::Deserialize;

use super::pattern::{Pattern, Taken};

/// The lines of one runner.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(super) struct Output {
    /// True if the lines of tests are certain even in a text that a person wrote.
    is_certain: bool,
    /// A test begins, and the following lines belong to it.
    begins: Vec<Pattern>,
    passed: Vec<Pattern>,
    failed: Vec<Pattern>,
    /// All tests of a file or a package passed.
    file_passed: Vec<Pattern>,
    /// Tests of a file or a package failed.
    file_failed: Vec<Pattern>,
    /// A place with an error in a file.
    place: Vec<Pattern>,
    /// The message of the place on the next line.
    heads: Vec<Pattern>,
    /// Lines that look like those of tests but are not.
    aside: Vec<Pattern>,
    run_passed: Vec<Pattern>,
    run_failed: Vec<Pattern>,
    /// The run failed, and it ran tests.
    tests_failed: Vec<Pattern>,
}

/// The kinds of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Report {
    Begins,
    Passed,
    Failed,
    FilePassed,
    FileFailed,
    Place,
    Heads,
    Aside,
    RunPassed,
    RunFailed,
    TestsFailed,
}

impl Report {
    /// True for a report on a test, a file or a package. False for one on the whole run.
    fn is_of_part(self) -> bool {
        !matches!(self, Self::RunPassed | Self::RunFailed | Self::TestsFailed)
    }
}

/// The reports of a line on a part of the run and on the whole run.
#[derive(Debug, Default)]
pub(crate) struct Line<'l> {
    pub(crate) part: Option<Part<'l>>,
    pub(crate) run: Option<Report>,
}

/// A report on a test, a file or a package.
#[derive(Debug)]
pub(crate) struct Part<'l> {
    pub(crate) report: Report,
    pub(crate) taken: Taken<'l>,
    /// True if the report is certain even in a text that a person wrote.
    pub(crate) is_certain: bool,
}

/// The longest line that reports on the whole run, in bytes. The line at the end of a run is short.
const LONGEST: usize = 300;

/// The lines of all runners.
pub(super) struct Lines {
    rows: Vec<Row>,
    /// The automaton that finds the longest text of each row.
    texts: Option<AhoCorasick>,
}

struct Row {
    pattern: Pattern,
    report: Report,
    is_certain: bool,
}

impl Lines {
    pub(super) fn of(outputs: impl Iterator<Item = Output>) -> Self {
        let mut rows = Vec::new();
        for output in outputs {
            let is_certain = output.is_certain;
            for (report, patterns) in [
                (Report::Begins, output.begins),
                (Report::Passed, output.passed),
                (Report::Failed, output.failed),
                (Report::FilePassed, output.file_passed),
                (Report::FileFailed, output.file_failed),
                (Report::Place, output.place),
                (Report::Heads, output.heads),
                (Report::Aside, output.aside),
                (Report::RunPassed, output.run_passed),
                (Report::RunFailed, output.run_failed),
                (Report::TestsFailed, output.tests_failed),
            ] {
                rows.extend(patterns.into_iter().map(|pattern| Row {
                    pattern,
                    report,
                    is_certain,
                }));
            }
        }
        Self {
            texts: AhoCorasick::new(rows.iter().map(|row| row.pattern.longest())).ok(),
            rows,
        }
    }

    /// Returns the reports of a line, from the patterns that have most text in common with it.
    pub(super) fn line<'l>(&self, line: &'l str) -> Line<'l> {
        let mut best: [Option<(&Row, Taken<'l>)>; 2] = [None, None];
        let texts = { self.texts.iter() }.flat_map(|texts| texts.find_overlapping_iter(line));
        for row in texts.filter_map(|text| self.rows.get(text.pattern().as_usize())) {
            let best = &mut best[usize::from(row.report.is_of_part())];
            let rank = |row: &Row| (row.pattern.weight(), row.report == Report::Aside);
            if best
                .as_ref()
                .is_none_or(|(known, _)| rank(row) > rank(known))
                && let Some(taken) = row.pattern.taken(line)
            {
                *best = Some((row, taken));
            }
        }
        let [run, part] = best;
        let run = run.filter(|_| line.len() <= LONGEST);
        Line {
            part: part.map(|(row, taken)| Part {
                report: row.report,
                taken,
                is_certain: row.is_certain,
            }),
            run: run.map(|(row, _)| row.report),
        }
    }
}
