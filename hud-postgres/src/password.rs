//! The sources of a password. It is never part of an address, a file of the project, or an error.

use std::fmt;

use tokio::process::Command;

/// The password to connect with.
#[derive(Clone, Default)]
pub struct Password(Kind);

#[derive(Clone, Default)]
enum Kind {
    #[default]
    None,
    Text(String),
    Command(String),
}

impl Password {
    /// No password. The server identifies its clients in another way, such as by the user of a socket.
    pub const fn none() -> Self {
        Self(Kind::None)
    }

    /// The password itself.
    pub fn text(text: impl Into<String>) -> Self {
        Self(Kind::Text(text.into()))
    }

    /// The output of a shell command, without the end of the line. The command runs for each connection, so it may
    /// print a short-lived password.
    pub fn command(command: impl Into<String>) -> Self {
        Self(Kind::Command(command.into()))
    }

    /// The password of the environment: a command in `HUD_PASSWORD_COMMAND`, or else a text in `PGPASSWORD`.
    pub fn from_env() -> Self {
        let of = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        match (of("HUD_PASSWORD_COMMAND"), of("PGPASSWORD")) {
            (Some(command), _) => Self::command(command),
            (None, Some(text)) => Self::text(text),
            (None, None) => Self::none(),
        }
    }

    /// The password, or the error of its command.
    pub(crate) async fn get(&self) -> Result<Option<String>, PasswordError> {
        match &self.0 {
            Kind::None => Ok(None),
            Kind::Text(text) => Ok(Some(text.clone())),
            Kind::Command(command) => printed(command).await.map(Some),
        }
    }
}

/// Shows only the type of the source.
impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Kind::None => "none",
            Kind::Text(_) => "a text",
            Kind::Command(_) => "a command",
        })
    }
}

/// The error of the command for the password. Its output is not shown.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PasswordError {
    #[error("the command for the password can't be run: {0}")]
    Run(#[from] std::io::Error),
    #[error("the command for the password ended with {0}: run HUD_PASSWORD_COMMAND by hand")]
    Failed(std::process::ExitStatus),
    #[error("the command for the password printed no text: run HUD_PASSWORD_COMMAND by hand")]
    Nothing,
}

async fn printed(command: &str) -> Result<String, PasswordError> {
    let (shell, flag) = if cfg!(windows) {
        ("cmd", "/C")
    } else {
        ("sh", "-c")
    };
    // If it waits for the input of an absent user, the deadline of the call ends it.
    let output = Command::new(shell)
        .args([flag, command])
        .stdin(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .kill_on_drop(true)
        .output()
        .await?;
    if !output.status.success() {
        return Err(PasswordError::Failed(output.status));
    }
    let printed = String::from_utf8(output.stdout).map_err(|_| PasswordError::Nothing)?;
    let password = printed.trim_end_matches(['\r', '\n']);
    match password.is_empty() {
        true => Err(PasswordError::Nothing),
        false => Ok(password.to_owned()),
    }
}
