// @ts-check
// The page of `hud inspect`: what its controls do, and how it begins.

import { $, count, make } from "./dom.js";
import { DENSITIES, PAGE, TABS, now, recorded } from "./now.js";
import { ask, failed, locked, notice } from "./ask.js";
import { readPlace, writePlace, written } from "./place.js";
import { listSessions, openSession, pick } from "./sessions.js";
import { go, showTurn } from "./turns.js";
import { draw } from "./views.js";
import { drawEvents } from "./events.js";
import { listen, refresh } from "./live.js";

$("tabs").append(...TABS.map(([name, text], nth) => make("button", {
  type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "view", "aria-selected": "false", tabindex: -1, "aria-keyshortcuts": nth + 1, text, hidden: name === "messages",
  onclick: () => showTab(name),
  onkeydown: (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[/** @type {"ArrowRight"} */ (event.key)];
    if (!step) return;
    event.preventDefault();
    const there = TABS.filter(([name]) => !$(`tab-${name}`).hidden);
    const to = there[(nth + step + there.length) % there.length][0];
    showTab(to);
    $(`tab-${to}`).focus();
  },
})));

/** @param {string} name */
function showTab(name) {
  now.tab = name;
  writePlace();
  if (now.frame) draw().catch(failed);
}

function changeView() {
  $("budgeted").textContent = now.budget ? `${count(now.budget)} tokens` : "none";
  $("density").value = now.density;
  $("budget").value = String(now.budget);
  $("budget").setAttribute("aria-valuetext", now.budget ? `${now.budget} tokens` : "no budget of its own");
  writePlace();
  if (now.frame) showTurn().catch(failed);
}

let sliding = 0;
$("slider").addEventListener("input", () => {
  cancelAnimationFrame(sliding);
  sliding = requestAnimationFrame(() => go(Number($("slider").value), false).catch(failed));
});
$("turn").addEventListener("change", () => go(Number($("turn").value), false).catch(failed));
$("first").addEventListener("click", () => go(1, false).catch(failed));
$("back").addEventListener("click", () => go(now.turn - 1, false).catch(failed));
$("forth").addEventListener("click", () => go(now.turn + 1, false).catch(failed));
$("last").addEventListener("click", () => go(now.timeline.next, false).catch(failed));
$("follow").addEventListener("click", () => toggleFollow());
$("density").addEventListener("change", () => { now.density = $("density").value; changeView(); });
$("placement").addEventListener("change", () => { now.placement = $("placement").value; changeView(); });
let budgeting = 0;
$("budget").addEventListener("input", () => {
  now.budget = Number($("budget").value);
  $("budgeted").textContent = now.budget ? `${count(now.budget)} tokens` : "none";
  clearTimeout(budgeting);
  budgeting = setTimeout(changeView, 60);
});
$("pick").addEventListener("click", () => pick().catch(failed));
$("more").addEventListener("click", () => listSessions(true).catch(failed));
$("help-open").addEventListener("click", () => $("help").showModal());
$("kind").addEventListener("change", () => { now.kind = $("kind").value; drawEvents(0).catch(failed); });
$("section").addEventListener("change", () => { now.section = $("section").value; now.item = null; drawEvents(0).catch(failed); });
let typing = 0;
$("query").addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(() => drawEvents(null).catch(failed), 150); });
$("everywhere").addEventListener("change", () => drawEvents(null).catch(failed));
$("find").addEventListener("submit", (/** @type {Event} */ event) => { event.preventDefault(); drawEvents(null).catch(failed); });
$("page-first").addEventListener("click", () => drawEvents(0).catch(failed));
$("page-back").addEventListener("click", () => drawEvents(now.skip - PAGE).catch(failed));
$("page-forth").addEventListener("click", () => drawEvents(now.skip + PAGE).catch(failed));
$("page-last").addEventListener("click", () => drawEvents(Number($("page-last").dataset.skip)).catch(failed));

function toggleFollow() {
  if (now.follow) { now.follow = false; $("follow").setAttribute("aria-pressed", "false"); writePlace(); } else refresh(true).then(() => go(now.timeline.next, true)).catch(failed);
}

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape" && target.id === "query") { $("query").value = ""; target.blur(); drawEvents(null).catch(failed); return; }
  const types = ["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName);
  const isRange = target instanceof HTMLInputElement && target.type === "range";
  if ((types && !isRange) || !now.timeline) return;
  const deeds = /** @type {Record<string, () => any>} */ ({
    "[": () => go(now.turn - 1, false), "]": () => go(now.turn + 1, false), "{": () => go(now.turn - 10, false), "}": () => go(now.turn + 10, false),
    Home: () => go(1, false), End: () => go(now.timeline.next, false), f: toggleFollow, s: pick,
    d: () => { now.density = DENSITIES[(DENSITIES.indexOf(now.density) + 1) % DENSITIES.length]; changeView(); },
    "/": () => $("query").focus(), "?": () => $("help").showModal(),
  });
  TABS.forEach(([name], nth) => { if (!$(`tab-${name}`).hidden) deeds[String(nth + 1)] = () => showTab(name); });
  const deed = deeds[event.key];
  if (!deed || (isRange && (event.key === "Home" || event.key === "End"))) return;
  event.preventDefault();
  Promise.resolve(deed()).catch(failed);
});

window.addEventListener("hashchange", () => {
  if (location.hash === written) return;
  const session = readPlace();
  changeView();
  if (session) openSession(session).catch(failed);
});

async function begin() {
  const wanted = readPlace();
  if (!recorded && !now.key) return locked();
  changeView();
  for (const id of recorded ? ["density", "budget", "placement"] : []) $(id).disabled = true;
  now.about = await ask("/api/about");
  $("tab-messages").hidden = !now.about.has_messages;
  if (now.tab === "messages" && !now.about.has_messages) now.tab = "rendered";
  const answer = await ask("/api/sessions?limit=1");
  listen().catch(failed);
  if (!answer.total) return notice("No session yet", `${now.about.name} holds no events. It fills when an agent works with the HUD, or with \`hud replay --db\`; this page shows it then.`);
  await openSession(wanted || answer.sessions[0].id);
}

begin().catch((error) => {
  if (error.status === 401) return locked();
  notice("It can't be shown", error.message || String(error));
});
