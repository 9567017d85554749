//! How a password comes to the server: never by an address, a file of the project, or an error.

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
    /// None: the server knows its clients in another way, as by the user of a socket.
    pub const fn none() -> Self {
        Self(Kind::None)
    }

    /// That text.
    pub fn text(text: impl Into<String>) -> Self {
        Self(Kind::Text(text.into()))
    }

    /// What a command of the shell prints, without the end of its line. It runs with each connection, so that
    /// it may print one that is valid for a while only.
    pub fn command(command: impl Into<String>) -> Self {
        Self(Kind::Command(command.into()))
    }

    /// What the environment says: a command in `HUD_PASSWORD_COMMAND`, or else a text in `PGPASSWORD`.
    pub fn from_env() -> Self {
        let of = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        match (of("HUD_PASSWORD_COMMAND"), of("PGPASSWORD")) {
            (Some(command), _) => Self::command(command),
            (None, Some(text)) => Self::text(text),
            (None, None) => Self::none(),
        }
    }

    /// The password, or why there is none.
    pub(crate) async fn get(&self) -> Result<Option<String>, PasswordError> {
        match &self.0 {
            Kind::None => Ok(None),
            Kind::Text(text) => Ok(Some(text.clone())),
            Kind::Command(command) => printed(command).await.map(Some),
        }
    }
}

/// Says nothing of it.
impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Kind::None => "none",
            Kind::Text(_) => "a text",
            Kind::Command(_) => "a command",
        })
    }
}

/// Why the command for the password printed none. What it printed is not repeated.
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
    // Where it asks a person who is away, the deadline of the call ends it.
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
