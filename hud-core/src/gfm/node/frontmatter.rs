//! YAML and TOML between their fences.

pub(super) fn write(fence: &str, value: &str) -> String {
    let eol = if value.is_empty() { "" } else { "\n" };
    format!("{fence}{eol}{value}\n{fence}")
}
