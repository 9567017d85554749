use hud_core::node::{Code, Field, Paragraph};
use hud_core::part::Cap;
use hud_core::{Density, Element, component, rsx};
use hud_store::state::{Commit, Repository};

use crate::text::{line, piece};

/// The branch, and what was committed and pushed.
#[component(layer = dynamic, worth = 4, cap = 3, part = "repository")]
pub fn RepositoryLine<'a>(
    /// What was done to the repository.
    repository: &'a Repository,
    density: Density,
    #[prop(ambient)] cap: Cap,
) -> Element<'a> {
    let Repository {
        branch,
        commits,
        edits_since,
    } = repository;
    if branch.is_none() && commits.is_empty() {
        return rsx! {};
    }
    let shown = match density {
        Density::Full => cap.of(commits.len()),
        Density::Compact => cap.of(commits.len()).min(1),
        Density::Minimal => return rsx! {},
    };
    let more = commits.len() - shown;
    let said = rsx! {
        <Field label="Git">
            if let Some(branch) = branch { "on " <Code>{line(branch, 80)}</Code> }
            for (index, commit) in commits.iter().rev().take(shown).enumerate() {
                if index > 0 || branch.is_some() { "; " }
                {made(commit)}
            }
            if more > 0 { "; +" {more} " more" }
            if *edits_since > 0 && !commits.is_empty() { "; changes since are not committed" }
        </Field>
    };
    match density {
        Density::Full => rsx! { <Paragraph>{said}</Paragraph> },
        _ => said,
    }
}

fn made(commit: &Commit) -> Element<'_> {
    rsx! {
        if commit.pushed { "pushed " } else { "committed " }
        if let Some(hash) = &commit.hash { <Code>{line(hash, 12)}</Code> " " }
        {piece(&commit.message, 80)}
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
