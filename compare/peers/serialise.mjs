// How long the reference takes to write documents, which are files of a directory: JSON lines on standard output.
//
//     PEERS=.. node serialise.mjs DIRECTORY SECONDS

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { imported, median, print } from "./common.mjs";

const { fromMarkdown } = await imported("mdast-util-from-markdown/index.js");
const { toMarkdown } = await imported("mdast-util-to-markdown/index.js");
const { gfmFromMarkdown, gfmToMarkdown } = await imported("mdast-util-gfm/index.js");
const { gfm } = await imported("micromark-extension-gfm/index.js");
const { unified } = await imported("unified/index.js");
const { default: remarkStringify } = await imported("remark-stringify/index.js");
const { default: remarkGfm } = await imported("remark-gfm/index.js");

const [directory, seconds] = [process.argv[2], Number(process.argv[3]) / 6];
const remark = unified().use(remarkGfm).use(remarkStringify).freeze();
for (const document of readdirSync(directory).sort()) {
  const text = readFileSync(join(directory, document), "utf8");
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const writers = {
    "mdast-util-to-markdown (npm)": () => toMarkdown(tree, { extensions: [gfmToMarkdown()] }),
    "remark-stringify (npm)": () => remark.stringify(tree),
  };
  for (const [peer, write] of Object.entries(writers)) {
    print({ peer, document, bytes: Buffer.byteLength(write()), milliseconds: await median(seconds, write) });
  }
}
