//! Effects of commands on the repository: branches, commits, pushes.

use hud_store::event::{
    HudEvent, RepositoryBranch, RepositoryCommit, RepositoryPush, RepositoryUnfinished,
};
use hud_store::state::Repository;
use hud_store::text::beginning;

use super::command;

/// True if a command line may change the repository.
pub(super) fn concerns(command: &str) -> bool {
    let programs = ["git", "gh ", "glab "];
    programs.iter().any(|program| command.contains(program))
}

/// Returns the effects of a command line on the repository, from its output.
pub(super) fn done(
    command: &str,
    printed: &str,
    failed: bool,
    repository: &Repository,
) -> Vec<HudEvent> {
    let printed = beginning(printed, 64 * 1024);
    let mut events = Vec::new();
    for part in command::linked(beginning(command, 16 * 1024)).iter() {
        let words: Vec<&str> = part.words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["git", rest @ ..] => {
                let words = subcommand(rest);
                git(words, printed, failed, &mut events);
                let known = repository.unfinished.as_deref();
                let now = unfinished(words, printed, failed, known);
                if now != known {
                    let operation = now.map(ToOwned::to_owned);
                    events.push(RepositoryUnfinished { operation }.into());
                }
            }
            ["gh", "pr", "create", ..] | ["glab", "mr", "create", ..] => {
                if let Some(address) = printed.split_whitespace().rev().find(|w| is_request(w)) {
                    events.push(push(Some(address)));
                }
            }
            _ => {}
        }
    }
    events
}

/// The words of a git command, starting with its subcommand.
fn subcommand<'w, 'c>(mut words: &'w [&'c str]) -> &'w [&'c str] {
    loop {
        words = match words {
            ["-C" | "-c" | "--git-dir" | "--work-tree", _, rest @ ..] => rest,
            [option, rest @ ..] if option.starts_with('-') => rest,
            _ => return words,
        };
    }
}

/// Returns facts about the state of the work that no repository event covers: the number of the pull request, and
/// the target of a hard reset. They consist only of numbers, hashes and the agent's own text.
pub(super) fn told(command: &str, printed: &str) -> Vec<String> {
    let printed = beginning(printed, 64 * 1024);
    let mut told = Vec::new();
    for part in command::linked(beginning(command, 16 * 1024)).iter() {
        let words: Vec<&str> = part.words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["git", rest @ ..] => told.extend(set_back(subcommand(rest), printed)),
            ["gh" | "glab", rest @ ..] => {
                told.extend(
                    request(rest, printed).map(|number| format!("The pull request is #{number}")),
                );
            }
            _ => {}
        }
    }
    told.dedup();
    told
}

/// The target that a branch was reset to, with the loss of uncommitted changes: `git reset --hard origin/x`.
fn set_back(words: &[&str], printed: &str) -> Option<String> {
    let ["reset", rest @ ..] = words else {
        return None;
    };
    let target = rest.iter().find(|word| !word.starts_with('-'))?;
    let mut lines = printed.lines();
    let at = lines.find_map(|line| line.trim().strip_prefix("HEAD is now at "))?;
    let hash = at.split_whitespace().next().filter(|word| is_hash(word))?;
    let is_hard = rest.contains(&"--hard") && *target != "HEAD" && is_branch(target);
    is_hard.then(|| format!("The branch was reset hard to `{target}`: HEAD is now at {hash}"))
}

/// The number of the pull request that the program of a forge is asked about.
fn request(words: &[&str], printed: &str) -> Option<u64> {
    let behind = |word: &str, mark: &str| {
        let (_, number) = word.split_once(mark)?;
        number
            .split(|c: char| !c.is_ascii_digit())
            .next()?
            .parse()
            .ok()
    };
    match words {
        ["pr" | "mr", "list" | "create" | "status", ..] => None,
        ["pr" | "mr", _, rest @ ..] => {
            let named = rest.iter().find(|word| !word.starts_with('-'));
            let number = named.and_then(|word| {
                let number = word.trim_start_matches(['#', '!']).parse().ok();
                number.or_else(|| behind(word, "/pull/"))
            });
            // Without a number, the output has that of the branch.
            number.or_else(|| behind(printed, "\"number\":").filter(|_| printed.starts_with('{')))
        }
        ["api", rest @ ..] => rest.iter().find_map(|word| behind(word, "/pulls/")),
        _ => None,
    }
}

