// What the peers' tools take of each request, in tokens of o200k: JSON lines on standard output.
//
//     PEERS=.. node tools.mjs

import { createRequire } from "node:module";
import { MemoryServer, dcp, print, require } from "./common.mjs";

const { countTokens } = require("gpt-tokenizer/encoding/o200k_base");

/** Name, description and parameters, as a request has them. */
const tokens = (tools) =>
  tools.reduce((sum, { name, description, parameters }) => sum + countTokens(JSON.stringify({ name, description, parameters })), 0);

const server = await MemoryServer.start();
const { tools } = await server.ask("tools/list", {});
server.end();
const memory = tools.map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema }));
print({ peer: "MCP's memory server", tools: memory.length, tokens: tokens(memory), system: 0 });

const hooks = await dcp();
// The schemas are of the plugin's own version of zod.
const { z } = createRequire(`${process.env.PEERS}/node_modules/@opencode-ai/plugin/`)("zod");
const compressing = Object.entries(hooks.tool).map(([name, { description, args }]) => {
  const { $schema, ...parameters } = z.toJSONSchema(z.object(args));
  return { name, description, parameters };
});
const output = { system: [""] };
await hooks["experimental.chat.system.transform"]({ sessionID: "s", model: {} }, output);
print({
  peer: "opencode-dcp",
  tools: compressing.length,
  tokens: tokens(compressing),
  system: countTokens(output.system.join("\n")),
});
