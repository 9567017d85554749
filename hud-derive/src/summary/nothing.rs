//! Placeholders: what stands under a heading that has nothing to say, in whatever shape.

/// Whether a text only says that there is nothing: `None.`, `[TBD]`, `N/A - nothing was asked`, `No errors encountered`.
///
/// It begins with a word for nothing and then ends, or goes on with a mark or a word that says no more. `None of the
/// tests cover X: add three` goes on otherwise, and `No new dependencies` names nothing that a summary counts.
pub(super) fn is_nothing(text: &str) -> bool {
    let said = bare(text);
    if !said.contains(char::is_alphanumeric) || is_placeholder(text) {
        return true;
    }
    let lower = said.to_lowercase();
    let lower = without_opening(&lower);
    has_nothing(lower) || counts_none(lower) || counts_none_dense(lower)
}

/// Whether a text only says that all is done: nothing comes next then.
pub(super) fn is_all_done(text: &str) -> bool {
    const ALL: &[&str] = &[
        "all",
        "everything",
        "alle",
        "alles",
        "tout",
        "toutes",
        "tous",
        "todo",
        "todos",
        "todas",
        "tudo",
        "tutto",
        "tutti",
        "всё",
        "все",
        "全部",
        "所有",
        "すべて",
        "全て",
        "모든",
        "모두",
    ];
    const DONE: &[&str] = &[
        "complete",
        "done",
        "finished",
        "implemented",
        "addressed",
        "resolved",
        "erledigt",
        "abgeschlossen",
        "fertig",
        "terminé",
        "achevé",
        "completad",
        "terminad",
        "hecho",
        "conclu",
        "completat",
        "выполнен",
        "заверш",
        "готов",
        "сделан",
        "完成",
        "完了",
        "완료",
    ];
    const UNLESS: &[&str] = &[
        "once",
        "when",
        "until",
        "after",
        "before",
        "except",
        "but",
        "not",
        "sobald",
        "bis",
        "nicht",
        "aber",
        "quand",
        "mais",
        "pas",
        "cuando",
        "pero",
        "no",
        "когда",
        "но",
        "не",
    ];
    let lower = bare(text).to_lowercase();
    let begins = ALL.iter().any(|word| {
        let rest = lower.strip_prefix(word);
        rest.is_some_and(|rest| is_dense(word) || !rest.starts_with(char::is_alphanumeric))
    });
    let is_short = lower.split_whitespace().nth(14).is_none() && lower.chars().nth(110).is_none();
    begins
        && is_short
        && DONE.iter().any(|word| lower.contains(word))
        && !words(&lower).any(|word| UNLESS.contains(&word))
}

/// Words for nothing.
const NOTHING: &[&str] = &[
    "none",
    "n/a",
    "nil",
    "null",
    "nothing",
    "not applicable",
    "not available",
    "not specified",
    "not provided",
    "not determined",
    "empty",
    "keine",
    "keiner",
    "keines",
    "nichts",
    "entfällt",
    "nicht zutreffend",
    "aucun",
    "aucune",
    "rien",
    "néant",
    "sans objet",
    "ninguno",
    "ninguna",
    "nada",
    "no aplica",
    "nenhum",
    "nenhuma",
    "não aplicável",
    "não se aplica",
    "nessuno",
    "nessuna",
    "niente",
    "нет",
    "ничего",
    "отсутствует",
    "отсутствуют",
    "не применимо",
    "geen",
    "niets",
    "inga",
    "inget",
    "brak",
    "žádné",
    "yok",
    "لا شيء",
    "لا يوجد",
    "कोई नहीं",
    "无",
    "無",
    "没有",
    "沒有",
    "暂无",
    "暫無",
    "不适用",
    "なし",
    "無し",
    "特になし",
    "ありません",
    "該当なし",
    "없음",
    "없습니다",
    "해당 없음",
];

/// Placeholders that stand alone: behind `TODO:` is something to do.
const ALONE: &[&str] = &[
    "tbd",
    "tba",
    "tbc",
    "todo",
    "to do",
    "na",
    "to be determined",
    "to be decided",
    "to be defined",
    "to be confirmed",
    "to be filled",
    "unknown",
    "placeholder",
    "wird ergänzt",
    "à définir",
    "à compléter",
    "por definir",
    "por determinar",
    "a definir",
    "не определено",
    "待定",
    "待补充",
    "未定",
    "미정",
    "추후 결정",
];

