//! The process that sends recorded events in the background. The process that serves the client starts it, but never
//! waits for it, and opens no connection itself.

use std::process::{Child, Command, Stdio};

use hud_agent::settings::When;

use crate::hub::Hub;

/// Starts the process, if the settings ask for it. When the returned value is dropped, or this process ends, the
/// process reads the end of its standard input. It then sends the last events and ends.
pub(crate) fn begin(hub: &Hub) -> Option<Child> {
    let fleet = &hub.settings().fleet;
    if fleet.push != When::Background || fleet.url.is_empty() {
        return None;
    }
    let location = hub.location();
    let mut push = Command::new(std::env::current_exe().ok()?);
    push.args(["push", "--watch", "--background", "--db"])
        .arg(location.log())
        .current_dir(location.directory())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // An interrupt from the terminal is for the client. The process ends after the client.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut push, 0);
    // If it can't start, agents still work, and `hud fleet status` shows that nothing is sent.
    push.spawn().ok()
}
