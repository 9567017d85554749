//! Whether the agent says that something works again.

use hud_store::text::beginning;

use super::super::alike::Words;

/// Whether a sentence says that something works again, and not that it shall.
pub(super) fn says_mended(lower: &str) -> bool {
    const MENDED: &[&str] = &[
        "resolved",
        "fixed",
        "corrected",
        "mended",
        "no longer",
        "works now",
        "now works",
        "works again",
        "behoben",
        "repariert",
        "gelöst",
        "funktioniert jetzt",
        "funktioniert wieder",
        "läuft wieder",
        "corrigé",
        "résolu",
        "réparé",
        "fonctionne maintenant",
        "fonctionne à nouveau",
        "ne plante plus",
        "corregid",
        "arreglad",
        "solucionad",
        "resuelt",
        "ya funciona",
        "ya no falla",
        "vuelve a funcionar",
        "funciona de nuevo",
        "corrigid",
        "resolvid",
        "risolt",
        "исправ",
        "починил",
        "устранен",
        "устранён",
        "теперь работает",
        "снова работает",
        "修复",
        "已解决",
        "解决了",
        "恢复正常",
        "修好",
        "修正しました",
        "直しました",
        "解決しました",
        "تم إصلاح",
        "أصلحت",
        "تم حل",
        "يعمل الآن",
        "수정했",
        "고쳤",
        "해결했",
    ];
    const NOT_YET: &[&str] = &[
        "should",
        "will",
        "would",
        "to be ",
        "if ",
        "ensure",
        "verify",
        "confirm whether",
        "not ",
        "n't ",
        "once",
        "until",
        "need",
        "?",
        "sollte",
        "muss ",
        "wenn ",
        "falls ",
        "devrait",
        "il faut",
        "debería",
        "hay que",
        "если",
        "нужно",
        "надо",
        "должн",
        "исправлю",
        "исправить",
        "需要",
        "应该",
        "如果",
        "还没",
        "必要",
        "はず",
        "まだ",
        "سوف",
        "يجب",
    ];
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    says(MENDED) && !says(NOT_YET)
}

/// The words of a text, and of each name the words that it is put together of: `SyntaxError` is a syntax
/// error.
pub(super) fn parts_of_words(text: &str) -> Words {
    let mut parted = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    for c in beginning(text, 2_000).chars() {
        if c.is_uppercase() && before.is_lowercase() {
            parted.push(' ');
        }
        parted.push(if c == '_' { ' ' } else { c });
        before = c;
    }
    Words::of(&parted)
}
