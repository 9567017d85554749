//! What is under a heading, by the words of the heading.

use std::sync::LazyLock;

use crate::cues::Cues;

/// What a part of a summary is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// What is to be reached.
    Task,
    /// What the user said.
    Said,
    /// What the work has to keep to.
    Rules,
    /// Rules, and how things are done here.
    Instructions,
    Decisions,
    Findings,
    Done,
    /// What is being done at this moment.
    Now,
    Next,
    Files,
    /// Other parts: a heading over all, or what was thought before it was written.
    Whole,
}

/// Words that headings have, by kind. Of several in one heading the first counts, and of two that begin
/// at the same place the longer one.
const WORDS: &[(Kind, &[&str])] = &[
    (
        Kind::Next,
        &[
            "next",
            "pending",
            "remain",
            "to do",
            "to-do",
            "todo",
            "left to do",
            "outstanding",
            "open task",
            "open item",
            "open question",
            "open thread",
            "not done",
            "not yet",
            "unfinished",
            "still to",
            "plan",
            "task state",
            "task list",
            "blocked",
            "nächste",
            "offen",
            "ausstehend",
            "noch zu tun",
            "prochain",
            "reste à",
            "restant",
            "à faire",
            "próxim",
            "pendient",
            "pendent",
            "por hacer",
            "faltan",
            "下一步",
            "待办",
            "待辦",
            "未完成",
            "剩余",
            "次の",
            "残り",
            "今後",
            "未完了",
            "следующ",
            "осталось",
            "дальше",
            "план",
            "다음",
            "남은",
        ],
    ),
    (
        Kind::Said,
        &[
            "user message",
            "all user",
            "user said",
            "messages of the user",
            "user's words",
            "user feedback",
            "nachrichten des",
            "messages de l",
            "mensajes del",
            "用户消息",
            "用户的消息",
            "ユーザーの",
            "сообщения",
        ],
    ),
    (
        Kind::Now,
        &[
            "current work",
            "in progress",
            "currently",
            "current state",
            "current status",
            "current focus",
            "working on",
            "where we are",
            "aktuell",
            "in arbeit",
            "en cours",
            "en curso",
            "estado actual",
            "当前",
            "當前",
            "正在",
            "現在",
            "作業中",
            "текущ",
            "진행",
            "현재",
        ],
    ),
    (
        Kind::Files,
        &[
            "file",
            "relevant files",
            "modified files",
            "artifact",
            "director",
            "code section",
            "dateien",
            "fichier",
            "archivo",
            "fichero",
            "arquivo",
            "文件",
            "ファイル",
            "файл",
            "파일",
        ],
    ),
    (
        Kind::Decisions,
        &[
            "decision",
            "key decision",
            "decided",
            "choices",
            "approach",
            "entscheid",
            "décision",
            "decisi",
            "decisõ",
            "决定",
            "決定",
            "решени",
            "결정",
        ],
    ),
    (
        Kind::Done,
        &[
            "accomplish",
            "done",
            "completed",
            "achieve",
            "finished",
            "progress",
            "current progress",
            "changes",
            "what was done",
            "what i did",
            "work done",
            "recent action",
            "steps taken",
            "erledigt",
            "fertig",
            "umgesetzt",
            "erreicht",
            "getan",
            "fait",
            "accompli",
            "terminé",
            "réalisé",
            "hecho",
            "completad",
            "realizad",
            "logrado",
            "feito",
            "已完成",
            "完成",
            "完了",
            "実施",
            "やったこと",
            "сделан",
            "выполнен",
            "готово",
            "완료",
        ],
    ),
    (
        Kind::Rules,
        &[
            "constraint",
            "rule",
            "preference",
            "requirement",
            "guideline",
            "vorgaben",
            "regeln",
            "einschränkung",
            "anweisung",
            "contrainte",
            "consigne",
            "règle",
            "restriccion",
            "regla",
            "instruccion",
            "restriç",
            "约束",
            "規則",
            "规则",
            "制約",
            "指示",
            "ルール",
            "要求",
            "огранич",
            "правил",
            "требован",
            "указани",
            "제약",
            "규칙",
        ],
    ),
    (Kind::Instructions, &["instruction"]),
    (
        Kind::Task,
        &[
            "goal",
            "task",
            "current task",
            "current goal",
            "primary request",
            "request",
            "user request",
            "objective",
            "intent",
            "purpose",
            "mission",
            "ziel",
            "aufgabe",
            "auftrag",
            "objectif",
            "tâche",
            "demande",
            "objetivo",
            "tarea",
            "tarefa",
            "目标",
            "目標",
            "任务",
            "任務",
            "タスク",
            "目的",
            "依頼",
            "課題",
            "цель",
            "задач",
            "запрос",
            "목표",
            "작업",
        ],
    ),
    (
        Kind::Findings,
        &[
            "discover",
            "finding",
            "learn",
            "found",
            "knowledge",
            "insight",
            "concept",
            "context",
            "problem",
            "error",
            "cause",
            "root cause",
            "fix",
            "issue",
            "note",
            "state",
            "fact",
            "reference",
            "result",
            "observation",
            "important",
            "erkenntnis",
            "befund",
            "gelernt",
            "herausgefunden",
            "fehler",
            "ursache",
            "découvert",
            "constat",
            "erreur",
            "cause",
            "hallazgo",
            "descubri",
            "descobert",
            "aprendi",
            "causa",
            "发现",
            "發現",
            "原因",
            "错误",
            "錯誤",
            "问题",
            "問題",
            "分かった",
            "発見",
            "知見",
            "エラー",
            "наход",
            "выясн",
            "ошибк",
            "причин",
            "обнаруж",
            "발견",
            "오류",
            "원인",
        ],
    ),
    (
        Kind::Whole,
        &[
            "analysis",
            "summary",
            "state snapshot",
            "conversation",
            "overview",
            "zusammenfassung",
            "résumé",
            "resumen",
            "摘要",
            "要約",
            "сводка",
            "итог",
            "요약",
        ],
    ),
];

