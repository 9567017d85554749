//! PostgreSQL itself, asked with nothing around it: what a log on the same server is compared with.

use hud_store::log::record::Record;
use tokio::runtime::Runtime;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, NoTls, Row, Statement};
use uuid::Uuid;

use crate::nodes::Nodes;

/// A connection to the first of the servers.
pub(crate) struct Bare {
    runtime: Runtime,
    client: Client,
}

impl Bare {
    pub(crate) fn of(nodes: &Nodes) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let url = format!("host=127.0.0.1 port={} user=postgres", nodes.nodes[0].port);
        let client = runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
            tokio::spawn(connection);
            client
        });
        Self { runtime, client }
    }

    pub(crate) fn prepare(&self, sql: &str) -> Statement {
        self.runtime.block_on(self.client.prepare(sql)).unwrap()
    }

    pub(crate) fn query(&self, statement: &Statement, params: &[&(dyn ToSql + Sync)]) -> Vec<Row> {
        let rows = self.client.query(statement, params);
        self.runtime.block_on(rows).unwrap()
    }

    pub(crate) fn count(&self, sql: &str) -> i64 {
        let rows = self.query(&self.prepare(sql), &[]);
        rows[0].get(0)
    }

    /// A statement that inserts the rows of a log's events into a table with the same keys, and nothing else.
    pub(crate) fn insert(&self) -> Statement {
        self.prepare(
            "INSERT INTO bare (id, stream, turn, ts, kind, v, actor, payload) SELECT n.id, 's', n.turn, n.ts, \
             n.kind, n.v, n.actor, n.payload FROM ROWS FROM (unnest($1::uuid[]), unnest($2::bigint[]), \
             unnest($3::bigint[]), unnest($4::text[]), unnest($5::bigint[]), unnest($6::text[]), \
             unnest($7::text[])) AS n (id, turn, ts, kind, v, actor, payload)",
        )
    }

    /// Inserts records by [that statement](Self::insert).
    pub(crate) fn append(&self, insert: &Statement, records: &[Record]) {
        let ids: Vec<Uuid> = records.iter().map(|r| *r.id.as_uuid()).collect();
        let turns: Vec<i64> = records.iter().map(|r| r.turn).collect();
        let times: Vec<i64> = records.iter().map(|r| r.at).collect();
        let kinds: Vec<&str> = records.iter().map(|r| r.kind.as_str()).collect();
        let versions: Vec<i64> = records.iter().map(|r| i64::from(r.v)).collect();
        let actors: Vec<&str> = records.iter().map(|r| r.actor.as_str()).collect();
        let payloads: Vec<&str> = records.iter().map(|r| r.payload.as_str()).collect();
        let params: [&(dyn ToSql + Sync); 7] =
            [&ids, &turns, &times, &kinds, &versions, &actors, &payloads];
        self.query(insert, &params);
    }
}

/// Makes the table for [`Bare::insert`], without what was in it.
pub(crate) fn table(nodes: &Nodes) {
    nodes.sql(
        "DROP TABLE IF EXISTS bare; CREATE TABLE bare (seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, \
         id uuid UNIQUE, stream text, turn bigint, ts bigint, kind text, v bigint, actor text, payload text)",
    );
}
