// @ts-check
// Which session is looked at.

import { $, count, make, said, several, when } from "./dom.js";
import { cache, now, recorded } from "./now.js";
import { ask, at, failed, tell } from "./ask.js";
import { writePlace } from "./place.js";
import { chart } from "./chart.js";
import { go, showTurn } from "./turns.js";

let listed = 0;
export async function listSessions(more = false) {
  if (!more) { listed = 0; $("rows").replaceChildren(); }
  const answer = await ask(`/api/sessions?from=${listed}&limit=50`);
  listed += answer.sessions.length;
  const minute = Date.now() - 120000;
  $("rows").append(...answer.sessions.map((/** @type {any} */ row) => make("button", {
    type: "button", class: "session", "aria-current": row.id === now.session ? "true" : null,
    onclick: () => { $("sessions").close(); openSession(row.id).catch(failed); },
  }, make("b", { text: row.id }), make("span", { class: "figures" },
    row.last > minute && !recorded ? make("span", { class: "pill live", text: "live" }) : null,
    ` ${several(row.turn, "turn")}, ${several(row.events, "event")}${row.percent === null ? "" : `, ${row.percent} % of the context`}${row.errors ? `, ${several(row.errors, "open error")}` : ""} `, when(row.last)),
  row.fault ? make("span", { class: "what bad", text: `It can't be read: ${row.fault}` }) : make("span", { class: "what", text: row.task || "No task is recorded." }),
  row.from.length ? make("span", { class: "what", text: `comes from ${row.from.join(", ")}` }) : null)));
  $("more").hidden = listed >= answer.total;
  return answer;
}

export async function pick() {
  $("sessions").showModal();
  await listSessions();
}

/** @param {string} id */
export async function openSession(id) {
  if (now.session !== id) {
    now.session = id;
    now.line = -1; now.skip = 0; now.kind = now.section = ""; now.item = null; now.timeline = null; now.frame = null; now.undo = null; now.done = "";
    cache.clear();
  }
  $("picked").replaceChildren(said(id));
  document.title = `${id} · Agent HUD`;
  $("notice").hidden = true;
  $("session").hidden = false;
  const first = readTimeline();
  // The newest turn is there before a long session has been read.
  if (now.follow) await showTurn();
  await first;
  if (!now.follow) await go(now.turn, false);
  else await go(now.timeline.next, true);
  writePlace();
}

export async function readTimeline() {
  const session = now.session;
  for (;;) {
    const timeline = await ask(at("timeline"));
    if (session !== now.session) return;
    now.timeline = timeline;
    if (timeline.read) break;
    tell(`Reading: ${count(timeline.version)} of ${count(timeline.events)} events`);
  }
  const { timeline } = now;
  $("slider").max = String(timeline.next);
  $("turn").max = String(timeline.next);
  $("of").textContent = `of ${count(timeline.next)}`;
  chart();
  options($("kind"), timeline.kinds, now.kind);
  options($("section"), timeline.sections, now.section);
}

/** @param {HTMLSelectElement} select @param {Record<string, number>} names @param {string} chosen */
function options(select, names, chosen) {
  const known = Object.entries(names);
  if (select.options.length - 1 === known.length && document.activeElement === select) return;
  const families = select.id === "kind" ? [...new Set(known.map(([name]) => name.split(".")[0]))].filter((family) => known.filter(([name]) => name.startsWith(`${family}.`)).length > 1) : [];
  select.replaceChildren(make("option", { value: "", text: "all" }), ...families.map((name) => make("option", { value: name, text: `${name}.*` })), ...known.map(([name, number]) => make("option", { value: name, text: `${name} (${count(number)})` })));
  select.value = chosen;
}