fn git(words: &[&str], printed: &str, failed: bool, events: &mut Vec<HudEvent>) {
    let Some((command, rest)) = words.split_first() else {
        return;
    };
    let plain = || rest.iter().copied().filter(|word| !word.starts_with('-'));
    match *command {
        "commit" | "cherry-pick" | "revert" | "merge" | "am" => {
            let made: Vec<Made<'_>> = printed.lines().filter_map(made).collect();
            if made.is_empty() && *command == "commit" && !failed && is_quiet(rest) {
                let message = message(rest).unwrap_or_default();
                events.push(commit(None, first_line(message)));
            }
            for made in made {
                events.extend(made.branch.map(branch));
                events.push(commit(Some(made.hash), made.message));
            }
        }
        "push" => {
            let rejected = [
                "[rejected]",
                "[remote rejected]",
                "error: failed to push",
                "fatal:",
            ];
            if failed || rejected.iter().any(|word| printed.contains(word)) {
                return;
            }
            let mut names = plain();
            let target = match (names.next(), names.next()) {
                (Some(remote), Some(name)) => Some(format!(
                    "{remote}/{}",
                    name.rsplit(':').next().unwrap_or(name)
                )),
                _ => printed.lines().find_map(pushed_to),
            };
            events.push(push(target.as_deref()));
        }
        "checkout" | "switch" => {
            let said = printed.lines().find_map(|line| {
                [
                    "Switched to a new branch '",
                    "Switched to branch '",
                    "Already on '",
                ]
                .iter()
                .find_map(|start| line.trim().strip_prefix(start))
            });
            let said = said.map(|name| name.trim_end_matches('\''));
            // With `-q` only the command has the name.
            let made = rest
                .iter()
                .position(|word| matches!(*word, "-b" | "-B" | "-c" | "-C"));
            let named = made.and_then(|at| rest.get(at + 1).copied());
            events.extend(
                said.or(named.filter(|_| !failed))
                    .filter(|name| is_branch(name))
                    .map(branch),
            );
        }
        "status" => {
            let said = printed.lines().find_map(|line| {
                let short = line.strip_prefix("## ");
                let short = short.map(|name| name.split("...").next().unwrap_or(name));
                line.strip_prefix("On branch ").or(short)
            });
            let said = said.and_then(|name| name.split_whitespace().next());
            events.extend(said.filter(|name| is_branch(name)).map(branch));
        }
        "branch" if rest.first() == Some(&"--show-current") && !failed => {
            let said = printed.lines().map(str::trim).find(|line| !line.is_empty());
            events.extend(said.filter(|name| is_branch(name)).map(branch));
        }
        "rev-parse" if rest.contains(&"--abbrev-ref") && rest.contains(&"HEAD") && !failed => {
            let said = printed.lines().map(str::trim).find(|line| !line.is_empty());
            events.extend(
                said.filter(|name| is_branch(name) && *name != "HEAD")
                    .map(branch),
            );
        }
        _ => {}
    }
}

/// Returns the operation that is unfinished after a git command. `known` is the one that was unfinished before.
fn unfinished<'w>(
    words: &[&'w str],
    printed: &str,
    failed: bool,
    known: Option<&'w str>,
) -> Option<&'w str> {
    let (Some(command), options) = (words.first(), words.get(1..).unwrap_or_default()) else {
        return known;
    };
    let says = |text: &str| printed.contains(text);
    match *command {
        "merge" | "rebase" | "cherry-pick" | "revert" | "pull" => {
            let is_over = options
                .iter()
                .any(|word| matches!(*word, "--abort" | "--quit"));
            let operation = match *command {
                "pull" if options.contains(&"--rebase") => "rebase",
                "pull" => "merge",
                command => command,
            };
            if says("CONFLICT (") || says("Automatic merge failed") {
                Some(operation)
            } else if (is_over && !failed) || says("Successfully rebased") {
                None
            } else {
                known
            }
        }
        "status" if says("On branch ") || says("HEAD detached") || says("in progress") => {
            let states = [
                ("still merging", "merge"),
                ("unmerged paths", "merge"),
                ("rebase in progress", "rebase"),
                ("currently rebasing", "rebase"),
                ("currently cherry-picking", "cherry-pick"),
                ("currently reverting", "revert"),
            ];
            let mut states = states.into_iter();
            states
                .rfind(|(sign, _)| says(sign))
                .map(|(_, operation)| operation)
        }
        _ => known,
    }
}

