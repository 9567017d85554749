// @ts-check
// The events, and looking for some of them.

import { $, count, empty, make, messageView, said, several, when } from "./dom.js";
import { PAGE, cache, now } from "./now.js";
import { ask, at, failed } from "./ask.js";
import { openSession } from "./sessions.js";
import { go, unlessAborted } from "./turns.js";
import { refresh } from "./live.js";

export const searching = () => $("query").value.trim();

/** @param {any} payload */
export function summary(payload) {
  if (payload === null || typeof payload !== "object") return String(payload);
  return Object.entries(payload).map(([name, value]) => `${name}: ${value !== null && typeof value === "object" ? "{…}" : value}`).join(", ").slice(0, 400);
}

/** @param {number | null} skip where the page begins; without it, where the turn's events are */
export const drawEvents = (skip) => unlessAborted(loadEvents(skip));

/** @param {number | null} skip */
async function loadEvents(skip) {
  if (searching()) return drawHits();
  const asked = new URLSearchParams({ limit: String(PAGE) });
  if (now.kind) asked.set("kind", now.kind);
  if (now.section) asked.set("section", now.section);
  if (now.item !== null) asked.set("item", now.item);
  const seen = now.frame?.shown.version || 0;
  if (skip === null) asked.set("skip", String(Math.max(0, seen - Math.floor(PAGE * 0.7))));
  else asked.set("skip", String(Math.max(0, skip)));
  if (now.timeline && !now.timeline.read) return;
  const page = await ask(at(`events?${asked}`), "events");
  now.skip = page.before;
  const focus = document.activeElement?.closest?.("#list tr")?.getAttribute("data-version");
  const unfolded = new Map([...$("list").querySelectorAll("tr.more")].map((more) => [more.previousElementSibling?.getAttribute("data-version"), more]));
  const rows = page.events.map((/** @type {any} */ event) => eventRow(event, seen));
  const filters = now.item !== null ? make("p", {}, make("span", { class: "pill", text: `${now.section} ${now.item}` }), " ", make("button", { type: "button", class: "go", onclick: () => filter("", null), text: "all events" })) : null;
  $("list").replaceChildren(...[filters, rows.length ? make("table", {}, make("colgroup", {}, make("col", { class: "c-version" }), make("col", { class: "c-turn" }), make("col", { class: "c-actor" }), make("col", { class: "c-kind" }), make("col")), make("thead", {}, make("tr", {}, ...["event", "turn", "by", "kind", "what"].map((text) => make("th", { scope: "col", text })))), make("tbody", {}, ...rows)) : empty("No event is like that.")].filter(Boolean));
  for (const row of rows) {
    const more = unfolded.get(row.getAttribute("data-version"));
    if (more) show(row, more);
  }
  if (focus) $("list").querySelector(`tr[data-version="${focus}"] button`)?.focus();
  $("page").textContent = page.total ? `${count(page.before + 1)} to ${count(page.before + page.events.length)} of ${count(page.total)}` : "none";
  $("page-first").disabled = $("page-back").disabled = page.before === 0;
  $("page-forth").disabled = $("page-last").disabled = page.before + page.events.length >= page.total;
  $("page-last").dataset.skip = String(Math.max(0, page.total - PAGE));
}

/** @param {any} event @param {number} seen */
function eventRow(event, seen) {
  const isAfter = event.version > seen;
  const row = make("tr", { "data-version": event.version, class: event.version === seen ? "here" : isAfter ? "after" : null },
    make("td", {}, make("button", { type: "button", class: "go", "aria-expanded": "false", onclick: () => unfold(row, event).catch(failed), text: event.version })),
    make("td", {}, make("button", { type: "button", class: "go", onclick: () => go(event.turn + 1, false).catch(failed), title: `What the model saw after it: turn ${event.turn + 1}`, text: event.turn })),
    make("td", { text: event.actor }), make("td", { text: event.kind }), make("td", { dir: "auto", text: summary(event.payload) }));
  return row;
}

/** @param {any} row */
const isUnfolded = (row) => row.nextElementSibling?.classList.contains("more") === true;

/** @param {any} row @param {Element} more */
function show(row, more) {
  row.querySelector("button").setAttribute("aria-expanded", "true");
  row.after(more);
}

