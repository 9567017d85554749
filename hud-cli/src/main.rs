//! `hud`: the program as it is built in. One with sections and a layout of one's own is as short.

use std::process::ExitCode;

use hud_cli::App;

fn main() -> ExitCode {
    App::new().run()
}