/// A commit, as git reports it.
struct Made<'l> {
    branch: Option<&'l str>,
    hash: &'l str,
    message: &'l str,
}

/// Parses the line of a commit: `[main 1a2b3c4] message`.
fn made(line: &str) -> Option<Made<'_>> {
    let (inside, message) = line.trim().strip_prefix('[')?.split_once("] ")?;
    let (place, hash) = inside.rsplit_once(' ')?;
    let place = place.trim_end_matches(" (root-commit)");
    let branch = Some(place).filter(|place| *place != "detached HEAD");
    let is_place = branch.is_none_or(is_branch);
    (is_hash(hash) && is_place).then_some(Made {
        branch,
        hash,
        message,
    })
}

/// The branch in a line of a push: `   1a2b3c4..5d6e7f8  main -> main`, ` * [new branch]      x -> x`.
fn pushed_to(line: &str) -> Option<String> {
    let (_, to) = line.rsplit_once(" -> ")?;
    let to = to.split_whitespace().next()?;
    is_branch(to).then(|| to.to_owned())
}

fn is_quiet(rest: &[&str]) -> bool {
    rest.iter()
        .any(|word| matches!(*word, "-q" | "--quiet" | "-qm" | "-aqm" | "-qam"))
}

/// The message of a commit as it was written: `-m "message"`, `-am message`, `--message=message`.
fn message<'w>(rest: &[&'w str]) -> Option<&'w str> {
    let given = rest.iter().find_map(|word| word.strip_prefix("--message="));
    let is_flag = |word: &&str| {
        *word == "--message"
            || (!word.starts_with("--") && word.starts_with('-') && word.ends_with('m'))
    };
    let at = rest.iter().position(is_flag);
    given.or_else(|| rest.get(at? + 1).copied())
}

/// The first line of a message, even if `$(cat <<'EOF' ...)` prints it.
fn first_line(message: &str) -> &str {
    let mut lines = message
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or("");
    match first.starts_with("$(") {
        true => lines.next().unwrap_or(first),
        false => first,
    }
}

