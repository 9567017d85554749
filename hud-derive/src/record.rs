//! The record of messages, commands, answers and refusals, word for word.

use std::borrow::Cow;

use hud_components::text::{is_blank, line};
use hud_observe::action::Action;
use hud_observe::change::{Kind, defines};
use hud_observe::marked;
use hud_observe::observation::NotRun;
use hud_observe::path::file_name;
use hud_store::event::{
    Actor, CheckEvent, HudEvent, RecordAnswer, RecordCommand, RecordMessage, RecordRead,
    RecordRefusal, Speaker,
};
use hud_store::state::RECORD_GAP;
use hud_store::text::beginning;
use serde_json::Value;

use super::calls::ToolResult;
use super::failure::{is_fine, weight};
use super::{Derived, Deriver, command, voice};

/// The number of bytes of a command, a question or a call that are recorded.
const LONGEST: usize = 2 * 1024;

/// The number of lines of an output that are recorded.
const LINES: usize = 14;

/// The number of lines of the output of a command that only looks.
const LOOKED: usize = 10;

/// The number of characters of each line.
const LINE: usize = 300;

/// The number of bytes of an output that are read, from its beginning and from its end.
const READ: usize = 64 * 1024;

/// A message of the user. `None` if it has no visible text.
pub(super) fn user_message(text: &str) -> Option<Derived> {
    let text = text.trim();
    (!is_blank(text)).then(|| Derived {
        actor: Actor::User,
        event: RecordMessage {
            retracts: voice::retracts(text),
            ..message(Speaker::User, text, None)
        }
        .into(),
    })
}

/// A message, word for word.
pub(super) fn message(by: Speaker, text: &str, about: Option<&str>) -> RecordMessage {
    RecordMessage {
        by,
        text: text.trim().to_owned(),
        about: about.map(ToOwned::to_owned),
        retracts: None,
    }
}

impl Deriver {
    /// Returns the entry of the record for a call with its result. `events` are those that followed from the result.
    pub(super) fn recorded(
        &self,
        action: &Action,
        result: &ToolResult<'_>,
        events: &[Derived],
    ) -> Option<Derived> {
        let event = self.entry(action, result, events)?;
        let actor = Actor::Derived;
        Some(Derived { actor, event })
    }

    fn entry(
        &self,
        action: &Action,
        result: &ToolResult<'_>,
        events: &[Derived],
    ) -> Option<HudEvent> {
        if let Some(NotRun::Declined { said }) = result.not_run {
            let call = match action.target() {
                Some(target) => format!("{} {}", action.tool(), beginning(target, LONGEST)),
                None => action.tool().to_owned(),
            };
            let said = said.as_deref().map(str::trim);
            return Some(
                RecordRefusal {
                    call,
                    reason: said.filter(|said| !said.is_empty()).map(str::to_owned),
                }
                .into(),
            );
        }
        if !matches!(result.not_run, None | Some(NotRun::Refused)) {
            return None;
        }
        match action {
            Action::Run { command } => {
                let runs = events.iter().filter_map(|derived| match &derived.event {
                    HudEvent::Check(CheckEvent::Run(run)) => Some(run),
                    _ => None,
                });
                let checks = runs.clone().map(|run| run.check.clone()).collect();
                let checked = runs.map(|run| run.passed).reduce(|one, other| one && other);
                // The exit code belongs to the last command only.
                let is_one = !command.contains(['|', ';', '\n', '&']);
                let passed = match result.failed() {
                    true => Some(false),
                    false => checked.or(is_one.then_some(true)),
                };
                let output = match checked {
                    // The check passed, and its output only repeats that.
                    Some(true) if !result.failed() => String::new(),
                    _ => {
                        let looks = command::only_looks(command);
                        let printed = unwrapped(result.content.text());
                        telling(&printed, passed == Some(false), looks)
                    }
                };
                Some(
                    RecordCommand {
                        command: beginning(command, LONGEST).to_owned(),
                        directory: self.directory.clone(),
                        passed,
                        checks,
                        output,
                    }
                    .into(),
                )
            }
            Action::Read { path, .. } if !result.failed() => {
                read(path, &unwrapped(result.content.text()), true)
            }
            Action::Look {
                target: Some(target),
                ..
            } if !result.failed() => read(target, &unwrapped(result.content.text()), false),
            Action::Ask { target, .. } if !result.failed() => {
                let question = target.as_deref().unwrap_or_default().trim();
                let answer = result.content.text().trim();
                // Some clients return the question. The user's next message is the answer to it.
                let is_answered = question.is_empty() || !answer.ends_with(question);
                is_answered.then(|| {
                    RecordAnswer {
                        question: beginning(question, LONGEST).to_owned(),
                        answer: beginning(&chosen(answer), LONGEST).to_owned(),
                    }
                    .into()
                })
            }
            Action::Delegate { target, .. } if !is_blank(result.content.text()) => Some(
                message(
                    Speaker::SubAgent,
                    beginning(result.content.text(), READ),
                    target.as_deref(),
                )
                .into(),
            ),
            _ => None,
        }
    }
}

