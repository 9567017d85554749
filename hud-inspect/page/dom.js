// @ts-check
// Elements, and texts in them. Whatever an agent wrote becomes text nodes, and never markup: the page's policy
// refuses everything else, too.

/** @param {string} id @returns {any} */
export const $ = (id) => document.getElementById(id);

/** @param {string} tag @param {Record<string, any>} [props] @param {...any} children @returns {any} */
export function make(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") node.className = value;
    else if (name === "text") node.append(said(value));
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const SVG = "http://www.w3.org/2000/svg";
/** @param {string} tag @param {Record<string, any>} props @param {...Node} children */
export function shape(tag, props, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(props)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

// What nobody sees, and what turns the direction of others, is shown by its number.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

/** @param {any} text @returns {DocumentFragment} */
export function said(text) {
  const piece = document.createDocumentFragment();
  const whole = String(text ?? "");
  let from = 0;
  for (const found of whole.matchAll(UNSEEN)) {
    piece.append(whole.slice(from, found.index));
    const number = (found[0].codePointAt(0) || 0).toString(16).toUpperCase().padStart(4, "0");
    const ghost = document.createElement("span");
    ghost.className = "ghost";
    ghost.textContent = `U+${number}`;
    piece.append(ghost);
    from = found.index + found[0].length;
  }
  piece.append(whole.slice(from));
  return piece;
}

const format = new Intl.NumberFormat("en");
/** @param {any} number */
export const count = (number) => (number === null || number === undefined ? "–" : format.format(number));
/** @param {number} number @param {string} thing */
export const several = (number, thing) => `${count(number)} ${thing}${number === 1 ? "" : "s"}`;
/** Dollars, to the hundredth of a cent where it is little. @param {number} amount */
export const dollars = (amount) => `$${amount.toFixed(amount >= 1 ? 2 : 4)}`;
/** @param {number} ms */
export const when = (ms) => (ms ? new Date(ms).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }) : "");
/** @param {number} ms */
export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** @param {string} markdown */
export const plain = (markdown) => markdown.replace(/\\(.)/g, "$1").replace(/^[-*#>\s]+/, "").replace(/\*\*/g, "");

export const empty = (/** @type {string} */ text) => make("p", { class: "soft", text });

const SAID_BY = /** @type {Record<string, string>} */ ({ user: "the user", agent: "the agent", call: "a tool is asked", tool: "a tool says", summary: "what stayed after the compaction" });

/** What somebody said. @param {any} message */
export const messageView = (message) => make("div", { class: `message ${message.by}${message.failed ? " bad" : ""}` },
  make("p", { class: "layer", text: `${SAID_BY[message.by]}${message.failed ? ", which failed" : ""}${message.at ? `, ${when(message.at)}` : ""}` }),
  make("pre", { class: "text", dir: "auto", tabindex: 0, "aria-label": SAID_BY[message.by], text: message.cut ? `${message.text}… (${count(message.cut)} characters)` : message.text }));
