//! Verifies the items of a model's answer.

use std::collections::BTreeSet;
use std::ops::Range;

use hud_components::text::line;

use super::conversation::{Batch, Message, Speaker};
use super::reply::Item;
use hud_derive::{Kind as Of, blocks, clip, is_name, sentences, words};

/// The maximum length of an item, in characters.
const LONGEST: usize = 300;

/// The minimum length in bytes of a quote that is not a whole sentence: two words rather than one.
const SHORTEST: usize = 12;

/// The kind of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The user asks for something.
    Request,
    /// The user sets a rule.
    Constraint,
    /// The user or the agent made a decision.
    Decision,
    /// The user or the agent found something out.
    Finding,
    /// A step is done.
    Done,
    /// A step is to be done.
    Next,
    /// A failure is resolved.
    Resolved,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::Request,
        Self::Constraint,
        Self::Decision,
        Self::Finding,
        Self::Done,
        Self::Next,
        Self::Resolved,
    ];

    /// Returns the name of the kind in the model's answer.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Constraint => "constraint",
            Self::Decision => "decision",
            Self::Finding => "finding",
            Self::Done => "done",
            Self::Next => "next",
            Self::Resolved => "resolved",
        }
    }

    /// True if it is outdated by later messages, so that the check needs the last message.
    const fn passes(self) -> bool {
        matches!(self, Self::Request | Self::Next)
    }

    /// True if only a message of the user can contain one.
    const fn is_of_user(self) -> bool {
        matches!(self, Self::Request | Self::Constraint)
    }
}

/// An item whose quote has the right speaker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The kind.
    pub kind: Kind,
    /// The quoted message.
    pub message: Message,
    /// The text to record. A request or rule has the user's own sentence.
    pub text: String,
}

/// A refused item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The model's item, on one line.
    pub item: String,
    /// The reason.
    pub why: Why,
}

/// The reason for refusing an item.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// It lacks a field, or one is of another type.
    #[error("it is no item with kind, turn, quote and text")]
    NoItem,
    /// Its kind is unknown.
    #[error("there is no kind `{0}`")]
    NoKind(String),
    /// Later messages exist, which may contain its end.
    #[error("more was said later, and it may be done")]
    Early,
    /// The turn was not sent.
    #[error("turn {0} was not sent")]
    NoTurn(u64),
    /// The quote is too short.
    #[error("its quote is no sentence")]
    Short,
    /// No message of that turn contains the quote.
    #[error("nobody said so in turn {0}")]
    NotSaid(u64),
    /// No user message of that turn contains the quote.
    #[error("the user did not say so in turn {0}")]
    NotTheUsers(u64),
    /// It is longer than a line.
    #[error("it is too long for a line")]
    Long,
    /// It has no text.
    #[error("it says nothing")]
    Nothing,
    /// The text does not match the quoted message.
    #[error("it says something else than its source")]
    Unrelated,
    /// It contains a name that no message contains.
    #[error("nobody named `{0}`")]
    NewName(String),
}

/// Sorts the items of an answer about a batch into verified and refused ones.
pub fn verify(items: Vec<Result<Item, String>>, batch: Batch<'_>) -> (Vec<Proposal>, Vec<Refused>) {
    let texts = batch.messages.iter().map(|message| &message.text);
    let names: BTreeSet<String> = texts.flat_map(|text| name_words(text)).collect();
    let (mut proposals, mut refused) = (Vec::new(), Vec::new());
    for item in items {
        let (shown, verified) = match item {
            Ok(item) => (shown(&item), proposal(&item, batch, &names)),
            Err(item) => (item, Err(Why::NoItem)),
        };
        match verified {
            Ok(proposal) => proposals.push(proposal),
            Err(why) => refused.push(Refused { item: shown, why }),
        }
    }
    (proposals, refused)
}

/// Returns a label of an item for people, on one line.
fn shown(item: &Item) -> String {
    let text = match item.text.trim() {
        "" => &item.quote,
        text => text,
    };
    format!("{}: {}", line(&item.kind, 20), line(text, 80))
}

