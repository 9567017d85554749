//! Statements that differ in a value alone: `the cap is $201`, and later `Actually the cap is $956 now`.

mod subject;
mod token;
mod words;

use std::cell::OnceCell;
use std::ops::Range;

use self::token::{Shape, Token, tokens};
use self::words::Role;

pub(crate) use self::subject::{Statement, is_standing, replaced};

/// True if a later statement takes the place of an earlier one: it is the same one with another value, and both can't
/// hold.
///
/// The two are aligned word by word, and what differs between words that both have is the value. That alone shows no
/// change: `Never touch file 1` and `Never touch file 2` both hold. What shows it is one of:
///
/// - the later one names the value before (`spaces, not tabs`),
/// - it is marked as a correction (`actually`, `instead`),
/// - its subject has one value at a time: `the contact is ..`, `use .. for the orders`, an amount of the same thing.
///
/// ```
/// use hud_components::value::is_changed;
///
/// assert!(is_changed("The cap is $201", "Actually the cap is $956 now"));
/// assert!(!is_changed("Never touch file 1", "Never touch file 2"));
/// ```
pub fn is_changed(before: &str, after: &str) -> bool {
    Wording::of(before).is_changed_by(&Wording::of(after))
}

/// The text of a statement, which is parted into words once, for comparing it with many others.
#[derive(Clone, Debug)]
pub struct Wording<'t> {
    text: &'t str,
    lower: OnceCell<String>,
    tokens: OnceCell<Vec<Token>>,
}

impl<'t> Wording<'t> {
    /// The wording of a text. It is parted into words when it is first compared with one that is like it.
    pub fn of(text: &'t str) -> Self {
        Self {
            text,
            lower: OnceCell::new(),
            tokens: OnceCell::new(),
        }
    }

    /// The same as [`is_changed`].
    pub fn is_changed_by(&self, later: &Wording<'_>) -> bool {
        differ(self, later, &|gap, marks| gap.is_proven(marks))
    }

    fn tokens(&self) -> &[Token] {
        self.tokens.get_or_init(|| tokens(self.text))
    }

    fn lower(&self) -> &str {
        self.lower.get_or_init(|| self.text.to_ascii_lowercase())
    }
}

/// The same of two accounts of how things are, by one who says what is so at the time of each: a number at the end of
/// the later one (`it listens on port 6390`) is what it is now.
///
/// ```
/// use hud_components::value::is_restated;
///
/// assert!(is_restated("redis listens on port 6380", "redis listens on port 6390"));
/// ```
pub fn is_restated(before: &str, after: &str) -> bool {
    differ(&Wording::of(before), &Wording::of(after), &|gap, marks| {
        gap.is_proven(marks) || gap.is_number_at_end()
    })
}

/// True if a third of the words of the one statement is in the other. Most pairs are told apart by that, without being
/// parted into tokens. Texts that are not of ASCII are not compared.
fn shares_words(before: &Wording<'_>, after: &Wording<'_>) -> bool {
    if !before.text.is_ascii() || !after.text.is_ascii() {
        return true;
    }
    let [before, after] = [before.lower(), after.lower()];
    let (mut words, mut shared) = (0, 0);
    let each = before.split(|c: char| !c.is_ascii_alphanumeric());
    for word in each.filter(|word| word.len() > 1) {
        words += 1;
        shared += usize::from(after.contains(word));
    }
    shared * 3 >= words
}

