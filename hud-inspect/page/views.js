// @ts-check
// What the agent sees in a turn, in six ways.

import { $, count, empty, make, messageView, said, several } from "./dom.js";
import { TABS, now, recorded } from "./now.js";
import { ask, at, failed } from "./ask.js";
import { writePlace } from "./place.js";
import { view } from "./turns.js";
import { choose, eventLink, why } from "./why.js";

/** How many lines are shown each by itself, and how many changes of the state: a reader takes in no more. */
const MOST_LINES = 200;
/** The most rows of two columns: one has two and a half times the elements of a line. */
const MOST_ROWS = 150;
const MOST_CHANGES = 60;

export async function draw() {
  const { shown } = now.frame;
  for (const [name] of TABS) {
    const tab = $(`tab-${name}`);
    tab.setAttribute("aria-selected", String(name === now.tab));
    tab.tabIndex = name === now.tab ? 0 : -1;
  }
  $("view").setAttribute("aria-labelledby", `tab-${now.tab}`);
  $("total").textContent = `${count(shown.tokens)} tokens${shown.budget === null ? "" : ` of ${count(shown.budget)}`}`;
  if (now.line >= shown.lines.length) now.line = -1;
  const views = { rendered, raw, diff: changes, tree, state: stateView, json: parts, messages: conversation };
  const made = await views[/** @type {keyof typeof views} */ (now.tab)]();
  if (made) $("view").replaceChildren(...[made].flat());
  why();
}
/** @param {any} layer */
const layerHead = (layer) => make("p", { class: "layer" }, make("span", { text: { system: "end of the system prompt", message: "last message", whole: "as it would be" }[/** @type {"system"} */ (layer.name)] || layer.name }), make("span", { text: `${count(layer.tokens)} tokens` }));

