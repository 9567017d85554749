//! Statements of the same subject in other words: `The budget cap is $800`, and later `Update: keep the budget under $500`.

use std::collections::HashMap;

use super::Wording;
use super::token::{Token, tokens};
use super::words::Role;

/// The number of earlier statements that one is compared with, the newest first.
const COMPARED: usize = 64;

/// The longest statement that is compared in other words, in bytes.
const LONGEST: usize = 240;

/// Words that say that a value is another one than before, by their beginnings.
const CHANGES: &[&str] = &[
    "chang",
    "switch",
    "mov",
    "renam",
    "rotat",
    "replac",
    "rebas",
    "migrat",
    "reassign",
    "updat",
    "new",
    "retired",
    "previous",
    "former",
    "geändert",
    "wechs",
    "umbenannt",
    "verschoben",
    "neu",
    "bisher",
    "aktualis",
    "chang",
    "déplac",
    "renomm",
    "nouve",
    "ancien",
    "cambi",
    "movid",
    "nuev",
    "anterior",
    "mudou",
    "mudad",
    "novo",
    "nova",
    "spostat",
    "nuov",
    "precedent",
    "измен",
    "перен",
    "переим",
    "нов",
    "прежн",
];

/// A sentence of the user's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Statement<'s> {
    pub(crate) text: &'s str,
    /// The number of its message. None is replaced by another one of the same message.
    pub(crate) message: usize,
    /// True in a message of a few sentences. Those of a longer one, and of what is pasted, are compared word for word only.
    pub(crate) is_brief: bool,
}

/// For each statement of the user's, oldest first: true if a later one replaces it.
pub(crate) fn replaced(statements: &[Statement<'_>]) -> Vec<bool> {
    let subject = |statement: &Statement<'_>| {
        let mut subject = Subject::of(statement.text);
        subject.kind = subject.kind.filter(|_| statement.is_brief);
        subject
    };
    let subjects: Vec<Subject> = statements.iter().map(subject).collect();
    let worded: Vec<Worded<'_>> = statements.iter().map(|s| Worded::of(s.text)).collect();
    let mut with_word: HashMap<&str, Vec<usize>, foldhash::fast::FixedState> = HashMap::default();
    let mut of_kind: HashMap<Kind, Vec<usize>, foldhash::fast::FixedState> = HashMap::default();
    let mut replaced = vec![false; statements.len()];
    let each = statements.iter().zip(&subjects).zip(&worded);
    for (at, ((later, subject), is)) in each.enumerate() {
        let mut near: Vec<usize> = Vec::new();
        for word in &subject.words {
            let known = with_word.entry(word).or_default();
            near.extend(known.iter().rev().take(COMPARED));
            known.push(at);
        }
        if let Some(kind) = subject.kind {
            let known = of_kind.entry(kind).or_default();
            if subject.changes {
                near.extend(known.iter().rev().take(COMPARED));
            }
            known.push(at);
        }
        near.sort_unstable();
        near.dedup();
        let mut best: Vec<(usize, usize)> = Vec::new();
        for earlier in near.into_iter().rev().filter(|earlier| *earlier < at) {
            let (Some(before), Some(text), Some(was)) = (
                subjects.get(earlier),
                statements.get(earlier),
                worded.get(earlier),
            ) else {
                continue;
            };
            if text.message == later.message {
                continue;
            }
            if was.is_changed_by(is) {
                if let Some(replaced) = replaced.get_mut(earlier) {
                    *replaced = true;
                }
            } else if let shared @ 1.. = subject.shared(before) {
                best.push((shared, earlier));
            }
        }
        let most = best.iter().map(|(shared, _)| *shared).max();
        let mut of_most = best.iter().filter(|(shared, _)| Some(*shared) == most);
        // Of several subjects nobody knows which is meant.
        if let (Some((_, earlier)), None) = (of_most.next(), of_most.next())
            && let Some(replaced) = replaced.get_mut(*earlier)
        {
            *replaced = true;
        }
    }
    replaced
}

/// A statement with its label and without.
struct Worded<'s> {
    whole: Wording<'s>,
    /// None for a statement that has no label.
    unlabelled: Option<Wording<'s>>,
}

impl<'s> Worded<'s> {
    fn of(text: &'s str) -> Self {
        let rest = unlabelled(text);
        Self {
            whole: Wording::of(text),
            unlabelled: (rest.len() < text.len()).then(|| Wording::of(rest)),
        }
    }

    fn is_changed_by(&self, later: &Self) -> bool {
        let has_label = self.unlabelled.is_some() || later.unlabelled.is_some();
        self.whole.is_changed_by(&later.whole)
            || has_label && self.rest().is_changed_by(later.rest())
    }

