//! What was done to the repository that the agent works in.

use serde::{Deserialize, Serialize};

use super::list::newest;
use super::{Bearing, Happened, Item, Pace, Section};
use crate::event::HudEvent;

/// How many commits are kept.
pub const COMMITS_CAP: usize = 8;

crate::events! {@built_in
    /// What happens to the repository.
    pub enum RepositoryEvent {
        /// the agent is on a branch.
        "repository.branch" 1 Branch(
            /// The work goes on on a branch.
            RepositoryBranch {
                /// Its name.
                name: String,
            }
        ) item name words [name],
        /// what was changed is committed.
        "repository.commit" 1 Commit(
            /// What was changed is committed.
            RepositoryCommit {
                /// The beginning of its hash, if that is known.
                #[serde(skip_serializing_if = "Option::is_none")]
                hash: Option<String>,
                /// The first line of its message.
                message: String,
            }
        ) words [hash, message],
        /// the commits are where others see them.
        "repository.push" 1 Push(
            /// The commits are pushed.
            RepositoryPush {
                /// Where to, if that is known.
                #[serde(skip_serializing_if = "Option::is_none")]
                to: Option<String>,
            }
        ) words [to],
        /// a merge, a rebase or the like is begun and not concluded; or it is over.
        "repository.unfinished" 1 Unfinished(
            /// A merge, a rebase or the like is begun and not concluded; or it is over.
            RepositoryUnfinished {
                /// Which one, as git calls it: `merge`; none once it is over.
                #[serde(skip_serializing_if = "Option::is_none")]
                operation: Option<String>,
            }
        ) words [operation],
    }
}

/// A commit that the session made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Commit {
    /// The beginning of its hash, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// The first line of its message.
    pub message: String,
    /// The turn in which it was made.
    pub turn: u64,
    /// Whether it was pushed since.
    #[serde(default)]
    pub pushed: bool,
}

/// The section.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Repository {
    /// The branch that the work is on, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The turn in which git named it last; 0 without one.
    #[serde(skip_serializing_if = "is_none")]
    pub branch_turn: u64,
    /// The commits that the session made, oldest first; at most [`COMMITS_CAP`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commits: Vec<Commit>,
    /// How often files were changed since the last of the commits.
    pub edits_since: u64,
    /// The merge, the rebase or the like that is begun and not concluded, as git calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unfinished: Option<String>,
    /// The turn in which it was begun, or seen first; 0 without one.
    #[serde(skip_serializing_if = "is_none")]
    pub unfinished_turn: u64,
}

/// Whether there is no such turn.
fn is_none(turn: &u64) -> bool {
    *turn == 0
}

impl Section for Repository {
    const NAME: &'static str = "repository";
    const PACE: Pace = Pace::Working;
    const OVERHEARS: bool = true;
    type Event = RepositoryEvent;

    fn apply(&mut self, event: &RepositoryEvent, when: &Happened<'_>) {
        match event {
            RepositoryEvent::Branch(e) => {
                self.branch = Some(e.name.clone());
                self.branch_turn = when.turn;
            }
            RepositoryEvent::Commit(e) => {
                self.commits.push(Commit {
                    hash: e.hash.clone(),
                    message: e.message.clone(),
                    turn: when.turn,
                    pushed: false,
                });
                newest(&mut self.commits, COMMITS_CAP);
                self.edits_since = 0;
                // A commit concludes a merge; a rebase goes on with the next one.
                if self
                    .unfinished
                    .take_if(|operation| operation != "rebase")
                    .is_some()
                {
                    self.unfinished_turn = 0;
                }
            }
            RepositoryEvent::Unfinished(e) => {
                self.unfinished.clone_from(&e.operation);
                self.unfinished_turn = self.unfinished.as_ref().map_or(0, |_| when.turn);
            }
            RepositoryEvent::Push(_) => {
                for commit in &mut self.commits {
                    commit.pushed = true;
                }
            }
        }
    }

    fn overhear(&mut self, event: &HudEvent, _: &Happened<'_>) {
        if matches!(event, HudEvent::File(event) if event.is_change()) && !self.commits.is_empty() {
            self.edits_since = self.edits_since.saturating_add(1);
        }
    }

    fn items(&self) -> Vec<Item> {
        let branch = self.branch.iter().map(|name| Item::new("branch", name));
        let commits = self.commits.iter().map(|commit| {
            let hash = commit.hash.as_deref().unwrap_or(&commit.message);
            let pushed = if commit.pushed { " (pushed)" } else { "" };
            Item::new(hash, format!("{}{pushed}", commit.message))
        });
        let unfinished = self.unfinished.iter();
        let unfinished = unfinished.map(|operation| Item::new("unfinished", operation));
        branch.chain(unfinished).chain(commits).collect()
    }

    /// What is begun and not concluded is at hand until it is.
    fn bearings(&self) -> Vec<Bearing> {
        let unfinished = self.unfinished.as_ref();
        let begun = unfinished.map(|_| Bearing::holds(u64::MAX).when(true));
        let commits = self.commits.iter();
        let commits = commits.map(|commit| Bearing::holds(commit.turn));
        begun.into_iter().chain(commits).collect()
    }

    fn restore(&mut self, then: Self) {
        *self = then;
        newest(&mut self.commits, COMMITS_CAP);
    }
}
