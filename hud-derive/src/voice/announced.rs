//! Announced texts: a message of the user's announces one, or an answer of the agent's asks for one. The message after it may
//! be anybody's, whatever it looks like.

use std::sync::LazyLock;

use hud_store::text::floor_char_boundary;

use super::rule;
use super::speech;
use super::vocabulary::Vocabulary;
use super::words::{is_dense, lower, words};
use crate::prose::sentences;

/// The number of sentences at the end of a message that may announce a text.
const LAST: usize = 3;

/// The number of lines up to which a message has no text in it itself.
const LINES: usize = 6;

/// The number of bytes at the end of a message that are looked at.
const END: usize = 2_000;

/// Words that alone say that a text comes next.
static ANNOUNCES: LazyLock<Vocabulary> = LazyLock::new(|| {
    Vocabulary::of(
        "next message, coming up, incoming, comes next, right after this, in a sec, in a second, text follows, i'll paste, i will paste, \
         nächste nachricht, nächsten nachricht, füge gleich, text folgt, prochain message, je colle, texte arrive, texte suit, \
         próximo mensaje, siguiente mensaje, va el texto, próxima mensagem, prossimo messaggio, następnej wiadomości, \
         następną wiadomość, следующем сообщении, следующим сообщением, наступному повідомленні, sonraki mesaj*, volgende bericht, \
         الرسالة التالية, अगले संदेश, 下一条, 下条消息, 内容如下, 原文如下, 次のメッセージ, 次の投稿, 다음 메시지",
    )
});

/// Words for the text that follows.
static NEXT: LazyLock<Vocabulary> = LazyLock::new(|| {
    Vocabulary::of(
        "next, following, follows, below, coming, comes, about to, in a moment, \
         gleich, sofort, folgend*, folgt, nächste*, unten, suivant*, ci-dessous, juste après, siguiente*, continuación, abajo, \
         seguinte*, a seguir, abaixo, seguente, seguenti, qui sotto, następn*, zaraz, poniż*, следующ*, ниже, сейчас, \
         наступн*, нижче, зараз, volgende, hieronder, hier komt, aşağıda*, birazdan, sonraki, التالي, التالية, أدناه, नीचे, \
         下面, 接下来, 如下, 以下, 马上, 待会, 稍后, 下記, 次に, 次の, これから, 下の, 다음, 아래, 곧",
    )
});

/// Words by which the user hands over a text, beside a word for the user itself.
static HANDS: LazyLock<Vocabulary> = LazyLock::new(|| {
    Vocabulary::of(
        "paste, pasting, send, sending, forward, forwarding, copy, copying, post, posting, share, sharing, show, give, quote, quoting, \
         attach, attaching, drop, dump, zitier*, schick*, sende, leite, kopier*, füge, zeig*, poste, colle*, coller, envoie*, envoyer, copie, copier, transmets, \
         transférer, transfère, cite, montre*, pegar, enviar, mandar, copiar, mostrar, colar, copiare, incollare, inviare, mandare, \
         plak, stuur, kopieer, 引用, 发, 發, 贴, 貼, 转, 轉",
    )
});

/// Words for the user itself.
static USER: LazyLock<Vocabulary> = LazyLock::new(|| {
    Vocabulary::of("i, i'll, i'm, let me, ich, je, j'ai, ik, voy, vou, sto per, 我")
});

/// Words by which the user hands over a text, in the first person.
static I_HAND: LazyLock<Vocabulary> = LazyLock::new(|| {
    Vocabulary::of(
        "from me, for you, für dich, pour toi, para ti, для тебя, 给你, cito, pego, mando, envío, copio, reenvío, muestro, paso, colo, envio, encaminho, mostro, incollo, invio, inoltro, \
         пересылаю, отправляю, присылаю, копирую, вставляю, цитирую, пришлю, отправлю, вставлю, скину, скопирую, перешлю, покажу, кину, надішлю, перешлю, скопіюю, \
         wklej*, wyślę, przesyłam, prześlę, skopiuj*, yapıştırıyorum, gönderiyorum, atıyorum, göndereceğim, سأرسل, سألصق, \
         भेजता, भेजती, 送ります, 貼ります, 貼り付けます, 送る, 붙여넣을, 보낼, 올릴게",
    )
});

/// Words for texts.
static TEXTS: LazyLock<Vocabulary> = LazyLock::new(|| {
    Vocabulary::of(
        "message*, reply, replies, content, contents, contributing, specimen*, 句, 一句, inhalt, contenu, contenido, содержимое, note, notes, quote*, rule*, notice*, readme, answer*, sentence*, article*, review*, comment*, transcript*, thread*, \
         chat, speech, memo, log, page, nachricht*, aushang, regeln, notiz, satz, artikel, antwort, message, note, règles, \
         article, réponse, phrase, mensaje, nota, reglas, artículo, respuesta, frase, mensagem, regras, recado, messaggio, \
         regole, biglietto, wiadomoś*, zasad*, сообщени*, правил*, записк*, статью, ответ*, повідомлен*, лист, bericht, \
         regels, mesaj*, metin*, metni, kural*, رسالة, نص, संदेश, 消息, 内容, 文章, 规定, 信, 話, 文, メッセージ, 메시지, 글",
    )
});