    /// The statement without its label.
    fn rest(&self) -> &Wording<'s> {
        self.unlabelled.as_ref().unwrap_or(&self.whole)
    }
}

/// True for a line that sets something for as long as nothing else is said: it forbids or bounds, has a label, or links
/// a subject with a value.
pub(crate) fn is_standing(line: &str) -> bool {
    if line.len() > 2 * LONGEST {
        return false;
    }
    let tokens = tokens(line);
    let has = |role| tokens.iter().any(|token| token.role == role);
    unlabelled(line).len() < line.len()
        || has(Role::Denies)
        || (has(Role::Links) && tokens.iter().any(Token::is_value))
}

/// A statement without a label: `Rule: never push`.
fn unlabelled(text: &str) -> &str {
    /// The number of words of a label.
    const WORDS: usize = 2;
    match text.split_once(": ") {
        Some((label, rest))
            if (1..=WORDS).contains(&label.split_whitespace().count())
                && label.chars().all(|c| c.is_alphabetic() || c == ' ')
                && rest.split_whitespace().nth(2).is_some() =>
        {
            rest
        }
        _ => text,
    }
}

/// The kinds of values that differ by their form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Money,
    Date,
    Person,
    /// A name of that form: letters and digits each stand for all of them.
    Form(u64),
}

/// A statement: its words, and what kind of value it has.
#[derive(Debug, Default)]
struct Subject {
    /// The words without values, in small letters.
    words: Vec<String>,
    /// The words that are directly before each, and those of its purpose.
    around: Vec<Vec<String>>,
    kind: Option<Kind>,
    values: Vec<String>,
    /// True if it says that something is another than before.
    changes: bool,
}

impl Subject {
    fn of(text: &str) -> Self {
        let is_question = text.trim_end().ends_with(['?', '？']);
        if text.len() > LONGEST || is_question {
            return Self::default();
        }
        let mut subject = Self::default();
        let mut before: Vec<String> = Vec::new();
        // The place of the word whose purpose follows.
        let mut purpose: Option<usize> = None;
        for token in &tokens(unlabelled(text)) {
            let changes = changes(&token.text);
            subject.changes |= changes || matches!(token.role, Role::Corrects | Role::Times);
            if is_value(&token.text) {
                subject.values.push(token.text.clone());
            }
            let is_named = !is_value(&token.text) && token.tells();
            match token.role {
                Role::Purpose => purpose = subject.words.len().checked_sub(1),
                Role::Idle => {}
                _ if !is_named => purpose = None,
                _ => {}
            }
            if !is_named || (changes && !token.text.starts_with("rebas")) {
                before.clear();
                continue;
            }
            for part in token
                .text
                .split('-')
                .filter(|part| part.chars().count() > 2)
            {
                if let Some(around) = purpose.and_then(|at| subject.around.get_mut(at)) {
                    around.push(part.to_owned());
                }
                subject.words.push(part.to_owned());
                subject.around.push(before.clone());
                before.push(part.to_owned());
            }
        }
        // `Update: ..`
        let label = text.len() - unlabelled(text).len();
        let label = text.get(..label).unwrap_or_default().to_lowercase();
        subject.changes |= label.split([' ', ':']).any(changes);
        subject.kind = kind(text);
        subject
    }

    /// The number of words that a later statement shares with an earlier one of the same kind of value, if it changes that.
    fn shared(&self, before: &Self) -> usize {
        let has_its_value = || {
            self.values
                .iter()
                .any(|value| before.values.contains(value))
        };
        if !self.changes || self.kind.is_none() || self.kind != before.kind || has_its_value() {
            return 0;
        }
        let mut shared = 0;
        let mut is_same = false;
        for (word, around) in self.words.iter().zip(&self.around) {
            for (other, beside) in before.words.iter().zip(&before.around) {
                if !is_form(word, other) {
                    continue;
                }
                shared += 1;
                // `the staging limit` and `the production limit` are two.
                let contrasts = !around.is_empty()
                    && !beside.is_empty()
                    && !around
                        .iter()
                        .any(|one| beside.iter().any(|other| is_form(one, other)));
                is_same |= !contrasts;
            }
        }
        if is_same { shared } else { 0 }
    }
}

/// True for a word that says that something is another than before.
fn changes(word: &str) -> bool {
    CHANGES.iter().any(|stem| word.starts_with(stem))
}

/// True for two forms of a word: `owner` and `owns`, `based` and `rebased`.
fn is_form(one: &str, other: &str) -> bool {
    let common = { one.chars().zip(other.chars()) }
        .take_while(|(one, other)| one == other)
        .count();
    let most = one.chars().count().max(other.chars().count());
    let ends = |long: &str, short: &str| short.len() > 3 && long.ends_with(short);
    one == other || (common > 2 && common + 2 >= most) || ends(one, other) || ends(other, one)
}

