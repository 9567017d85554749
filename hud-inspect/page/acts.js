// @ts-check
// What a person does.

import { $, empty, make } from "./dom.js";
import { now } from "./now.js";
import { ask, at, failed } from "./ask.js";
import { refresh } from "./live.js";

export function acts() {
  const { frame } = now;
  if (!now.about.acts || frame.turn !== frame.next) {
    if (now.about.acts) $("acts").replaceChildren(make("h3", { text: "Put right" }), empty("Go to the newest turn to change what is recorded: what has been can not be changed."));
    else $("acts").replaceChildren();
    return;
  }
  if ($("acts").contains(document.activeElement) && document.activeElement?.tagName === "INPUT") return;
  const picked = frame.shown.lines[now.line];
  const reviewed = picked?.item && ["notes", "decisions", "findings", "constraints", "requests", "blockers", "next_steps"].includes(picked.section);
  const { task } = frame;
  const field = (/** @type {string} */ label, /** @type {string} */ name, /** @type {string} */ value) => make("input", { name, "aria-label": label, placeholder: label, value, autocomplete: "off" });
  const form = (/** @type {string} */ label, /** @type {any} */ input, /** @type {(value: string) => any} */ deed) => make("form", { onsubmit: (/** @type {any} */ event) => { event.preventDefault(); const value = input.value.trim(); if (value) { input.value = ""; input.blur(); act(deed(value)).catch(failed); } } }, input, make("button", { type: "submit", text: label }));
  $("acts").replaceChildren(make("h3", { text: "Put right" }), make("div", { class: "acts" },
    ...frame.errors.slice(0, 20).map((/** @type {any} */ error) => make("div", { class: "row" }, make("span", { class: "text", dir: "auto", text: error.text.slice(0, 200) }), make("button", { type: "button", "aria-label": `Resolve ${error.id}`, onclick: () => act({ tool: "errors.resolve", args: { id: error.id } }).catch(failed), text: "Resolve" }))),
    reviewed ? make("div", { class: "row" }, make("span", { class: "text", text: `${picked.section} ${picked.item}` }),
      make("button", { type: "button", "aria-label": `Confirm ${picked.item}`, onclick: () => act({ tool: "review", args: { confirm: [picked.item] } }).catch(failed), text: "Confirm" }),
      make("button", { type: "button", "aria-label": `Drop ${picked.item}`, onclick: () => act({ tool: "review", args: { drop: [picked.item] } }).catch(failed), text: "Drop" })) : null,
    reviewed ? form("Reword it", field(`Other words for ${picked.item}`, "words", ""), (words) => ({ tool: "review", args: { correct: { [picked.item]: words } } })) : null,
    form("Add the note", field("A note", "note", ""), (content) => ({ tool: "notes.add", args: { content } })),
    form(task ? "Reword the task" : "Set the task", field("The task in other words", "task", ""), (description) => ({ tool: task ? (task.pinned ? "task.pin" : "task.update") : "task.set", args: { description } })),
    task ? make("div", { class: "row" }, make("span", { class: "text", text: task.pinned ? "The task is pinned: nothing takes its place." : "" }), make("button", { type: "button", onclick: () => act({ tool: "task.pin", args: { pinned: !task.pinned } }).catch(failed), text: task.pinned ? "Free the task" : "Pin the task" })) : null,
    now.undo ? make("div", { class: "row" }, make("button", { type: "button", onclick: () => { const deed = now.undo; now.undo = null; act(deed).catch(failed); }, text: "Undo" })) : null,
  ), make("p", { class: "soft", text: "It is recorded as yours, and the agent is shown it." }));
}

/** @param {any} deed */
async function act(deed) {
  const answer = await ask(at("call"), undefined, { ...deed, version: now.frame.shown.version });
  now.undo = answer.undo;
  now.done = `Done: ${deed.tool}. `;
  await refresh(true);
}