/// Words for what the user was given.
static GIVEN: LazyLock<Vocabulary> = LazyLock::new(|| {
    Vocabulary::of(
        "got, received, answered, replied, geantwortet, répondu, respondió, ответил*, 回答我, 发给我, 写的, sent me, forwarded, bekommen, erhalten, geschickt, reçu, envoyé, recibí, mandó, envió, recebi, mandou, \
         ricevuto, mandato, dostał*, przysłał*, получил*, прислал*, отримав, надіслав, gekregen, gestuurd, gönderdi, 收到, 发来, \
         もらった, 届いた, 받았",
    )
});

/// Words that present what comes, at the beginning of a sentence.
static PRESENTS: LazyLock<Vocabulary> = LazyLock::new(|| {
    Vocabulary::of(
        "here, here's, ahí va, va la, va el, hier, voici, voilà, aquí, aqui, eis, ecco, вот, ось, oto, işte, 这是, 這是, これが, 여기",
    )
});

/// Words for this moment.
static NOW: LazyLock<Vocabulary> = LazyLock::new(|| {
    Vocabulary::of(
        "now, jetzt, nun, maintenant, ahora, agora, adesso, ora, сейчас, теперь, зараз, teraz, nu, şimdi, 现在, 今から, 지금",
    )
});

/// Words for the user as the receiver of a text.
static TO_USER: LazyLock<Vocabulary> = LazyLock::new(|| {
    Vocabulary::of(
        "me, mir, m'a, m'ont, moi, mi, мне, мені, mij, bana, لي, 我, 私に, 나에게, 저에게",
    )
});

/// Words by which the agent asks for a text.
static ASKS: LazyLock<Vocabulary> = LazyLock::new(|| {
    Vocabulary::of(
        "paste, send it, send me the, send the, share it, share the, \
         einfügen, füg ihn, füge ihn, füg sie, schick mir, schicke mir, schick ihn, colle*, envoie-moi, envoyez-moi, \
         pega, pégalo, pégame, envíame, envíamelo, cole, envie, incolla*, mandami, inviami, \
         вставь*, пришли*, скинь*, wklej*, wyślij, надішли*, plak, stuur, yapıştır*, gönder*, \
         أرسل, الصق, भेजें, भेजिए, 贴, 发给我, 发过来, 貼り付け, 貼って, 送って, 붙여, 보내 주, 보내주",
    )
});

/// Words by which the agent waits, which may be for a text or for an order.
static WAITS: LazyLock<Vocabulary> = LazyLock::new(|| {
    Vocabulary::of(
        "waiting for, ready for the, ready when you, go ahead, warte auf, j'attends, espero, aguardo, aspetto, жду, czekam, чекаю, \
         等你, お待ち, 기다",
    )
});

/// True if a message announces that the next one is a text.
pub(super) fn announces_text(text: &str) -> bool {
    let text = text.trim_end();
    let text = &text[floor_char_boundary(text, text.len().saturating_sub(END))..];
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let Some(last) = lines.last() else {
        return false;
    };
    if last.ends_with([':', '：']) || is_open(last) {
        return true;
    }
    let is_of_text = |line: &&str| line.starts_with(['>', '|']) || line.starts_with("```");
    if lines.len() > LINES || lines.iter().any(is_of_text) {
        return false;
    }
    let said: Vec<String> = lines
        .iter()
        .flat_map(|line| sentences(line))
        .map(lower)
        .collect();
    let has_text = said.iter().any(|said| is_of_texts(said));
    if asks_of_missing(&said, text) {
        return true;
    }
    said.iter()
        .rev()
        .take(LAST)
        .any(|said| is_announcing(said, has_text))
}

/// Words for what is asked of a sentence as language.
static LANGUAGE: LazyLock<Vocabulary> = LazyLock::new(|| {
    Vocabulary::of(
        "tense, grammatical*, clause*, imperative, subjunctive, adverb*, adjective*, noun*, wording, idiom*, \
         zeitform, konjunktiv, imperativ, satzbau, satzglied*, wortart*, tonfall, \
         conjug*, impératif, subjonctif, adverbe*, tournure, modo verbal, verbo, subjuntivo, imperativo, \
         наклонени*, глагол*, склонени*, подлежащ*, сказуем*, 句式, 语气, 时态, 语法, 主语, 谓语, 動詞, 時制, 문법",
    )
});

/// Words for one of several texts that come one after the other.
static ONE_OF: LazyLock<Vocabulary> = LazyLock::new(|| {
    Vocabulary::of(
        "the first, first one, the second one, the next one, the last one, number one, der erste, die erste, das erste, der nächste, \
         die nächste, das nächste, le premier, la première, le suivant, la suivante, el primero, la primera, el siguiente, la siguiente, \
         o primeiro, a primeira, il primo, la prima, первое, первый, первая, первую, следующее, 第一, 下一",
    )
});