impl Kind {
    /// The kind of what is under a heading or label; none if nothing in it says so.
    pub(super) fn of(label: &str) -> Option<Self> {
        static CUES: LazyLock<Cues<Kind>> = LazyLock::new(|| {
            let each = WORDS
                .iter()
                .flat_map(|(kind, words)| words.iter().map(|word| (*word, *kind)));
            Cues::new(each)
        });
        let lower = label.to_lowercase().replace('_', " ");
        let mut first: Option<(usize, usize, Self)> = None;
        for (at, word, kind) in CUES.within(&lower) {
            match first {
                Some((other, ..)) if at > other => break,
                Some((_, length, _)) if word.len() <= length => {}
                _ if begins(&lower, at, word) => first = Some((at, word.len(), kind)),
                _ => {}
            }
        }
        first.map(|(_, _, kind)| kind)
    }

    /// The label that a text begins with and what is behind its colon, where the label is short and names
    /// a kind: `Next: run the tests`.
    pub(super) fn label(text: &str) -> Option<(&str, &str)> {
        let end = text.find([':', '：'])?;
        let (label, behind) = text.split_at(end);
        let behind = behind.trim_start_matches([':', '：']);
        let is_short = label.len() <= 60 && label.split_whitespace().count() <= 4;
        // A path, an address or a place in a file has a colon, too.
        let is_label = label
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '/' | '&'));
        let is_apart =
            behind.is_empty() || behind.starts_with(char::is_whitespace) || !label.is_ascii();
        (is_short && is_label && is_apart && begins_upper(label) && Self::of(label).is_some())
            .then(|| (label, behind.trim()))
    }
}

fn begins_upper(label: &str) -> bool {
    label
        .chars()
        .next()
        .is_some_and(|first| !first.is_lowercase())
}

/// Whether a word that is at a place of a heading begins there. One of letters with spaces between words begins
/// where a word does.
fn begins(heading: &str, at: usize, word: &str) -> bool {
    let spaced = word
        .chars()
        .all(|c| c.is_alphabetic() && u32::from(c) < 0x0530 || !c.is_alphabetic());
    let before = heading.get(..at).unwrap_or_default();
    !spaced || !before.ends_with(char::is_alphabetic)
}
