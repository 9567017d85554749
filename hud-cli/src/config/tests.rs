//! The valid settings in any file apply, and the others are reported.

use proptest::prelude::*;

use super::show::{leaves, text};
use super::*;

/// A value, which may be valid or not.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|number| number.to_string()),
        (0..100_000_i64).prop_map(|number| number.to_string()),
        "\\PC{0,12}".prop_map(|said| text(&said.into())),
        "\\PC{0,12}",
        prop::sample::select(vec![
            "true",
            "false",
            "1.5",
            "inf",
            "[]",
            "{}",
            "[1, 'a']",
            "{ a = 1 }",
            "[[0]]",
            "1979-05-27",
            "'auto'",
            "'message_tail'",
            "'full'",
            "['a', 'a']",
        ])
        .prop_map(str::to_owned),
    ]
}

/// Lines of a file of settings, most of them with known keys.
fn lines() -> impl Strategy<Value = Vec<String>> {
    let known: Vec<(String, String)> = leaves(&DEFAULTS, &[])
        .into_iter()
        .map(|(key, value)| (file::written(&key), text(value)))
        .collect();
    let more = [
        "sections.task.cap",
        "sections.nothing.cap",
        "sections.task",
        "budget.shares.task",
        "budget.shares",
        "profiles.'a'.match",
        "profiles.'a'.window",
        "budget",
        "bands",
        "models.'*x*'",
        "nothing",
    ];
    let key = prop_oneof![
        prop::sample::select(known.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>()),
        prop::sample::select(more.map(str::to_owned).to_vec()),
        "[a-z_.'\"]{0,12}",
    ];
    let line = prop_oneof![
        8 => (key.clone(), value()).prop_map(|(key, value)| format!("{key} = {value}")),
        4 => prop::sample::select(known).prop_map(|(key, value)| format!("{key} = {value}")),
        1 => key.prop_map(|key| format!("[{key}]")),
        1 => "\\PC{0,20}",
    ];
    prop::collection::vec(line, 0..8)
}

fn config(text: &str, is_users: bool) -> Config {
    let mut config = Config {
        sections: vec!["task".to_owned()],
        ..Config::default()
    };
    let mut merged = DEFAULTS.clone();
    config.take(Path::new(FILE), text.as_bytes(), is_users, &mut merged);
    config.settle(merged);
    config
}

proptest! {
    /// The settings that apply are consistent, and each error is reported at its position.
    #[test]
    fn any_file_sets_what_is_right_in_it(lines in lines(), is_users: bool) {
        let text = lines.join("\n");
        let config = config(&text, is_users);
        prop_assert_eq!(config.settings.check().map_err(|wrong| wrong.to_string()), Ok(()));
        for error in config.errors.0.iter().chain(&config.of_others.0) {
            let ConfigError::Wrong { line, column, .. } = error else {
                return Err(TestCaseError::fail(error.to_string()));
            };
            let line = text.split('\n').nth(line - 1);
            prop_assert!(
                line.is_some_and(|line| (1..=line.chars().count() + 1).contains(column)),
                "{error}"
            );
        }
        let settings = Table::try_from(&config.settings).unwrap();
        if !is_users {
            for own in USERS_OWN {
                prop_assert_eq!(settings.get(own.key), DEFAULTS.get(own.key));
            }
        }
    }

    /// The settings as they are shown, read again, are the same settings.
    #[test]
    fn what_holds_can_be_written_down(lines in lines()) {
        let first = config(&lines.join("\n"), true).settings;
        let table = Table::try_from(&first).unwrap();
        let shown = leaves(&table, &[]).into_iter().map(|(key, value)| {
            format!("{} = {}\n", file::written(&key), text(value))
        });
        let again = config(&shown.collect::<String>(), true);
        prop_assert!(again.errors.0.is_empty(), "{:?}", again.errors);
        prop_assert_eq!(again.settings, first);
    }
}
