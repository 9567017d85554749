//! The tables of a log on a server, and their creation.

use hud_store::log::{LogError, Place};
use tokio_postgres::{Client, Error};

/// The schema that this program writes.
pub(crate) const SCHEMA: u32 = 7;

/// The error code for an id that names another event.
pub(crate) const ID_CLASH: &str = "HU001";

/// The error code for a batch among several that was refused.
pub(crate) const BATCH_UNMET: &str = "HU003";

/// The migrations. The one at index n migrates a log from schema n to n + 1.
const MIGRATIONS: [&str; SCHEMA as usize] = [
    include_str!("schema_1.sql"),
    include_str!("schema_2.sql"),
    include_str!("schema_3.sql"),
    include_str!("schema_4.sql"),
    include_str!("schema_5.sql"),
    include_str!("schema_6.sql"),
    include_str!("schema_7.sql"),
];

/// Refuses a log whose schema this program does not write.
pub(crate) fn check_writable(place: &Place, found: u32) -> Result<(), LogError> {
    let place = place.clone();
    match found {
        SCHEMA => Ok(()),
        found if found > SCHEMA => Err(LogError::Newer {
            place,
            found,
            supported: SCHEMA,
        }),
        found => Err(LogError::Schema {
            place,
            what: format!(
                "it has schema {found}, and this program writes {SCHEMA}: let its owner run `init`"
            ),
        }),
    }
}

/// The error of creating a log.
pub(crate) enum Fault {
    Server(Error),
    Log(Box<LogError>),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Server(error)
    }
}

/// Creates or migrates a log in one transaction. On an error nothing changes.
pub(crate) async fn init(client: &mut Client, place: &Place, log: &str) -> Result<(), Fault> {
    let schema = format!("\"{log}\"");
    let refuse = |what: &str| {
        Fault::Log(Box::new(LogError::Schema {
            place: place.clone(),
            what: what.to_owned(),
        }))
    };
    let tx = client.transaction().await?;
    let encoding: String = tx
        .query_one("SHOW server_encoding", &[])
        .await?
        .try_get(0)?;
    if encoding != "UTF8" {
        return Err(refuse(
            "its database is not in UTF8: make one with `createdb --encoding UTF8`",
        ));
    }
    let roles = ["owner", "writer", "reader"].map(|role| format!("{log}_{role}"));
    let is_there = "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1), \
                    EXISTS (SELECT FROM pg_roles WHERE rolname = ANY ($2)), \
                    to_regclass(format('%I.head', $1)) IS NOT NULL";
    let found = tx.query_one(is_there, &[&log, &&roles[..]]).await?;
    let (has_schema, has_roles, has_head) =
        (found.try_get(0)?, found.try_get(1)?, found.try_get(2)?);
    let [owner, writer, reader] = roles.map(|role| format!("\"{role}\""));
    match (has_schema, has_roles, has_head) {
        (true, _, false) => {
            return Err(Fault::Log(Box::new(LogError::Foreign {
                place: place.clone(),
            })));
        }
        (true, _, true) => tx.batch_execute(&format!("SET LOCAL ROLE {owner}")).await?,
        // Members of existing roles of these names, maybe of another database, would get rights here.
        (false, true, _) => {
            return Err(refuse(&format!(
                "there are roles {log}_owner, {log}_writer or {log}_reader already, which may be another \
                 database's: name the log in another way, or drop them"
            )));
        }
        (false, false, _) => {
            tx.batch_execute(&format!(
                "CREATE ROLE {owner} NOLOGIN; CREATE ROLE {writer} NOLOGIN; CREATE ROLE {reader} NOLOGIN; \
                 GRANT {owner} TO CURRENT_USER; \
                 CREATE SCHEMA {schema} AUTHORIZATION {owner}; \
                 SET LOCAL ROLE {owner}"
            ))
            .await?;
        }
    }
    let mut known = 0;
    if has_schema {
        // Other processes that migrate the log wait here.
        let select = format!("SELECT schema FROM {schema}.head FOR UPDATE");
        let found: i32 = tx.query_one(&select, &[]).await?.try_get(0)?;
        known = found.unsigned_abs();
        if known > SCHEMA {
            check_writable(place, known).map_err(|error| Fault::Log(Box::new(error)))?;
        }
    }
    let missing = MIGRATIONS.iter().zip(1_u32..).filter(|(_, to)| *to > known);
    for (migration, to) in missing {
        let sql = migration
            .replace("{log}", &schema)
            .replace("{writer}", &writer)
            .replace("{reader}", &reader);
        tx.batch_execute(&sql).await?;
        let note = format!("UPDATE {schema}.head SET schema = {to}");
        tx.batch_execute(&note).await?;
    }
    tx.commit().await?;
    Ok(())
}
