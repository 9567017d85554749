//! Sentences that hold for longer than this request, by a word for that, and address the agent: `could you always ..`,
//! `each time you .., list ..`.

use std::sync::LazyLock;

use super::super::vocabulary::Vocabulary;
use super::super::words::{has, words};

/// Words for what holds each time. How things are is said with them, too.
static EACH_TIME: LazyLock<Vocabulary> = LazyLock::new(|| {
    Vocabulary::of(
        "always, never, ever, every time, each time, before each, before every, after each, after every, all your answers, \
         all your replies, whenever, in future, in the future, at all times, \
         immer, nie, niemals, stets, grundsätzlich, generell, künftig*, zukünftig*, in zukunft, jedes mal, nach jeder, nach jedem, \
         vor jeder, vor jedem, bei jeder, bei jedem, nur wenn ich, nur, wenn ich, \
         toujours, jamais, chaque fois, après chaque, avant chaque, seulement si, seulement quand, que quand je, \
         siempre, nunca, jamás, cada vez, después de cada, antes de cada, solo cuando, sólo cuando, solo si, \
         sempre, jamais, toda vez, só quando, só se, mai, ogni volta, solo quando, solo se, \
         zawsze, nigdy, za każdym razem, po każdym, przed każdym, tylko gdy, tylko wtedy, \
         всегда, никогда, каждый раз, после каждого, перед каждым, в будущем, только когда, только тогда, \
         завжди, ніколи, altijd, nooit, alltid, aldrig, vždy, nikdy, her zaman, asla, دائما, أبدا, हमेशा, कभी, \
         永远, 始终, 总是, 以后, 每次, 一律, 只有我, 必ず, 常に, いつも, 毎回, 絶対に, 決して, たびに, 항상, 절대, 매번, 언제나",
    )
});

/// Words for what holds from now on, which nothing but a rule is said with.
static FROM_NOW_ON: LazyLock<Vocabulary> = LazyLock::new(|| {
    Vocabulary::of(
        "from now on, from here on, from today, as of today, make it a habit, get into the habit, not just this time, not only this time, \
         angewöhn*, gewöhn dir an, ab heute, nicht nur dieses mal, nicht nur diesmal, halte dich bitte dauerhaft, halt dich dran, \
         ich will künftig, ich möchte künftig, ich will in zukunft, ich möchte in zukunft, alle künftigen, alle zukünftigen, \
         prends l'habitude, prendre l'habitude, dès aujourd'hui, à partir d'aujourd'hui, pas seulement cette fois, tiens-t'y, tâches à venir, \
         acostúmbrate, acostumbrarte, desde hoy, a partir de hoy, no solo esta vez, no sólo esta vez, respétalo, tareas que vengan, \
         взять за привычку, возьми за привычку, с сегодняшнего дня, не только в этот раз, придерживайся, будущие задачи, будущих задач, \
         养成习惯, 一直遵守, 不只是这次, 不仅是这次, 以后的任务, \
         all future, for the future, all later, every session, each session, every task, each task, \
         standing rule, no exceptions, without exception, \
         für die zukunft, ab jetzt, ab sofort, von nun an, jeder sitzung, jeder aufgabe, merk dir, feste regel, alle späteren, \
         désormais, dorénavant, à l'avenir, à partir de maintenant, chaque session, chaque tâche, règle fixe, tâches futures, \
         a partir de ahora, de ahora en adelante, desde ahora, cada sesión, cada tarea, regla fija, tareas futuras, \
         a partir de agora, de agora em diante, daqui para a frente, daqui em diante, cada tarefa, cada sessão, para o futuro, \
         regra fixa, tarefas futuras, próximas tarefas, guarde isso, \
         d'ora in poi, d'ora in avanti, da adesso, ogni sessione, ogni compito, regola fissa, per il futuro, compiti futuri, \
         compiti successivi, \
         odtąd, od teraz, każdej sesji, każdym zadaniu, na przyszłość, przyszłych zadaniach, kolejnych zadań, stała zasada, \
         zapamiętaj, впредь, отныне, с этого момента, на будущее, каждой сессии, каждой задачи, відтепер, voortaan, bundan sonra, \
         من الآن فصاعدا, अब से, 今后, 从现在, 从今, 今後, これから, 앞으로, 지금부터",
    )
});

