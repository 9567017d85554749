//! Closed-class words: what a statement has beside what it is about.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::token::words_of;

/// The part of a word in a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// It tells what the statement is about, or its value.
    #[default]
    Tells,
    /// A day, a month or a truth value: it is a value wherever it is.
    Fixed,
    /// It may be there or not: articles, prepositions, politeness.
    Idle,
    /// It says that something else holds, too.
    Adds,
    /// It bounds the number after it, or takes one.
    Bounds,
    /// It links a subject with its value.
    Links,
    /// It links a subject with anything that is said of it: a topic marker, a plural.
    Tops,
    /// It denies.
    Denies,
    /// It marks a correction.
    Corrects,
    /// It says that something holds at this time: a correction, or the next thing to do.
    Times,
    /// It stands before what no longer holds.
    Instead,
    /// It stands after what no longer holds.
    InsteadAfter,
    /// It begins a subject of which there are several.
    One,
    /// It stands before a purpose.
    Purpose,
    /// It asks for something to be used.
    Uses,
    /// It stands after a person's name.
    Title,
}

/// The words of each language, by their parts.
const LANGUAGES: &[&[(Role, &str)]] = &[
    &[
        (
            Role::Idle,
            "the|to|at|of|on|in|into|by|with|please|always|just|we|i|you|so|then|and|but|should|will|let's|we'll|ok|okay|us",
        ),
        (Role::Adds, "also|too|as well|additionally"),
        (
            Role::Bounds,
            "than|over|under|above|below|within|exceed|least|most|max|min|maximum|minimum|after|before|keep|retry|wait",
        ),
        (Role::Links, "is|be|equals|is called|is named|=|:"),
        (Role::Tops, "are|were"),
        (
            Role::Denies,
            "not|no|never|don't|dont|do not|without|avoid|isn't|mustn't",
        ),
        (
            Role::Corrects,
            "actually|instead|rather|sorry|correction|on second thought|on second thoughts|from now on|make that|after all|i meant|changed my mind",
        ),
        (Role::Times, "now|currently|as of now|as of today"),
        (
            Role::Instead,
            "instead of|rather than|no longer|in place of",
        ),
        (Role::One, "a|an|one|another|some|any|each|every"),
        (Role::Purpose, "for|as"),
        (Role::Uses, "use|take|pick|choose"),
        (
            Role::Fixed,
            "monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december|today|tomorrow|true|false|yes|enabled|disabled",
        ),
    ],
    &[
        (
            Role::Idle,
            "der|die|das|den|dem|des|am|im|in|um|bei|auf|zu|zum|zur|von|mit|bitte|immer|und|aber|mal|wir|du|ich|soll|dann|also",
        ),
        (Role::Adds, "auch|zusätzlich|außerdem"),
        (
            Role::Bounds,
            "maximal|minimal|behalte|über|unter|als|mehr|weniger|höchstens|mindestens|nach|vor|innerhalb",
        ),
        (
            Role::Links,
            "ist|sei|sein|lautet|heißt|heisst|liegt|beträgt",
        ),
        (Role::Tops, "sind"),
        (Role::Denies, "nicht|nie|niemals|kein|keine|keinen|ohne"),
        (
            Role::Corrects,
            "doch|doch lieber|lieber|stattdessen|eigentlich|nein|besser|ab jetzt|ab sofort|tut mir leid|korrektur|vielmehr|sorry",
        ),
        (Role::Times, "jetzt|nun|inzwischen|neuerdings"),
        (Role::Instead, "statt|anstatt|anstelle von|nicht mehr"),
        (Role::One, "ein|eine|einer|einen"),
        (Role::Purpose, "für|als"),
        (Role::Uses, "nimm|nimmt|nutze|benutze|verwende"),
        (
            Role::Fixed,
            "montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|januar|februar|märz|mai|juni|juli|oktober|dezember|heute|morgen|wahr|falsch|ja",
        ),
    ],
    &[
        (
            Role::Idle,
            "le|la|les|l|d|des|du|de|à|au|aux|en|dans|sur|avec|svp|s'il te plaît|toujours|et|mais|donc|on|nous|tu|je",
        ),
        (Role::Adds, "aussi|également"),
        (
            Role::Bounds,
            "garde|maximum|minimum|sous|moins|plus|dépasser|au-dessus|au-dessous|après|avant",
        ),
        (Role::Links, "est|être|soit|s'appelle|vaut"),
        (Role::Tops, "sont"),
        (Role::Denies, "ne|pas|jamais|sans|n|aucun|aucune"),
        (
            Role::Corrects,
            "plutôt|finalement|en fait|à la place|pardon|désolé|désormais|dorénavant|mieux|tout compte fait|correction",
        ),
        (Role::Times, "maintenant|à présent"),
        (
            Role::Instead,
            "au lieu de|au lieu des|plutôt que|et non|à la place de|à la place des",
        ),
        (Role::One, "un|une"),
        (Role::Purpose, "pour|comme"),
        (Role::Uses, "utilise|utilisez|prends|prenez"),
        (
            Role::Fixed,
            "lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|demain|vrai|faux|oui",
        ),
    ],
    &[
        (
            Role::Idle,
            "el|los|las|al|del|a|por favor|siempre|y|pero|nosotros|con|sobre",
        ),
        (Role::Adds, "también|además"),
        (
            Role::Bounds,
            "guarda|menos|más|superar|bajo|antes|después|máximo|mínimo",
        ),
        (Role::Links, "es|sea|ser|será|está|se llama"),
        (Role::Tops, "son|están"),
        (Role::Denies, "nunca|sin|ningún|ninguna|jamás"),
        (
            Role::Corrects,
            "mejor|en realidad|en cambio|más bien|al final|perdón|de hecho|a partir de ahora|de ahora en adelante|en su lugar|corrección",
        ),
        (Role::Times, "ahora|actualmente"),
        (Role::Instead, "en vez de|en lugar de|y no|ya no"),
        (Role::One, "uno|una"),
        (Role::Purpose, "para|como"),
        (Role::Uses, "usa|utiliza|usad|usemos"),
        (
            Role::Fixed,
            "lunes|martes|miércoles|jueves|viernes|sábado|domingo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|hoy|mañana|verdadero|falso|sí",
        ),
    ],
    &[
        (
            Role::Idle,
            "il|lo|gli|i|le|al|alle|alla|nel|nella|di|del|della|per favore|sempre|e|ma|con|su",
        ),
        (Role::Adds, "anche|pure"),
        (
            Role::Bounds,
            "massimo|minimo|meno|più|sotto|sopra|oltre|prima|dopo|superare",
        ),
        (Role::Links, "è|sia|essere|si chiama"),
        (Role::Tops, "sono"),
        (Role::Denies, "non|senza|nessun|nessuna"),
        (
            Role::Corrects,
            "invece|anzi|piuttosto|meglio|in realtà|scusa|alla fine|d'ora in poi|correzione",
        ),
        (Role::Times, "ora|adesso"),
        (
            Role::Instead,
            "invece di|invece che|anziché|al posto di|e non|non più",
        ),
        (Role::Purpose, "per|come"),
        (Role::Uses, "usa|usate|utilizza"),
        (
            Role::Fixed,
            "lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|oggi|domani|vero",
        ),
    ],
    &[
        (
            Role::Idle,
            "o|os|as|ao|do|da|dos|das|em|no|na|nos|nas|por favor|sempre|mas|com|sobre",
        ),
        (Role::Adds, "também|além disso"),
        (Role::Bounds, "mais|abaixo|acima|exceder|após|depois"),
        (Role::Links, "é|seja|fica|chama-se|se chama"),
        (Role::Tops, "são"),
        (Role::Denies, "não|nunca|sem|nenhum|nenhuma"),
        (
            Role::Corrects,
            "na verdade|melhor|aliás|desculpa|desculpe|em vez disso|a partir de agora|daqui em diante|correção",
        ),
        (Role::Times, "agora|atualmente"),
        (Role::Instead, "em vez de|ao invés de|em lugar de|já não"),
        (Role::One, "um|uma"),
        (Role::Purpose, "para|como"),
        (Role::Uses, "use|usa|utilize"),
        (
            Role::Fixed,
            "segunda-feira|terça-feira|quarta-feira|quinta-feira|sexta-feira|segunda|terça|quarta|quinta|sexta|domingo|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro|hoje|amanhã|verdadeiro|sim",
        ),
    ],
    &[
        (
            Role::Idle,
            "в|во|на|к|ко|с|со|по|и|а|но|же|пожалуйста|всегда|мы|ты|нужно|надо",
        ),
        (Role::Adds, "тоже|также|ещё|еще"),
        (
            Role::Bounds,
            "максимум|минимум|больше|меньше|более|менее|выше|ниже|свыше|до|после",
        ),
        (Role::Links, "быть|будет|это|равен|равна|называется|—|–|-"),
        (Role::Denies, "не|никогда|нельзя|без|нет"),
        (
            Role::Corrects,
            "лучше|всё-таки|все-таки|на самом деле|вместо этого|точнее|вернее|извини|извините|отныне|с этого момента|впредь|передумал|передумала|нет",
        ),
        (Role::Times, "теперь|сейчас"),
        (Role::Instead, "вместо|а не|больше не"),
        (Role::Purpose, "для|как"),
        (Role::Uses, "используй|используйте|возьми|бери"),
        (
            Role::Fixed,
            "понедельник|вторник|среда|среду|четверг|пятница|пятницу|суббота|субботу|воскресенье|января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря|сегодня|завтра|да",
        ),
    ],
    &[
        (Role::Idle, "的|了|吧|请|到|在|就|都|我们|要|应该|把"),
        (Role::Adds, "也|另外"),
        (Role::Links, "是|为|叫|设为|等于"),
        (Role::Denies, "不|别|勿|没|无|禁"),
        (
            Role::Corrects,
            "改|改成|改为|改用|换成|其实|还是|不对|更正|从现在起|从现在开始|以后|今后|反而",
        ),
        (Role::Times, "现在|目前|如今"),
        (Role::Instead, "而不是|不是|不要用|代替|不再"),
        (
            Role::Fixed,
            "周一|周二|周三|周四|周五|周六|周日|星期一|星期二|星期三|星期四|星期五|星期六|星期日|星期天|今天|明天",
        ),
    ],
    &[
        (
            Role::Idle,
            "を|に|へ|で|が|の|と|です|ます|だ|ください|する|して|した",
        ),
        (Role::Adds, "も"),
        (Role::Tops, "は"),
        (Role::Denies, "ない|ません|禁止|ず"),
        (
            Role::Corrects,
            "やっぱり|やはり|代わりに|実は|これからは|今後は|変更|に変更|訂正|むしろ",
        ),
        (Role::Times, "今は|現在は|今|いまは"),
        (Role::InsteadAfter, "ではなく|じゃなく|でなく|の代わりに"),
        (Role::Title, "さん|様|氏|くん"),
        (
            Role::Fixed,
            "月曜日|火曜日|水曜日|木曜日|金曜日|土曜日|日曜日|月曜|火曜|水曜|木曜|金曜|土曜|日曜|今日|明日",
        ),
    ],
    &[
        (Role::Idle, "을|를|이|가|에|의|로|으로|좀|해"),
        (Role::Adds, "도|또한"),
        (Role::Links, "입니다|이다|이에요|예요"),
        (Role::Tops, "는|은"),
        (Role::Denies, "마|말|않|못|금지"),
        (
            Role::Corrects,
            "아니|사실|사실은|차라리|앞으로는|앞으로|변경",
        ),
        (Role::Times, "이제|이제는|지금은|지금"),
        (Role::InsteadAfter, "대신|대신에|말고|이 아니라|가 아니라"),
        (Role::Title, "님|씨"),
        (
            Role::Fixed,
            "월요일|화요일|수요일|목요일|금요일|토요일|일요일|오늘|내일",
        ),
    ],
];

