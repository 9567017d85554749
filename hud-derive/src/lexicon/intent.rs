//! The intents that phrases have.

use std::fmt;

macro_rules! intents {
    ($($(#[$doc:meta])* $intent:ident = $name:literal,)*) => {
        /// An intent that phrases have in common, or a class of words.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Intent {
            $($(#[$doc])* $intent,)*
        }

        impl Intent {
            /// All intents.
            pub const ALL: &[Self] = &[$(Self::$intent,)*];

            /// The key of its list in a file.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$intent => $name,)*
                }
            }
        }
    };
}

intents! {
    /// The user takes back the last request: `never mind`.
    Withdraw = "withdraw",
    /// The user reports that the answer misses the point: `not what i meant`.
    Misread = "misread",
    /// The user reports that the work is not right yet: `still fails`.
    Correct = "correct",
    /// The text refers to the last request: `do that too`.
    Refer = "refer",
    /// The user replies to the agent before going on: `i understand, but`.
    Reply = "reply",
    /// The agent reports that something is done, with any verb: `renamed`.
    Done = "done",
    /// The agent reports that something is not done: `could not`.
    NotDone = "not-done",
    /// A step that publishes a change: `commit`.
    Publish = "publish",
    /// Words beside such a step that ask for nothing else.
    AroundPublish = "around-publish",
    /// One word that accepts an offer.
    Yes = "yes",
    /// Words beside a yes that ask for nothing else.
    AroundYes = "around-yes",
    /// One word that declines an offer.
    No = "no",
    /// One word that thanks, praises or greets.
    Courtesy = "courtesy",
    /// The beginning of an answer that accepts an offer and adds something.
    YesFirst = "yes-first",
    /// A word before a request that adds nothing to it: `also`.
    Filler = "filler",
    /// The verb that a request begins with.
    Verb = "verb",
    /// Words that ask for something, anywhere in a sentence: `could you`.
    Ask = "ask",
    /// The verb of a request that is over once it is answered: `show`.
    Once = "once",
    /// The beginning of a question that an answer ends.
    Question = "question",
    /// Words beside words to go on.
    AroundContinue = "around-continue",
    /// The user asks the agent to go on.
    Continue = "continue",
    /// The end of words to go on, where no spaces part words.
    PoliteEnding = "polite-ending",
    /// The user thanks the agent or wishes it well.
    Thanks = "thanks",
    /// A farewell goes on with a request: `but`.
    More = "more",
    /// The user praises the work.
    Praise = "praise",
    /// Words before praise: `that's`.
    ThatIs = "that-is",
    /// The user closes the conversation: `that's all`.
    Close = "close",
    /// Words that may follow words that close: `for today`.
    AfterClose = "after-close",
    /// Words beside the number of an option: `option`.
    AroundNumber = "around-number",
    /// The agent offers to do what follows: `shall i`.
    Offer = "offer",
    /// The agent asks the user to confirm.
    Confirm = "confirm",
    /// The agent asks the user for information: `please provide`.
    AskUser = "ask-user",
    /// The agent announces an act in the first person: `i will`.
    AboutTo = "about-to",
    /// A demand or a prohibition, anywhere in a sentence: `we always`.
    Demand = "demand",
    /// A demand, in a short sentence that gives no reason.
    Must = "must",
    /// A reason or a condition: `because`.
    Reason = "reason",
    /// An opinion: `i think`.
    Suppose = "suppose",
    /// A statement that holds in general, or in each case of a kind: `whenever`.
    Standing = "standing",
    /// A proposal to do something once: `maybe`.
    Propose = "propose",
    /// The beginning of a clause that forbids or demands, in languages other than English.
    Forbid = "forbid",
    /// A conjunction or a courtesy before a clause.
    Join = "join",
    /// A form of *to be*.
    Be = "be",
    /// A word that ends as imperatives do, and is none.
    NoImperative = "no-imperative",
    /// A thing that is reported as missing, and not forbidden: `errors`.
    Seen = "seen",
    /// The beginning of a clause that holds from now on.
    Henceforth = "henceforth",
    /// A word after such a beginning by which the clause describes a state.
    State = "state",
    /// All of some things: `each`.
    Every = "every",
    /// Words that demand something of all of some things: `have to`.
    Have = "have",
    /// A short word that shows that a clause with `no` is of this language.
    FunctionWord = "function-word",
    /// A word after a verb that forbids.
    Complement = "complement",
    /// A verb in the form that asks, or the ending of one.
    Imperative = "imperative",
    /// A negation after an imperative.
    Negation = "negation",
    /// A verb of a state, which is not forbidden: `don't know`.
    StateVerb = "state-verb",
    /// A word before a verb by which the clause describes a state.
    Aspect = "aspect",
    /// A word before a verb by which the clause asks for something.
    Request = "request",
    /// Something to keep: `compatible`.
    Kept = "kept",
    /// The clause reports the present.
    Present = "present",
    /// A word after `no` that answers, or finishes a set phrase: `no problem`.
    NoAnswer = "no-answer",
    /// A property that lasts: `never`.
    Lasting = "lasting",
    /// An auxiliary verb of a statement: `would`.
    Auxiliary = "auxiliary",
    /// A demand on what is named before it: `should`.
    Shall = "shall",
    /// A place or a quality: `in`.
    Place = "place",
    /// Something new or additional.
    Additional = "additional",
    /// A prohibition of the verb that follows: `never`.
    ForbidVerb = "forbid-verb",
    /// Each time: `always`.
    EachTime = "each-time",
    /// From now on, or for all work: `each session`.
    FromNowOn = "from-now-on",
    /// The user addresses the agent: `you`.
    Address = "address",
    /// A report of what was, or of how something works.
    Past = "past",
    /// A question for an ability: `can you`.
    Able = "able",
    /// A word that a question begins with: `why`.
    QuestionWord = "question-word",
    /// The work of the agent: `you write`.
    YourWork = "your-work",
    /// A question for consent at the end of a sentence: `okay`.
    Consent = "consent",
    /// A habit of the agent or the user: `you always`.
    Habit = "habit",
    /// The user allows what follows: `you can`.
    Allow = "allow",
    /// The user allows what is named before: `is fine again`.
    Allowed = "allowed",
    /// The user takes back a rule: `forget the rule`.
    Lift = "lift",
    /// A word of a rule that does not name its subject.
    RuleWord = "rule-word",
    /// A frequent short word, which names no subject.
    StopWord = "stop-word",
    /// A frequent word without its ending, which names no subject.
    StopStem = "stop-stem",
    /// A word that follows an imperative.
    AfterVerb = "after-verb",
    /// A finite verb, or a word of a subordinate clause.
    Finite = "finite",
    /// Only, or always, after an imperative.
    Only = "only",
    /// A word for a note.
    Note = "note",
    /// Words beside one that tell nothing of its author.
    AroundNote = "around-note",
    /// The author of a text follows: `from`.
    From = "from",
    /// A pronoun for an object that is named elsewhere.
    It = "it",
    /// The user announces a rule: `my rule`.
    MyRule = "my-rule",
    /// A form of address for several people: `everyone`.
    Several = "several",
    /// A greeting.
    Greet = "greet",
    /// A word that a request begins with.
    SentenceStart = "sentence-start",
    /// The user contrasts a wish: `but i want`.
    Want = "want",
    /// A label of text of the user's: `important`.
    Label = "label",
    /// A label of rules of the user's: `conventions`.
    RuleLabel = "rule-label",
    /// An article, a possessive or a preposition before an object.
    Article = "article",
    /// A word before the verb of a request: `could`.
    LeadIn = "lead-in",
    /// The verb of work on programs alone: `deploy`.
    Work = "work",
    /// The verb of work on programs or texts: `add`.
    Task = "task",
    /// A part of a program: `database`.
    Program = "program",
    /// The sentence goes on from the one before: `and`.
    GoOn = "go-on",
    /// A word that points at a text: `below`.
    Point = "point",
    /// A text, or work on one: `summarize`.
    Writing = "writing",
    /// Somebody says or writes something.
    Say = "say",
    /// The user or the agent as who says something.
    Speaker = "speaker",
    /// The user read or heard something.
    Hear = "hear",
    /// The user announces a text: `next message`.
    AnnounceText = "announce-text",
    /// Something follows: `below`.
    Following = "following",
    /// The user hands over something: `paste`.
    HandOver = "hand-over",
    /// A pronoun of the first person.
    FirstPerson = "first-person",
    /// The user hands over something, as one word: `pego`.
    IHandOver = "i-hand-over",
    /// A text: `message`.
    Text = "text",
    /// The user was given something: `received`.
    Given = "given",
    /// Words that present what follows: `here`.
    PresentText = "present-text",
    /// Now.
    Now = "now",
    /// The user as the recipient.
    ToMe = "to-me",
    /// The agent asks for a text: `send it`.
    AskForText = "ask-for-text",
    /// The agent waits for something.
    Wait = "wait",
    /// A term of grammar or style.
    Grammar = "grammar",
    /// One of several texts: `the first`.
    OneOf = "one-of",
    /// The beginning of a subordinate clause after the main one.
    Subordinator = "subordinator",
    /// Something is expected to do what follows: `will try to`.
    Expect = "expect",
    /// The beginning of a subordinate clause before the main one.
    SubordinateStart = "subordinate-start",
    /// A word for the order of steps: `next`.
    Order = "order",
    /// The agent intends what follows: `let me`.
    Intend = "intend",
    /// A word between who intends something and the verb.
    BeforeVerb = "before-verb",
    /// The verb of an act that is soon done: `edit`.
    Act = "act",
    /// The verb of a look, or of a small step: `check`.
    Look = "look",
    /// The same as a participle: `checking`.
    Looking = "looking",
    /// The agent announces a step, in languages other than English.
    Announce = "announce",
    /// The agent announces the next step.
    NextStep = "next-step",
    /// The subject of a participle: `i'm`.
    Progressive = "progressive",
    /// Words before *decided* by which it is open: `not`.
    Undecided = "undecided",
    /// The agent found something: `turns out`.
    Find = "find",
    /// The agent compares or recommends: `instead of`.
    Choose = "choose",
    /// The agent decided: `went with`.
    Decide = "decide",
    /// The agent intends a change: `should use`.
    Intention = "intention",
    /// A state that is hoped for: `should be fixed`.
    Hope = "hope",
    /// A contrast: `however`.
    Contrast = "contrast",
    /// The verb of a change, at the beginning of a clause: `added`.
    Change = "change",
    /// The verb of a change, anywhere in a sentence.
    Changed = "changed",
    /// Words before the verb of a change: `i've`.
    BeforeChange = "before-change",
    /// A label of a plan.
    Plan = "plan",
    /// A line leads to what follows: `here are`.
    Lead = "lead",
    /// A time or a condition at the beginning of a line.
    Time = "time",
    /// The end of a sentence that a list goes on with: `as follows`.
    Dangling = "dangling",
    /// The agent asks something of the user, or leaves it to them.
    ToUser = "to-user",
    /// A line asks about the list after it.
    AskAbout = "ask-about",
    /// A label for work that is done: `finished`.
    Finished = "finished",
    /// Words that open a message, and tell nothing.
    Opening = "opening",
    /// Something is broken.
    Broken = "broken",
    /// A label of the outcome of a check.
    Outcome = "outcome",
    /// A conjunction or preposition that a line breaks off at.
    Conjunction = "conjunction",
    /// All of the work.
    Everything = "everything",
    /// All is done.
    Completed = "completed",
    /// A restriction: `except`.
    Unless = "unless",
    /// There is nothing to report: `none`.
    Nothing = "nothing",
    /// A placeholder: `tbd`.
    Placeholder = "placeholder",
    /// A word after one for nothing that adds nothing.
    NoMore = "no-more",
    /// Something that summaries count: `blocker`.
    Countable = "countable",
    /// A word before it: `pending`.
    Qualifier = "qualifier",
    /// A denial of what follows: `no`.
    Deny = "deny",
    /// There is what follows.
    ThereIs = "there-is",
    /// A word of an instruction that is a rule.
    RuleCue = "rule-cue",
    /// The agent reports that all is done.
    AllDone = "all-done",
    /// A step of a plan, before its number.
    Step = "step",
    /// The heading of steps that are left.
    HeadingNext = "heading-next",
    /// The heading of the user's messages.
    HeadingSaid = "heading-said",
    /// The heading of work in progress.
    HeadingNow = "heading-now",
    /// The heading of files.
    HeadingFiles = "heading-files",
    /// The heading of decisions.
    HeadingDecisions = "heading-decisions",
    /// The heading of work that is done.
    HeadingDone = "heading-done",
    /// The heading of rules.
    HeadingRules = "heading-rules",
    /// The heading of rules and explanations.
    HeadingInstructions = "heading-instructions",
    /// The heading of the task.
    HeadingTask = "heading-task",
    /// The heading of findings.
    HeadingFindings = "heading-findings",
    /// The heading of all of a summary.
    HeadingWhole = "heading-whole",
    /// The first option.
    First = "first",
    /// The second option.
    Second = "second",
    /// The third option.
    Third = "third",
    /// The fourth option.
    Fourth = "fourth",
    /// The fifth option.
    Fifth = "fifth",
    /// The last option.
    Last = "last",
    /// Words beside thanks.
    AroundThanks = "around-thanks",
    /// Words that accept an offer: `sounds good`.
    Assent = "assent",
    /// A pronoun for what was named before.
    Pronoun = "pronoun",
    /// The items of a list before: `these`.
    Listed = "listed",
    /// The agent asks for an answer.
    PleaseTell = "please-tell",
    /// The name of an option: `variant`.
    Variant = "variant",
    /// All that was asked for.
    AllOfIt = "all-of-it",
    /// The user objects: `nope`.
    Objection = "objection",
    /// The beginning of a question for whether a rule holds.
    Doubt = "doubt",
    /// A question for a reason.
    Why = "why",
    /// A guess: `must have been`.
    Guess = "guess",
    /// Advice: `we should`.
    Advise = "advise",
    /// An inability: `you can't`.
    Unable = "unable",
    /// A verb of perception, which is no rule: `you can't see`.
    Perceive = "perceive",
    /// A conjunction between two clauses.
    Clause = "clause",
    /// The beginning of an English clause that forbids or demands.
    ForbidFirst = "forbid-first",
    /// Something is advisable.
    Advisable = "advisable",
    /// A negation of what follows.
    Not = "not",
    /// The ending of a verb that forbids.
    Subjunctive = "subjunctive",
    /// A particle of indirect questions.
    Whether = "whether",
    /// A particle by which a past form is a wish.
    Conditional = "conditional",
    /// A polite request: `please`.
    Politely = "politely",
    /// The ending of a verb that asks for each time.
    ImperativeEnding = "imperative-ending",
    /// A demand to leave something, if it is named as `untouched`.
    Leave = "leave",
    /// A state that something shall be left in.
    Untouched = "untouched",
    /// A demand to use something.
    Use = "use",
    /// The other thing, which shall not be used.
    Instead = "instead",
    /// A demand to make sure of something.
    Ensure = "ensure",
    /// A pronoun as the subject of a property.
    Subject = "subject",
    /// A demand to keep something.
    Keep = "keep",
    /// A restriction: `without`.
    Without = "without",
    /// A prohibition, anywhere in a rule.
    Prohibit = "prohibit",
    /// The beginning of a clause that is no point of its own: `although`.
    Concede = "concede",
    /// A line announces a plan.
    AnnouncePlan = "announce-plan",
    /// A sentence is about the conversation.
    Ours = "ours",
    /// The verb of a repair.
    Repair = "repair",
    /// The participle of a call.
    Calling = "calling",
    /// A purpose follows: `to`.
    To = "to",
    /// A contrast to the clause before.
    But = "but",
    /// A conjunction between the items of a list.
    And = "and",
    /// Words that name the user as the source.
    ByUser = "by-user",
    /// Words after the number of an option.
    AfterNumber = "after-number",
    /// A prohibition of a thing.
    Avoid = "avoid",
    /// A clause after a comma that is no item of a list.
    Aside = "aside",
    /// A reason or a limit after a list.
    Because = "because",
    /// A demand that nothing shall be.
    NothingFirst = "nothing-first",
    /// The clause goes on from the one before, in English: `but`.
    Turn = "turn",
    /// A word that has a phrase within it, and not its meaning.
    OtherWord = "other-word",
}

impl Intent {
    /// Returns the intent of a key.
    pub(super) fn named(key: &str) -> Option<Self> {
        { Self::ALL.iter().copied() }.find(|intent| intent.name() == key)
    }

    /// Returns the name that is nearest to a key.
    pub(super) fn nearest(key: &str) -> &'static str {
        let distance = |name: &&str| strsim::damerau_levenshtein(name, key);
        let names = Self::ALL.iter().map(|intent| intent.name());
        names.min_by_key(distance).unwrap_or_default()
    }
}

impl fmt::Display for Intent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