/// The answers in a client's sentence about them: `You answered: "Which one?"="The second"`.
fn chosen(answer: &str) -> Cow<'_, str> {
    const IS: &str = "\"=\"";
    let answers = answer.match_indices(IS).filter_map(|(at, _)| {
        let rest = &answer[at + IS.len()..];
        let ends = ["\", \"", "\".", "\"\n", "\" "];
        let end = ends.iter().filter_map(|end| rest.find(end)).min();
        let end = end.or_else(|| rest.ends_with('"').then(|| rest.len() - 1));
        end.map(|end| &rest[..end])
    });
    let answers: Vec<&str> = answers.collect();
    match answers.is_empty() {
        true => Cow::Borrowed(answer),
        false => Cow::Owned(answers.join("; ")),
    }
}

/// The texts of several lines in a JSON result. Any other result is returned [without its header](without_header).
fn unwrapped(content: &str) -> Cow<'_, str> {
    let trimmed = content.trim();
    let is_json = trimmed.starts_with("{\"") || trimmed.starts_with("[{\"");
    let parsed = (is_json && trimmed.len() <= READ).then(|| serde_json::from_str(trimmed).ok());
    let Some(value) = parsed.flatten() else {
        return Cow::Borrowed(without_header(content));
    };
    let mut texts = Vec::new();
    texts_of(&value, &mut texts);
    texts.retain(|text| text.trim_end().contains('\n'));
    match texts.is_empty() {
        true => Cow::Borrowed(without_header(content)),
        false => Cow::Owned(texts.join("\n")),
    }
}

/// A result without the header that some clients put before the output of a command: `Exit code: 0`,
/// `Wall time: 1 s`, and last `Output:`.
fn without_header(result: &str) -> &str {
    /// The largest number of lines of such a header.
    const LINES: usize = 8;
    let mut rest = result;
    for at in 0..LINES {
        let Some((line, after)) = rest.split_once('\n') else {
            break;
        };
        rest = after;
        match line.trim_end() {
            "Output:" if at > 0 => return rest,
            line if line.contains(": ") || line.ends_with(|c: char| c.is_ascii_digit()) => {}
            _ => break,
        }
    }
    result
}

