//! Effects of command lines on files: removed, moved, written, read and restored files.

use hud_observe::action::Action;
use hud_observe::change::Change;
use hud_observe::patch;
use hud_store::state::Lines;

use super::command::{Link, Part, linked};

/// The effect of a command on a file or a folder. Paths are unchanged, except that they follow the folder of an
/// earlier `cd`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// It is removed.
    Removed(String),
    /// It is moved.
    Moved {
        /// The old path.
        from: String,
        /// The new path, or the path of the folder that it is moved into.
        to: String,
        /// True if `to` can only be a folder.
        into: bool,
    },
    /// It is written.
    Written {
        path: String,
        change: Change,
        /// True if it contains the output of a program, and not text of the agent.
        is_output: bool,
    },
    /// It is shown.
    Read { path: String, lines: Option<Lines> },
    /// Its changes are undone.
    TakenBack(String),
}

/// True if git itself prints the files that a command line changes. It does when it restores a stash or removes
/// untracked files.
pub(super) fn is_said_by_git(command: &str) -> bool {
    linked(command).iter().any(|part| {
        let mut words = part.words.iter().map(String::as_str);
        words.next() == Some("git")
            && match words.find(|word| !word.starts_with('-')) {
                Some("stash") => matches!(words.next(), Some("pop" | "apply")),
                Some("clean") => true,
                _ => false,
            }
    })
}

/// Returns the changes of files that git prints: `modified: a.rs` after a stash is restored, and `Removing a.rs` for
/// an untracked file.
pub(super) fn said_by_git(output: &str) -> Vec<Effect> {
    let effect = |line: &str| {
        let line = line.trim();
        if let Some(path) = line.strip_prefix("Removing ") {
            return Some(Effect::Removed(path.trim_end_matches('/').to_owned()));
        }
        let (what, path) = line.split_once(": ")?;
        let path = path.trim();
        match what {
            "modified" | "new file" | "both modified" => Some(written(path, Change::default())),
            "deleted" => Some(Effect::Removed(path.to_owned())),
            "renamed" => path.split_once(" -> ").map(|(from, to)| Effect::Moved {
                from: from.to_owned(),
                to: to.to_owned(),
                into: false,
            }),
            _ => None,
        }
    };
    output
        .lines()
        .take(SAID_BY_GIT)
        .filter_map(effect)
        .collect()
}

/// The number of lines of git's output that are read.
const SAID_BY_GIT: usize = 400;

/// Programs that print the agent's own text.
const BY_HAND: &[&str] = &["cat", "echo", "printf", "tee"];

/// Returns the effects of a command line on files.
pub(super) fn effects(command: &str) -> Vec<Effect> {
    let mut effects = Vec::new();
    let mut folder = String::new();
    for part in linked(command).iter() {
        let words: Vec<&str> = part.words.iter().map(String::as_str).collect();
        let mut words = &words[..];
        let mut at = folder.clone();
        if let ["git", "-C", to, rest @ ..] = words {
            at = below(&folder, to);
            words = rest;
        } else if let ["git", rest @ ..] = words {
            words = rest;
        }
        let [program, rest @ ..] = words else {
            continue;
        };
        let program = program.trim_start_matches('(');
        if program == "cd" {
            match rest {
                // The path of that folder is not known.
                [to, ..] if to.starts_with(['-', '~', '$']) => break,
                [to, ..] => folder = below(&folder, to.trim_end_matches(')')),
                [] => break,
            }
            continue;
        }
        let is_git = part.words.first().is_some_and(|word| word == "git");
        let place = |path: &&str| below(&at, path.trim_end_matches(')'));
        let found = match is_git {
            true => by_git(program, rest),
            false => by_program(program, rest, part),
        };
        effects.extend(found.into_iter().map(|effect| effect.placed(place)));
        effects.extend(redirected(program, rest, part).map(|effect| effect.placed(place)));
    }
    effects
}

impl Effect {
    /// The effect with each path mapped by `place`.
    fn placed(self, place: impl Fn(&&str) -> String) -> Self {
        let at = |path: String| place(&path.as_str());
        match self {
            Self::Removed(path) => Self::Removed(at(path)),
            Self::Moved { from, to, into } => Self::Moved {
                from: at(from),
                to: at(to),
                into,
            },
            Self::Written {
                path,
                change,
                is_output,
            } => Self::Written {
                path: at(path),
                change,
                is_output,
            },
            Self::Read { path, lines } => Self::Read {
                path: at(path),
                lines,
            },
            Self::TakenBack(path) => Self::TakenBack(at(path)),
        }
    }
}

