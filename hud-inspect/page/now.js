// @ts-check
// Where the reader is, and what is kept of what was asked.

/** @type {any} */
export const recorded = (() => {
  const holder = document.getElementById("recorded");
  return holder ? JSON.parse(holder.textContent || "null") : null;
})();

export const TABS = [["rendered", "Rendered"], ["raw", "Raw"], ["diff", "Changes"], ["tree", "Tree"], ["state", "State"], ["json", "Parts"], ["messages", "Conversation"]];
export const DENSITIES = ["auto", "full", "compact", "minimal"];
export const PAGE = 100;

export const now = {
  key: "", about: /** @type {any} */ ({ acts: false, allowed: [] }), session: "", timeline: /** @type {any} */ (null),
  turn: 1, follow: true, density: "auto", budget: 0, placement: "auto", tab: "rendered", frame: /** @type {any} */ (null),
  line: -1, compare: 0, columns: false, skip: 0, kind: "", section: "", item: /** @type {string | null} */ (null), open: new Set(), undo: /** @type {any} */ (null), done: "",
};
/** What was sent in calls costs, in dollars; nothing where the price of the model is not known. @param {any} tokens */
export function costOf(tokens) {
  const prices = now.timeline?.prices;
  if (!prices || !tokens) return null;
  const hour = Math.min(tokens.cache_write_hour, tokens.cache_write);
  return (tokens.input * prices.input + tokens.cache_read * prices.cache_read + (tokens.cache_write - hour) * prices.cache_write + hour * prices.cache_write_hour) / 1e6;
}

/** @type {Map<string, any>} */
export const cache = new Map();
/** @type {Record<string, AbortController>} */
export const asking = {};