/// True if a message asks something of one of several texts, or of the language of one, and has no text to which that could
/// refer: `Now comes the first one. Which tense is it in?`.
fn asks_of_missing(said: &[String], text: &str) -> bool {
    const MOST: usize = 3;
    let has_quotation = text.contains(['"', '“', '„', '«', '「', '`']);
    if has_quotation || said.len() > MOST {
        return false;
    }
    let comes = |said: &String| {
        ONE_OF.is_in(said)
            && (NEXT.is_in(said) || NOW.is_in(said) || PRESENTS.is_in(said))
            && !speech::is_work(said)
            && words(said).nth(12).is_none()
    };
    let asks = said.iter().any(|said| rule::asks_about(said));
    let is_of_language = said.iter().any(|said| LANGUAGE.is_in(said));
    said.iter().any(comes) && (asks || is_of_language) || asks && is_of_language
}

/// True if a sentence announces a text. `has_text`: the message speaks of one.
fn is_announcing(said: &str, has_text: bool) -> bool {
    if ANNOUNCES.is_in(said) {
        return true;
    }
    // The text is in the message itself.
    let behind = said.split([':', '：']).nth(1).unwrap_or_default();
    if !behind.trim().is_empty() || speech::is_work(said) {
        return false;
    }
    let is_next = NEXT.is_in(said);
    let begins = words(said).next().unwrap_or_default();
    // `t'envoyer`
    let apart = said.replace('\'', " ");
    let hands = I_HAND.is_in(said)
        || HANDS.is_in(&apart)
            && (USER.is_in(said) || HANDS.has(begins) && begins.ends_with("ing"));
    let is_given = speech::reports(said) || GIVEN.is_in(said);
    let is_now = is_next || NOW.is_in(said);
    let presents = PRESENTS.has(begins) || said.starts_with(['这', '這']) && PRESENTS.is_in(said);
    let is_short = words(said).nth(12).is_none();
    let ends_at_text = || {
        let last = words(said).last().unwrap_or_default();
        has_text && speech::points(last)
    };
    hands && (has_text || is_now || is_given || rule::addresses(said))
        || is_next && (has_text || is_short && rule::asks_about(said))
        || is_given && (speech::points(said) || is_short && TO_USER.is_in(said))
        || is_short && (presents || NOW.is_in(said) && has_text || ends_at_text())
}

/// True if a line breaks off: `My boss sent me this...`. A word or two of doubt do not.
fn is_open(line: &str) -> bool {
    let open = line.ends_with('…') || line.ends_with("...");
    let is_long = || words(line).nth(2).is_some() || line.contains(is_dense);
    open && is_long()
}

/// True if an answer of the agent's asks for a text, or waits for one.
pub(super) fn asks_for_text(said: &str) -> bool {
    let said = &said[floor_char_boundary(said, said.len().saturating_sub(END))..];
    let mut lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    let last = lines.next_back().unwrap_or_default();
    let last: Vec<&str> = sentences(last).collect();
    last.iter()
        .rev()
        .take(LAST)
        .map(|said| lower(said))
        .any(|said| ASKS.is_in(&said) || WAITS.is_in(&said) && is_of_texts(&said))
}

/// True if a sentence is about a text.
fn is_of_texts(said: &str) -> bool {
    TEXTS.is_in(said) || speech::handles_text(said) || LANGUAGE.is_in(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_announced_in_many_languages() {
        for text in [
            "My next message is a letter of hers.",
            "Here is what Bob wrote me.",
            "I'll forward you the mail of the customer in a second.",
            "Pasting their house rules now. Are they fair?",
            "My boss sent me these rules...",
            "What do you make of the following?",
            "In der nächsten Nachricht kommt ein Brief.",
            "Gleich schicke ich dir den Aushang.",
            "Je t'envoie le mail tout de suite.",
            "Resume lo que te voy a enviar.",
            "Сейчас пришлю письмо Боба.",
            "我马上把原文发过来。",
            "次のメッセージは手紙です。",
            "아래 글을 번역해 주세요.",
            "And here comes the next one. Is it polite?",
            "Jetzt folgt das erste. Ist das ein Imperativ?",
            "接下来是第一条，请看它的语气。",
        ] {
            assert!(announces_text(text), "{text}");
        }
        for text in [
            "Next, fix the message.",
            "Add a button below the message.",
            "Make the build green.",
            "Translate this: Guten Morgen",
            "Show the log in the page:\n```\nx\n```",
            "Hm...",
            "Send a mail when a build fails.",
            "Now fix the first one. Is it fast?",
            "Is it fast enough now?",
        ] {
            assert!(!announces_text(text), "{text}");
        }
    }

    #[test]
    fn an_agent_that_asks_for_a_text_is_understood() {
        for text in [
            "Sure! Please paste the message here.",
            "Gern. Ich warte auf den Text.",
            "好的，请把内容发给我。",
        ] {
            assert!(asks_for_text(text), "{text}");
        }
        assert!(!asks_for_text("I pasted it. All tests pass."));
        assert!(!asks_for_text(
            "Go ahead and tell me what you'd like to change!"
        ));
    }
}
