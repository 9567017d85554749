// What a peer has of a session at a turn: JSON lines with `session`, `turn`, `name` and `text` on standard output.
//
//     PEERS=.. node texts.mjs CHARACTERS < STATES.json
//
// A state has `session`, `turn`, `messages` (what user and agent said, oldest first) and `calls`: what a model
// recorded with the `hud` tool up to then, which the memory server is given in its own words.

import { MemoryServer, print, recent, stdin } from "./common.mjs";

const characters = Number(process.argv[2]);

/** A call of the `hud` tool as calls of the memory server: each kind is an entity, and what it holds its
 * observations. What is removed or superseded there is deleted here. */
async function recorded(server, calls) {
  const held = {};
  const counts = {};
  const name = (kind) => `session ${kind}`;
  const observe = async (kind, text) => {
    const entity = { name: name(kind), entityType: kind, observations: [] };
    await server.call("create_entities", { entities: [entity] });
    await server.call("add_observations", { observations: [{ entityName: name(kind), contents: [text] }] });
  };
  const forget = async (kind, text) =>
    text && server.call("delete_observations", { deletions: [{ entityName: name(kind), observations: [text] }] });
  for (const { tool, args } of calls) {
    const [kind, what] = tool.split(".");
    const said = [args.description, args.summary, args.content, args.details, args.resolution];
    const text = said.filter(Boolean).join(": ");
    if (what === "add" || what === "record") {
      counts[kind] = (counts[kind] ?? 0) + 1;
      held[`${kind[0]}${counts[kind]}`] = text;
      await observe(kind, text);
    } else if (kind === "task") {
      await forget(kind, held.task);
      held.task = text;
      await observe(kind, text);
    } else {
      const before = held[args.id];
      await forget(kind, before);
      delete held[args.id];
      if (what === "update") held[args.id] = text;
      const after = what === "complete" ? `done: ${before ?? args.id}` : text;
      if (after) await observe(kind, after);
    }
  }
  return server.call("read_graph", {});
}

for (const { session, turn, messages, calls } of stdin()) {
  for (const [peer, text] of Object.entries(await recent(messages, characters))) {
    print({ session, turn, name: `${peer}, newest first`, text });
  }
  if (calls.length > 0) {
    const server = await MemoryServer.start();
    print({ session, turn, name: "MCP's memory server", text: await recorded(server, calls) });
    server.end();
  }
}
