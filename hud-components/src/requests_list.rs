use hud_core::node::Field;
use hud_core::part::{Cap, Handle};
use hud_core::{Density, Element, component, rsx};
use hud_store::event::Actor;
use hud_store::state::{Request, Task};

use crate::text::prose;
use crate::{Ceiling, section};

/// How many characters the requests share.
const ROOM: usize = 480;

/// What the user asked for besides the task and the latest request, and still wants. At minimal density it gives way to
/// the task, which has the latest request.
#[component(layer = static, worth = 7, cap = 8, part = "requests", schema)]
pub fn RequestsList<'a>(
    /// The requests, oldest first.
    requests: &'a [Request],
    /// The task: what it says itself is not said again.
    task: Option<&'a Task>,
    density: Density,
    #[prop(ambient)] cap: Cap,
    #[prop(ambient)] handle: &Handle,
    #[prop(ambient)] ceiling: Ceiling,
) -> Element<'a> {
    let is_said = |request: &Request| {
        task.is_some_and(|task| {
            request.text == task.description || task.latest_request.as_ref() == Some(&request.text)
        })
    };
    let others: Vec<&Request> = requests
        .iter()
        .filter(|request| !is_said(request))
        .collect();
    if others.is_empty() {
        return rsx! {};
    }
    match density {
        Density::Full => {
            let shown = cap.of(others.len()).max(1);
            let most = (ROOM / shown).clamp(60, 200);
            let full = |request: &&'a Request| {
                rsx! {
                    {prose(&request.text, most)} {by(request)}
                }
            };
            section::worthiest_list("Also Requested", &others, cap, handle, full)
        }
        Density::Compact => {
            let said = |request: &&'a Request| (request.text.as_str(), source(request));
            let joined = section::joined_by(&others, cap.of(3), 45, handle, said);
            rsx! { <Field label="Also requested">{joined}</Field> }
        }
        Density::Minimal => section::counted(
            others.len(),
            ["other request", "other requests"],
            handle,
            ceiling,
        ),
    }
}

/// Who asked for it, where that was not the user.
fn source(request: &Request) -> String {
    match request.by {
        Actor::User => String::new(),
        _ => section::source("", &request.by),
    }
}

/// The name by which it is reviewed, and who asked for it.
fn by(request: &Request) -> Element<'_> {
    rsx! {
        if matches!(request.by, Actor::Agent | Actor::Summary) {
            {source(request)}
        } else {
            {section::mark(&request.id, &request.by)}
        }
    }
}

#[cfg(test)]
mod tests {
    use hud_core::rsx;

    use super::RequestsList;
    use crate::fixture::assert_snapshots;

    #[test]
    fn every_density_of_every_state() {
        assert_snapshots(
            "requests_list",
            |state| rsx! { <RequestsList requests={&state.requests} task={state.task.as_ref()} /> },
        );
    }
}
