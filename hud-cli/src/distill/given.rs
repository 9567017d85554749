//! The endpoint and its limits, from the command line or else from the user's settings.

use hud_agent::distill::Prices;
use hud_agent::settings;

use crate::args::Distill;
use crate::endpoint::{Endpoint, Key};
use crate::output::Failure;

/// The settings of the user, with those of the command line in their place.
pub(super) fn settings_of(
    args: &Distill,
    set: &settings::Distill,
) -> Result<settings::Distill, Failure> {
    let mut settings = set.clone();
    let texts = [
        (&mut settings.endpoint, &args.endpoint),
        (&mut settings.model, &args.model),
        (&mut settings.key_env, &args.terms.key_env),
    ];
    for (setting, given) in texts {
        if let Some(given) = given {
            setting.clone_from(given);
        }
    }
    let numbers = [
        (&mut settings.max_tokens, args.max_tokens),
        (&mut settings.max_answer, args.max_answer),
        (&mut settings.batch, args.batch),
    ];
    for (setting, given) in numbers {
        *setting = given.unwrap_or(*setting);
    }
    let amounts = [
        (&mut settings.budget, args.terms.budget),
        (&mut settings.price_in, args.terms.price_in),
        (&mut settings.price_out, args.terms.price_out),
    ];
    for (setting, given) in amounts {
        *setting = given.unwrap_or(*setting);
    }
    let missing = |what: &str, key: &str| {
        Err(Failure::Other(format!(
            "say {what} with --{key}, or set `{key}` in [distill] of your own config.toml"
        )))
    };
    if settings.endpoint.is_empty() {
        return missing("where to ask", "endpoint");
    }
    if settings.model.is_empty() {
        return missing("which model to ask", "model");
    }
    if args.terms.budget == Some(0.0) {
        return Err(Failure::Other(
            "nothing can be asked for $0: give --budget more, or leave it out".to_owned(),
        ));
    }
    if settings.budget > 0.0 && (settings.price_in == 0.0 || settings.price_out == 0.0) {
        return Err(Failure::Other(
            "--budget needs --price-in and --price-out, in dollars for a million tokens".to_owned(),
        ));
    }
    Ok(settings)
}

/// The prices of tokens, if they are known.
pub(super) fn prices(settings: &settings::Distill) -> Option<Prices> {
    let (input, output) = (settings.price_in, settings.price_out);
    (input > 0.0 || output > 0.0).then_some(Prices { input, output })
}

/// The endpoint to ask.
pub(super) fn endpoint(args: &Distill, settings: &settings::Distill) -> Result<Endpoint, Failure> {
    let is_named =
        args.terms.key_env.is_some() || settings.key_env != settings::Distill::default().key_env;
    let key = Key::read(&settings.key_env, is_named && !args.dry_run);
    Endpoint::on(&args.terms, &settings.endpoint, key)
}