/// True if two statements differ in one value alone, and that is shown to be a change.
fn differ(
    before: &Wording<'_>,
    after: &Wording<'_>,
    is_proven: &dyn Fn(&Gap<'_>, &Marks) -> bool,
) -> bool {
    let [was, is] = [before.text, after.text];
    let [least, most] = [was.len().min(is.len()), was.len().max(is.len())];
    // Most are of another length, and are told apart by it.
    if was == is
        || least == 0
        || most > LONGEST
        || most > 2 * least + EXTRA
        || !shares_words(before, after)
        || is.trim_end().ends_with(['?', '？'])
    {
        return false;
    }
    let (before, after) = (before.tokens(), after.tokens());
    let adds = |tokens: &[Token]| {
        tokens
            .iter()
            .filter(|token| token.role == Role::Adds)
            .count()
    };
    if adds(after) > adds(before) {
        return false;
    }
    let mut marks = Marks::of(after, before);
    let (before, mut after) = (without_marks(before), without_marks(after));
    marks.names_before = without_contrast(&mut after, &before);
    let Some((was, is)) = gap(&before, &after) else {
        return false;
    };
    let gap = Gap {
        before: &before,
        after: &after,
        was,
        is,
    };
    gap.is_value() && is_proven(&gap, &marks)
}

/// The units of time and of size that are words.
const UNITS: [&str; 22] = [
    "ms", "second", "seconds", "sec", "minute", "minutes", "min", "hour", "hours", "day", "days",
    "week", "weeks", "month", "months", "year", "years", "bytes", "kb", "mb", "gb", "percent",
];

/// The longest statement that is compared, in bytes.
const LONGEST: usize = 400;

/// The bytes that a correction takes beside the statement that it corrects.
const EXTRA: usize = 60;

/// The words of a later statement by which it is a correction.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    names_before: bool,
    corrects: bool,
    times: bool,
}

impl Marks {
    /// The marks of a statement that an earlier one does not have.
    fn of(after: &[Token], before: &[Token]) -> Self {
        let is_new = |token: &&Token| before.iter().all(|known| known.text != token.text);
        let has = |role| after.iter().filter(is_new).any(|token| token.role == role);
        Self {
            names_before: false,
            corrects: has(Role::Corrects),
            times: has(Role::Times),
        }
    }
}

/// The words other than those that mark a correction.
fn without_marks(tokens: &[Token]) -> Vec<Token> {
    let is_mark = |token: &&Token| matches!(token.role, Role::Corrects | Role::Times | Role::Adds);
    tokens
        .iter()
        .filter(|token| !is_mark(token))
        .cloned()
        .collect()
}

/// Drops what a later statement says of the value before: `instead of tabs`, `not $201`. Returns true if it does.
fn without_contrast(after: &mut Vec<Token>, before: &[Token]) -> bool {
    let is_known = |token: &Token| before.iter().any(|known| known.text == token.text);
    let is_link = |token: &Token| token.role == Role::Idle;
    for at in 0..after.len() {
        let role = after.get(at).map(|token| token.role);
        let rest = after.get(at..).unwrap_or_default();
        let of_role = rest.iter().take_while(|token| Some(token.role) == role);
        let behind = at + of_role.count();
        let dropped = match role {
            Some(Role::Instead | Role::Denies) => {
                let rest = after.get(behind..).unwrap_or_default();
                let idle = rest.iter().take_while(|token| is_link(token)).count();
                let known = rest.iter().skip(idle);
                let known = known.take_while(|token| token.tells() && is_known_form(token, before));
                match known.count() {
                    0 => continue,
                    count => at..behind + idle + count,
                }
            }
            Some(Role::InsteadAfter) => {
                let known = after.get(..at).unwrap_or_default().iter().rev();
                match known
                    .take_while(|token| token.tells() && is_known(token))
                    .count()
                {
                    0 => continue,
                    count => at - count..behind,
                }
            }
            _ => continue,
        };
        // What is denied is said besides something else: `Don't use tabs` names nothing that no longer holds.
        let left: Vec<&Token> = after
            .get(..dropped.start)
            .into_iter()
            .flatten()
            .chain(after.get(dropped.end..).into_iter().flatten())
            .filter(|token| token.tells() && !is_known(token))
            .collect();
        if left.is_empty() || !before.iter().any(Token::tells) {
            continue;
        }
        let is_denied_before = before.iter().any(|token| token.role == Role::Denies);
        if role == Some(Role::Denies) && is_denied_before {
            continue;
        }
        after.drain(dropped);
        return true;
    }
    false
}

/// True if a word is one of a statement, or a form of one: words are inflected after `вместо`.
fn is_known_form(token: &Token, known: &[Token]) -> bool {
    /// The letters that forms of a word have in common at least.
    const STEM: usize = 3;
    known.iter().any(|known| {
        let common = known.text.chars().zip(token.text.chars());
        let common = common.take_while(|(one, other)| one == other).count();
        let most = known.text.chars().count().max(token.text.chars().count());
        known.text == token.text || (common >= STEM && common + 2 >= most)
    })
}