/// Words by which the user speaks to the agent.
static ADDRESSES: LazyLock<Vocabulary> = LazyLock::new(|| {
    Vocabulary::of(
        "you, you'd, you'll, please, pls, i want, i'd like, i would like, let's, tell me, \
         wenn du, dass du, bevor du, sobald du, nachdem du, die du, den du, das du, du mir, du mich, du dich, du darfst, du sollst, \
         du musst, darfst du, könntest du, kannst du, dich, dir, dein*, mir, bitte, ich möchte, ich will, \
         tu, te, toi, moi, vous, stp, s'il te plaît, s'il vous plaît, merci de, je veux, j'aimerais, je voudrais, \
         tú, quiero, usted, por favor, porfa, me gustaría, \
         você, quero, agradeço, diga, \
         per favore, ti, voglio, vorrei, potresti, puoi, devi, tieni, dimmi, \
         proszę, ci, cię, chcę, możesz, musisz, twoje, powiedz, wdzięczn*, \
         ты, тебя, тебе, хочу, прошу, пожалуйста, плиз, я скажу, я попрошу, скажи, \
         lütfen, sen, sana, alsjeblieft, jij, je moet, будь ласка, ти, من فضلك, أريد, कृपया, मुझे, \
         请, 你, 麻烦, 我希望, てください, でください, 教えて, てほしい, もらえ, いただけ, してくれ, 주세요, 세요, 해줘",
    )
});

/// Words for what was, or how it works: a complaint and no rule.
static REPORTS: LazyLock<Vocabulary> = LazyLock::new(|| {
    Vocabulary::of(
        "did, didn't, was, were, hasn't, haven't, fails, crashes, breaks, works, hast, bist, hattest, war, wurde, hat, \
         tu as, tu n'as, était, été, est, has, habías, fue, hai, era, foi, był*, был, была, было, были, 了吗, 过了",
    )
});

/// Words of questions for whether something can be done.
static ABLE: LazyLock<Vocabulary> = LazyLock::new(|| {
    Vocabulary::of(
        "can you, could you, would you, will you, can we, could we, kannst du, könntest du, würdest du, magst du, \
         peux-tu, tu peux, pourrais-tu, tu pourrais, pourriez-vous, pouvez-vous, puedes, podrías, pode, poderia, \
         puoi, potresti, możesz, mógłbyś, mogłabyś, можешь, можете, мог бы, могла бы, \
         能, 可以, 帮, 请, くれ, ください, もらえ, いただけ, 줄 수, 주세요",
    )
});

/// True if words say that something holds each time.
pub(in crate::voice) fn lasts(lowered: &str) -> bool {
    EACH_TIME.is_in(lowered) || FROM_NOW_ON.is_in(lowered)
}

/// True if words address the agent.
pub(in crate::voice) fn addresses(lowered: &str) -> bool {
    ADDRESSES.is_in(lowered)
}

/// True if a sentence asks whether the agent can do something: `Could you fix this?`.
pub(in crate::voice) fn asks_for_work(lowered: &str) -> bool {
    is_question(lowered) && ABLE.is_in(lowered)
}

/// True if a sentence asks how something is: `Is this right?`.
pub(in crate::voice) fn asks_about(lowered: &str) -> bool {
    // `功能`, `性能`: they have the word for `can` within them.
    const OTHERS: [&str; 5] = ["功能", "性能", "智能", "只能", "可能"];
    let is_able = || match lowered.contains('能') {
        true => {
            let text = lowered.to_owned();
            ABLE.is_in(
                &OTHERS
                    .iter()
                    .fold(text, |text, word| text.replace(word, "")),
            )
        }
        false => ABLE.is_in(lowered),
    };
    is_question(lowered) && (!is_able() || asks_what(lowered))
}