fn texts_of<'v>(value: &'v Value, texts: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(values) => values.iter().for_each(|value| texts_of(value, texts)),
        Value::Object(fields) => fields.values().for_each(|value| texts_of(value, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The lines of an output that matter. For a failure, these are the lines that name the failure, each with the line
/// after it, and the end. Otherwise it is the end. A command that only looks has fewer lines.
fn telling(output: &str, failed: bool, looks: bool) -> String {
    /// The largest number of bytes of an output in which JSON is an answer.
    const SHORT: usize = 600;
    let beginning = beginning(output, READ);
    // A short output is the answer to a query, not a dump.
    let is_short = output.len() <= SHORT && output.trim().lines().nth(3).is_none();
    let is_noise = |line: &str| is_tag(line) || (!is_short && is_data(line));
    let lines: Vec<&str> = beginning
        .lines()
        .map(str::trim_end)
        .filter(|line| !(is_blank(line) || is_noise(line) || failed && is_fine(line)))
        .collect();
    let rest = output.get(beginning.len()..).unwrap_or_default();
    let last: Vec<&str> = rest
        .lines()
        .rev()
        .filter(|line| !is_blank(line))
        .take(4)
        .collect();
    let most = if looks { LOOKED } else { LINES };
    let mut keep = vec![lines.len() <= most; lines.len()];
    if lines.len() > most {
        let ends = if failed || looks { 3 } else { 6 };
        let from = lines.len().saturating_sub(ends);
        keep.iter_mut().skip(from).for_each(|keep| *keep = true);
        let weights: Vec<u8> = lines.iter().map(|line| weight(line)).collect();
        let mut order: Vec<usize> = (0..lines.len()).collect();
        order.sort_by_key(|at| (std::cmp::Reverse(weights.get(*at).copied()), *at));
        let mut left = most - ends;
        for at in order {
            let tells = weights.get(at).is_some_and(|weight| *weight > 1);
            if left == 0 || !(tells && failed) {
                break;
            }
            for at in [at, at + 1] {
                if let Some(keep) = keep.get_mut(at).filter(|keep| !**keep && left > 0) {
                    *keep = true;
                    left -= 1;
                }
            }
        }
    }
    let kept = lines
        .iter()
        .zip(keep)
        .filter(|(_, keep)| *keep)
        .map(|(line, _)| *line)
        .chain(last.into_iter().rev())
        .map(|text| line(text, LINE).into_owned());
    let kept = kept.collect::<Vec<String>>().join("\n");
    match kept.is_empty() && !is_blank(output) {
        // Something was printed, but no line is kept.
        true => RECORD_GAP.to_owned(),
        false => kept,
    }
}

/// The number of lines of a file or a search that are recorded.
const READ_LINES: usize = 40;

/// The lines of a file that define something or are headings. For data and for searches, the first lines. `None` if
/// there are no such lines.
fn read(target: &str, content: &str, is_file: bool) -> Option<HudEvent> {
    let is_outlined = is_file && (Kind::of(target) != Kind::Data || is_environment(target));
    let lines = beginning(marked::result(content), READ).lines();
    let lines = lines.map(|text| match is_file {
        true => unnumbered(text),
        false => text.trim(),
    });
    let tells = |text: &&str| {
        let is_fit = (6..=LINE).contains(&text.trim().len()) && !is_tag(text) && !is_data(text);
        is_fit && (!is_outlined || defines(text) || text.trim_start().starts_with('#'))
    };
    let lines: Vec<&str> = lines
        .filter(tells)
        .take(READ_LINES)
        .map(str::trim)
        .collect();
    (!lines.is_empty()).then(|| {
        RecordRead {
            target: beginning(target, LONGEST).to_owned(),
            lines: lines.join("\n"),
        }
        .into()
    })
}

/// True for a file of environment variables. Nothing distinguishes its secrets from other values.
fn is_environment(path: &str) -> bool {
    let file = file_name(path);
    file.split('.').skip(1).any(|part| part == "env")
}

/// A line of a file without the number that a tool puts before it: `  12→fn main()`, `12: fn main()`.
fn unnumbered(text: &str) -> &str {
    let trimmed = text.trim_start();
    let rest = trimmed.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.len() < trimmed.len() {
        true => rest
            .strip_prefix(['→', '\t', ':', '|'])
            .or_else(|| rest.strip_prefix(" | "))
            .unwrap_or(text),
        false => text,
    }
}

/// True for a line that is one tag.
fn is_tag(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('<') && line.ends_with('>') && !line[1..].contains('<')
}

/// True for a line that is one machine-readable value.
fn is_data(line: &str) -> bool {
    let line = line.trim();
    let is_value = ["{\"", "[{\""].iter().any(|start| line.starts_with(start));
    is_value && line.ends_with(['}', ']'])
}

#[cfg(test)]
mod tests {
    use hud_store::event::{HudEvent, RecordEvent, RecordRead};

    use super::{RECORD_GAP, chosen, read, telling, unwrapped};

    #[test]
    fn answers_are_told_from_the_sentence_around_them() {
        for (text, answers) in [
            (
                r#"User has answered your questions: "Which?"="The second". You can now continue."#,
                "The second",
            ),
            (
                r#"You said: "A?"="one, two", "B?"="three". Go on."#,
                "one, two; three",
            ),
            (r#""A?"="b""#, "b"),
            ("the second, please", "the second, please"),
            (r#"x"="y"#, r#"x"="y"#),
        ] {
            assert_eq!(chosen(text), answers, "{text}");
        }
    }

    #[test]
    fn a_short_answer_for_machines_is_kept_and_a_dump_is_not() {
        let answer = r#"{"conclusion":"failure","status":"completed"}"#;
        assert_eq!(telling(answer, false, true), answer);
        let dump = format!("{answer}\n").repeat(40);
        assert_eq!(telling(&dump, false, true), RECORD_GAP);
        assert_eq!(telling(" \n\n", false, true), "");
    }

    #[test]
    fn of_a_file_what_outlines_it_is_recorded_and_of_data_the_first_lines() {
        let lines = |target: &str, content: &str| match read(target, content, true) {
            Some(HudEvent::Record(RecordEvent::Read(RecordRead { lines, .. }))) => lines,
            None => String::new(),
            Some(other) => unreachable!("{other:?}"),
        };
        let code = "  1\tuse std::fs;\n  2\tfn run() {\n  3\t    let a = 1;\n  4\t}";
        assert_eq!(lines("a.rs", code), "fn run() {");
        assert_eq!(
            lines("plan.md", "# The plan\n\nThe port is 8080.\n"),
            "# The plan"
        );
        let text = "port: 8080\n\n<root>\nhost: kit\n";
        assert_eq!(lines("kit.yml", text), "port: 8080\nhost: kit");
        for path in ["kit/.env", ".env.local", "prod.env"] {
            assert_eq!(
                lines(path, "# Ports\nPORT=8080\nPASSPHRASE=kit\n"),
                "# Ports"
            );
        }
        let reminder = "<system-reminder>The file is empty.</system-reminder>";
        assert_eq!(lines("kit.yml", reminder), "");
        assert_eq!(
            lines("kit.yml", &format!("{text}{reminder}")),
            lines("kit.yml", text)
        );
    }

    #[test]
    fn of_a_failure_the_lines_that_name_it_are_kept_and_the_end() {
        let noise: String = (0..200)
            .map(|at| format!("compiling part {at}\n"))
            .collect();
        let output =
            format!("{noise}error[E0308]: mismatched types\n  --> src/a.rs:3:5\n{noise}1 failed\n");
        let kept = telling(&output, true, false);
        assert!(
            kept.contains("E0308") && kept.contains("src/a.rs:3:5"),
            "{kept}"
        );
        assert!(
            kept.ends_with("1 failed") && kept.lines().count() <= 14,
            "{kept}"
        );
        assert_eq!(telling("a\n\nb\n", false, false), "a\nb");
        let parts = "ok kit/a 0.1s\n--- FAIL: TestB\nINFO started\nwant 1\n";
        assert_eq!(telling(parts, true, false), "--- FAIL: TestB\nwant 1");
    }

    #[test]
    fn the_texts_of_a_result_that_is_json_are_recorded() {
        let result =
            r#"[{"query":"grep a","result":"a.rs:1: fn a()\nb.rs:2: fn b()","success":true}]"#;
        assert_eq!(unwrapped(result), "a.rs:1: fn a()\nb.rs:2: fn b()");
        for other in [
            r#"{"query":"a"}"#,
            "{ not json\n}",
            "text",
            "Output:\n1 of 3\n",
            "a: b\nc\nOutput:\nd",
        ] {
            assert_eq!(unwrapped(other), other);
        }
        let printed = "Chunk ID: 7a\nProcess exited with code 0\nOutput:\n## main\n";
        assert_eq!(unwrapped(printed), "## main\n");
    }
}