/// A word or several, with the part that they have.
struct Phrase {
    words: Vec<String>,
    role: Role,
}

/// The phrases that begin with a word, the longest first.
static PHRASES: LazyLock<HashMap<String, Vec<Phrase>>> = LazyLock::new(|| {
    let mut phrases: HashMap<String, Vec<Phrase>> = HashMap::new();
    for (role, listed) in LANGUAGES.iter().copied().flatten() {
        for phrase in listed.split('|') {
            let words = words_of(phrase);
            if let Some(first) = words.first() {
                let role = *role;
                let of_first = phrases.entry(first.clone()).or_default();
                of_first.push(Phrase { words, role });
            }
        }
    }
    for of_first in phrases.values_mut() {
        // Those of the same words stay in the order of the languages.
        of_first.sort_by_key(|phrase| std::cmp::Reverse(phrase.words.len()));
    }
    phrases
});

/// The part of the words that a statement goes on with, and how many words they are.
pub(super) fn role<'t>(words: impl Iterator<Item = &'t str> + Clone) -> (Role, usize) {
    let first = words.clone().next();
    let of_first = first.and_then(|first| PHRASES.get(first));
    let is_it = |phrase: &&Phrase| {
        let length = phrase.words.len();
        let said = words.clone().take(length);
        said.eq(phrase.words.iter().map(String::as_str))
    };
    let found = of_first.and_then(|phrases| phrases.iter().find(is_it));
    found.map_or((Role::Tells, 1), |phrase| (phrase.role, phrase.words.len()))
}
