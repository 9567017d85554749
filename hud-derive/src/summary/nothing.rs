//! Placeholders under headings without content, in all forms.

use crate::lexicon::{Intent, is_unsegmented};
use crate::prose::lower;

/// True if a text only denies content: `None.`, `[TBD]`, `N/A - nothing was asked`, `No errors encountered`.
///
/// It begins with a word for nothing. After that it ends, or continues with a mark or a word that adds nothing.
/// `None of the tests cover X: add three` continues in another way, and `No new dependencies` names nothing that a
/// summary counts.
pub(super) fn is_nothing(text: &str) -> bool {
    let said = bare(text);
    if !said.contains(char::is_alphanumeric) || is_placeholder(text) {
        return true;
    }
    let lower = lower(said);
    let lower = without_opening(&lower);
    has_nothing(lower) || counts_none(lower) || counts_none_dense(lower)
}

/// True if a text only states that all is done, so that there is no next step.
pub(super) fn is_all_done(text: &str) -> bool {
    let lower = lower(bare(text));
    let is_short = lower.split_whitespace().nth(14).is_none() && lower.chars().nth(110).is_none();
    Intent::Everything.begins(&lower)
        && is_short
        && Intent::Completed.is_in(&lower)
        && !words(&lower).any(|word| Intent::Unless.is(word))
}

/// A text without the marks and brackets around it.
fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| {
        c.is_whitespace() || (!c.is_alphanumeric() && !matches!(c, '/' | '\'' | '’'))
    })
}

/// True if a text is a placeholder in brackets without content: `[TBD]`, `<decisions, if any>`.
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

/// A text without `there are` at its beginning.
fn without_opening(lower: &str) -> &str {
    Intent::ThereIs.after(lower).map_or(lower, str::trim_start)
}

/// True if a text begins with a word for nothing and adds nothing to it.
fn has_nothing(lower: &str) -> bool {
    if Intent::Placeholder.is(lower) {
        return true;
    }
    Intent::Nothing.after(lower).is_some_and(|rest| {
        let behind = rest.trim_start();
        !behind.starts_with(char::is_alphanumeric)
            || Intent::NoMore.begins(behind) && says_no_more(behind)
    })
}

/// True if the text after a word for nothing is short enough to add nothing.
fn says_no_more(behind: &str) -> bool {
    behind.split_whitespace().nth(16).is_none()
}

/// True if a text denies something that summaries count, and adds nothing: `No pending tasks`, `keine offenen Fragen`.
fn counts_none(lower: &str) -> bool {
    let Some(rest) = Intent::Deny.after(lower) else {
        return false;
    };
    let denied = rest.trim_start();
    if denied.len() == rest.len() && !lower.ends_with(&format!("'{denied}")) {
        return false;
    }
    let clause = denied
        .split(['.', ';', ':', '(', '—', '–'])
        .next()
        .unwrap_or(denied);
    let clause = clause.split(" - ").next().unwrap_or(clause);
    let mut said = words(clause).peekable();
    while said.peek().is_some_and(|word| Intent::Qualifier.is(word)) {
        said.next();
    }
    let is_counted = |word: &str| Intent::Countable.begins(word);
    let Some(_) = said.next_if(|word| is_counted(word)) else {
        return false;
    };
    // Skips the rest of the list: `No errors or blockers`, `no next steps`.
    while said
        .next_if(|word| is_counted(word) || Intent::And.is(word))
        .is_some()
    {}
    let rest: Vec<&str> = said.collect();
    rest.first().is_none_or(|word| Intent::NoMore.is(word))
        || Intent::ByUser.begins(&rest.join(" "))
}

/// The same for scripts without spaces, and for languages with the denial at the end: `没有错误`, `エラーはありません`, `오류 없음`.
fn counts_none_dense(lower: &str) -> bool {
    lower.chars().nth(24).is_none()
        && lower.contains(is_unsegmented)
        && Intent::Countable.is_in(lower)
        && (Intent::Deny.begins(lower) || Intent::Deny.ends(lower))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '\'')))
        .filter(|word| !word.is_empty())
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
