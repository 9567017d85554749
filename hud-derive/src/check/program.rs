//! The checks of one part of a command line.

use hud_observe::path::file_name;

use super::super::runner::{Runner, Takes, common, runner, takes};
use super::options::check;
use super::{Check, Kind};

/// Returns the checks of one part of a command line.
pub(super) fn of(words: &[String]) -> Vec<Check> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut words = words.as_slice();
    if common().checks_nothing(words) {
        return Vec::new();
    }
    loop {
        // Skips the arguments of a prefix: `timeout 60`.
        while let [first, rest @ ..] = words
            && (is_duration(first) || first.starts_with('-'))
        {
            words = rest;
        }
        let [path, rest @ ..] = words else {
            return Vec::new();
        };
        let program = file_name(path).trim_end_matches(".exe");
        let of = runner(program);
        if let Some(wrapped) = of.and_then(|of| of.wrapped(rest)) {
            words = wrapped;
            continue;
        }
        return match of {
            Some(of) if of.checks_nothing(rest) => Vec::new(),
            Some(of) if of.several => several(of, program, rest),
            _ => one(of, path, program, rest).into_iter().collect(),
        };
    }
}

/// Returns the checks of a runner that runs several tasks at once.
fn several(of: &Runner, program: &str, rest: &[&str]) -> Vec<Check> {
    let (mut tasks, mut options) = (Vec::new(), Vec::new());
    let mut words = rest.iter().copied();
    while let Some(word) = words.next() {
        match takes(Some(of), word) {
            Takes::Narrowing => {
                options.push(word);
                options.extend(words.next());
            }
            Takes::Value => drop(words.next()),
            Takes::Nothing if word.starts_with('-') || word.contains('=') => {}
            Takes::Nothing => tasks.push(word),
        }
    }
    if tasks.is_empty() {
        let kind = of.kind.into_iter();
        return kind
            .map(|kind| check(kind, Some(of), &[program], &options))
            .collect();
    }
    let checks = tasks.iter().filter_map(|task| {
        let kind = of.kind_of_task(task)?;
        Some(check(kind, Some(of), &[program, task], &options))
    });
    checks.collect()
}

/// Returns the check of a program.
fn one(of: Option<&Runner>, path: &str, program: &str, rest: &[&str]) -> Option<Check> {
    let known = of.and_then(|of| of.recognize(rest));
    let (kind, used) = match of {
        None => script(path, rest)?,
        Some(of) if of.files => known.or_else(|| {
            let at = of.file(rest)?;
            let file = rest.get(at).filter(|file| is_script(file))?;
            Some((common().kind_of_name(stem(file))?, at + 1))
        })?,
        Some(_) => known?,
    };
    let shown = match path.starts_with("./") || is_script(path) {
        true => path,
        false => program,
    };
    let (asked, rest) = rest.split_at(used.min(rest.len()));
    let mut head = vec![shown];
    head.extend(asked);
    Some(check(kind, of, &head, rest))
}

/// The kind of a script of the project, from its name or from the task in its arguments.
fn script(path: &str, rest: &[&str]) -> Option<(Kind, usize)> {
    if !is_script(path) {
        return None;
    }
    if let Some(kind) = common().kind_of_name(stem(path)) {
        return Some((kind, 0));
    }
    let options = rest.iter().take_while(|word| word.starts_with('-'));
    let at = options.count();
    let task = rest.get(at)?;
    let is_asked = common().asked.iter().any(|asked| asked == task);
    let kind = is_asked.then(|| common().kind_of_name(task)).flatten()?;
    Some((kind, at + 1))
}

fn is_duration(word: &str) -> bool {
    let number = word.trim_end_matches(['s', 'm', 'h']);
    !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// True for a word that names a script.
fn is_script(word: &str) -> bool {
    let ending = word.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| common().scripts.iter().any(|known| known == ending))
        || word.contains('/')
}

/// The name of a file without its folder and extension.
fn stem(path: &str) -> &str {
    let name = file_name(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