/// True for a word that is a value by its form.
fn is_value(word: &str) -> bool {
    word.contains(|c: char| c.is_numeric())
}

/// The kind of the value of a statement.
fn kind(text: &str) -> Option<Kind> {
    const MONEY: &[&str] = &[
        "dollar",
        "euro",
        "pound",
        "usd",
        "eur",
        "gbp",
        "yen",
        "доллар",
        "рубл",
        "евро",
    ];
    const MONTHS: &[&str] = &[
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let lower = text.to_lowercase();
    let word =
        |c: char| c.is_alphanumeric() || matches!(c, '-' | '/' | '_' | '$' | '€' | '£' | '.');
    let words: Vec<&str> = { lower.split(|c| !word(c)) }
        .map(|word| word.trim_matches(['.', '-', '/']))
        .filter(|word| !word.is_empty())
        .collect();
    let is_money = |word: &&str| {
        word.starts_with(['$', '€', '£'])
            || word.ends_with('€')
            || MONEY.iter().any(|money| word.starts_with(money))
    };
    if words.iter().any(is_money) {
        return Some(Kind::Money);
    }
    let digits = |word: &str| {
        word.chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '-' | '/' | '.'))
    };
    let is_date = |word: &&str| digits(word) && word.matches(['-', '/']).count() == 2;
    let mut pairs = words.windows(2);
    let is_named = |pair: &[&str]| {
        pair.iter().any(|word| MONTHS.contains(word))
            && pair
                .iter()
                .any(|word| word.bytes().all(|b| b.is_ascii_digit()))
    };
    if words.iter().any(is_date) || pairs.any(is_named) {
        return Some(Kind::Date);
    }
    let is_file = |word: &str| word.rsplit_once('.').is_some_and(|(_, end)| end.len() < 6);
    let named = words.iter().find(|word| {
        word.contains(|c: char| c.is_ascii_digit())
            && word.contains(|c: char| c.is_alphabetic())
            && !is_file(word)
    });
    if let Some(named) = named {
        return Some(Kind::Form(form(named)));
    }
    let is_capital = |word: &&str| {
        let mut letters = word.chars();
        letters.next().is_some_and(char::is_uppercase)
            && letters.all(char::is_lowercase)
            && word.chars().count() > 2
    };
    let spoken: Vec<&str> = text
        .split(' ')
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .collect();
    let person = spoken.windows(2).any(|pair| pair.iter().all(is_capital));
    person.then_some(Kind::Person)
}

/// The form of a name: its marks, and whether digits or letters are between them.
fn form(name: &str) -> u64 {
    let mut form: u64 = 0;
    let mut last = 0;
    for c in name.chars() {
        let class = match c {
            _ if c.is_numeric() => 1,
            _ if c.is_alphabetic() => 2,
            '/' => 3,
            '-' => 4,
            _ => 5,
        };
        if class != last {
            form = form.wrapping_mul(7).wrapping_add(class);
        }
        last = class;
    }
    form
}

#[cfg(test)]
mod tests {
    use super::super::marked;
    use super::*;

    #[test]
    fn a_later_statement_of_the_same_subject_replaces_the_earlier_one() {
        let cases = include_str!("subject.txt");
        let mut wrong = Vec::new();
        for (expected, pair) in marked(cases) {
            let statements: Vec<Statement<'_>> = brief(pair.split(" | "));
            if replaced(&statements).first() != Some(&expected) {
                wrong.push(pair);
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn of_two_subjects_the_nearer_one_is_replaced() {
        let statements = brief([
            "The travel allowance is $300",
            "The hardware allowance is $900",
            "New allowance for travel: at most $450",
        ]);
        assert_eq!(replaced(&statements), [true, false, false]);
    }

    #[test]
    fn what_is_pasted_and_what_one_message_says_is_not_replaced() {
        let pair = ["The beta opens on 2031-02-03", "The beta moved to March 9"];
        let mut statements = brief(pair);
        for statement in &mut statements {
            statement.is_brief = false;
        }
        assert_eq!(replaced(&statements), [false, false]);
        let mut lines = brief(["- Lines 12-14: read()", "- Lines 31-40: write()"]);
        for line in &mut lines {
            line.message = 0;
        }
        assert_eq!(replaced(&lines), [false, false]);
        let same = brief([
            "Conflicts with topic/abc-12",
            "The conflict is new, update from topic/abc-12",
        ]);
        assert_eq!(replaced(&same), [false, false]);
    }

    /// Statements, each a message.
    fn brief<'s>(texts: impl IntoIterator<Item = &'s str>) -> Vec<Statement<'s>> {
        let texts = texts.into_iter().enumerate();
        texts
            .map(|(message, text)| Statement {
                text,
                message,
                is_brief: true,
            })
            .collect()
    }
}