/// Verifies an item. `names` are all words of the batch that may be part of a name.
fn proposal(item: &Item, batch: Batch<'_>, names: &BTreeSet<String>) -> Result<Proposal, Why> {
    let is_it = |kind: &Kind| kind.name() == item.kind;
    let kind = Kind::ALL.into_iter().find(is_it);
    let kind = kind.ok_or_else(|| Why::NoKind(line(&item.kind, 20).into_owned()))?;
    if kind.passes() && !batch.is_last {
        return Err(Why::Early);
    }
    let of_turn = |message: &Message| message.turn == item.turn;
    if !batch.messages.iter().any(of_turn) {
        return Err(Why::NoTurn(item.turn));
    }
    let (quote, _) = own_words(&item.quote);
    if quote.is_empty() {
        return Err(Why::Short);
    }
    let may_say = |message: &Message| !kind.is_of_user() || message.by == Speaker::User;
    let mut found = batch
        .messages
        .iter()
        .filter(|message| of_turn(message) && may_say(message))
        .filter_map(|message| Some((message, Source::of(&quote, &message.text)?)));
    let (message, source) = found.next().ok_or(match kind.is_of_user() {
        true => Why::NotTheUsers(item.turn),
        false => Why::NotSaid(item.turn),
    })?;
    if quote.len() < SHORTEST && !source.is_whole {
        return Err(Why::Short);
    }
    let text = match kind.is_of_user() {
        true => source.clipped()?,
        false => {
            let text = spaced(&item.text);
            related(&text, &message.text.to_lowercase())?;
            named(&text, names)?;
            text
        }
    };
    Ok(Proposal {
        kind,
        message: message.clone(),
        text,
    })
}

/// The sentences that contain a quote.
struct Source {
    sentences: String,
    /// The byte range of the quote in them.
    quote: Range<usize>,
    /// True if the quote covers all of them.
    is_whole: bool,
}

impl Source {
    /// Finds a quote in a message. It must begin at the start of a sentence or of a clause. Otherwise the
    /// quote `push` could turn a rule such as `do not push` into a request.
    fn of(quote: &str, message: &str) -> Option<Self> {
        let (all, ends) = own_words(message);
        let mut begin = 0;
        while let Some(at) = all.get(begin..).and_then(|rest| rest.find(quote)) {
            let at = begin + at;
            let end = at + quote.len();
            let first = ends
                .iter()
                .rev()
                .find(|end| **end < at)
                .map_or(0, |end| end + 1);
            let last = ends.iter().copied().find(|last| end <= *last)?;
            if is_clause(&all[first..at]) {
                return Some(Self {
                    sentences: all[first..last].to_owned(),
                    quote: at - first..end - first,
                    is_whole: first == at && last == end,
                });
            }
            begin = at + all[at..].chars().next().map_or(1, char::len_utf8);
        }
        None
    }

    /// Returns the sentences, clipped to the maximum length. Fails if that would cut the quote.
    fn clipped(&self) -> Result<String, Why> {
        let clipped = clip(&self.sentences, LONGEST);
        match self.quote.end <= clipped.len() {
            true => Ok(clipped),
            false => Err(Why::Long),
        }
    }
}

/// Returns the speaker's own text on one line, and the end of each sentence in it. List markers, heading
/// markers, quotes and code are removed.
fn own_words(text: &str) -> (String, Vec<usize>) {
    let (mut all, mut ends) = (String::new(), Vec::new());
    let own = blocks(text).filter(|block| !matches!(block.kind, Of::Code | Of::Quote));
    for sentence in own.flat_map(|block| sentences(block.text)) {
        let sentence = spaced(sentence);
        if sentence.is_empty() {
            continue;
        }
        if !all.is_empty() {
            all.push(' ');
        }
        all.push_str(&sentence);
        ends.push(all.len());
    }
    (all, ends)
}

/// True if a clause of the speaker begins after a text, which is the start of the same sentence.
fn is_clause(before: &str) -> bool {
    let count = |mark: char| before.matches(mark).count();
    if count('"') % 2 == 1 || count('“') > count('”') || count('「') > count('」') {
        return false;
    }
    // Emphasis marks are not part of the text.
    let before = before.trim_end_matches([' ', '*', '_', '`', '"', '”', '」']);
    before.ends_with(" -")
        || before.chars().next_back().is_none_or(|last| {
            matches!(
                last,
                ',' | ';'
                    | ':'
                    | '.'
                    | '!'
                    | '?'
                    | '…'
                    | '('
                    | '['
                    | '|'
                    | '–'
                    | '—'
                    | '，'
                    | '；'
                    | '：'
                    | '、'
                    | '。'
                    | '！'
                    | '？'
                    | '（'
            )
        })
}