/// The one place where two statements differ, if there is one: where it is in each.
fn gap(before: &[Token], after: &[Token]) -> Option<(Range<usize>, Range<usize>)> {
    let common = common(before, after);
    let ends = common.iter().copied().chain([(before.len(), after.len())]);
    let (mut from, mut found) = ((0, 0), None::<(Range<usize>, Range<usize>)>);
    for (one, other) in ends {
        let was = trimmed(before, from.0..one);
        let is = trimmed(after, from.1..other);
        from = (one + 1, other + 1);
        found = match (was.is_empty() && is.is_empty(), found) {
            (true, found) => found,
            (false, None) => Some((was, is)),
            // What is between two of them is of the value where it tells nothing: `3rd of May`.
            (false, Some((first, second))) => {
                let between = before.get(first.end..was.start).unwrap_or_default();
                let beside = after.get(second.end..is.start).unwrap_or_default();
                if between.iter().chain(beside).any(Token::tells) {
                    return None;
                }
                Some((first.start..was.end, second.start..is.end))
            }
        };
    }
    found.filter(|(was, is)| !was.is_empty() && !is.is_empty())
}

/// A range without what may be there or not at its edges.
fn trimmed(tokens: &[Token], range: Range<usize>) -> Range<usize> {
    let is_free = |at: usize| {
        let role = tokens.get(at).map(|token| token.role);
        matches!(
            role,
            Some(Role::Idle | Role::Links | Role::Tops | Role::One)
        )
    };
    let Range { mut start, mut end } = range;
    while start < end && is_free(start) {
        start += 1;
    }
    while start < end && is_free(end - 1) {
        end -= 1;
    }
    start..end
}

/// The place where two statements differ.
struct Gap<'t> {
    before: &'t [Token],
    after: &'t [Token],
    was: Range<usize>,
    is: Range<usize>,
}

