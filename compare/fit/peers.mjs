// What a peer makes of a workload within a budget, and how long that takes: JSON lines on standard output.
//
//     node peers.mjs WORKLOAD.json SECONDS
//
// The packages are looked for beside the file that NODE_MODULES names.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { performance } from "node:perf_hooks";

const require = createRequire(process.env.NODE_MODULES + "/");
const { PromptElement, PromptRenderer, OutputMode, UserMessage, TextChunk, Chunk } =
  require("@vscode/prompt-tsx");
const { countTokens } = require("gpt-tokenizer/encoding/o200k_base");

const workload = JSON.parse(readFileSync(process.argv[2], "utf8"));
const seconds = Number(process.argv[3] ?? 2);

const COUNTERS = {
  "a fourth of the characters": (text) => Math.ceil(text.length / 4),
  "o200k": (text) => countTokens(text),
};

/** Each section a group that is kept together as little as the library lets it be: title and items. */
class Layout extends PromptElement {
  render() {
    const sections = workload.map((section) =>
      vscpp(
        Chunk,
        { priority: section.priority },
        vscpp(TextChunk, { priority: 1_000 }, section.title + "\n\n"),
        ...section.chunks.map((chunk) =>
          vscpp(TextChunk, { priority: chunk.priority }, chunk.text + "\n\n"),
        ),
      ),
    );
    return vscpp(UserMessage, { priority: 100 }, ...sections);
  }
}

/** As the library wants to be asked. */
function tokenizer(count) {
  const text = (message) =>
    message.content.map((part) => part.text ?? "").join("");
  return {
    mode: OutputMode.Raw,
    tokenLength: (part) => count(part.text ?? ""),
    countMessageTokens: (message) => count(text(message)),
  };
}

async function once(count, budget) {
  const endpoint = { modelMaxPromptTokens: budget };
  const renderer = new PromptRenderer(endpoint, Layout, {}, tokenizer(count));
  const { messages } = await renderer.render();
  return messages.flatMap((message) => message.content.map((part) => part.text)).join("");
}

function median(times) {
  times.sort((one, other) => one - other);
  return times[Math.floor(times.length / 2)];
}

const whole = workload
  .map((section) =>
    [section.title, ...section.chunks.map((chunk) => chunk.text)].join("\n\n"),
  )
  .join("\n\n");
for (const [name, count] of Object.entries(COUNTERS)) {
  const all = count(whole);
  for (const percent of [70, 40, 15]) {
    const budget = Math.floor((all * percent) / 100);
    const times = [];
    let text = "";
    for (let run = 0; run < 10; run += 1) await once(count, budget); // Until it is compiled.
    const end = performance.now() + (seconds * 1_000) / 6;
    while (times.length < 5 || performance.now() < end) {
      const begun = performance.now();
      text = await once(count, budget);
      times.push(performance.now() - begun);
    }
    const taken = count(text);
    console.log(
      JSON.stringify({
        peer: "vscode-prompt-tsx",
        counter: name,
        percent,
        budget,
        taken,
        milliseconds: median(times),
        runs: times.length,
      }),
    );
  }
}
