use proptest::prelude::*;

use super::*;

/// A list of files, prose and code, as in a HUD.
const TEXT: &str = "# Add sign-in with tokens\n\n## Active Files (3)\n\n- `src/middleware/auth.ts`: \
    editing, verifyToken (12-48)\n- `src/routes/login.ts`: read\n- `Cargo.toml`: edited in turn 14\n\n\
    ## Decisions (2)\n\n- Use RS256 instead of HS256, because keys are rotated\n- Refresh tokens are \
    stored as hashes, not as plain text\n\n## Errors\n\n- error[E0308]: mismatched types, expected \
    `Option<Duration>`, found `Duration` (src/lib.rs:120)\n\n```rust\nfn verify(token: &str) -> \
    Result<Claims, AuthError> {\n    let header = decode_header(token)?;\n    \
    validate(&header, token)\n}\n```\n";

/// Texts with many characters that the encodings split differently.
fn texts() -> impl Strategy<Value = String> {
    proptest::collection::vec(
        prop_oneof![
            Just("\n\n".to_owned()),
            Just("\n".to_owned()),
            Just("/".to_owned()),
            Just("  ".to_owned()),
            Just("'s".to_owned()),
            Just("}.".to_owned()),
            Just("\r\n".to_owned()),
            Just("\u{301}".to_owned()),
            "[a-zA-Z]{1,9}",
            "[0-9]{1,5}",
            "[ -/:-@]{1,4}",
            "\\PC{1,3}",
            any::<char>().prop_map(String::from),
        ],
        0..24,
    )
    .prop_map(|pieces| pieces.concat())
}

fn counters() -> Vec<Arc<dyn TokenCounter>> {
    vec![
        Arc::new(Characters),
        Arc::new(Estimate),
        Encoding::O200k.counter(),
        Encoding::Cl100k.counter(),
    ]
}

proptest! {
    #[test]
    fn what_adds_up_counts_as_the_sum_of_both(before in texts(), blank in "\n{1,3}", after in texts()) {
        let before = before + &blank;
        let whole = format!("{before}{after}");
        for counter in counters() {
            if counter.adds_up(&before, &after) {
                let each = counter.count(&before)? + counter.count(&after)?;
                prop_assert_eq!(counter.count(&whole)?, each, "{}", counter.name());
            }
        }
    }

    #[test]
    fn a_ledger_counts_as_its_counter_does(text in texts()) {
        for counter in counters() {
            let ledger = Ledger::new(Arc::clone(&counter));
            prop_assert_eq!(ledger.count(&text)?, counter.count(&text)?, "{}", counter.name());
            prop_assert_eq!(ledger.count(&text)?, counter.count(&text)?, "{}", counter.name());
        }
    }
}

#[test]
fn a_ledger_counts_a_block_once() {
    let ledger = Ledger::new(Estimate);
    ledger.count(TEXT).unwrap();
    let blocks = ledger.counted();
    assert_eq!(blocks, TEXT.split("\n\n").count() as u64);
    ledger.count(TEXT).unwrap();
    assert_eq!(ledger.counted(), blocks);
    ledger.count(&TEXT.replace("RS256", "ES256")).unwrap();
    assert_eq!(ledger.counted(), blocks + 1);
}

/// A counter that only counts short texts.
struct Short;

impl TokenCounter for Short {
    fn name(&self) -> &str {
        "short"
    }

    fn count(&self, text: &str) -> Result<u32, CountError> {
        match text.len() {
            length @ 0..9 => Ok(length as u32),
            bytes => Err(CountError {
                counter: self.name().to_owned(),
                bytes,
                said: "it is too long".to_owned(),
            }),
        }
    }
}

#[test]
fn a_ledger_of_a_counter_that_fails_says_so_and_counts_on() {
    let ledger = Ledger::new(Short);
    assert_eq!(
        ledger.count("nine chars").unwrap_err().to_string(),
        "`short` can't count a text of 10 bytes: it is too long"
    );
    assert_eq!(ledger.count("short"), Ok(5));
}

#[test]
fn a_ledger_takes_apart_only_what_adds_up() {
    let ledger = Ledger::new(Short);
    assert!(ledger.count("one\n\ntwo\n\n").is_err());
}

#[cfg(feature = "bpe")]
#[test]
fn an_exact_counter_counts_as_the_encodings_do() {
    // Examples of the encodings' own documentation.
    for (text, o200k, cl100k) in [
        ("", 0, 0),
        ("tiktoken is great!", 6, 6),
        ("antidisestablishmentarianism", 6, 6),
        ("お誕生日おめでとう", 8, 9),
    ] {
        assert_eq!(Exact(Encoding::O200k).count(text), Ok(o200k), "{text}");
        assert_eq!(Exact(Encoding::Cl100k).count(text), Ok(cl100k), "{text}");
    }
}

#[cfg(feature = "bpe")]
#[test]
fn an_estimate_is_near_the_exact_count() {
    let exact = Exact(Encoding::O200k).count(TEXT).unwrap();
    let estimate = Estimate.count(TEXT).unwrap();
    let off = estimate.abs_diff(exact) * 100 / exact;
    assert!(off <= 15, "{estimate} for {exact}");
}

#[test]
fn a_model_is_of_the_family_that_its_name_says() {
    let families = [
        ("claude-opus-4-7", "claude, from Opus 4.7 on", 156),
        ("claude-sonnet-5", "claude, from Opus 4.7 on", 156),
        ("anthropic/Claude-Opus-4.1", "claude", 120),
        ("us.anthropic.claude-3-5-haiku-20241022-v1:0", "claude", 120),
        ("gpt-4o-mini", "gpt", 100),
        ("gpt-4-turbo", "gpt-4 and before", 100),
        ("gemini-2.5-pro", "gemini", 110),
        ("qwen3-coder", "other", 120),
        ("", "other", 120),
    ];
    for (model, name, percent) in families {
        let family = Family::of(model);
        assert_eq!((family.name, family.percent), (name, percent), "{model}");
    }
    assert_eq!(Family::of("gpt-4").encoding, Encoding::Cl100k);
}

proptest! {
    #[test]
    fn what_a_family_is_given_holds_what_is_counted_for_it(tokens in any::<u64>()) {
        for family in FAMILIES {
            prop_assert!(family.tokens(family.counted(tokens)) <= tokens);
            prop_assert!(family.counted(family.tokens(tokens)) >= tokens || family.tokens(tokens) == u64::MAX);
        }
    }
}
