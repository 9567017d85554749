// @ts-check
// The use of the context over the turns, and what they cost.

import { $, count, dollars, make, several, shape } from "./dom.js";
import { costOf, now } from "./now.js";
import { failed } from "./ask.js";
import { go } from "./turns.js";

export function chart() {
  const { columns, limit, bands, next } = now.timeline;
  const across = (/** @type {number} */ turn) => (next > 1 ? ((turn - 1) / (next - 1)) * 1000 : 500);
  // What a turn ended with is what the next one sees.
  const seen = columns.filter((/** @type {any} */ column) => column.max !== null);
  const top = Math.max(limit || 0, ...seen.map((/** @type {any} */ column) => column.max), 1);
  const down = (/** @type {number} */ used) => 100 - (used / top) * 100;
  const svg = shape("svg", { viewBox: "0 0 1000 100", preserveAspectRatio: "none", role: "img" });
  const points = seen.map((/** @type {any} */ column) => [across(Math.min(column.last + 1, next)), down(column.max)]);
  if (points.length) {
    const line = points.map((/** @type {number[]} */ [x, y], /** @type {number} */ nth) => `${nth ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    svg.append(shape("path", { class: "area", d: `${line}L${points[points.length - 1][0].toFixed(1)} 100L${points[0][0].toFixed(1)} 100Z` }), shape("path", { class: "edge", d: line }));
  }
  if (limit) for (const band of bands) svg.append(shape("line", { class: "band", x1: 0, x2: 1000, y1: down((limit * band) / 100), y2: down((limit * band) / 100) }));
  // A path for each kind of mark, however many there are of it.
  const marks = /** @type {Record<string, string>} */ ({ steady: "", compacted: "", error: "" });
  for (const column of columns) {
    const x = across(Math.min(column.last + 1, next)).toFixed(1);
    if (column.steady) marks.steady += `M${x} 94V100`;
    if (column.compacted) marks.compacted += `M${x} 0V100`;
    if (column.errors) marks.error += `M${Number(x) - 1.5} 2h3`;
  }
  for (const [name, d] of Object.entries(marks)) if (d) svg.append(shape("path", { class: name, d }));
  svg.append(shape("line", { class: "here", id: "here", x1: 0, x2: 0, y1: 0, y2: 100 }));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    go(1 + Math.round(((/** @type {MouseEvent} */ (event).clientX - box.left) / box.width) * (next - 1)), false).catch(failed);
  });
  const compactions = columns.filter((/** @type {any} */ column) => column.compacted).length;
  const most = Math.max(0, ...seen.map((/** @type {any} */ column) => column.percent || 0));
  const sentence = seen.length
    ? `Use of the context over ${several(now.timeline.turns, "turn")}: at most ${count(Math.max(...seen.map((/** @type {any} */ column) => column.max)))} tokens${most ? `, ${most} %` : ""}; ${several(compactions, "compaction")}.`
    : "No reading of the context yet.";
  svg.setAttribute("aria-label", sentence);
  const parts = [svg];
  const calls = columns.filter((/** @type {any} */ column) => column.tokens);
  let costs = "";
  if (calls.length) {
    const sent = (/** @type {any} */ tokens) => tokens.input + tokens.cache_read + tokens.cache_write;
    const high = Math.max(1, ...calls.map((/** @type {any} */ column) => sent(column.tokens)));
    const bars = shape("svg", { class: "cost", viewBox: "0 0 1000 20", preserveAspectRatio: "none", role: "img" });
    const width = Math.max(0.6, 1000 / Math.max(columns.length, 1) - 0.4);
    const fills = /** @type {Record<string, string>} */ ({ read: "", write: "", anew: "" });
    for (const column of calls) {
      // Half of the first and of the last bar would be beside the chart.
      const from = Math.min(1000 - width, Math.max(0, across((column.turn + column.last) / 2) - width / 2));
      let y = 20;
      for (const [name, tokens] of [["read", column.tokens.cache_read], ["write", column.tokens.cache_write], ["anew", column.tokens.input]]) {
        const height = (tokens / high) * 20;
        y -= height;
        if (height > 0.05) fills[String(name)] += `M${from.toFixed(2)} ${y.toFixed(2)}h${width.toFixed(2)}v${height.toFixed(2)}h-${width.toFixed(2)}z`;
      }
    }
    for (const [name, d] of Object.entries(fills)) if (d) bars.append(shape("path", { class: name, d }));
    const all = now.timeline.tokens;
    costs = `Sent: ${count(sent(all))} tokens, ${Math.round((all.cache_read / Math.max(1, sent(all))) * 100)} % read from the cache; written by the model: ${count(all.output)}.`;
    const cost = costOf(all);
    if (cost !== null) costs += ` What was sent costs ${dollars(cost)} at the prices of ${now.timeline.prices.model} (profile ${now.timeline.prices.profile}).`;
    bars.setAttribute("aria-label", costs);
    parts.push(bars);
  }
  const key = (/** @type {string} */ name, /** @type {string} */ text) => make("span", {}, make("i", { class: name, "aria-hidden": "true" }), text);
  const table = make("details", {}, make("summary", { text: "The same as a table" }));
  table.addEventListener("toggle", () => {
    if (!table.open || table.querySelector("table")) return;
    const step = Math.ceil(columns.length / 150);
    const rows = columns.filter((/** @type {any} */ _, /** @type {number} */ nth) => nth % step === 0);
    table.append(make("table", {}, make("thead", {}, make("tr", {}, ...["turn", "tokens at most", "%", "compacted", "open errors", "sent", "cost"].map((text) => make("th", { scope: "col", text })))), make("tbody", {}, ...rows.map((/** @type {any} */ column) => make("tr", {}, ...[column.turn === column.last ? column.turn : `${column.turn}–${column.last}`, count(column.max), column.percent ?? "", column.compacted ? "yes" : "", column.errors || "", column.tokens ? count(column.tokens.input + column.tokens.cache_read + column.tokens.cache_write) : "", costOf(column.tokens) === null ? "" : dollars(Number(costOf(column.tokens)))].map((text) => make("td", { text })))))));
  }, { once: false });
  const open = $("legend").querySelector("details")?.open;
  $("chart").replaceChildren(...parts);
  $("legend").replaceChildren(make("p", { class: "legend" }, key("", "context in use"), limit ? key("band", `bands at ${bands.join(" and ")} % of ${count(limit)}`) : null, compactions ? key("compacted", "compaction") : null, key("error", "open errors"), key("steady", "static layer touched"),
    ...(calls.length ? [key("read", "read from cache"), key("write", "written to it"), key("anew", "sent anew")] : []), make("span", { text: costs || (seen.length ? "" : sentence) })), table);
  if (open) table.open = true;
  mark();
}

export function mark() {
  const here = $("here");
  if (!here || !now.timeline) return;
  const { next } = now.timeline;
  const x = next > 1 ? ((now.turn - 1) / (next - 1)) * 1000 : 500;
  here.setAttribute("x1", String(x)); here.setAttribute("x2", String(x));
}