/// The words that are not options.
fn plain<'w>(words: &[&'w str]) -> Vec<&'w str> {
    let plain = words.iter().filter(|word| !word.starts_with('-'));
    plain.copied().collect()
}

fn by_git(command: &str, rest: &[&str]) -> Vec<Effect> {
    let has = |option: &str| rest.contains(&option);
    let behind = rest.iter().position(|word| *word == "--");
    let named: Vec<&str> = match behind {
        Some(at) => rest[at + 1..].to_vec(),
        None => plain(rest),
    };
    let back = |paths: &[&str]| {
        let paths = paths
            .iter()
            .map(|path| Effect::TakenBack((*path).to_owned()));
        paths.collect()
    };
    match command {
        "rm" if !has("--cached") => removed(&named),
        "mv" => moved(rest),
        // Without `--` a word may be a branch. It counts only if it is a known file.
        "checkout" if !has("-b") && !has("-B") => back(&named),
        "restore" if !has("--staged") || has("--worktree") || has("-W") => back(&named),
        "reset" if has("--hard") => back(&["."]),
        "stash" => match (rest.first(), behind) {
            (_, Some(_)) => back(&named),
            (None | Some(&"push" | &"save"), None) => back(&["."]),
            (Some(option), None) if option.starts_with('-') => back(&["."]),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

fn by_program(program: &str, rest: &[&str], part: &Part) -> Vec<Effect> {
    match program {
        "rm" | "unlink" => removed(&plain(rest)),
        "mv" => moved(rest),
        "cp" => copied(rest),
        "sed" | "perl" if rest.iter().any(|word| is_in_place(word)) => edited_in_place(rest),
        "tee" | "touch" => {
            let names = plain(rest).into_iter();
            names.map(|path| written(path, Change::default())).collect()
        }
        "cat" | "nl" | "less" | "bat" | "head" | "sed" => read(program, rest, part),
        "apply_patch" | "applypatch" => {
            let text = part.document.as_deref().or(rest.first().copied());
            text.map(patched).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// Returns the effects of a patch that names its files.
fn patched(text: &str) -> Vec<Effect> {
    let effect = |action: Action| match action {
        Action::Edit { path, change } | Action::Write { path, change } => {
            Some(written(&path, change))
        }
        Action::Delete { path } => Some(Effect::Removed(path)),
        Action::Move { from, to } => Some(Effect::Moved {
            from,
            to,
            into: false,
        }),
        _ => None,
    };
    let actions = patch::actions(text).into_iter();
    actions.filter_map(effect).collect()
}

fn removed(paths: &[&str]) -> Vec<Effect> {
    let paths = paths.iter().map(|path| Effect::Removed((*path).to_owned()));
    paths.collect()
}

fn moved(rest: &[&str]) -> Vec<Effect> {
    let mut names = plain(rest);
    let Some(to) = names.pop().filter(|_| !names.is_empty()) else {
        return Vec::new();
    };
    let into = names.len() > 1 || to.ends_with('/');
    let moved = names.into_iter().map(|from| Effect::Moved {
        from: from.to_owned(),
        to: to.to_owned(),
        into,
    });
    moved.collect()
}

/// Returns the copies of files. The content of copied folders is not known.
fn copied(rest: &[&str]) -> Vec<Effect> {
    let is_folder = |word: &&str| {
        let option = word.strip_prefix('-').unwrap_or_default();
        option == "-recursive" || !option.starts_with('-') && option.contains(['r', 'R', 'a'])
    };
    let mut names = plain(rest);
    let Some(to) = names.pop().filter(|_| !rest.iter().any(is_folder)) else {
        return Vec::new();
    };
    let into = names.len() > 1 || to.ends_with('/');
    let target = |from: &str| match into {
        true => below(
            to.trim_end_matches('/'),
            from.rsplit('/').next().unwrap_or(from),
        ),
        false => to.to_owned(),
    };
    let copies = names
        .iter()
        .map(|from| written(&target(from), Change::default()));
    copies.collect()
}

fn is_in_place(word: &str) -> bool {
    let is_short = !word.starts_with("--") && word.starts_with('-');
    word.starts_with("--in-place") || is_short && word.contains('i')
}

/// Returns the files that a script edits in place. The script follows `-e` or is the first word.
fn edited_in_place(rest: &[&str]) -> Vec<Effect> {
    let (mut scripts, mut paths): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        let is_option = word.starts_with('-');
        if let Some(script) = word.strip_prefix("--expression=") {
            scripts.push(script);
        } else if is_option && !word.starts_with("--") && word.ends_with('e') {
            scripts.extend(words.next().copied());
        } else if !is_option {
            paths.push(*word);
        }
    }
    if scripts.is_empty() && !paths.is_empty() {
        scripts.push(paths.remove(0));
    }
    let (mut old, mut new) = (String::new(), String::new());
    for script in scripts {
        let mut chars = script.char_indices();
        let starts = chars.find(|(_, c)| *c == 's').and_then(|_| chars.next());
        let Some((at, sign)) = starts.filter(|(_, sign)| sign.is_ascii_punctuation()) else {
            continue;
        };
        let mut texts = script[at + 1..].split(sign);
        old.push_str(texts.next().unwrap_or_default());
        old.push('\n');
        new.push_str(texts.next().unwrap_or_default());
        new.push('\n');
    }
    let paths = paths.into_iter();
    paths
        .map(|path| written(path, Change::of(path, &old, &new)))
        .collect()
}

/// Returns the files of which a program shows a known part. In a pipe, only some of that may be seen.
fn read(program: &str, rest: &[&str], part: &Part) -> Vec<Effect> {
    let is_seen = part.writes.is_empty() && !matches!(part.link, Link::Pipe | Link::Or);
    if !is_seen || part.document.is_some() {
        return Vec::new();
    }
    let number = |text: &str| text.parse::<u64>().ok().filter(|number| *number > 0);
    let span = |first: u64, last: u64| (first <= last).then_some(Lines { first, last });
    let names = plain(rest);
    let (names, lines) = match (program, &names[..]) {
        ("sed", [script, names @ ..]) if rest.contains(&"-n") => {
            let range = script.strip_suffix('p').unwrap_or_default();
            let (first, last) = range.split_once(',').unwrap_or((range, range));
            let lines = number(first)
                .zip(number(last))
                .and_then(|(first, last)| span(first, last));
            match lines {
                Some(lines) => (names, Some(lines)),
                None => return Vec::new(),
            }
        }
        ("sed", _) => return Vec::new(),
        ("head", names) => {
            let option = rest
                .iter()
                .find_map(|word| number(word.strip_prefix('-')?.trim_start_matches('n')));
            match (names, option) {
                ([count, names @ ..], None) if rest.contains(&"-n") => {
                    (names, number(count).and_then(|last| span(1, last)))
                }
                (names, count) => (names, span(1, count.unwrap_or(10))),
            }
        }
        (_, names) => (names, None),
    };
    let read = names.iter().map(|path| Effect::Read {
        path: (*path).to_owned(),
        lines,
    });
    read.collect()
}

/// Returns the files that the output is redirected to.
fn redirected(program: &str, rest: &[&str], part: &Part) -> impl Iterator<Item = Effect> {
    let text = match (&part.document, program) {
        (Some(document), _) => document.clone(),
        (None, "echo" | "printf") => rest.join(" "),
        (None, _) => String::new(),
    };
    let is_output = !BY_HAND.contains(&program) && part.document.is_none();
    let writes: Vec<Effect> = part
        .writes
        .iter()
        .map(|path| Effect::Written {
            path: path.clone(),
            change: Change::of(path, "", &text),
            is_output,
        })
        .collect();
    writes.into_iter()
}

fn written(path: &str, change: Change) -> Effect {
    Effect::Written {
        path: path.to_owned(),
        change,
        is_output: false,
    }
}

/// A path, relative to a folder.
fn below(folder: &str, path: &str) -> String {
    match folder.is_empty() || path.starts_with('/') {
        true => path.to_owned(),
        false => format!("{folder}/{path}"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn said(command: &str) -> Vec<String> {
        let said = |effect: &Effect| match effect {
            Effect::Removed(path) => format!("- {path}"),
            Effect::Moved { from, to, into } => {
                format!("{from} > {to}{}", if *into { "/" } else { "" })
            }
            Effect::Written {
                path,
                change,
                is_output,
            } => {
                let by = if *is_output { "output" } else { "hand" };
                format!("+ {path} {by} {}", change.names.join(","))
                    .trim()
                    .to_owned()
            }
            Effect::Read { path, lines } => {
                let lines = lines.map(|lines| format!(" {lines}")).unwrap_or_default();
                format!("= {path}{lines}")
            }
            Effect::TakenBack(path) => format!("< {path}"),
        };
        effects(command).iter().map(said).collect()
    }

    #[test]
    fn what_is_removed_and_moved_is_found() {
        for (command, effects) in [
            (
                "cd x && rm -f a.py './b c.py'; cd /y; git rm d",
                &["- x/a.py", "- x/./b c.py", "- /y/d"][..],
            ),
            ("git rm --cached a", &[]),
            (
                "git mv -k a.rs b.rs && mv c.rs d.rs e",
                &["a.rs > b.rs", "c.rs > e/", "d.rs > e/"],
            ),
            ("mv a.rs old/", &["a.rs > old//"]),
            ("echo rm a; mv b", &[]),
            ("(cd p && rm a)", &["- p/a"]),
            ("cd $HOME && rm a", &[]),
            ("cat <<'EOF'\nrm a\nEOF\nrm b", &["- b"]),
        ] {
            assert_eq!(said(command), effects, "{command}");
        }
    }

    #[test]
    fn what_is_written_is_found_with_its_names() {
        for (command, effects) in [
            (
                "sed -i 's/old_name/new_name/g' a.rs b.rs",
                &["+ a.rs hand new_name", "+ b.rs hand new_name"][..],
            ),
            (
                "sed -i '' -e 's|x|load_all|' a.rs",
                &["+ a.rs hand load_all"],
            ),
            (
                "perl -pi -e 's/>/load_all/' a.rs",
                &["+ a.rs hand load_all"],
            ),
            (
                "cat > a.py <<'EOF'\ndef parse():\n  rm x\nEOF",
                &["+ a.py hand parse"],
            ),
            (
                "cat <<EOF >> a.py && ls\nclass Way:\nEOF",
                &["+ a.py hand Way"],
            ),
            ("echo 'x > y' | tee -a a.txt", &["+ a.txt hand"]),
            ("make > out.log 2> err.log", &["+ out.log output"]),
            ("make 2>&1 >/dev/null", &["+ /dev/null output"]),
            (
                "touch n.rs; cp a.rs b/; cp -r c d",
                &["+ n.rs hand", "+ b/a.rs hand"],
            ),
        ] {
            assert_eq!(said(command), effects, "{command}");
        }
    }

    #[test]
    fn only_what_is_certainly_shown_is_read() {
        for (command, effects) in [
            ("cat a.rs", &["= a.rs"][..]),
            ("sed -n '10,20p' a.rs", &["= a.rs 10-20"]),
            (
                "head -n 40 a.rs; head -5 b.rs",
                &["= a.rs 1-40", "= b.rs 1-5"],
            ),
            (
                "cat a.rs | grep x; cat b.rs || true; sed -n '/x/p' c.rs",
                &[],
            ),
        ] {
            assert_eq!(said(command), effects, "{command}");
        }
    }

    #[test]
    fn git_takes_changes_back() {
        for (command, effects) in [
            ("git checkout -- a.rs b.rs", &["< a.rs", "< b.rs"][..]),
            ("git restore a.rs && git restore --staged b.rs", &["< a.rs"]),
            ("git reset --hard origin/main; git reset HEAD a", &["< ."]),
            ("git stash; git stash pop; git stash list", &["< ."]),
            ("git checkout -b new", &[]),
        ] {
            assert_eq!(said(command), effects, "{command}");
        }
    }

    #[test]
    fn a_patch_in_a_command_changes_its_files() {
        let patch = "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.rs\n@@\n-x\n+fn load_all() {}\n\
                     *** Add File: b.rs\n+struct Way;\n*** Delete File: c.rs\n*** End Patch\nEOF\nls";
        let effects = ["+ a.rs hand load_all", "+ b.rs hand Way", "- c.rs"];
        assert_eq!(said(patch), effects);
        let quoted = "cd p && apply_patch '*** Begin Patch\n*** Delete File: c.rs\n*** End Patch'";
        assert_eq!(said(quoted), ["- p/c.rs"]);
    }

    #[test]
    fn git_says_what_it_took_up_and_removed() {
        assert!(is_said_by_git("cd a && git stash pop"));
        assert!(is_said_by_git("git clean -fd"));
        for other in ["git stash", "git stash list", "git status", "stash pop"] {
            assert!(!is_said_by_git(other), "{other}");
        }
        let output = "On branch main\nChanges not staged for commit:\n\
                      \t(use \"git add\" to update)\n\tmodified:   src/a.rs\n\tnew file:   b.rs\n\
                      \trenamed:    c.rs -> d.rs\n\tdeleted:    e.rs\nRemoving old/\nDropped refs/stash@{0}";
        assert_eq!(said_by_git(output).len(), 5);
        assert_eq!(said_by_git(output)[4], Effect::Removed("old".to_owned()));
    }

    proptest! {
        #[test]
        fn no_command_is_too_odd(command in "(rm|sed|perl|git|cp|mv|cat|head|tee|cd|s/|-[ien]|<<E|E|[>|;&'\"() \n$]|[a-z€]){0,24}") {
            let _ = effects(&command);
        }
    }
}
