// @ts-check
// Going from turn to turn.

import { $, count, dollars, plain, said } from "./dom.js";
import { cache, costOf, now, recorded } from "./now.js";
import { ask, at, tell } from "./ask.js";
import { writePlace } from "./place.js";
import { mark } from "./chart.js";
import { draw } from "./views.js";
import { drawEvents, searching } from "./events.js";

/** @param {number} turn @param {boolean} follow */
export async function go(turn, follow) {
  const next = now.timeline?.next || turn;
  const to = Math.min(Math.max(1, Math.round(turn) || 1), next);
  // What was done is said until the reader goes on.
  if (to !== now.turn && !now.follow) now.done = "";
  now.turn = to;
  now.follow = follow && !recorded;
  $("slider").value = String(now.turn);
  $("slider").setAttribute("aria-valuetext", `turn ${now.turn} of ${next}${now.turn === next ? ", which is the next" : ""}`);
  if (document.activeElement !== $("turn")) $("turn").value = String(now.turn);
  $("follow").setAttribute("aria-pressed", String(now.follow));
  $("first").disabled = $("back").disabled = now.turn <= 1;
  $("last").disabled = $("forth").disabled = now.turn >= next;
  mark();
  writePlace();
  await showTurn();
}

export const view = () => {
  const asked = new URLSearchParams();
  if (now.density !== "auto") asked.set("density", now.density);
  if (now.budget) asked.set("budget", String(now.budget));
  if (now.placement !== "auto") asked.set("placement", now.placement);
  return asked;
};

/** What is asked for again before it was answered is of no interest any more. @param {Promise<any>} asked */
export const unlessAborted = (asked) => asked.catch((error) => { if (!(error instanceof DOMException && error.name === "AbortError")) throw error; });

export const showTurn = () => unlessAborted(loadTurn());

let loads = 0;
async function loadTurn() {
  loads += 1;
  const own = loads;
  const asked = view();
  asked.set("tree", "1");
  const isNext = !now.timeline || now.turn >= now.timeline.next;
  if (!(now.follow && isNext) && now.timeline) asked.set("turn", String(now.turn));
  const name = `${now.session} ${now.timeline?.version} ${asked}`;
  let frame = cache.get(name);
  if (!frame) {
    const slow = setTimeout(() => $("view").classList.add("waits"), 120);
    try { frame = await ask(at(`frame?${asked}`), "frame"); } finally { clearTimeout(slow); $("view").classList.remove("waits"); }
    if (frame.read) cache.set(name, frame);
    if (cache.size > 200) cache.delete(String(cache.keys().next().value));
  }
  // Another turn was asked for meanwhile, and was there at once.
  if (own !== loads) return;
  now.frame = frame;
  if (!now.timeline) now.turn = frame.turn;
  await Promise.all([unlessAborted(draw()), drawEvents(now.item === null && !now.kind && !now.section && !searching() ? null : now.skip)]);
  if (own !== loads) return;
  const context = frame.context ? `, ${count(frame.context.used)} tokens in the context${frame.context.percent === null ? "" : ` (${frame.context.percent} %)`}` : ", no reading of the context yet";
  // What happened in the turn is what its call took.
  const cost = costOf(frame.happened?.tokens);
  const calls = cost === null ? "" : `; what was sent in it costs ${dollars(cost)}`;
  const trial = now.density !== "auto" || now.budget ? "This is what the HUD would be, not what was sent. " : "";
  tell(`${now.done}${trial}Turn ${count(frame.turn)}${frame.turn === frame.next ? ", which is the next" : ""}: ${frame.shown.density} density, ${frame.shown.placement} placement${context}${calls}.`);
  const task = frame.shown.lines.find((/** @type {any} */ line) => line.section === "task" && line.item !== undefined && !line.text.startsWith("#"));
  $("task").replaceChildren(said(task ? plain(task.text) : ""));
}
