use hud_core::node::Field;
use hud_core::part::{Cap, Handle};
use hud_core::{Density, Element, component, rsx};
use hud_store::state::Dependency;

use crate::text::{piece, said};
use crate::{Ceiling, section};

/// What the project depends on since the session began, the newest first. At minimal density it gives way: the
/// project's manifest says it, too.
#[component(layer = dynamic, worth = 1, cap = 6, part = "dependencies", schema)]
pub fn DependenciesList<'a>(
    /// The dependencies, oldest first.
    dependencies: &'a [Dependency],
    density: Density,
    #[prop(ambient)] cap: Cap,
    #[prop(ambient)] handle: &Handle,
    #[prop(ambient)] ceiling: Ceiling,
) -> Element<'a> {
    let most = match density {
        Density::Full => cap.of(dependencies.len()),
        Density::Compact => cap.of(dependencies.len()).min(3),
        Density::Minimal => {
            let noun = ["dependency", "dependencies"];
            return section::counted(dependencies.len(), noun, handle, ceiling);
        }
    };
    if dependencies.is_empty() {
        return rsx! {};
    }
    let more = dependencies.len().saturating_sub(most);
    let shown = dependencies.iter().rev().take(most).enumerate();
    rsx! {
        <Field label="Dependencies">
            for (at, dependency) in shown {
                if at > 0 { "; " }
                {piece(&dependency.name, 80).into_owned()}
                if let Some(declared) = said(dependency.declared.as_ref()) {
                    " (" {piece(declared, 40).into_owned()} ")"
                }
            }
            {section::rest(more, most > 0, handle)}
        </Field>
    }
}

#[cfg(test)]
mod tests {
    use hud_core::{render_densities, rsx};
    use hud_store::event::Actor;
    use hud_store::state::Dependency;
    use jiff::Timestamp;

    use super::DependenciesList;

    #[test]
    fn the_newest_dependencies_are_named_with_where_they_are_declared() {
        let dependency = |name: &str, declared: Option<&str>| Dependency {
            name: name.to_owned(),
            declared: declared.map(str::to_owned),
            by: Actor::Derived,
            added_at: Timestamp::UNIX_EPOCH,
            turn: 1,
        };
        let dependencies = [
            dependency("serde", Some("cargo")),
            dependency("# vite; **b**\n- x", Some("package.json")),
            dependency("redis on port 6379", None),
            dependency("golang.org/x/sync", Some("go")),
        ];
        let shown = rsx! { <DependenciesList dependencies={&dependencies} /> };
        insta::assert_snapshot!(render_densities(&shown).unwrap());
    }
}