/// True if a question begins with a word for what it asks about: `What would you answer?`.
fn asks_what(lowered: &str) -> bool {
    const WHAT: &[&str] = &[
        "what",
        "how",
        "why",
        "who",
        "whose",
        "which",
        "when",
        "where",
        "was",
        "wie",
        "warum",
        "wer",
        "welche",
        "welcher",
        "que",
        "quel",
        "quelle",
        "comment",
        "pourquoi",
        "qué",
        "cómo",
        "quién",
        "cuál",
        "como",
        "qual",
        "quem",
        "cosa",
        "come",
        "chi",
        "что",
        "как",
        "кто",
        "почему",
        "какой",
        "co",
        "jak",
        "kto",
    ];
    words(lowered)
        .next()
        .is_some_and(|word| WHAT.contains(&word))
}

fn is_question(lowered: &str) -> bool {
    let said = lowered.trim_end_matches(['.', '。', ' ']);
    said.ends_with(['?', '？', '؟', '吗'])
        || said.ends_with("까요")
        // An indirect question: `проверь, не осталось ли ссылок`.
        || said.contains(" ли ")
        || said.ends_with('か') && lowered.ends_with('。')
}

/// True if a sentence holds from now on, or each time where it addresses the agent or begins with a request.
pub(super) fn is_lasting(lowered: &str) -> bool {
    let has_label = begins_with_label(lowered);
    if asks_about(lowered) {
        return false;
    }
    if FROM_NOW_ON.is_in(lowered) || is_of_all_work(lowered) {
        return true;
    }
    // A label may have words for what was: `Was mir wichtig ist: ..`.
    let said = match has_label {
        true => lowered
            .split_once([':', '：'])
            .map_or(lowered, |(_, said)| said),
        false => lowered,
    };
    if REPORTS.is_in(&said.replace("было бы", "")) {
        return false;
    }
    let is_asked = || addresses(lowered) || is_final(lowered) || has_request(lowered);
    EACH_TIME.is_in(lowered) && (has_label || is_asked() && !addresses_state(lowered))
}

/// True if a request is for all that the agent writes: `wrap lines in every file you write`. The word for all comes first, but for
/// Chinese: `before you write any code` is of this time.
fn is_of_all_work(lowered: &str) -> bool {
    static ALL: LazyLock<Vocabulary> = LazyLock::new(|| {
        Vocabulary::of(
            "every, each, all, any, alle, allen, jede, jeden, jedes, jeder, jedem, chaque, tous, toutes, tout, cada, todos, todas, todo, \
             каждый, каждая, каждое, каждого, каждом, каждую, все, всех",
        )
    });
    const YOURS: &[&str] = &[
        " you write",
        " you create",
        " you add",
        " you touch",
        " you change",
        " you make",
        " you generate",
        " du schreibst",
        " du anlegst",
        " du erstellst",
        " du änderst",
        " du anfasst",
        " tu écris",
        " tu crées",
        " tu ajoutes",
        " tu modifies",
        " escribas",
        " crees",
        " añadas",
        " modifiques",
        " toques",
        " ты пишешь",
        " ты создаёшь",
        " ты создаешь",
        " ты добавляешь",
        " ты меняешь",
    ];
    let has = |words: &[&str]| words.iter().any(|word| lowered.contains(word));
    let is_chinese = has(&["每", "所有", "任何"]) && has(&["你写", "你创建", "你新建", "你修改"]);
    let mut places = YOURS.iter().filter_map(|yours| lowered.find(yours));
    let is_all = places.any(|at| lowered.get(..at).is_some_and(|before| ALL.is_in(before)));
    (is_chinese || is_all) && !REPORTS.is_in(lowered)
}

/// True if a sentence is nothing but a word for each time: `Ever.`, `Immer.`.
pub(in crate::voice) fn is_word_for_ever(lowered: &str) -> bool {
    words(lowered).nth(2).is_none() && !is_question(lowered) && EACH_TIME.is_in(lowered)
}

