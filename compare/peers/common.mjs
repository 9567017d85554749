// What the scripts beside this file share. PEERS names the directory that the packages are installed in.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const PLACE = process.env.PEERS + "/node_modules";

export const require = createRequire(process.env.PEERS + "/");

/** A package that is no CommonJS, or a file of one. */
export const imported = (path) => import(pathToFileURL(join(PLACE, path)).href);

export const stdin = () => JSON.parse(readFileSync(0, "utf8"));

export const print = (row) => console.log(JSON.stringify(row));

/** The median of the milliseconds that something takes, in a number of seconds and at least five times. */
export async function median(seconds, once) {
  for (let run = 0; run < 10; run += 1) await once(); // Until it is compiled.
  const times = [];
  const end = performance.now() + seconds * 1_000;
  while (times.length < 5 || performance.now() < end) {
    const begun = performance.now();
    await once();
    times.push(performance.now() - begun);
  }
  times.sort((one, other) => one - other);
  return times[Math.floor(times.length / 2)];
}

/** The hooks of opencode's plugin DCP, with its settings as they are but for the look for a newer version. */
export async function dcp() {
  const home = mkdtempSync(join(tmpdir(), "dcp-"));
  process.env.HOME = process.env.XDG_CONFIG_HOME = process.env.XDG_DATA_HOME = home;
  const { mkdirSync, writeFileSync } = await import("node:fs");
  mkdirSync(join(home, "opencode"));
  writeFileSync(join(home, "opencode", "dcp.jsonc"), '{ "autoUpdate": false }');
  const { default: plugin } = await imported("@tarquinen/opencode-dcp/dist/index.js");
  const nothing = async () => ({ data: [] });
  const client = {
    session: { get: async () => ({ data: { id: "s" } }), messages: nothing },
    tui: { showToast: nothing },
  };
  return plugin({ client, directory: home, worktree: home, project: { id: "p" } });
}

/** The memory server of the Model Context Protocol's own repository, in a process. */
export class MemoryServer {
  #process;
  #answers;
  #id = 0;

  static async start() {
    const server = new MemoryServer();
    const place = mkdtempSync(join(tmpdir(), "memory-"));
    const env = { ...process.env, MEMORY_FILE_PATH: join(place, "memory.jsonl") };
    const program = join(PLACE, "@modelcontextprotocol/server-memory/dist/index.js");
    server.#process = spawn(process.execPath, [program], { env, stdio: ["pipe", "pipe", "ignore"] });
    server.#answers = createInterface({ input: server.#process.stdout })[Symbol.asyncIterator]();
    const clientInfo = { name: "peers", version: "0" };
    await server.ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    server.#process.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return server;
  }

  async ask(method, params) {
    this.#id += 1;
    this.#process.stdin.write(JSON.stringify({ jsonrpc: "2.0", id: this.#id, method, params }) + "\n");
    for (;;) {
      const { value, done } = await this.#answers.next();
      if (done) throw new Error(`the memory server ended at ${method}`);
      const { id, result, error } = JSON.parse(value);
      if (id !== this.#id) continue;
      if (error || result.isError) throw new Error(JSON.stringify(error ?? result));
      return result;
    }
  }

  async call(name, given) {
    const result = await this.ask("tools/call", { name, arguments: given });
    return result.content.map((part) => part.text).join("");
  }

  end() {
    this.#process.kill();
  }
}

/** What was said, newest first in worth, in at most so many characters: what the two libraries that choose parts
 * of a prompt are mostly called for. */
export async function recent(messages, characters) {
  const count = (text) => text.length;
  return {
    "vscode-prompt-tsx": await byPromptTsx(
      messages.map((text, number) => ({ text, priority: number + 1 })),
      count,
      characters,
    ),
    priompt: await byPriompt(
      messages.map((text, number) => ({ text, priority: number + 1 })),
      priomptCounter(count),
      characters,
    ),
  };
}

/** A flat prompt by vscode-prompt-tsx. */
async function byPromptTsx(parts, count, budget) {
  const { PromptElement, PromptRenderer, UserMessage, TextChunk } = require("@vscode/prompt-tsx");
  class Flat extends PromptElement {
    render() {
      return vscpp(
        UserMessage,
        { priority: 1 },
        ...parts.map(({ text, priority }) => vscpp(TextChunk, { priority }, text + "\n")),
      );
    }
  }
  return promptTsx(PromptRenderer, Flat, count, budget);
}

/** Renders one element, with texts that are counted as asked. */
export async function promptTsx(PromptRenderer, Layout, count, budget) {
  const { OutputMode } = require("@vscode/prompt-tsx");
  const text = (message) => message.content.map((part) => part.text ?? "").join("");
  const tokenizer = {
    mode: OutputMode.Raw,
    tokenLength: (part) => count(part.text ?? ""),
    countMessageTokens: (message) => count(text(message)),
  };
  const renderer = new PromptRenderer({ modelMaxPromptTokens: budget }, Layout, {}, tokenizer);
  const { messages } = await renderer.render();
  return messages.map(text).join("");
}

/** A counter as priompt wants it. */
export function priomptCounter(count) {
  const { O200K } = require("@impowering/priompt/dist/tokenizer");
  return {
    ...O200K,
    numTokens: async (text) => count(text),
    estimateNumTokensFast: async (text) => count(text),
    estimateNumTokensFast_SYNCHRONOUS_BE_CAREFUL: count,
    estimateTokensUsingCharCount: (text) => [count(text), count(text)],
  };
}

/** A flat prompt by priompt. */
export async function byPriompt(parts, tokenizer, budget) {
  const { createElement, render, promptToString_VULNERABLE_TO_PROMPT_INJECTION } = require("@impowering/priompt");
  const scopes = parts.map(({ text, priority }) => createElement("scope", { p: priority }, text + "\n"));
  const { prompt } = await render(createElement(require("@impowering/priompt").Fragment, {}, ...scopes), {
    tokenLimit: budget,
    tokenizer,
  });
  const content = typeof prompt === "string" ? prompt : (prompt?.content ?? prompt?.text ?? prompt);
  return Array.isArray(content) ? content.join("") : String(content ?? "");
}
