//! The process beside a client's that sends what its agents record. Who serves the client begins it, never
//! waits for it, and opens no connection.

use std::process::{Child, Command, Stdio};

use hud_agent::settings::When;

use crate::hub::Hub;

/// Begins it, if the settings have that. It sends what was recorded last, and ends, when this value is gone,
/// however that comes about: it then reads the end of its standard input.
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
    // An interrupt from the terminal is for the client. This process ends after it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut push, 0);
    // Without it agents work as well, and `hud fleet status` shows that nothing is sent.
    push.spawn().ok()
}
