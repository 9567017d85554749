use hud_core::node::{Code, Field, Paragraph};
use hud_core::part::{Cap, Handle};
use hud_core::{Density, Element, component, rsx};
use hud_store::state::{Commit, Repository};

use crate::text::{line, piece, said, with_code};
use crate::{Ceiling, section};

/// The branch, and what was committed and pushed.
#[component(layer = dynamic, worth = 4, cap = 3, part = "repository", schema)]
pub fn RepositoryLine<'a>(
    /// What was done to the repository.
    repository: &'a Repository,
    density: Density,
    #[prop(ambient)] cap: Cap,
    #[prop(ambient)] handle: &Handle,
    #[prop(ambient)] ceiling: Ceiling,
) -> Element<'a> {
    let Repository {
        branch,
        commits,
        edits_since,
        unfinished,
        unfinished_turn,
        branch_turn: _,
    } = repository;
    let unfinished = said(unfinished.as_ref());
    if branch.is_none() && commits.is_empty() && unfinished.is_none() {
        return rsx! {};
    }
    let shown = match density {
        Density::Full => cap.of(commits.len()),
        Density::Compact => cap.of(commits.len()).min(1),
        Density::Minimal => {
            return rsx! {
                if let Some(operation) = unfinished {
                    {line(operation, 20)} " not committed"
                } else {
                    {section::counted(commits.len(), ["commit", "commits"], handle, ceiling)}
                }
            };
        }
    };
    let more = commits.len() - shown;
    let length = match density {
        Density::Full => 72,
        _ => 40,
    };
    let all = rsx! {
        <Field label="Git">
            if let Some(branch) = branch { "on " <Code>{line(branch, 60)}</Code> }
            if let Some(operation) = unfinished {
                if branch.is_some() { "; " }
                {piece(operation, 20)} " in progress, not committed"
                if density == Density::Full && *unfinished_turn > 0 {
                    " (since t" {unfinished_turn} ")"
                }
            }
            for (index, commit) in commits.iter().rev().take(shown).enumerate() {
                if index > 0 || branch.is_some() || unfinished.is_some() { "; " }
                {made(commit, length)}
            }
            if more > 0 {
                if density == Density::Full {
                    "; +"
                    {section::others(more, "more", handle)}
                } else {
                    {section::rest(more, true, handle)}
                }
            }
            if *edits_since > 0 && !commits.is_empty() { "; changes since are not committed" }
        </Field>
    };
    match density {
        Density::Full => rsx! { <Paragraph>{all}</Paragraph> },
        _ => all,
    }
}

fn made(commit: &Commit, length: usize) -> Element<'_> {
    rsx! {
        if commit.pushed { "pushed " } else { "committed " }
        if let Some(hash) = &commit.hash { <Code>{line(hash, 12)}</Code> " " }
        {with_code(piece(&commit.message, length))}
    }
}

#[cfg(test)]
mod tests {
    use hud_core::rsx;

    use super::RepositoryLine;
    use crate::fixture::assert_snapshots;

    #[test]
    fn every_density_of_every_state() {
        assert_snapshots(
            "repository_line",
            |state| rsx! { <RepositoryLine repository={&state.repository} /> },
        );
    }
}
