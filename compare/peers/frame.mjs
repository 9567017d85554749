// How long the peers take for what a client waits for in each turn: JSON lines on standard output.
//
//     PEERS=.. node frame.mjs SECONDS

import { performance } from "node:perf_hooks";
import { MemoryServer, dcp, median, print } from "./common.mjs";

const seconds = Number(process.argv[2]) / 3;

/** A conversation in opencode's shape, in which so many of the messages have the output of a tool. */
const conversation = (length, outputs) =>
  Array.from({ length }, (_, n) => {
    const role = n % 10 === 0 ? "user" : "assistant";
    const model = { providerID: "p", modelID: "m" };
    const info = { id: `msg_${n}`, sessionID: "s", role, time: { created: n }, agent: "build", model };
    const of = { sessionID: "s", messageID: info.id, id: `part_${n}` };
    const state = { status: "completed", input: { filePath: `/src/${n}.rs` }, output: "word ".repeat(180), time: {} };
    const tool = { ...of, type: "tool", tool: "read", callID: `call_${n}`, state };
    const text = { ...of, type: "text", text: `message ${n}` };
    return { info, parts: [role === "assistant" && n >= length - outputs ? tool : text] };
  });

const hooks = await dcp();
const transformed = (messages) => hooks["experimental.chat.messages.transform"]({}, { messages: structuredClone(messages) });
// It counts the tokens of an output when it first sees it, and that takes long.
await transformed(conversation(500, 1));
const seen = performance.now();
const messages = conversation(500, 11);
await transformed(messages);
print({ peer: "opencode-dcp: an output of 900 characters that is new", milliseconds: (performance.now() - seen) / 9 });
print({
  peer: "opencode-dcp: 500 messages, in which nothing is new",
  milliseconds: await median(seconds, () => transformed(messages)),
});
print({ peer: "(a copy of the 500 messages, which is in that)", milliseconds: await median(seconds, () => structuredClone(messages)) });

const server = await MemoryServer.start();
for (let note = 0; note < 20; note += 1) {
  const entity = { name: `note ${note}`, entityType: "note", observations: [`note ${note}`] };
  await server.call("create_entities", { entities: [entity] });
}
print({
  peer: "MCP's memory server: its graph of 20 notes read",
  milliseconds: await median(seconds, () => server.call("read_graph", {})),
});
server.end();