/// Words behind one for nothing that say no more.
const FURTHER: &[&str] = &[
    "explicitly",
    "currently",
    "at",
    "so",
    "yet",
    "pending",
    "outstanding",
    "remaining",
    "remains",
    "known",
    "left",
    "identified",
    "needed",
    "required",
    "requested",
    "specified",
    "recorded",
    "found",
    "reported",
    "right",
    "for",
    "as",
    "to report",
    "noted",
    "mentioned",
    "applicable",
    "available",
    "open",
    "further",
    "more",
    "else",
    "observed",
    "encountered",
    "given",
    "stated",
    "set",
    "made",
    "beyond",
    "really",
    "special",
    "specific",
    "new",
    "major",
    "significant",
    "important",
    "during",
    "other",
    "additional",
    "were",
    "was",
    "have",
    "has",
    "are",
    "is",
    "this",
    "aktuell",
    "derzeit",
    "momentan",
    "bisher",
    "offen",
    "weiteren",
    "weiteres",
    "bekannt",
    "actuellement",
    "pour",
    "en",
    "à",
    "connu",
    "connue",
    "restant",
    "restante",
    "por",
    "actualmente",
    "pendiente",
    "pendientes",
    "hasta",
    "de momento",
    "conocido",
    "atualmente",
    "no momento",
    "pendente",
    "al",
    "пока",
    "сейчас",
    "на",
    "больше",
    "известно",
    "нет",
    "encontrado",
    "encontrados",
    "encontrada",
    "encontradas",
    "identificado",
    "registrado",
    "registrada",
    "trouvé",
    "trouvée",
    "trouvées",
    "rencontrée",
    "détectée",
    "trovato",
    "trovati",
    "aufgetreten",
    "gefunden",
    "vorhanden",
    "обнаружено",
    "найдено",
];

/// What a summary counts, as words begin.
const COUNTED: &[&str] = &[
    "error",
    "blocker",
    "blocking",
    "task",
    "step",
    "issue",
    "decision",
    "question",
    "problem",
    "item",
    "constraint",
    "instruction",
    "preference",
    "requirement",
    "rule",
    "finding",
    "note",
    "failure",
    "warning",
    "todo",
    "to-do",
    "action",
    "work",
    "information",
    "plan",
    "goal",
    "request",
    "discover",
    "concern",
    "follow-up",
    "next",
    "fehler",
    "blockade",
    "aufgabe",
    "schritt",
    "entscheidung",
    "frage",
    "punkt",
    "vorgabe",
    "anweisung",
    "hinweis",
    "erreur",
    "blocage",
    "bloqueur",
    "tâche",
    "étape",
    "problème",
    "décision",
    "contrainte",
    "consigne",
    "bloqueo",
    "tarea",
    "paso",
    "problema",
    "decisi",
    "pregunta",
    "restricci",
    "instrucci",
    "pendiente",
    "erro",
    "bloqueio",
    "tarefa",
    "passo",
    "pergunta",
    "restriç",
    "pendên",
    "errori",
    "blocchi",
    "attività",
    "passi",
    "problemi",
    "domande",
    "ошиб",
    "блокер",
    "задач",
    "шаг",
    "проблем",
    "решени",
    "вопрос",
    "ограничени",
    "препятстви",
];

/// What comes before what is counted and says no more of it.
const SIDE: &[&str] = &[
    "special",
    "specific",
    "particular",
    "other",
    "further",
    "explicit",
    "additional",
    "pending",
    "outstanding",
    "open",
    "remaining",
    "known",
    "major",
    "new",
    "active",
    "current",
    "unresolved",
    "critical",
    "key",
    "immediate",
    "user",
    "offenen",
    "offene",
    "weiteren",
    "weitere",
    "bekannten",
    "bekannte",
    "besonderen",
    "autre",
    "autres",
    "nouvelle",
    "nouveau",
    "otros",
    "otras",
    "nuevos",
    "outros",
    "outras",
    "новых",
    "открытых",
    "других",
    "известных",
];

/// Words that deny what comes behind them.
const DENIES: &[&str] = &[
    "no",
    "keine",
    "kein",
    "keinen",
    "keinerlei",
    "aucun",
    "aucune",
    "pas de",
    "pas d'",
    "sin",
    "ningún",
    "ninguna",
    "sem",
    "nenhum",
    "nenhuma",
    "nessun",
    "nessuna",
    "nessuno",
    "нет",
    "без",
    "никаких",
    "geen",
    "inga",
];