function rendered() {
  const { mdast, shown } = now.frame;
  if (!shown.lines.length) return empty("The model was shown nothing: nothing is recorded, or nothing changed.");
  if (!mdast) return [empty("This text is nested too deeply to be read as markdown."), ...[raw()].flat()];
  const root = make("div", { class: "text", dir: "auto" });
  root.append(...(mdast.children || []).map((/** @type {any} */ child) => block(child)));
  root.addEventListener("click", (/** @type {any} */ event) => {
    const line = event.target.closest("[data-line]");
    if (line) choose(Number(line.dataset.line));
  });
  root.addEventListener("keydown", (/** @type {any} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    const line = event.target.closest("[data-line]");
    if (line) { event.preventDefault(); choose(Number(line.dataset.line)); }
  });
  return root;
}

/** @param {any} node @returns {Node} */
function block(node) {
  // A line of the mdast is one of the lines of the layers: between two layers there is none that is empty.
  const lineOf = () => {
    let line = node.lines ? node.lines[0] : 0, passed = 0;
    for (const layer of now.frame.shown.layers) {
      if (line <= passed + layer.lines) break;
      passed += layer.lines;
      line -= 1;
    }
    return Math.max(0, line);
  };
  const inside = () => (node.children || []).map(block);
  const place = () => ({ "data-line": lineOf(), tabindex: 0, class: lineOf() === now.line ? "picked" : null });
  switch (node.kind) {
    case "heading": return make(`h${Math.min(6, node.depth + 2)}`, place(), ...inside());
    case "paragraph": return make("p", place(), ...inside());
    case "list": return make(node.start === undefined ? "ul" : "ol", { start: node.start }, ...inside());
    case "listItem": {
      const one = node.children?.length === 1 && node.children[0].kind === "paragraph" ? node.children[0].children.map(block) : inside();
      const box = node.checked === null || node.checked === undefined ? [] : [make("span", { role: "img", "aria-label": node.checked ? "done" : "to do" }, node.checked ? "☑ " : "☐ ")];
      const item = make("li", place(), ...box, ...one);
      if (box.length) item.classList.add("box");
      return item;
    }
    case "blockquote": return make("blockquote", place(), ...inside());
    case "code": return make("pre", place(), make("code", { text: node.value }));
    case "table": return make("table", {}, make("tbody", {}, ...inside()));
    case "tableRow": return make("tr", place(), ...inside());
    case "tableCell": return make("td", {}, ...inside());
    case "thematicBreak": return make("hr");
    case "break": return make("br");
    case "text": return said(node.value);
    case "inlineCode": return make("code", { text: node.value });
    case "strong": return make("strong", {}, ...inside());
    case "emphasis": return make("em", {}, ...inside());
    case "delete": return make("del", {}, ...inside());
    case "link": case "linkReference": return make("span", {}, make("span", { class: "link" }, ...inside()), make("span", { class: "target", text: ` (${node.target})` }));
    case "image": return make("span", {}, make("span", { text: `[image: ${node.value}]` }), make("span", { class: "target", text: ` (${node.target})` }));
    default: return node.value !== undefined ? make("code", { text: node.value }) : make("div", {}, ...inside());
  }
}

function raw() {
  const { layers, lines } = now.frame.shown;
  if (!lines.length) return empty("The model was shown nothing: nothing is recorded, or nothing changed.");
  const made = [];
  let nth = 0;
  for (const layer of layers) {
    const own = lines.slice(nth, nth + layer.lines);
    const first = nth;
    nth += layer.lines;
    const rows = own.length > MOST_LINES
      ? make("pre", { text: layer.markdown })
      : make("div", { class: "raw" }, ...own.map((/** @type {any} */ line, /** @type {number} */ at) => make("button", {
        type: "button", "data-line": first + at, "aria-current": first + at === now.line ? "true" : null, onclick: () => choose(first + at),
      }, make("span", { class: "n", text: first + at + 1 }), make("span", { text: line.text.length > 20000 ? `${line.text.slice(0, 20000)}… (${count(line.text.length)} characters)` : line.text }))));
    made.push(layerHead(layer), rows);
  }
  return made;
}

async function changes() {
  const frame = now.frame;
  const other = now.compare || Math.max(1, frame.turn - 1);
  const field = make("input", { type: "number", min: 1, max: now.timeline?.next || frame.next, value: other, "aria-label": "Compare with turn", onchange: (/** @type {any} */ event) => { now.compare = Number(event.target.value) || 0; writePlace(); draw().catch(failed); } });
  const columns = make("button", { type: "button", id: "columns", "aria-pressed": String(now.columns), onclick: () => { now.columns = !now.columns; writePlace(); draw().then(() => $("columns")?.focus()).catch(failed); }, text: "side by side" });
  const head = make("div", { class: "turns" }, make("label", {}, "compare with turn ", field), now.compare ? make("button", { type: "button", onclick: () => { now.compare = 0; writePlace(); draw().catch(failed); }, text: "the turn before" }) : null, columns);
  let compared;
  if (recorded) compared = null;
  else {
    const asked = view();
    asked.set("a", String(other)); asked.set("b", String(frame.turn));
    compared = await ask(at(`diff?${asked}`), "diff");
    if (now.frame !== frame) return null;
  }
  if (!compared) return [head, empty("A page without a program behind it does not compare turns.")];
  const bytes = compared.same.map((/** @type {any[]} */ [layer, kept, all]) => make("li", { text: `${layer}: ${kept === all ? `all ${count(all)} bytes are the same` : `the first ${count(kept)} of ${count(all)} bytes are the same; what is behind them is read anew`}` }));
  const items = make("table", {}, make("thead", {}, make("tr", {}, ...["section", "item", "it said", "it says"].map((text) => make("th", { scope: "col", text })))), make("tbody", {}, ...compared.changes.slice(0, MOST_CHANGES).map((/** @type {any} */ change) => make("tr", {}, make("td", { text: change.section }), make("td", { text: change.item }), ...[change.before, change.after].map((text) => (text === null ? make("td", { class: "off", text: "–" }) : make("td", { dir: "auto", text: text.length > 400 ? `${text.slice(0, 400)}…` : text })))))));
  const more = compared.changes.length - MOST_CHANGES;
  return [head, make("h3", { text: "Text" }), now.columns ? sideBySide(compared.lines, other, frame.turn) : oneBelowAnother(compared.lines, other, frame.turn), make("h3", { text: "For the provider's cache" }), make("ul", {}, ...bytes), make("h3", { text: `State: ${several(compared.changes.length, "change")}` }), compared.changes.length ? items : empty("Nothing in the state is another one."), more > 0 ? empty(`and ${several(more, "change")} more`) : ""];
}

/** @param {any} line */
const textOf = (line) => line.pieces.map((/** @type {any} */ piece) => piece.text).join("");

/** The pieces of a line, with what is another one in it. @param {any} line @param {Record<string, any>} props */
const diffLine = (line, props) => make("div", {
  ...props, class: { "+": "added", "-": "removed" }[/** @type {"+"} */ (line.sign)] || "", "data-sign": line.sign,
  "aria-label": line.sign === " " ? null : `${line.sign === "+" ? "added" : "removed"}: ${textOf(line)}`,
}, ...line.pieces.map((/** @type {any} */ piece) => make(piece.changed ? "b" : "span", { text: piece.text })));

/** Lines with those left out that are far from any change: how many, in place of them. @param {any[]} lines @param {number} most */
function nearChanges(lines, most) {
  const isNear = lines.map((_, at) => lines.slice(Math.max(0, at - 3), at + 4).some((line) => line.sign !== " "));
  /** @type {any[]} */
  const shown = [];
  let left = 0;
  const flush = () => { if (left) shown.push({ gap: left }); left = 0; };
  lines.forEach((line, at) => { if (isNear[at]) { flush(); shown.push(line); } else left += 1; });
  flush();
  return shown.length > most ? [...shown.slice(0, most), { gap: shown.length - most, isCut: true }] : shown;
}

/** @param {any} gap */
const gapOf = (gap) => make("div", { class: "gap", role: "listitem", text: gap.isCut ? `⋯ and ${several(gap.gap, "line")} more` : `⋯ ${several(gap.gap, "line")} the same` });

/** @param {any[]} lines @param {number} a @param {number} b */
function oneBelowAnother(lines, a, b) {
  return make("div", { class: "diff", role: "list", "aria-label": `What changed from turn ${a} to turn ${b}` }, ...nearChanges(lines, MOST_LINES).map((line) => (line.gap ? gapOf(line) : diffLine(line, { role: "listitem" }))));
}

/** Two turns in two columns: what was taken out beside what was put in its place. @param {any[]} lines @param {number} a @param {number} b */
function sideBySide(lines, a, b) {
  const rows = [];
  /** @type {any[]} */
  let gone = [];
  /** @type {any[]} */
  let come = [];
  const none = () => make("div", { class: "none", role: "cell" });
  const flush = () => {
    for (let at = 0; at < Math.max(gone.length, come.length); at += 1) rows.push([gone[at], come[at]]);
    gone = []; come = [];
  };
  for (const line of nearChanges(lines, MOST_ROWS)) {
    if (line.sign === "-") { if (come.length) flush(); gone.push(line); }
    else if (line.sign === "+") come.push(line);
    else { flush(); rows.push(line.gap ? line : [line, line]); }
  }
  flush();
  const cell = (/** @type {any} */ line) => (line ? diffLine(line, { role: "cell" }) : none());
  return make("div", { class: "diff columns", role: "table", "aria-label": `Turn ${a} beside turn ${b}` },
    make("div", { role: "row", class: "pair" }, make("div", { role: "columnheader", class: "layer", text: `turn ${a}` }), make("div", { role: "columnheader", class: "layer", text: `turn ${b}` })),
    ...rows.map((row) => (Array.isArray(row) ? make("div", { role: "row", class: "pair" }, cell(row[0]), cell(row[1])) : make("div", { role: "row" }, make("div", { class: "gap", role: "cell", "aria-colspan": 2, text: gapOf(row).textContent })))));
}

function tree() {
  const { calls, lines } = now.frame.shown;
  if (!calls.length) return empty("There is nothing to show a tree of.");
  /** @type {Map<number, number[]>} */
  const given = new Map();
  lines.forEach((/** @type {any} */ line, /** @type {number} */ at) => line.calls.forEach((/** @type {number} */ call) => given.set(call, [...(given.get(call) || []), at])));
  const wrote = (/** @type {number} */ call) => given.get(call) || [];
  const some = calls.map((/** @type {any} */ _, /** @type {number} */ at) => wrote(at).length > 0);
  /** @type {Map<number | undefined, number[]>} */
  const within = new Map();
  for (let at = calls.length - 1; at >= 0; at -= 1) {
    if (!some[at]) continue;
    const { within: around } = calls[at];
    if (around !== undefined) some[around] = true;
    within.set(around, [at, ...(within.get(around) || [])]);
  }
  // What is within a call is made when it is opened: at first, as much as a reader takes in.
  let left = 120;
  const branch = (/** @type {number[]} */ own) => make("ul", {}, ...own.map(leaf));
  const leaf = (/** @type {number} */ at) => {
    left -= 1;
    const call = calls[at], own = wrote(at), inside = within.get(at) || [];
    const props = call.props?.map((/** @type {string[]} */ [name, value]) => `${name}=${value.length > 60 ? `${value.slice(0, 60)}…` : value}`).join(" ");
    const about = [props, call.part && `part ${call.part}`, own.length > 1 ? `lines ${own[0] + 1}–${own[own.length - 1] + 1}` : own.length ? `line ${own[0] + 1}` : ""].filter(Boolean).join(" · ");
    const item = make("li", {}, make("button", { type: "button", onclick: () => own.length && choose(own[0]), title: own.length ? `line ${own[0] + 1}` : "" }, make("span", { class: call.kind, text: call.name }), about ? make("span", { class: "props", text: ` ${about}` }) : null));
    if (!inside.length) return item;
    if (left >= inside.length) item.append(branch(inside));
    else {
      const more = make("button", { type: "button", class: "inside", "aria-expanded": "false", onclick: () => { left += 40; more.replaceWith(branch(inside)); }, text: ` + ${count(inside.length)} within` });
      item.append(more);
    }
    return item;
  };
  return make("div", { class: "tree" }, branch(within.get(undefined) || []));
}

async function stateView() {
  const frame = now.frame;
  const answer = await ask(at(`state?turn=${frame.turn}`), "state");
  if (now.frame !== frame) return null;
  const shown = new Set(frame.shown.lines.map((/** @type {any} */ line) => `${line.section} ${line.item}`));
  const groups = new Map();
  for (const item of answer.items) groups.set(item.section, [...(groups.get(item.section) || []), item]);
  if (!groups.size) return empty("Nothing is known yet.");
  const row = (/** @type {any} */ item) => make("tr", {}, make("td", { text: item.item }), make("td", { dir: "auto" }, make("span", { class: "text", text: item.text.length > 500 ? `${item.text.slice(0, 500)}…` : item.text }), shown.has(`${item.section} ${item.item}`) ? "" : make("span", { class: "pill", text: "not shown" })), make("td", { text: item.by || "" }), make("td", {}, item.event ? eventLink(item.event, item.turn === null ? "" : `turn ${item.turn}`) : ""));
  const head = () => make("thead", {}, make("tr", {}, ...["item", "says", "by", "since"].map((text) => make("th", { scope: "col", text }))));
  const table = (/** @type {any[]} */ items) => {
    const body = make("tbody", {}, ...items.slice(0, 25).map(row));
    const rest = items.slice(25);
    const more = rest.length ? make("button", { type: "button", onclick: () => { body.append(...rest.splice(0, 50).map(row)); if (!rest.length) more.remove(); }, text: "more of them" }) : "";
    return [make("table", {}, head(), body), more];
  };
  // What is long is there when somebody wants it.
  let left = 60;
  return [...groups].map(([section, items]) => {
    const isOpen = left > 0;
    left -= Math.min(25, items.length);
    const group = make("details", { open: isOpen }, make("summary", {}, make("b", { text: section }), ` (${count(items.length)})`), ...(isOpen ? table(items) : []));
    group.addEventListener("toggle", () => { if (group.open && !group.querySelector("table")) group.append(...table(items)); });
    return group;
  });
}

function parts() {
  const { shown } = now.frame;
  const head = ["part", "layer", "shown", "tokens", "of", "worth", "of", "why"];
  return make("table", {}, make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col", text })))), make("tbody", {}, ...shown.sections.map((/** @type {any} */ part) => make("tr", {}, make("td", { text: part.name || "(no part)" }), make("td", { text: part.layer }), make("td", { text: part.choice }), make("td", { class: "n", text: count(part.tokens) }), make("td", { class: "n", text: count(part.full) }), make("td", { class: "n", text: part.worth }), make("td", { class: "n", text: part.whole }), make("td", { text: `${part.reason}${part.because ? `; worth ${part.because}` : ""}` })))));
}

/** What was said in the turn, where a recording or a transcript has it. */
async function conversation() {
  const frame = now.frame;
  const { messages } = await ask(at(`messages?turn=${frame.turn}`), "messages");
  if (now.frame !== frame) return null;
  if (!messages.length) return empty("Nothing was said in this turn.");
  const shown = messages.slice(0, MOST_LINES);
  return [...shown.map(messageView),
  messages.length > shown.length ? empty(`and ${several(messages.length - shown.length, "message")} more`) : ""];
}