impl Gap<'_> {
    fn values(&self) -> [&[Token]; 2] {
        [
            self.before.get(self.was.clone()).unwrap_or_default(),
            self.after.get(self.is.clone()).unwrap_or_default(),
        ]
    }

    /// True if what differs may be a value, and something else is the same.
    fn is_value(&self) -> bool {
        /// The words that a value has at most.
        const WORDS: usize = 4;
        /// The same where each character is one.
        const DENSE: usize = 10;
        let is_short = |value: &&[Token]| {
            let most = match value.iter().any(|token| token.is_dense) {
                true => DENSE,
                false => WORDS,
            };
            value.len() <= most
        };
        let denied = |tokens: &[Token]| {
            let denied = tokens.iter().filter(|token| token.role == Role::Denies);
            denied.count()
        };
        let [was, is] = self.values();
        let [was_amount, is_amount] = [was, is].map(|value| value.iter().any(Token::is_number));
        self.values().iter().all(is_short)
            && [was, is].iter().all(|value| value.iter().any(Token::tells))
            && was_amount == is_amount
            && denied(self.before) == denied(self.after)
            && self.rest().any(Token::tells)
    }

    /// The words of the earlier statement that the later one has, too.
    fn rest(&self) -> impl Iterator<Item = &Token> {
        let head = self.before.get(..self.was.start).unwrap_or_default();
        let tail = self.before.get(self.was.end..).unwrap_or_default();
        head.iter().chain(tail)
    }

    /// True if both statements can't hold.
    fn is_proven(&self, marks: &Marks) -> bool {
        if marks.names_before || self.is_amount() {
            return true;
        }
        // What is forbidden of one value may be forbidden of another, too.
        if self.before.iter().any(|token| token.role == Role::Denies) {
            return false;
        }
        marks.corrects
            || self.is_used_for()
            || match self.link() {
                Some(link) => marks.times || self.has_one_value(link),
                None => false,
            }
    }

    /// True of a number that both statements end with, or that is one of units of time or size.
    fn is_number_at_end(&self) -> bool {
        let is_number = |value: &[Token]| matches!(value, [number] if number.is_number());
        let tail = self.before.get(self.was.end..).unwrap_or_default();
        let next = tail.iter().find(|token| token.tells());
        let is_unit = |unit: &Token| UNITS.contains(&unit.text.as_str());
        self.values().into_iter().all(is_number) && next.is_none_or(is_unit)
    }

    /// True of a number with its unit: so many of a thing.
    fn is_amount(&self) -> bool {
        let is_one = |value: &[Token]| match value {
            [number] => number.is_number(),
            [number, units @ ..] => number.is_number() && units.iter().all(|unit| !unit.is_value()),
            [] => false,
        };
        let [was, is] = self.values();
        if !is_one(was) || !is_one(is) {
            return false;
        }
        let has_unit = |value: &[Token]| {
            value
                .iter()
                .any(|token| matches!(token.shape, Shape::Number { has_unit: true }))
        };
        if has_unit(was) && has_unit(is) {
            return true;
        }
        let unit = self.before.get(self.was.end);
        let Some(unit) = unit.filter(|unit| unit.role == Role::Tells && !unit.is_number()) else {
            return false;
        };
        // `200 €`, `200元`.
        if unit.is_dense || !unit.text.contains(char::is_alphabetic) {
            return true;
        }
        // In `touch file 1 again` the number is a name: it is behind what it is the number of.
        let head = self.before.get(..self.was.start).unwrap_or_default();
        head.last()
            .is_none_or(|last| !last.tells() || last.role == Role::Uses)
    }

    /// True where something is to be used for a purpose, and the purpose is the same.
    fn is_used_for(&self) -> bool {
        let head = self.before.get(..self.was.start).unwrap_or_default();
        let mut tail = { self.before.get(self.was.end..).unwrap_or_default() }.iter();
        let [was, is] = self
            .values()
            .map(|value| value.iter().filter(|token| token.tells()).count());
        let uses = head.iter().rfind(|token| token.role != Role::Idle);
        uses.is_some_and(|token| token.role == Role::Uses)
            && tail.next().is_some_and(|token| token.role == Role::Purpose)
            && tail.any(Token::tells)
            && (was, is) == (1, 1)
    }

    /// The word that links the value with its subject: before it, or after it at the end.
    fn link(&self) -> Option<&Token> {
        let head = self.before.get(..self.was.start).unwrap_or_default();
        if !head.iter().any(Token::tells) {
            return None;
        }
        // A part of a value is the same where each character is a word: `周五`, `周一`.
        let is_beside = |token: &&Token| {
            matches!(token.role, Role::Idle | Role::One) || token.role == Role::Fixed
        };
        let is_link = |token: &&Token| matches!(token.role, Role::Links | Role::Tops);
        let before = head
            .iter()
            .rev()
            .find(|token| !is_beside(token))
            .filter(is_link);
        let tail = self.before.get(self.was.end..).unwrap_or_default();
        let after = || {
            let mut tail = tail
                .iter()
                .skip_while(|token| matches!(token.role, Role::Idle | Role::Title | Role::Fixed));
            let link = tail.next().filter(|token| token.role == Role::Links)?;
            tail.all(|token| token.role == Role::Links).then_some(link)
        };
        let after = after();
        match before {
            Some(link) if link.role == Role::Tops => after.or(Some(link)),
            before => before.or(after),
        }
    }

    /// True if a subject has one value at a time.
    fn has_one_value(&self, link: &Token) -> bool {
        let is_one = self
            .before
            .first()
            .is_some_and(|first| first.role == Role::One);
        let is_value = |value: &[Token]| {
            let mut told = value.iter().filter(|token| token.tells());
            told.all(Token::is_value)
        };
        // `3 May` and `5 June` are values by their numbers.
        let told = |value: &[Token]| value.iter().filter(|token| token.tells()).count();
        let is_counted = |value: &[Token]| value.iter().any(Token::is_number);
        let titled = self.before.get(self.was.end);
        let is_titled = titled.is_some_and(|next| next.role == Role::Title);
        let [was, is] = self.values();
        // A noun is linked where no spaces part words, and what is said of it otherwise has another form.
        let is_noun = |value: &[Token]| {
            link.role == Role::Links
                && value.iter().all(|token| token.is_dense)
                && value
                    .last()
                    .is_some_and(|last| !matches!(&*last.text, "的" | "적"))
        };
        let is_set = link.text == "=";
        let is_plural = link.role == Role::Tops && !link.is_dense;
        let are_dates = is_counted(was) && is_counted(is) && told(was) == told(is);
        !is_one
            && !is_plural
            && (is_titled
                || is_set
                || are_dates
                || [was, is]
                    .iter()
                    .all(|value| is_value(value) || is_noun(value)))
    }
}

