// What the peers make of a workload within a budget, and how long that takes: JSON lines on standard output.
//
//     PEERS=.. node fit.mjs WORKLOAD.json SECONDS

import { readFileSync } from "node:fs";
import { byPriompt, median, print, priomptCounter, promptTsx, require } from "./common.mjs";

const { PromptElement, PromptRenderer, UserMessage, TextChunk, Chunk } = require("@vscode/prompt-tsx");
const { countTokens } = require("gpt-tokenizer/encoding/o200k_base");
const { O200K } = require("@impowering/priompt/dist/tokenizer");

const workload = JSON.parse(readFileSync(process.argv[2], "utf8"));
const seconds = Number(process.argv[3] ?? 2) / 12;

const fourth = (text) => Math.ceil(text.length / 4);
// Each library with the counter of tokens that it is used with.
const COUNTERS = {
  "a fourth of the characters": [fourth, priomptCounter(fourth)],
  o200k: [countTokens, O200K],
};

/** Each section a group that is kept together as little as the library lets it be: title and items. */
class Layout extends PromptElement {
  render() {
    const sections = workload.map((section) =>
      vscpp(
        Chunk,
        { priority: section.priority },
        vscpp(TextChunk, { priority: 1_000 }, section.title + "\n\n"),
        ...section.chunks.map((chunk) => vscpp(TextChunk, { priority: chunk.priority }, chunk.text + "\n\n")),
      ),
    );
    return vscpp(UserMessage, { priority: 100 }, ...sections);
  }
}

// priompt has one order of all parts: sections by their priority, and within one the title first.
const parts = workload.flatMap((section) => [
  { text: section.title + "\n", priority: section.priority * 1_000 + 999 },
  ...section.chunks.map((chunk) => ({ text: chunk.text + "\n", priority: section.priority * 1_000 + chunk.priority })),
]);

const whole = workload
  .map((section) => [section.title, ...section.chunks.map((chunk) => chunk.text)].join("\n\n"))
  .join("\n\n");
for (const [counter, [count, priompt]] of Object.entries(COUNTERS)) {
  const all = count(whole);
  for (const percent of [70, 40, 15]) {
    const budget = Math.floor((all * percent) / 100);
    const makers = {
      "vscode-prompt-tsx": () => promptTsx(PromptRenderer, Layout, count, budget),
      "priompt (a fork)": () => byPriompt(parts, priompt, budget),
    };
    for (const [peer, make] of Object.entries(makers)) {
      const milliseconds = await median(seconds, make);
      print({ peer, counter, percent, budget, taken: count(await make()), milliseconds });
    }
  }
}