/// A text without the marks and brackets around it.
fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| {
        c.is_whitespace() || (!c.is_alphanumeric() && !matches!(c, '/' | '\'' | '’'))
    })
}

/// Whether all of a text is a placeholder in brackets that names nothing: `[TBD]`, `<decisions, if any>`.
fn is_placeholder(text: &str) -> bool {
    let text = text.trim().trim_matches(['*', '_', '.', ' ']);
    let inner = [
        ('[', ']'),
        ('<', '>'),
        ('{', '}'),
        ('【', '】'),
        ('［', '］'),
    ]
    .into_iter()
    .find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close));
    inner.is_some_and(|inner| {
        inner.split_whitespace().nth(6).is_none()
            && inner.chars().nth(60).is_none()
            && !inner.contains(['/', '.', '`', '(', '[', '<'])
            && !inner.contains(|c: char| c.is_ascii_digit())
    })
}

/// A text behind `there are`, as far as it begins so.
fn without_opening(lower: &str) -> &str {
    const OPENINGS: &[&str] = &[
        "there is ",
        "there are ",
        "there were ",
        "currently ",
        "es gibt ",
        "il n'y a ",
        "il n’y a ",
        "no hay ",
        "não há ",
        "non ci sono ",
        "目前",
        "当前",
        "現在",
        "현재 ",
    ];
    let opening = OPENINGS
        .iter()
        .find_map(|opening| lower.strip_prefix(opening));
    // `No hay errores` denies by its opening.
    match opening {
        Some(rest)
            if !lower.starts_with("no hay")
                && !lower.starts_with("não")
                && !lower.starts_with("non ") =>
        {
            rest
        }
        _ => lower,
    }
}

/// Whether a text begins with a word for nothing, and says no more.
fn has_nothing(lower: &str) -> bool {
    if ALONE.contains(&lower) {
        return true;
    }
    NOTHING.iter().any(|word| {
        let Some(rest) = lower.strip_prefix(word) else {
            return false;
        };
        let behind = rest.trim_start();
        let ends = behind.is_empty() || behind.starts_with(|c: char| !c.is_alphanumeric());
        let is_apart = rest.len() > behind.len() || behind.is_empty() || ends;
        ends || (is_apart && begins_any(behind, FURTHER) && says_no_more(behind))
    })
}

/// Whether what is behind a word for nothing has no point of its own: `known, so retry` has one.
fn says_no_more(behind: &str) -> bool {
    behind.split_whitespace().nth(16).is_none()
}

/// Whether a text denies what a summary counts, and says no more: `No pending tasks`, `keine offenen Fragen`.
fn counts_none(lower: &str) -> bool {
    let denied = ["no hay", "não há", "non ci sono"]
        .iter()
        .chain(DENIES)
        .find_map(|word| {
            let rest = lower.strip_prefix(word)?;
            (rest.starts_with(' ') || word.ends_with('\'')).then_some(rest.trim_start())
        });
    let Some(denied) = denied else { return false };
    let clause = denied
        .split(['.', ';', ':', '(', '—', '–'])
        .next()
        .unwrap_or(denied);
    let clause = clause.split(" - ").next().unwrap_or(clause);
    let mut said = words(clause).peekable();
    while said.peek().is_some_and(|word| SIDE.contains(word)) {
        said.next();
    }
    let is_counted = |word: &str| COUNTED.iter().any(|counted| word.starts_with(counted));
    let Some(_) = said.next_if(|word| is_counted(word)) else {
        return false;
    };
    // `No errors or blockers`, `no next steps`.
    while said
        .next_if(|word| {
            is_counted(word)
                || [
                    "or", "and", "oder", "und", "ou", "et", "o", "y", "e", "или", "и",
                ]
                .contains(word)
        })
        .is_some()
    {}
    let rest: Vec<&str> = said.collect();
    rest.first().is_none_or(|word| FURTHER.contains(word))
        || rest.starts_with(&["from", "the", "user"])
}

