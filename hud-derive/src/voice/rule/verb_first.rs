//! Lasting requests that begin with their verb and have an adverb: `Ruf in Tests nie die API auf`, `Utilise uniquement
//! ..`, `Usa solo ..`, `.. всегда используй ..`. Descriptions begin with their subject.

use super::super::words::words;
use crate::lexicon::Intent;

/// True if a clause is such a request.
pub(super) fn asks_for_ever(clause: &str) -> bool {
    let clause = clause.split([',', ';', '.']).next().unwrap_or(clause);
    let mut said: Vec<&str> = words(clause).take(24).collect();
    if matches!(said.first(), Some(&("bitte" | "merci"))) {
        said.remove(0);
    }
    german(&said) || romance(&said) || russian(&said)
}

fn german(said: &[&str]) -> bool {
    let [first, second, rest @ ..] = said else {
        return false;
    };
    let is_verb = Intent::Imperative.is(first)
        || first.ends_with('e')
            && first.chars().nth(3).is_some()
            && !Intent::NoImperative.is(first);
    if !is_verb || rest.is_empty() {
        return false;
    }
    let is_lasting = |at: usize| {
        let next = said.get(at + 1).copied().unwrap_or_default();
        match said.get(at).copied().unwrap_or_default() {
            "nie" | "niemals" | "ausschließlich" => true,
            "künftig" | "zukünftig" => at == 1,
            "immer" => !matches!(next, "noch" | "wieder" | "mehr"),
            "nur" => at == 1,
            _ => false,
        }
    };
    let lasts = Intent::AfterVerb.is(second) && (1..said.len()).any(is_lasting);
    let forbids = matches!(
        *second,
        "die" | "den" | "das" | "dem" | "diese" | "diesen" | "dieses"
    ) && said.last() == Some(&"nicht");
    let is_foreign_verb = first.ends_with("iere")
        && said
            .iter()
            .any(|word| matches!(*word, "nicht" | "nie" | "niemals" | "immer" | "keine"));
    let takes_nothing = said
        .iter()
        .skip(1)
        .take(3)
        .any(|word| matches!(*word, "keine" | "keinen" | "kein"));
    lasts || forbids || is_foreign_verb || takes_nothing || is_infinitive(said)
}

/// True if a clause is a request with its verb at the end: `datumsangaben immer ausschreiben`.
fn is_infinitive(said: &[&str]) -> bool {
    let asks =
        matches!(said.last(), Some(verb) if verb.ends_with("en") && verb.chars().nth(4).is_some());
    let lasts = said.len() <= 12
        && said
            .iter()
            .any(|word| matches!(*word, "immer" | "nie" | "niemals" | "stets"));
    asks && lasts && !said.iter().any(|word| Intent::Finite.is(word))
}

fn romance(said: &[&str]) -> bool {
    let said = match said {
        [first, "moi" | "me", rest @ ..] => {
            let mut all = vec![*first];
            all.extend(rest);
            all
        }
        _ => said.to_vec(),
    };
    let [first, second, third, rest @ ..] = &*said else {
        return false;
    };
    let is_verb = !Intent::NoImperative.is(first)
        && first.chars().nth(2).is_some()
        && (first.ends_with(['e', 'a', 's', 'z', 'i']) || *first == "pon");
    // After such a verb, the object may be the name of a tool or a quotation.
    let is_used = matches!(
        *first,
        "utilise"
            | "utilisez"
            | "emploie"
            | "usa"
            | "use"
            | "utiliza"
            | "lance"
            | "ejecuta"
            | "exécute"
    );
    is_verb
        && Intent::Only.is(second)
        && (Intent::AfterVerb.is(third) || is_used)
        && !rest
            .first()
            .is_some_and(|word| matches!(*word, "même" | "mismo" | "misma"))
}

fn russian(said: &[&str]) -> bool {
    said.windows(2).any(|pair| match pair {
        ["всегда" | "никогда" | "только", verb] => {
            Intent::ImperativeEnding.is(verb) && !Intent::NoImperative.is(verb)
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_with_its_verb_and_holds_for_ever_asks() {
        for clause in [
            "ruf in tests nie die produktion auf",
            "schreib zu jedem fehler immer einen test",
            "benutze immer pnpm statt npm",
            "bitte prüfe die ergebnisse nie von hand",
            "formatiere makefile nicht",
            "utilise uniquement la version stable",
            "lance toujours les tests avant",
            "demande moi toujours avant d'effacer",
            "usa solo la biblioteca interna",
            "añade siempre una prueba",
            "для дат всегда используй utc",
        ] {
            assert!(asks_for_ever(clause), "{clause}");
        }
        for clause in [
            "seite immer noch leer",
            "habe immer noch den fehler",
            "die seite lädt nie",
            "le serveur affiche toujours la page",
            "page toujours vide",
            "falla siempre la misma prueba",
            "siempre falla",
            "она всегда пустая",
            "always works",
        ] {
            assert!(!asks_for_ever(clause), "{clause}");
        }
    }
}