/// The places of the words that two statements have in common, in the same order: as many as there are.
fn common(one: &[Token], other: &[Token]) -> Vec<(usize, usize)> {
    let width = other.len() + 1;
    // How many are common from two places on.
    let mut rest = vec![0_u16; (one.len() + 1) * width];
    let of =
        |rest: &[u16], at: usize, with: usize| rest.get(at * width + with).copied().unwrap_or(0);
    for (at, word) in one.iter().enumerate().rev() {
        for (with, same) in other.iter().enumerate().rev() {
            let best = match word.text == same.text {
                true => of(&rest, at + 1, with + 1) + 1,
                false => of(&rest, at + 1, with).max(of(&rest, at, with + 1)),
            };
            if let Some(place) = rest.get_mut(at * width + with) {
                *place = best;
            }
        }
    }
    let (mut at, mut with, mut common) = (0, 0, Vec::new());
    while let (Some(word), Some(same)) = (one.get(at), other.get(with)) {
        if word.text == same.text {
            common.push((at, with));
            (at, with) = (at + 1, with + 1);
        } else if of(&rest, at + 1, with) >= of(&rest, at, with + 1) {
            at += 1;
        } else {
            with += 1;
        }
    }
    common
}

/// The lines of a text that begin with `+ ` or `- `: true for `+`, and the rest of the line.
#[cfg(test)]
fn marked(cases: &str) -> impl Iterator<Item = (bool, &str)> {
    cases
        .lines()
        .filter_map(|line| match line.split_at_checked(2)? {
            ("+ ", case) => Some((true, case)),
            ("- ", case) => Some((false, case)),
            _ => None,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_later_statement_takes_the_place_of_the_earlier_one_only_where_both_cannot_hold() {
        let cases = include_str!("value/changed.txt");
        let mut wrong = Vec::new();
        for (is_wanted, pair) in marked(cases) {
            let (before, after) = pair.split_once(" | ").expect("a pair");
            if is_changed(before, after) != is_wanted {
                wrong.push(pair);
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn a_number_at_the_end_of_an_account_is_what_it_is_now() {
        for (before, after, is_wanted) in [
            (
                "redis listens on port 6380",
                "redis listens on port 6390",
                true,
            ),
            (
                "redis lauscht auf Port 6380",
                "redis lauscht auf Port 6390",
                true,
            ),
            (
                "the suite takes 340 seconds",
                "the suite takes 210 seconds",
                true,
            ),
            ("Step 1 is done", "Step 2 is done", false),
            ("worker 1 crashes", "worker 2 crashes", false),
            ("`a.rs` needs the lock", "`b.rs` needs the lock", false),
        ] {
            assert_eq!(is_restated(before, after), is_wanted, "{before} / {after}");
            assert!(!is_changed(before, after), "{before} / {after}");
        }
    }

    #[test]
    fn nothing_takes_the_place_of_itself_or_of_something_else() {
        for (before, after) in [
            ("Budget cap is $201", "Budget cap is $201"),
            ("Budget cap is $201", "The latency limit is 200 ms"),
            ("Use port 8080", "Use the cache"),
            ("Use port 8080", "Actually"),
            ("Never commit", "Never commit, and never push instead"),
            ("", ""),
            (":", "= ="),
            ("5", "6"),
        ] {
            assert!(!is_changed(before, after), "{before} / {after}");
        }
    }

    #[test]
    fn long_statements_are_compared_in_bounded_time() {
        let long = "値 ".repeat(60_000);
        assert!(!is_changed(&long, &format!("{long} 5")));
        let short = "値".repeat(100);
        assert!(!is_changed(&short, &format!("{short}値")));
    }
}
