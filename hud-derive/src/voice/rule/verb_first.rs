//! Requests that begin with their verb and hold for ever by an adverb: `Ruf in Tests nie die API auf`, `Utilise uniquement
//! ..`, `Usa solo ..`, `.. всегда используй ..`. What is said of things has its subject first.

use super::super::words::words;

/// True if a clause is one.
pub(super) fn asks_for_ever(clause: &str) -> bool {
    let clause = clause.split([',', ';', '.']).next().unwrap_or(clause);
    let mut said: Vec<&str> = words(clause).take(24).collect();
    if matches!(said.first(), Some(&("bitte" | "merci"))) {
        said.remove(0);
    }
    german(&said) || romance(&said) || russian(&said)
}

fn german(said: &[&str]) -> bool {
    const SHORT: &[&str] = &[
        "bau", "bleib", "fass", "frag", "führ", "füg", "gib", "halt", "lass", "leg", "lies",
        "lösch", "mach", "nimm", "nutz", "benutz", "prüf", "ruf", "rühr", "schick", "schreib",
        "setz", "sprich", "stell", "verwend", "änder",
    ];
    // What ends as the form does that asks.
    const OTHERS: &[&str] = &[
        "habe", "hatte", "hätte", "wurde", "werde", "würde", "wäre", "könnte", "sollte", "müsste",
        "möchte", "bekomme", "sehe", "kriege", "finde", "glaube", "denke", "verstehe", "brauche",
        "erhalte", "danke", "alle", "jede", "viele", "einige", "diese", "meine", "deine", "seine",
        "ihre", "unsere", "eine", "keine", "heute", "ohne", "beide", "gerne", "seite", "webseite",
        "anzeige", "tabelle", "liste", "suche", "abfrage", "anfrage", "methode", "klasse",
        "spalte", "zeile", "ausgabe", "eingabe", "sprache", "schleife", "variable", "hilfe",
    ];
    const BEHIND: &[&str] = &[
        "vor",
        "in",
        "im",
        "bei",
        "zu",
        "zum",
        "zur",
        "für",
        "mit",
        "auf",
        "die",
        "den",
        "das",
        "dem",
        "diese",
        "diesen",
        "dieses",
        "diesem",
        "mich",
        "mir",
        "nach",
        "aus",
        "an",
        "am",
        "jede",
        "jeden",
        "jedes",
        "alle",
        "bitte",
        "ab",
        "nie",
        "niemals",
        "immer",
        "nur",
        "ausschließlich",
        "künftig",
        "keine",
        "keinen",
        "kein",
    ];
    let [first, second, rest @ ..] = said else {
        return false;
    };
    let is_verb = SHORT.contains(first)
        || first.ends_with('e') && first.chars().nth(3).is_some() && !OTHERS.contains(first);
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
    let lasts = BEHIND.contains(second) && (1..said.len()).any(is_lasting);
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

/// True if a clause is a request that ends in its verb: `datumsangaben immer ausschreiben`.
fn is_infinitive(said: &[&str]) -> bool {
    const FINITE: &[&str] = &[
        "ist", "sind", "wird", "werden", "hat", "haben", "kann", "können", "will", "wollen",
        "soll", "war", "waren", "wurde", "wurden", "weil", "dass", "wenn", "ob", "da", "die",
        "der", "wir", "sie", "ich", "es", "noch", "wieder", "gehen", "scheinen", "laufen",
        "fehlen", "kommen", "bleiben", "hängen",
    ];
    let asks =
        matches!(said.last(), Some(verb) if verb.ends_with("en") && verb.chars().nth(4).is_some());
    let lasts = said.len() <= 12
        && said
            .iter()
            .any(|word| matches!(*word, "immer" | "nie" | "niemals" | "stets"));
    asks && lasts && !said.iter().any(|word| FINITE.contains(word))
}

fn romance(said: &[&str]) -> bool {
    const LASTING: &[&str] = &[
        "toujours",
        "uniquement",
        "exclusivement",
        "seulement",
        "siempre",
        "solo",
        "sólo",
        "únicamente",
        "solamente",
        "exclusivamente",
        "sempre",
        "apenas",
        "somente",
        "soltanto",
    ];
    const BEHIND: &[&str] = &[
        "le", "la", "les", "un", "une", "des", "du", "tes", "tous", "toutes", "ton", "ta", "mes",
        "avant", "avec", "el", "los", "las", "una", "unos", "tus", "antes", "con", "todos",
        "todas", "il", "lo", "gli", "i", "os", "as", "um", "uma", "cuando", "quand", "su", "in",
        "con", "per", "num", "numa", "em", "por", "dans", "en", "sur", "ogni",
    ];
    // What begins a clause that says how things are, or is a noun.
    const OTHERS: &[&str] = &[
        "falla",
        "falha",
        "pasa",
        "passe",
        "ocurre",
        "sale",
        "aparece",
        "funciona",
        "fonctionne",
        "devuelve",
        "da",
        "muestra",
        "affiche",
        "manque",
        "reste",
        "queda",
        "llega",
        "carga",
        "tarda",
        "es",
        "está",
        "est",
        "c'est",
        "sont",
        "elle",
        "ella",
        "je",
        "page",
        "donne",
        "même",
        "une",
        "esta",
        "casi",
        "presque",
        "tengo",
        "hay",
        "pero",
        "mais",
    ];
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
    let is_verb = !OTHERS.contains(first)
        && first.chars().nth(2).is_some()
        && (first.ends_with(['e', 'a', 's', 'z', 'i']) || *first == "pon");
    // A name of a tool, or a quotation, of what is used.
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
        && LASTING.contains(second)
        && (BEHIND.contains(third) || is_used)
        && !rest
            .first()
            .is_some_and(|word| matches!(*word, "même" | "mismo" | "misma"))
}

fn russian(said: &[&str]) -> bool {
    const ENDINGS: &[&str] = &["уй", "ай", "яй", "уйте", "айте", "яйте", "руй"];
    const OTHERS: &[&str] = &["случай", "край", "май", "урожай"];
    said.windows(2).any(|pair| match pair {
        ["всегда" | "никогда" | "только", verb] => {
            ENDINGS.iter().any(|end| verb.ends_with(end)) && !OTHERS.contains(verb)
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
