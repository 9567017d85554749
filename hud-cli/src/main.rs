//! The built-in `hud` program. A program with custom sections and a custom layout is as short.

use std::process::ExitCode;

use hud_cli::App;

fn main() -> ExitCode {
    App::new().run()
}