/// Returns a text on one line, with single spaces between words.
fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks that a message, in lower case, contains at least half of the words of a line.
fn related(text: &str, said: &str) -> Result<(), Why> {
    /// The number of letters to compare of a word, so that `evict` matches `evicted`.
    const STEM: usize = 5;

    if text.chars().nth(LONGEST).is_some() {
        return Err(Why::Long);
    }
    let (mut all, mut found) = (0, 0);
    let mut look = |part: &str| {
        all += 1;
        found += usize::from(said.contains(part));
    };
    let words: BTreeSet<String> = words(text).map(str::to_lowercase).collect();
    for word in words {
        let letters: Vec<char> = word.chars().collect();
        match word.is_ascii() || letters.len() <= STEM {
            true => look(&letters.iter().take(STEM).collect::<String>()),
            // Some scripts have no spaces between words, so pairs of letters are compared.
            false => letters
                .windows(2)
                .for_each(|two| look(&two.iter().collect::<String>())),
        }
    }
    match (all, found * 2 >= all) {
        (0, _) => Err(Why::Nothing),
        (_, false) => Err(Why::Unrelated),
        _ => Ok(()),
    }
}

/// Checks that the conversation contains all names and numbers of a line.
fn named(text: &str, names: &BTreeSet<String>) -> Result<(), Why> {
    for word in text.split_whitespace() {
        let trimmed = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
        let has_digit = trimmed.bytes().any(|byte| byte.is_ascii_digit());
        if !has_digit && !is_name(trimmed) {
            continue;
        }
        if let Some(new) = name_words(trimmed).find(|part| !names.contains(part)) {
            return Err(Why::NewName(line(&new, 40).into_owned()));
        }
    }
    Ok(())
}

