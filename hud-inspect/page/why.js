// @ts-check
// Why it is as it is.

import { $, count, make, several } from "./dom.js";
import { now } from "./now.js";
import { failed } from "./ask.js";
import { acts } from "./acts.js";
import { filter, showEvent } from "./events.js";

/** @param {number} line */
export function choose(line) {
  now.line = line;
  for (const node of $("view").querySelectorAll("[data-line]")) {
    const is = Number(node.dataset.line) === line;
    if (node.tagName === "BUTTON") node.toggleAttribute("aria-current", false), is && node.setAttribute("aria-current", "true");
    else node.classList.toggle("picked", is);
  }
  explain();
  // What can be done with the item of the line is another thing.
  acts();
}

/** @param {number} version @param {string} [text] */
export const eventLink = (version, text) => make("button", { type: "button", class: "go", onclick: () => showEvent(version).catch(failed), text: text ? `${text}, event ${version}` : `event ${version}` });

/** What the log says of the texts that were sent in the turn. @returns {Node[]} */
function sentView() {
  const { sent } = now.frame.shown;
  if (!sent || sent.verdict === "trial") return [];
  const told = {
    same: "This is what was sent, byte by byte.",
    other: "What was sent was another text: by another layout, other settings or another program. This is what it would be now.",
    changes: "Only what had changed was sent, and it is this:",
    other_changes: "Only what had changed was sent, and what that was can't be made again.",
    unknown: "The log does not say what was sent: this is what it would be.",
  }[/** @type {"same"} */ (sent.verdict)] || "";
  const layers = (sent.verdict === "unknown" ? [] : sent.layers).map((/** @type {any[]} */ [name, same]) => `${{ system: "end of the system prompt", message: "last message" }[/** @type {"system"} */ (name)] || name}: ${same ? "as sent" : "not as sent"}`).join("; ");
  return [make("p", { class: sent.verdict === "same" ? "sent" : "sent soft" }, make("strong", { text: told }), ` ${sent.placement ? `${sent.placement} placement, ${sent.density} density` : ""}${layers ? `; ${layers}` : ""} `, sent.event ? eventLink(sent.event) : ""),
    ...(sent.changes ? [make("pre", { class: "text", dir: "auto", text: sent.changes })] : [])];
}

function explain() {
  const { shown } = now.frame;
  const line = shown.lines[now.line];
  if (!line) { $("line").replaceChildren(make("p", { class: "soft", text: "Pick a line of the HUD: it is explained here." })); return; }
  // The calls around a call, from the outermost to itself.
  const around = (/** @type {number | undefined} */ call) => { const calls = []; for (let at = call; at !== undefined; at = shown.calls[at]?.within) calls.unshift(shown.calls[at]); return calls; };
  const paths = line.calls.map((/** @type {number} */ call) => make("p", { class: "path" }, ...around(call).map((call) => make("span", { text: call.name }))));
  const partOf = (/** @type {number} */ call) => around(call).findLast((call) => call.part)?.part;
  // When there is little room, a line has something of several sections.
  const sections = [...new Set(line.calls.map(partOf).filter(Boolean))];
  const named = sections.length > 1 ? sections.join(", ") : line.section;
  const part = shown.sections.find((/** @type {any} */ section) => section.name === line.section);
  $("line").replaceChildren(
    make("p", {}, make("strong", { text: `Line ${now.line + 1}` }), named ? ` of ${named}` : "", line.item ? make("span", {}, sections.length > 1 ? "; of the first, item " : ", item ", make("code", { text: line.item })) : ""),
    ...(line.calls.length ? paths : [make("p", { class: "soft", text: line.text.trim() ? "It says what changed, or where to find what was left out." : "Nobody gave it: it keeps blocks apart." })]),
    line.event ? make("p", {}, "The last event about it: ", eventLink(line.event)) : "",
    line.item !== undefined && line.section ? make("p", {}, make("button", { type: "button", class: "go", onclick: () => filter(line.section, line.item), text: "all events about it" })) : "",
    line.text.includes("…") ? make("p", { class: "soft", text: "It ends with “…”: a text is cut to its length here; the state has all of it." }) : "",
    part ? make("p", { class: "soft", text: `${part.name}: ${part.choice}, ${count(part.tokens)} of ${count(part.full)} tokens; ${part.reason}.` }) : "",
  );
}

export function why() {
  explain();
  $("sent").replaceChildren(...sentView());
  const { shown } = now.frame;
  const most = Math.max(1, ...shown.sections.map((/** @type {any} */ part) => part.full));
  const rows = shown.sections.filter((/** @type {any} */ part) => part.full || part.tokens || part.absent).map((/** @type {any} */ part) => {
    const meter = make("span", { class: "meter", "aria-hidden": "true" }, make("i"));
    meter.firstChild.style.inlineSize = `${Math.round((part.tokens / most) * 100)}%`;
    return make("tr", {}, make("th", { scope: "row", text: part.name || "(no part)" }), make("td", { class: "n", text: count(part.tokens) }), make("td", { class: "n off", text: count(part.full) }), make("td", {}, `${part.choice}`, meter), make("td", { class: "off", text: `${part.reason}${part.absent ? `; ${part.absent} of ${part.items} not shown` : ""}` }));
  });
  const silent = shown.sections.filter((/** @type {any} */ part) => !(part.full || part.tokens || part.absent)).map((/** @type {any} */ part) => part.name);
  $("sections").replaceChildren(make("h3", { text: "Parts, with their tokens" }), make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col", text: "part" }), make("th", { scope: "col", class: "n", text: "shown" }), make("th", { scope: "col", class: "n", text: "full" }), make("th", { scope: "col", text: "as" }), make("th", { scope: "col", text: "why not more" }))), make("tbody", {}, ...rows)), silent.length ? make("p", { class: "soft", text: `Nothing to say: ${silent.join(", ")}.` }) : "");
  absent();
  acts();
}

function absent() {
  const { shown } = now.frame;
  if (!shown.absent.length) { $("absent").replaceChildren(); return; }
  const groups = new Map();
  for (const item of shown.absent) { const name = `${item.section}: ${item.why}`; groups.set(name, [...(groups.get(name) || []), item]); }
  const listOf = (/** @type {any[]} */ items) => make("ul", {}, ...items.slice(0, 40).map((/** @type {any} */ item) => make("li", { dir: "auto" }, make("span", { text: item.text || item.item }), " ", item.event ? eventLink(item.event) : "")));
  const made = [...groups].map(([name, items]) => {
    const details = make("details", { open: now.open.has(name) || null }, make("summary", { text: `${items[0].section}: ${several(items.length, "item")} not shown` }), make("p", { class: "soft", text: `Why: ${items[0].why}.` }),
      now.open.has(name) ? listOf(items) : "");
    details.addEventListener("toggle", () => {
      if (details.open) now.open.add(name); else now.open.delete(name);
      if (details.open && !details.querySelector("ul")) details.append(listOf(items));
    });
    return details;
  });
  $("absent").replaceChildren(make("h3", { text: `In the state, and not shown (${shown.absent.length})` }), ...made);
}
