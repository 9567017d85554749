//! Trial runs of programs, which measure whether and how fast they answer.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// The maximum number of bytes that are read of a program's output.
const MOST: u64 = 1024 * 1024;

/// The answer of a program.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) text: String,
    /// The first line that it wrote to standard error, if any.
    pub(crate) error: Option<String>,
    /// The time until the answer.
    pub(crate) time: Duration,
}

/// The error if there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoAnswer {
    #[error("it can't be started ({0})")]
    Start(std::io::Error),
    #[error("it didn't answer within {} seconds", .0.as_secs())]
    Late(Duration),
}

/// Runs a program with an input, and returns its output. With `last`, the output ends with the line that
/// contains it, for a program that serves until its input ends. A program that does not answer in time is
/// killed.
pub(crate) fn run(
    mut command: Command,
    input: &str,
    last: Option<&str>,
    patience: Duration,
) -> Result<Answer, NoAnswer> {
    let began = Instant::now();
    let pipes = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = pipes.spawn().map_err(NoAnswer::Start)?;
    let (input, last) = (input.to_owned(), last.map(str::to_owned));
    let (said, answer) = mpsc::channel();
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let error = thread::spawn(move || {
        let mut lines = BufReader::new(stderr?.take(MOST)).lines();
        let first = lines
            .by_ref()
            .map_while(Result::ok)
            .find(|line| !line.trim().is_empty());
        // The rest is read too, because the program would block otherwise.
        lines.map_while(Result::ok).for_each(drop);
        first
    });
    thread::spawn(move || {
        let Some(mut stdin) = stdin else { return };
        // The program need not read its input.
        let _ = stdin
            .write_all(input.as_bytes())
            .and_then(|()| stdin.flush());
        let stdin = last.is_some().then_some(stdin);
        let mut text = String::new();
        if let Some(stdout) = stdout {
            for line in BufReader::new(stdout.take(MOST))
                .lines()
                .map_while(Result::ok)
            {
                let is_last = last
                    .as_ref()
                    .is_some_and(|last| line.contains(last.as_str()));
                text.push_str(&line);
                text.push('\n');
                if is_last {
                    break;
                }
            }
        }
        let _ = said.send((text, began.elapsed()));
        drop(stdin);
    });
    let answered = answer.recv_timeout(patience);
    // The program has answered, so it has ended or is no longer needed.
    let _ = child.kill();
    let _ = child.wait();
    let (text, time) = answered.map_err(|_| NoAnswer::Late(patience))?;
    Ok(Answer {
        text,
        error: error
            .is_finished()
            .then(|| error.join().ok().flatten())
            .flatten(),
        time,
    })
}

/// Returns the version that a program reports.
pub(crate) fn version(program: &std::path::Path, patience: Duration) -> Result<String, NoAnswer> {
    let mut command = Command::new(program);
    command.arg("--version");
    let answer = run(command, "", None, patience)?;
    let mut words = answer
        .text
        .split_whitespace()
        .map(|word| word.trim_start_matches('v'));
    let version =
        words.find(|word| word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit()));
    Ok(version
        .unwrap_or("of a version that it doesn't say")
        .to_owned())
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(60);

    fn sh(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn an_answer_is_all_that_is_said_or_up_to_a_line() {
        let all = run(
            sh("read line; echo $line; echo end"),
            "hello\n",
            None,
            PATIENCE,
        )
        .unwrap();
        assert_eq!(all.text, "hello\nend\n");
        // The program serves until its input ends.
        let served = sh("while read line; do echo got $line; done");
        let answer = run(served, "a\nb\nc\n", Some("got b"), PATIENCE).unwrap();
        assert_eq!(answer.text, "got a\ngot b\n");
    }

    #[test]
    fn what_hangs_is_killed() {
        let late = run(sh("exec sleep 1000"), "", None, Duration::from_millis(50));
        assert!(matches!(late, Err(NoAnswer::Late(_))), "{late:?}");
        let missing = run(Command::new("/no/such/program"), "", None, PATIENCE);
        assert!(matches!(missing, Err(NoAnswer::Start(_))), "{missing:?}");
    }
}