/// A sentence without the question for consent at its end: `.., okay?`.
pub(super) fn without_tag(lowered: &str) -> &str {
    const TAGS: &[&str] = &[
        "ok",
        "okay",
        "alright",
        "right",
        "deal",
        "please",
        "ja",
        "klar",
        "gut",
        "bitte",
        "d'accord",
        "compris",
        "vale",
        "de acuerdo",
        "ladno",
        "ладно",
        "хорошо",
        "договорились",
        "понятно",
        "好吗",
        "好么",
        "好嘛",
        "行吗",
        "可以吗",
        "明白吗",
        "知道吗",
        "tá",
        "va bene",
        "dobrze",
    ];
    let said = lowered.trim_end();
    let Some(said) = said.strip_suffix(['?', '？']) else {
        return lowered;
    };
    let Some((before, tag)) = said.rsplit_once([',', '，']) else {
        return lowered;
    };
    let tag = tag.trim().trim_start_matches('¿');
    if TAGS.contains(&tag) { before } else { lowered }
}

/// True if a sentence describes the agent or the user: `you always break it`.
fn addresses_state(lowered: &str) -> bool {
    const STATES: &[&str] = &["you always", "you never", "you ever", "i always", "i never"];
    has(lowered, STATES) && !has(lowered, &["please", "could you", "if you"])
}

/// True if a label makes the text after it last: `How I like to work: ..`.
fn begins_with_label(lowered: &str) -> bool {
    let label = lowered.split([':', '：']).next();
    let label = label.filter(|label| label.len() + 1 < lowered.trim_end().len());
    label.is_some_and(|label| words(label).nth(9).is_none())
}

/// True if a request ends with the word for it: `no print statements, ever`.
fn is_final(lowered: &str) -> bool {
    let lowered = lowered.trim_end_matches(['.', '!', '。', ' ']);
    let end = lowered.rsplit([',', '，']).next();
    let end = end.filter(|end| end.len() < lowered.len());
    end.is_some_and(|end| words(end).nth(2).is_none() && EACH_TIME.is_in(end))
}

/// True if a sentence has a verb in the form that asks.
fn has_request(lowered: &str) -> bool {
    // `używaj`, `используй`, `пишите`.
    const ASKS: &[&str] = &["aj", "uj", "ij", "ай", "уй", "яй", "йте", "ите"];
    const OTHERS: &[&str] = &[
        "tutaj",
        "wczoraj",
        "zwyczaj",
        "rodzaj",
        "случай",
        "урожай",
        "обычай",
    ];
    let asks = |word: &str| {
        word.chars().nth(3).is_some()
            && ASKS.iter().any(|end| word.ends_with(end))
            && !OTHERS.contains(&word)
    };
    // `rispondimi`, `ricordati`.
    let is_to_me = |word: &str| word.chars().nth(4).is_some() && word.ends_with("mi");
    // `before each commit, run the linter`
    let behind = || lowered.split_once(", ").map(|(_, behind)| behind);
    let is_asked_then = || {
        EACH_TIME.is_in(lowered.split(',').next().unwrap_or_default())
            && behind().is_some_and(super::super::ask::is_directive)
    };
    super::super::ask::is_directive(lowered)
        || is_asked_then()
        || words(lowered).any(asks)
        || words(lowered).next().is_some_and(is_to_me)
        || has_polish_request(lowered)
}

/// True if a word for each time is followed by a Polish verb in the form that asks: `zawsze bierz`, `nigdy nie rób`. What
/// says how things are ends in a vowel: `nigdy nie działa`.
fn has_polish_request(lowered: &str) -> bool {
    const OTHERS: &[&str] = &["jest", "tak", "jak", "był", "mam", "masz", "wiem"];
    let mut said = words(lowered).skip_while(|word| !matches!(*word, "zawsze" | "nigdy"));
    said.next();
    let verb = said.find(|word| *word != "nie");
    verb.is_some_and(|verb| {
        !verb.ends_with(['a', 'e', 'i', 'o', 'u', 'y', 'ą', 'ę', 'ó', 'ć'])
            && !OTHERS.contains(&verb)
    })
}
