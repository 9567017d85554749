//! Lines that a program printed, among those that a person wrote.

/// The number of characters of a line that are looked at.
const BEGINNING: usize = 400;

/// True for a line by a person who pastes the lines that follow.
///
/// ```
/// use hud_components::text::leads_in;
///
/// assert!(leads_in("I get this:") && !leads_in("GET /users 200"));
/// ```
pub fn leads_in(line: &str) -> bool {
    let lowered = lowered(line);
    let mut words =
        lowered.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\'' | '’')));
    let speaks = words.any(|word| {
        matches!(
            word,
            "i" | "you"
                | "we"
                | "my"
                | "me"
                | "this"
                | "that"
                | "please"
                | "can"
                | "it"
                | "i'm"
                | "i’m"
                | "here"
        )
    });
    line.ends_with([':', '?', '：', '？']) || speaks
}

/// True for a line that a program printed, or code: nobody speaks so.
///
/// ```
/// use hud_components::text::is_printed;
///
/// assert!(is_printed("src/a.rs:12:5: unused") && !is_printed("Please look at it again."));
/// ```
pub fn is_printed(line: &str) -> bool {
    let trimmed = line.trim();
    let Some(first) = trimmed.chars().next() else {
        return false;
    };
    let is_long_word = trimmed.len() > 40 && first != '@' && !trimmed.contains(char::is_whitespace);
    let is_mark = |byte: &u8| b"{}()[]=;<>|/:_\"".contains(byte);
    let marks = || trimmed.bytes().filter(is_mark).count();
    matches!(
        first,
        '{' | '}' | '[' | ']' | '^' | '$' | '+' | '✓' | '✗' | '✘'
    ) || trimmed.starts_with("---")
        || trimmed.starts_with("===")
        || trimmed.starts_with('"') && (trimmed.ends_with(',') || trimmed.ends_with('{'))
        || trimmed.ends_with(['{', '}', ';'])
        || trimmed == "FAIL"
        || is_long_word
        || place(trimmed)
        || has_stamp(trimmed)
        || is_of_program(trimmed)
        || (trimmed.len() > 12 && marks() * 5 > trimmed.chars().count())
}

/// True for a printed line that names a failure or its place.
///
/// ```
/// use hud_components::text::names_failure;
///
/// assert!(names_failure("thread 'main' panicked") && !names_failure("3 passed"));
/// ```
pub fn names_failure(line: &str) -> bool {
    let lowered = lowered(line);
    let mut words = ["fail", "error", "panic", "exception"].into_iter();
    place(line) || words.any(|word| lowered.contains(word))
}

fn lowered(line: &str) -> String {
    let beginning = line.chars().take(BEGINNING);
    beginning.flat_map(char::to_lowercase).collect()
}

/// True for a line that begins with a place in a file: `src/a.rs:12:5: ...`, or a word and a colon as programs print
/// them: `error: ...`.
fn place(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or(line);
    let mut parts = first.split(':');
    let is_file = parts.next().is_some_and(|file| file.contains(['.', '/']));
    let is_numbered = parts
        .next()
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()));
    let is_said = [
        "error:",
        "warning:",
        "fatal:",
        "Error:",
        "panic:",
        "npm",
        "Traceback",
    ]
    .contains(&first);
    (is_file && is_numbered) || is_said
}

/// True for a line that begins with the name of the program that printed it, `go: no such file`, or names a place on
/// the machine, and is nobody's own.
fn is_of_program(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or(line);
    let name = first.strip_suffix(':').unwrap_or("");
    let is_name =
        !name.is_empty() && name.len() <= 12 && name.bytes().all(|byte| byte.is_ascii_lowercase());
    let names_place = words.any(|word| word.starts_with('/') && word.matches('/').count() > 3);
    (is_name || names_place) && !leads_in(line)
}

/// True for a line that begins with a date or a time.
fn has_stamp(line: &str) -> bool {
    let digits = line.bytes().take(19).filter(u8::is_ascii_digit).count();
    line.starts_with(|c: char| c.is_ascii_digit()) && digits >= 6 && line.contains(':')
}