/** @param {any} row @param {any} event */
async function unfold(row, event) {
  if (isUnfolded(row)) { row.nextElementSibling.remove(); row.querySelector("button").setAttribute("aria-expanded", "false"); return; }
  // An output that left the conversation is not in the list, nor what was said.
  const whole = event.cut || event.kind === "output.keep" || now.about.has_messages ? await ask(at(`event/${event.version}`)) : event;
  const text = JSON.stringify(whole.payload, null, 2);
  const cutText = (/** @type {string} */ long) => (long.length > 200000 ? `${long.slice(0, 200000)}… (${count(long.length)} characters)` : long);
  const content = whole.content ? [make("p", { class: "soft", text: "What the tool said:" }), make("pre", { tabindex: 0, "aria-label": "What the tool said", text: cutText(whole.content) })] : [];
  const behind = whole.said?.length ? [make("p", { class: "soft", text: "What it follows from:" }), ...whole.said.map(messageView)] : [];
  const redacted = event.kind.startsWith("event.redact");
  const redact = now.about.redacts && !redacted ? make("button", { type: "button", onclick: () => askToRedact(event), text: "Redact…" }) : "";
  // The list may have been drawn again meanwhile.
  const place = row.isConnected ? row : $("list").querySelector(`tr[data-version="${event.version}"]`);
  if (!place || isUnfolded(place)) return;
  show(place, make("tr", { class: "more" }, make("td", { colspan: 5 }, make("p", { class: "soft", text: `${when(event.at)}${event.section ? `, about ${event.section} ${event.item || ""}` : ""}, seq ${event.seq}` }), make("pre", { tabindex: 0, "aria-label": "What the event says", text: cutText(text) }), ...content, ...behind, redact)));
}

/** Asks whether an event is to be taken out, since nothing brings it back. @param {any} event */
function askToRedact(event) {
  const dialog = $("redact");
  $("redact-what").replaceChildren(said(`Event ${event.version}, ${event.kind}: ${summary(event.payload)}`));
  dialog.onclose = () => {
    $("redact-what").replaceChildren();
    if (dialog.returnValue !== "yes") return;
    dialog.returnValue = "";
    ask(at("redact"), undefined, { event: event.version }).then((answer) => {
      // Whatever was asked for or unfolded before may have the words.
      cache.clear();
      for (const more of $("list").querySelectorAll("tr.more")) more.remove();
      now.done = `${answer.said} `;
      return refresh(true);
    }).catch(failed);
  };
  dialog.returnValue = "";
  dialog.showModal();
}

async function drawHits() {
  const asked = new URLSearchParams({ q: searching() });
  if (!$("everywhere").checked) asked.set("session", now.session);
  if (now.kind) asked.set("kind", now.kind);
  $("list").classList.add("waits");
  let answer;
  try { answer = await ask(`/api/search?${asked}`, "search"); } finally { $("list").classList.remove("waits"); }
  const rows = answer.hits.map((/** @type {any} */ hit) => make("tr", {}, make("td", {}, make("button", { type: "button", class: "go", onclick: () => visit(hit).catch(failed), text: hit.version })), make("td", { text: hit.turn }), make("td", { text: hit.actor || "" }), make("td", { text: hit.kind }), make("td", { dir: "auto" }, hit.session === now.session ? "" : make("b", { text: `${hit.session}: ` }), ...hit.snippet.map((/** @type {any[]} */ [matched, text]) => make(matched ? "mark" : "span", { text })))));
  $("list").replaceChildren(rows.length ? make("table", {}, make("colgroup", {}, make("col", { class: "c-version" }), make("col", { class: "c-turn" }), make("col", { class: "c-actor" }), make("col", { class: "c-kind" }), make("col")), make("thead", {}, make("tr", {}, ...["event", "turn", "by", "kind", "what was found"].map((text) => make("th", { scope: "col", text })))), make("tbody", {}, ...rows)) : empty("Nothing that was recorded has all of these words."));
  $("page").textContent = several(answer.hits.length, "hit");
  for (const id of ["page-first", "page-back", "page-forth", "page-last"]) $(id).disabled = true;
}

/** @param {any} hit */
async function visit(hit) {
  $("query").value = "";
  if (hit.session !== now.session) { now.turn = hit.turn + 1; now.follow = false; await openSession(hit.session); }
  else await go(hit.turn + 1, false);
  await showEvent(hit.version);
}

/** @param {number} version */
export async function showEvent(version) {
  $("query").value = "";
  now.kind = now.section = ""; now.item = null;
  $("kind").value = $("section").value = "";
  await drawEvents(Math.max(0, version - 8));
  const row = $("list").querySelector(`tr[data-version="${version}"]`);
  if (!row) return;
  row.classList.add("here");
  row.scrollIntoView({ block: "nearest" });
  row.querySelector("button")?.focus({ preventScroll: false });
}

/** @param {string} section @param {string | null} item */
export function filter(section, item) {
  now.section = section; now.item = item;
  $("section").value = section;
  $("query").value = "";
  drawEvents(0).catch(failed);
}