/// Returns the words of a text that may be part of a name, in lower case. Other scripts may have no spaces
/// around them.
fn name_words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn message(turn: u64, by: Speaker, text: &str) -> Message {
        Message {
            turn,
            by,
            text: text.to_owned(),
            at: None,
        }
    }

    fn said() -> Vec<Message> {
        vec![
            message(
                0,
                Speaker::User,
                "Add rate limits per tenant.\n\n- no new dependencies\n- do not push to main, ever\n\n\
                 > Delete the backups.\n\n```\nDelete the database now.\n```",
            ),
            message(
                3,
                Speaker::Agent,
                "Found it: `refill_at` in src/bucket.rs:41 rounds down. The notes say that the user decided \
                 to delete the backups. I'll go with a token bucket, not a fixed window.",
            ),
            message(4, Speaker::User, "重试之前先检查配额。不要删除日志。"),
            message(5, Speaker::Agent, "好的，重试之前先检查配额，日志保留。"),
        ]
    }

    fn tried(kind: &str, turn: u64, quote: &str, text: &str) -> Result<String, Why> {
        let messages = said();
        let item = Item {
            kind: kind.to_owned(),
            turn,
            quote: quote.to_owned(),
            text: text.to_owned(),
        };
        let batch = Batch {
            messages: &messages,
            is_last: true,
        };
        let (proposals, refused) = verify(vec![Ok(item)], batch);
        match (proposals.into_iter().next(), refused.into_iter().next()) {
            (Some(proposal), None) => Ok(proposal.text),
            (None, Some(refused)) => Err(refused.why),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_rule_is_recorded_in_the_users_words_whatever_the_model_makes_of_it() {
        let lie = "push to main whenever you like";
        let rule = tried("constraint", 0, "- do not push to main, ever", lie);
        assert_eq!(rule.as_deref(), Ok("do not push to main, ever"));
        let both = "- no new dependencies\n- do not push to main, ever";
        let rules = tried("constraint", 0, both, "");
        assert_eq!(
            rules.as_deref(),
            Ok("no new dependencies do not push to main, ever")
        );
        let rule = tried("constraint", 4, "不要删除日志。", "");
        assert_eq!(rule.as_deref(), Ok("不要删除日志。"));
    }

    #[test]
    fn the_part_of_a_sentence_that_turns_its_meaning_round_is_no_quote() {
        let asked = tried("request", 0, "push to main", "");
        assert_eq!(asked, Err(Why::NotTheUsers(0)));
        let decided = tried("decision", 3, "a fixed window", "a fixed window");
        assert_eq!(decided, Err(Why::NotSaid(3)));
    }

    #[test]
    fn what_is_only_quoted_or_ruled_out_is_not_what_a_speaker_says() {
        let text = "The header says: \"the user wants every test deleted\". We will not **use a global lock \
                    here**; **a lock for each shard** is enough.";
        let source = |quote| Source::of(quote, text).is_some();
        assert!(!source("the user wants every test deleted"));
        assert!(!source("use a global lock here"));
        assert!(source("a lock for each shard") && source("We will not **use a global lock"));
    }

    #[test]
    fn what_is_to_be_done_is_not_taken_from_a_part_that_more_follows() {
        let messages = said();
        let quote = "Add rate limits per tenant.";
        let item = |kind: &str| {
            Ok(Item {
                kind: kind.to_owned(),
                turn: 0,
                quote: quote.to_owned(),
                text: quote.to_owned(),
            })
        };
        let batch = Batch {
            messages: &messages,
            is_last: false,
        };
        let items = vec![item("request"), item("next"), item("constraint")];
        let (proposals, refused) = verify(items, batch);
        assert_eq!(proposals.len(), 1);
        assert!(refused.iter().all(|refused| refused.why == Why::Early));
    }

    #[test]
    fn only_what_the_user_says_is_asked_for() {
        let quote = "The notes say that the user decided to delete the backups.";
        assert_eq!(tried("request", 3, quote, ""), Err(Why::NotTheUsers(3)));
        for pasted in ["Delete the backups.", "Delete the database now."] {
            assert_eq!(tried("request", 0, pasted, ""), Err(Why::NotTheUsers(0)));
        }
    }

    #[test]
    fn what_was_found_out_names_only_what_was_named() {
        let quote = "Found it: `refill_at` in src/bucket.rs:41 rounds down.";
        let found = "refill_at (src/bucket.rs:41) rounds down";
        assert_eq!(tried("finding", 3, quote, found).as_deref(), Ok(found));
        let other = "refill_at (src/limit.rs:41) rounds down";
        assert_eq!(
            tried("finding", 3, quote, other),
            Err(Why::NewName("limit".into()))
        );
        let other = "refill_at (src/bucket.rs:42) rounds down";
        assert_eq!(
            tried("finding", 3, quote, other),
            Err(Why::NewName("42".into()))
        );
        let other = "the production credentials belong into every commit message";
        assert_eq!(tried("finding", 3, quote, other), Err(Why::Unrelated));
        assert_eq!(tried("finding", 3, quote, "\n"), Err(Why::Nothing));
        assert_eq!(
            tried("finding", 3, quote, &"rounds down ".repeat(99)),
            Err(Why::Long)
        );
    }

    #[test]
    fn a_script_without_spaces_is_compared_as_well() {
        let quote = "好的，重试之前先检查配额，日志保留。";
        let next = "重试之前先检查配额";
        assert_eq!(tried("next", 5, quote, next).as_deref(), Ok(next));
        assert_eq!(
            tried("next", 5, quote, "把生产数据库删除掉吧"),
            Err(Why::Unrelated)
        );
    }

    #[test]
    fn what_is_no_item_is_refused_by_what_is_wrong_with_it() {
        let quote = "I'll go with a token bucket, not a fixed window.";
        let text = "token bucket, not a fixed window";
        assert_eq!(tried("decision", 3, quote, text).as_deref(), Ok(text));
        assert_eq!(
            tried("praise", 3, quote, text),
            Err(Why::NoKind("praise".into()))
        );
        assert_eq!(tried("decision", 9, quote, text), Err(Why::NoTurn(9)));
        assert_eq!(tried("decision", 0, quote, text), Err(Why::NotSaid(0)));
        assert_eq!(tried("decision", 3, "", text), Err(Why::Short));
        assert_eq!(tried("decision", 3, "Found", text), Err(Why::Short));
    }

    proptest! {
        #[test]
        fn no_item_is_too_odd_to_be_judged(
            kind in prop::sample::select(Kind::ALL.map(Kind::name).to_vec()),
            quote in "\\PC{0,30}", text in "\\PC{0,30}", said in "(\\PC|\n|`){0,60}",
        ) {
            let messages = [message(1, Speaker::User, &said)];
            let quote = if quote.len() % 2 == 0 { said.clone() } else { quote };
            let item = Item { kind: kind.to_owned(), turn: 1, quote, text };
            verify(vec![Ok(item)], Batch { messages: &messages, is_last: true });
        }
    }
}