/// The same where no spaces part words, or where what denies comes last: `没有错误`, `エラーはありません`, `오류 없음`.
fn counts_none_dense(lower: &str) -> bool {
    const COUNTS: &[&str] = &[
        "错误",
        "錯誤",
        "阻塞",
        "阻碍",
        "任务",
        "任務",
        "步骤",
        "步驟",
        "问题",
        "問題",
        "决定",
        "決定",
        "决策",
        "限制",
        "约束",
        "待办",
        "事项",
        "要求",
        "エラー",
        "ブロッカー",
        "タスク",
        "ステップ",
        "課題",
        "制約",
        "指示",
        "項目",
        "質問",
        "作業",
        "오류",
        "차단",
        "작업",
        "단계",
        "문제",
        "결정",
        "제약",
        "질문",
        "지시",
    ];
    const DENY: &[&str] = &[
        "没有",
        "沒有",
        "无",
        "無",
        "暂无",
        "未",
        "なし",
        "ありません",
        "ない",
        "ございません",
        "없음",
        "없습니다",
        "없다",
    ];
    lower.chars().nth(24).is_none()
        && COUNTS.iter().any(|word| lower.contains(word))
        && DENY
            .iter()
            .any(|word| lower.starts_with(word) || lower.ends_with(word))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '\'' | '’')))
        .filter(|word| !word.is_empty())
}

fn begins_any(text: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| {
        let rest = text.strip_prefix(phrase);
        rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    })
}

/// Whether a word is of a script in which no spaces part words.
fn is_dense(word: &str) -> bool {
    word.chars().all(|c| u32::from(c) >= 0x2E80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_in_any_shape_and_language_say_nothing() {
        for said in [
            "None",
            "none.",
            "(none)",
            "**None**",
            "None explicitly pending",
            "None - all requested work was done",
            "None. All of it is merged",
            "None at this time",
            "None, the user asked for nothing else",
            "N/A",
            "N/A - no task was open",
            "[TBD]",
            "[None]",
            "<decisions, if any>",
            "{{ steps }}",
            "TBD",
            "-",
            "—",
            "...",
            "Nothing pending",
            "Nothing further to do",
            "No errors encountered.",
            "No blockers",
            "No open questions",
            "No pending tasks were left",
            "No outstanding issues or blockers",
            "There are no pending tasks.",
            "There is nothing left",
            "No explicit pending tasks from the user",
            "Not applicable",
            "Keine",
            "Keine offenen Punkte",
            "Keine Fehler bekannt",
            "Nichts offen",
            "Entfällt",
            "Aucune tâche en attente",
            "Aucun",
            "Rien pour le moment",
            "Ninguno por ahora",
            "No hay errores",
            "Ninguna tarea pendiente",
            "Nenhum erro encontrado",
            "Nessun problema",
            "Нет",
            "Нет открытых вопросов",
            "Ничего",
            "无",
            "没有错误",
            "暂无待办事项",
            "目前没有问题",
            "なし",
            "特になし",
            "エラーはありません",
            "없음",
            "오류 없음",
            "해당 없음",
            "لا شيء",
        ] {
            assert!(is_nothing(said), "{said}");
        }
    }

    #[test]
    fn what_begins_like_a_placeholder_and_says_something_is_kept() {
        for said in [
            "None of the tests cover retries: add three",
            "Nothing works on Windows since the upgrade",
            "No new dependencies",
            "No tests for the retry of the client",
            "No errors in the log of the worker",
            "No changes to the public API",
            "No retries in `client.rs`",
            "TODO: add the tests",
            "[ci] pin the runner",
            "Null checks in `parse()`",
            "Keine neuen Abhängigkeiten",
            "Aucun test ne couvre le cache",
            "No toques la base de datos",
            "Нет тестов для парсера",
            "没有测试覆盖缓存",
            "キャッシュのテストがない",
            "Empty lines break the parser",
            "Nada funciona sin Redis",
            "No commits on main",
        ] {
            assert!(!is_nothing(said), "{said}");
        }
    }

    #[test]
    fn what_says_that_all_is_done_is_no_step() {
        for said in [
            "All requested tasks have been completed.",
            "All done",
            "Everything is finished",
            "Alles erledigt",
            "Todas las tareas están completadas",
            "Все задачи выполнены",
            "全部完成",
            "すべて完了しました",
            "모든 작업 완료",
        ] {
            assert!(is_all_done(said), "{said}");
        }
        for said in [
            "Run all tests once the parser is done",
            "All but the docs are done",
            "Allow completed jobs to be listed",
            "Ship it",
            "All tests have to pass",
        ] {
            assert!(!is_all_done(said), "{said}");
        }
    }
}
