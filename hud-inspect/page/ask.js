// @ts-check
// Asking the program, or in a page that was handed on, what is recorded in it; and saying what became of that.

import { $, make, said } from "./dom.js";
import { asking, now, recorded } from "./now.js";
import { summary } from "./events.js";

class Refused extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) { super(message); this.status = status; }
}

let unanswered = 0;
/** Says whether what is shown is about to be another. @param {number} more */
function waitsFor(more) {
  unanswered += more;
  $("panes").setAttribute("aria-busy", String(unanswered > 0));
}

/** @param {string} path @param {string} [lane] @param {any} [body] */
export async function ask(path, lane, body) {
  if (recorded) return fromRecord(path);
  waitsFor(1);
  try { return await answered(path, lane, body); } finally { waitsFor(-1); }
}

/** @param {string} path @param {string} [lane] @param {any} [body] */
async function answered(path, lane, body) {
  if (lane) { asking[lane]?.abort(); asking[lane] = new AbortController(); }
  const headers = /** @type {Record<string, string>} */ ({ authorization: `Bearer ${now.key}` });
  if (body) headers["content-type"] = "application/json";
  let response, answer;
  try {
    response = await fetch(path, { headers, method: body ? "POST" : "GET", body: body && JSON.stringify(body), signal: lane ? asking[lane].signal : undefined });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    connection("lost", "not connected");
    throw new Refused(0, "Nobody answers: is `hud inspect` still running? What is shown is from before.");
  }
  try {
    answer = await response.json();
  } catch (error) {
    // What is not wanted any more may be stopped in the middle, and is no answer then.
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refused(response.status, response.statusText || "The answer can't be read.");
  }
  if (!response.ok) throw new Refused(response.status, answer.error || response.statusText);
  return answer;
}

/** @param {string} path */
function fromRecord(path) {
  const url = new URL(path, "http://x");
  const part = url.pathname.split("/").pop() || "";
  const asked = url.searchParams;
  if (part === "about" || part === "sessions" || part === "timeline") return recorded[part];
  if (part === "frame") {
    const wanted = Number(asked.get("turn") || recorded.timeline.next);
    const turns = Object.keys(recorded.frames).map(Number);
    const nearest = turns.reduce((best, turn) => (Math.abs(turn - wanted) < Math.abs(best - wanted) ? turn : best), turns[0]);
    return recorded.frames[nearest];
  }
  if (part === "events") {
    const kind = asked.get("kind") || "", section = asked.get("section") || "", item = asked.get("item");
    const all = recorded.events.filter((/** @type {any} */ event) => (!kind || event.kind === kind || event.kind.startsWith(`${kind}.`)) && (!section || event.section === section) && (item === null || event.item === item));
    const skip = Number(asked.get("skip") || 0), from = Number(asked.get("from") || 1);
    const start = all.findIndex((/** @type {any} */ event, /** @type {number} */ at) => at >= skip && event.version >= from);
    return { events: start < 0 ? [] : all.slice(start, start + Number(asked.get("limit") || 200)), total: all.length, before: start < 0 ? all.length : start };
  }
  if (part === "search") {
    const words = (asked.get("q") || "").toLowerCase();
    const hits = recorded.events.filter((/** @type {any} */ event) => JSON.stringify(event.payload).toLowerCase().includes(words)).slice(0, 50);
    return { hits: hits.map((/** @type {any} */ event) => ({ ...event, session: recorded.timeline.session, snippet: [[false, summary(event.payload)]] })) };
  }
  throw new Refused(404, "This is a page without a program behind it: it has the turns as they were, and no more.");
}

export const at = (/** @type {string} */ path) => `/api/s/${encodeURIComponent(now.session)}/${path}`;

/** @param {any} error */
export function failed(error) {
  if (error instanceof DOMException && error.name === "AbortError") return;
  if (error.status === 401) return locked();
  tell(error.message || String(error), true);
}

export function locked() {
  notice("This page needs its key", "Open the address that `hud inspect` printed: the key is behind the #. It is another one each time the program starts.");
}

/** @param {string} title @param {string} text */
export function notice(title, text) {
  $("session").hidden = true;
  $("notice").hidden = false;
  const pieces = text.split("`").map((piece, at) => (at % 2 ? make("code", { text: piece }) : said(piece)));
  $("notice").replaceChildren(make("h2", { text: title }), make("p", {}, ...pieces));
}

/** @param {string} text @param {boolean} [bad] */
export function tell(text, bad = false) {
  $("said").replaceChildren(said(text));
  $("said").className = bad ? "pill bad" : "";
}

/** @param {string} kind @param {string} text */
export function connection(kind, text) {
  $("connection").className = kind;
  if ($("connection").textContent !== text) $("connection").textContent = text;
}