fn is_hash(word: &str) -> bool {
    (7..=40).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// True if a word can be the name of a branch.
fn is_branch(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 200
        && !name.starts_with('-')
        && !name.contains(|c: char| c.is_whitespace() || c.is_control() || "~^:?*[\\".contains(c))
}

/// True if a word is the address of a pull request.
fn is_request(word: &str) -> bool {
    word.starts_with("https://") && (word.contains("/pull/") || word.contains("/merge_requests/"))
}

fn branch(name: &str) -> HudEvent {
    RepositoryBranch {
        name: name.to_owned(),
    }
    .into()
}

fn commit(hash: Option<&str>, message: &str) -> HudEvent {
    RepositoryCommit {
        hash: hash.map(ToOwned::to_owned),
        message: message.to_owned(),
    }
    .into()
}

fn push(to: Option<&str>) -> HudEvent {
    RepositoryPush {
        to: to.map(ToOwned::to_owned),
    }
    .into()
}

#[cfg(test)]
mod tests {
    use hud_store::event::RepositoryEvent;

    use super::*;

    fn done(command: &str, printed: &str, failed: bool) -> Vec<HudEvent> {
        super::done(command, printed, failed, &Repository::default())
    }

    #[test]
    fn a_commit_is_known_by_what_git_prints() {
        let printed = "[feature/x 1a2b3c4] Add a\n 2 files changed";
        let expected = [branch("feature/x"), commit(Some("1a2b3c4"), "Add a")];
        for command in [
            "git add -A && git commit -m 'Add a'",
            "git commit -m \"$(cat <<'EOF'\nAdd a\n\nBody\nEOF\n)\"",
            "git -C sub commit --amend --no-edit",
        ] {
            assert_eq!(done(command, printed, false), expected, "{command}");
        }
        let first = "[main (root-commit) 1a2b3c4] Begin";
        assert_eq!(done("git commit", first, false).len(), 2);
        let detached = "[detached HEAD 1a2b3c4] Add";
        let alone = [commit(Some("1a2b3c4"), "Add")];
        assert_eq!(done("git commit", detached, false), alone);
        assert_eq!(done("git commit -qm Add", "", false), [commit(None, "Add")]);
        assert!(done("git commit -m Add", "nothing to commit", true).is_empty());
        assert!(done("cat log", printed, false).is_empty());
    }

    #[test]
    fn a_push_counts_unless_it_was_rejected() {
        let to = |to: &str| [push(Some(to))];
        assert_eq!(done("git push -u origin HEAD:x", "", false), to("origin/x"));
        let printed = "To github.com:a/b.git\n   1a2b3c4..5d6e7f8  main -> main";
        assert_eq!(done("git push 2>&1 | tail -2", printed, false), to("main"));
        let rejected = " ! [rejected]        main -> main (fetch first)";
        assert!(done("git push; true", rejected, false).is_empty());
        assert!(done("git push", "", true).is_empty());
        let address = "https://example.com/a/b/pull/12";
        let printed = format!("Creating\n{address}\n");
        assert_eq!(done("gh pr create --fill", &printed, false), to(address));
    }

    #[test]
    fn the_branch_is_the_one_that_git_names() {
        for (command, printed) in [
            ("git checkout -b x", "Switched to a new branch 'x'"),
            ("git switch x 2>&1", "Switched to branch 'x'"),
            ("git switch -q -c x", ""),
            ("git status", "On branch x\nYour branch is up to date"),
            ("git status -sb", "## x...origin/x [ahead 1]"),
            ("git branch --show-current", "x\n"),
            ("git rev-parse --abbrev-ref HEAD", "x"),
        ] {
            assert_eq!(done(command, printed, false), [branch("x")], "{command}");
        }
        assert!(
            done(
                "git checkout -- a.rs",
                "Updated 1 path from the index",
                false
            )
            .is_empty()
        );
        assert!(
            done(
                "git checkout -b x",
                "fatal: a branch named 'x' exists",
                true
            )
            .is_empty()
        );
    }

    #[test]
    fn what_a_branch_is_set_back_to_and_which_request_it_is_of_are_told() {
        let printed = "HEAD is now at 2eedc61f the user decided to stop";
        assert_eq!(
            told("git fetch && git reset --hard origin/a/b", printed),
            ["The branch was reset hard to `origin/a/b`: HEAD is now at 2eedc61f"]
        );
        for command in [
            "git reset --hard",
            "git reset --hard HEAD",
            "git reset origin/a",
        ] {
            assert!(told(command, printed).is_empty(), "{command}");
        }
        let json = r#"{"comments":[],"number":191,"title":"x"}"#;
        for (command, printed) in [
            ("gh pr checkout 191", ""),
            ("gh pr view --json number,title 2>&1", json),
            ("gh api repos/a/b/pulls/191/comments --jq '.[]'", "[]"),
            ("gh pr diff https://github.com/a/b/pull/191 | head", ""),
            ("gh pr view 191 --json title; gh pr checks 191", ""),
        ] {
            assert_eq!(
                told(command, printed),
                ["The pull request is #191"],
                "{command}"
            );
        }
        for command in [
            "gh pr list",
            "gh pr create --fill",
            "gh pr view",
            "gh issue view 3",
        ] {
            assert!(told(command, "number: 3").is_empty(), "{command}");
        }
    }

    #[test]
    fn a_merge_is_unfinished_until_git_says_that_it_is_over() {
        let after = |command: &str, printed: &str, known: Option<&str>| {
            let repository = Repository {
                unfinished: known.map(Into::into),
                ..Repository::default()
            };
            let events = super::done(command, printed, false, &repository);
            events.into_iter().find_map(|event| match event {
                HudEvent::Repository(RepositoryEvent::Unfinished(e)) => Some(e.operation),
                _ => None,
            })
        };
        let begun = |operation: &str| Some(Some(operation.to_owned()));
        let status = "On branch x\n\nAll conflicts fixed but you are still merging.";
        assert_eq!(after("git status", status, None), begun("merge"));
        assert_eq!(after("git status", status, Some("merge")), None);
        assert_eq!(
            after(
                "git status",
                "On branch x\nnothing to commit",
                Some("merge")
            ),
            Some(None)
        );
        let conflict = "CONFLICT (content): Merge conflict in a.rs";
        assert_eq!(after("git pull --rebase", conflict, None), begun("rebase"));
        assert_eq!(
            after("git merge main | tail -3", conflict, None),
            begun("merge")
        );
        assert_eq!(after("git merge --abort", "", Some("merge")), Some(None));
        assert_eq!(after("git log", conflict, None), None);
    }
}
