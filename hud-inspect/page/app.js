// @ts-check
// The page of `hud inspect`. Whatever an agent wrote becomes text nodes, and never markup: the page's policy
// refuses everything else, too.

/** @type {any} */
const recorded = (() => {
  const holder = document.getElementById("recorded");
  return holder ? JSON.parse(holder.textContent || "null") : null;
})();

/** @param {string} id @returns {any} */
const $ = (id) => document.getElementById(id);

/** @param {string} tag @param {Record<string, any>} [props] @param {...any} children @returns {any} */
function make(tag, props = {}, ...children) {
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
function shape(tag, props, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(props)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

// What nobody sees, and what turns the direction of others, is shown by its number.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;

/** @param {any} text @returns {DocumentFragment} */
function said(text) {
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
const count = (number) => (number === null || number === undefined ? "–" : format.format(number));
/** @param {number} number @param {string} thing */
const several = (number, thing) => `${count(number)} ${thing}${number === 1 ? "" : "s"}`;
/** @param {number} ms */
const when = (ms) => (ms ? new Date(ms).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }) : "");
/** @param {number} ms */
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

const TABS = [["rendered", "Rendered"], ["raw", "Raw"], ["diff", "Changes"], ["tree", "Tree"], ["state", "State"], ["json", "Parts"]];
const DENSITIES = ["auto", "full", "compact", "minimal"];
const PAGE = 100;

const now = {
  key: "", about: /** @type {any} */ ({ acts: false, allowed: [] }), session: "", timeline: /** @type {any} */ (null),
  turn: 1, follow: true, density: "auto", budget: 0, placement: "auto", tab: "rendered", frame: /** @type {any} */ (null),
  line: -1, compare: 0, skip: 0, kind: "", section: "", item: /** @type {string | null} */ (null), open: new Set(), undo: /** @type {any} */ (null), done: "",
};
/** @type {Map<string, any>} */
const cache = new Map();
/** @type {Record<string, AbortController>} */
const asking = {};

// ---- asking

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
async function ask(path, lane, body) {
  if (recorded) return fromRecord(path);
  waitsFor(1);
  try { return await answered(path, lane, body); } finally { waitsFor(-1); }
}

/** @param {string} path @param {string} [lane] @param {any} [body] */
async function answered(path, lane, body) {
  if (lane) { asking[lane]?.abort(); asking[lane] = new AbortController(); }
  const headers = /** @type {Record<string, string>} */ ({ authorization: `Bearer ${now.key}` });
  if (body) headers["content-type"] = "application/json";
  let response;
  try {
    response = await fetch(path, { headers, method: body ? "POST" : "GET", body: body && JSON.stringify(body), signal: lane ? asking[lane].signal : undefined });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    connection("lost", "not connected");
    throw new Refused(0, "Nobody answers: is `hud inspect` still running? What is shown is from before.");
  }
  const answer = await response.json().catch(() => ({ error: response.statusText }));
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

const at = (/** @type {string} */ path) => `/api/s/${encodeURIComponent(now.session)}/${path}`;

/** @param {any} error */
function failed(error) {
  if (error instanceof DOMException && error.name === "AbortError") return;
  if (error.status === 401) return locked();
  tell(error.message || String(error), true);
}

function locked() {
  notice("This page needs its key", "Open the address that `hud inspect` printed: the key is behind the #. It is another one each time the program starts.");
}

/** @param {string} title @param {string} text */
function notice(title, text) {
  $("session").hidden = true;
  $("notice").hidden = false;
  const pieces = text.split("`").map((piece, at) => (at % 2 ? make("code", { text: piece }) : said(piece)));
  $("notice").replaceChildren(make("h2", { text: title }), make("p", {}, ...pieces));
}

/** @param {string} text @param {boolean} [bad] */
function tell(text, bad = false) {
  $("said").replaceChildren(said(text));
  $("said").className = bad ? "pill bad" : "";
}

/** @param {string} kind @param {string} text */
function connection(kind, text) {
  $("connection").className = kind;
  if ($("connection").textContent !== text) $("connection").textContent = text;
}

// ---- the place, which the address has, and never the key

function readPlace() {
  const place = new URLSearchParams(location.hash.slice(1));
  const key = place.get("key");
  if (key) sessionStorage.setItem("hud-inspect-key", key);
  now.key = sessionStorage.getItem("hud-inspect-key") || "";
  const session = place.get("s") || "";
  const turn = Number(place.get("turn"));
  now.follow = !(turn > 0);
  if (turn > 0) now.turn = turn;
  if (TABS.some(([name]) => name === place.get("tab"))) now.tab = String(place.get("tab"));
  if (DENSITIES.includes(place.get("density") || "")) now.density = String(place.get("density"));
  now.budget = Math.max(0, Number(place.get("budget")) || 0);
  now.compare = Math.max(0, Number(place.get("with")) || 0);
  if (key) writePlace(session);
  return session;
}

let written = "";
function writePlace(session = now.session) {
  const place = new URLSearchParams();
  if (session) place.set("s", session);
  if (!now.follow) place.set("turn", String(now.turn));
  if (now.tab !== "rendered") place.set("tab", now.tab);
  if (now.density !== "auto") place.set("density", now.density);
  if (now.budget) place.set("budget", String(now.budget));
  if (now.compare) place.set("with", String(now.compare));
  written = `#${place}`;
  history.replaceState(null, "", written);
}

// ---- sessions

let listed = 0;
async function listSessions(more = false) {
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
  make("span", { class: "what", text: row.task || "No task is recorded." }),
  row.from.length ? make("span", { class: "what", text: `comes from ${row.from.join(", ")}` }) : null)));
  $("more").hidden = listed >= answer.total;
  return answer;
}

async function pick() {
  $("sessions").showModal();
  await listSessions();
}

/** @param {string} id */
async function openSession(id) {
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

async function readTimeline() {
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

// ---- the chart

function chart() {
  const { columns, limit, bands, next } = now.timeline;
  const across = (/** @type {number} */ turn) => (next > 1 ? ((turn - 1) / (next - 1)) * 1000 : 500);
  // What a turn ended with is what the next one sees.
  const seen = columns.filter((/** @type {any} */ column) => column.max !== null);
  const top = Math.max(limit || 0, ...seen.map((/** @type {any} */ column) => column.max), 1);
  const down = (/** @type {number} */ used) => 100 - (used / top) * 100;
  const svg = shape("svg", { viewBox: "0 0 1000 100", preserveAspectRatio: "none", role: "img" });
  const points = seen.map((/** @type {any} */ column) => [across(Math.min(column.last + 1, next)), down(column.max)]);
  if (points.length) {
    const line = points.map((/** @type {number[]} */ [x, y], /** @type {number} */ nth) => `${nth ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    svg.append(shape("path", { class: "area", d: `${line}L${points[points.length - 1][0].toFixed(1)} 100L${points[0][0].toFixed(1)} 100Z` }), shape("path", { class: "edge", d: line }));
  }
  if (limit) for (const band of bands) svg.append(shape("line", { class: "band", x1: 0, x2: 1000, y1: down((limit * band) / 100), y2: down((limit * band) / 100) }));
  for (const column of columns) {
    const x = across(Math.min(column.last + 1, next));
    if (column.steady) svg.append(shape("line", { class: "steady", x1: x, x2: x, y1: 94, y2: 100 }));
    if (column.compacted) svg.append(shape("line", { class: "compacted", x1: x, x2: x, y1: 0, y2: 100 }));
    if (column.errors) svg.append(shape("line", { class: "error", x1: x - 1.5, x2: x + 1.5, y1: 2, y2: 2 }));
  }
  svg.append(shape("line", { class: "here", id: "here", x1: 0, x2: 0, y1: 0, y2: 100 }));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    go(1 + Math.round(((/** @type {MouseEvent} */ (event).clientX - box.left) / box.width) * (next - 1)), false).catch(failed);
  });
  const compactions = columns.filter((/** @type {any} */ column) => column.compacted).length;
  const most = Math.max(0, ...seen.map((/** @type {any} */ column) => column.percent || 0));
  const sentence = seen.length
    ? `Use of the context over ${several(now.timeline.turns, "turn")}: at most ${count(Math.max(...seen.map((/** @type {any} */ column) => column.max)))} tokens${most ? `, ${most} %` : ""}; ${several(compactions, "compaction")}.`
    : "No reading of the context yet.";
  svg.setAttribute("aria-label", sentence);
  const parts = [svg];
  const calls = columns.filter((/** @type {any} */ column) => column.tokens);
  let costs = "";
  if (calls.length) {
    const sent = (/** @type {any} */ tokens) => tokens.input + tokens.cache_read + tokens.cache_write;
    const high = Math.max(1, ...calls.map((/** @type {any} */ column) => sent(column.tokens)));
    const bars = shape("svg", { class: "cost", viewBox: "0 0 1000 20", preserveAspectRatio: "none", role: "img" });
    const width = Math.max(0.6, 1000 / Math.max(columns.length, 1) - 0.4);
    for (const column of calls) {
      let y = 20;
      for (const [name, tokens] of [["read", column.tokens.cache_read], ["write", column.tokens.cache_write], ["anew", column.tokens.input]]) {
        const height = (tokens / high) * 20;
        y -= height;
        if (height > 0.05) bars.append(shape("rect", { class: name, x: across(column.turn) - width / 2, y: y.toFixed(2), width: width.toFixed(2), height: height.toFixed(2) }));
      }
    }
    const all = now.timeline.tokens;
    costs = `Sent: ${count(sent(all))} tokens, ${Math.round((all.cache_read / Math.max(1, sent(all))) * 100)} % read from the cache; written by the model: ${count(all.output)}.`;
    bars.setAttribute("aria-label", costs);
    parts.push(bars);
  }
  const key = (/** @type {string} */ name, /** @type {string} */ text) => make("span", {}, make("i", { class: name, "aria-hidden": "true" }), text);
  const table = make("details", {}, make("summary", { text: "The same as a table" }));
  table.addEventListener("toggle", () => {
    if (!table.open || table.querySelector("table")) return;
    const step = Math.ceil(columns.length / 150);
    const rows = columns.filter((/** @type {any} */ _, /** @type {number} */ nth) => nth % step === 0);
    table.append(make("table", {}, make("thead", {}, make("tr", {}, ...["turn", "tokens at most", "%", "compacted", "open errors"].map((text) => make("th", { scope: "col", text })))), make("tbody", {}, ...rows.map((/** @type {any} */ column) => make("tr", {}, ...[column.turn === column.last ? column.turn : `${column.turn}–${column.last}`, count(column.max), column.percent ?? "", column.compacted ? "yes" : "", column.errors || ""].map((text) => make("td", { text })))))));
  }, { once: false });
  const open = $("legend").querySelector("details")?.open;
  $("chart").replaceChildren(...parts);
  $("legend").replaceChildren(make("p", { class: "legend" }, key("", "context in use"), limit ? key("band", `bands at ${bands.join(" and ")} % of ${count(limit)}`) : null, compactions ? key("compacted", "compaction") : null, key("error", "open errors"), key("steady", "static layer touched"),
    ...(calls.length ? [key("read", "read from cache"), key("write", "written to it"), key("anew", "sent anew")] : []), make("span", { text: costs || (seen.length ? "" : sentence) })), table);
  if (open) table.open = true;
  mark();
}

function mark() {
  const here = $("here");
  if (!here || !now.timeline) return;
  const { next } = now.timeline;
  const x = next > 1 ? ((now.turn - 1) / (next - 1)) * 1000 : 500;
  here.setAttribute("x1", String(x)); here.setAttribute("x2", String(x));
}

// ---- turns

/** @param {number} turn @param {boolean} follow */
async function go(turn, follow) {
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

const view = () => {
  const asked = new URLSearchParams();
  if (now.density !== "auto") asked.set("density", now.density);
  if (now.budget) asked.set("budget", String(now.budget));
  if (now.placement !== "auto") asked.set("placement", now.placement);
  return asked;
};

/** What is asked for again before it was answered is of no interest any more. @param {Promise<any>} asked */
const unlessAborted = (asked) => asked.catch((error) => { if (!(error instanceof DOMException && error.name === "AbortError")) throw error; });

const showTurn = () => unlessAborted(loadTurn());

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
  const trial = now.density !== "auto" || now.budget ? "This is what the HUD would be, not what was sent. " : "";
  tell(`${now.done}${trial}Turn ${count(frame.turn)}${frame.turn === frame.next ? ", which is the next" : ""}: ${frame.shown.density} density, ${frame.shown.placement} placement${context}.`);
  const task = frame.shown.lines.find((/** @type {any} */ line) => line.section === "task" && line.item !== undefined && !line.text.startsWith("#"));
  $("task").replaceChildren(said(task ? plain(task.text) : ""));
}

/** @param {string} markdown */
const plain = (markdown) => markdown.replace(/\\(.)/g, "$1").replace(/^[-*#>\s]+/, "").replace(/\*\*/g, "");

// ---- views

async function draw() {
  const { shown } = now.frame;
  for (const [name] of TABS) {
    const tab = $(`tab-${name}`);
    tab.setAttribute("aria-selected", String(name === now.tab));
    tab.tabIndex = name === now.tab ? 0 : -1;
  }
  $("view").setAttribute("aria-labelledby", `tab-${now.tab}`);
  $("total").textContent = `${count(shown.tokens)} tokens${shown.budget === null ? "" : ` of ${count(shown.budget)}`}`;
  if (now.line >= shown.lines.length) now.line = -1;
  const views = { rendered, raw, diff: changes, tree, state: stateView, json: parts };
  const made = await views[/** @type {keyof typeof views} */ (now.tab)]();
  if (made) $("view").replaceChildren(...[made].flat());
  why();
}

const empty = (/** @type {string} */ text) => make("p", { class: "soft", text });
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
    const rows = own.length > 600
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
  const head = make("div", { class: "turns" }, make("label", {}, "compare with turn ", field), now.compare ? make("button", { type: "button", onclick: () => { now.compare = 0; writePlace(); draw().catch(failed); }, text: "the turn before" }) : null);
  let compared;
  if (recorded) compared = null;
  else {
    const asked = view();
    asked.set("a", String(other)); asked.set("b", String(frame.turn));
    compared = await ask(at(`diff?${asked}`), "diff");
    if (now.frame !== frame) return null;
  }
  if (!compared) return [head, empty("A page without a program behind it does not compare turns.")];
  const diff = make("div", { class: "diff", role: "list", "aria-label": `What changed from turn ${other} to turn ${frame.turn}` });
  let same = /** @type {any[]} */ ([]);
  const flush = (/** @type {boolean} */ last) => {
    const show = (/** @type {any} */ line) => diff.append(lineOf(line));
    if (same.length <= 7) same.forEach(show);
    else {
      if (diff.childElementCount) same.slice(0, 3).forEach(show);
      diff.append(make("div", { class: "gap", role: "listitem", text: `⋯ ${several(same.length - (diff.childElementCount ? 3 : 0) - (last ? 0 : 3), "line")} the same` }));
      if (!last) same.slice(-3).forEach(show);
    }
    same = [];
  };
  const lineOf = (/** @type {any} */ line) => make("div", { role: "listitem", class: { "+": "added", "-": "removed" }[/** @type {"+"} */ (line.sign)] || "", "data-sign": line.sign, "aria-label": line.sign === " " ? null : `${line.sign === "+" ? "added" : "removed"}: ${line.pieces.map((/** @type {any} */ piece) => piece.text).join("")}` }, ...line.pieces.map((/** @type {any} */ piece) => make(piece.changed ? "b" : "span", { text: piece.text })));
  for (const line of compared.lines) {
    if (line.sign === " ") { same.push(line); continue; }
    flush(false);
    diff.append(lineOf(line));
    if (diff.childElementCount > 1200) { diff.append(make("div", { class: "gap", text: "⋯ and more" })); break; }
  }
  flush(true);
  const bytes = compared.same.map((/** @type {any[]} */ [layer, kept, all]) => make("li", { text: `${layer}: ${kept === all ? `all ${count(all)} bytes are the same` : `the first ${count(kept)} of ${count(all)} bytes are the same; what is behind them is read anew`}` }));
  const items = make("table", {}, make("thead", {}, make("tr", {}, ...["section", "item", "it said", "it says"].map((text) => make("th", { scope: "col", text })))), make("tbody", {}, ...compared.changes.slice(0, 200).map((/** @type {any} */ change) => make("tr", {}, make("td", { text: change.section }), make("td", { text: change.item }), ...[change.before, change.after].map((text) => (text === null ? make("td", { class: "off", text: "–" }) : make("td", { dir: "auto", text: text.length > 400 ? `${text.slice(0, 400)}…` : text })))))));
  return [head, make("h3", { text: "Text" }), diff, make("h3", { text: "For the provider's cache" }), make("ul", {}, ...bytes), make("h3", { text: `State: ${several(compared.changes.length, "change")}` }), compared.changes.length ? items : empty("Nothing in the state is another one.")];
}

function tree() {
  const { calls, lines } = now.frame.shown;
  if (!calls.length) return empty("There is nothing to show a tree of.");
  /** @type {Map<number, number[]>} */
  const given = new Map();
  lines.forEach((/** @type {any} */ line, /** @type {number} */ at) => line.calls.forEach((/** @type {number} */ call) => given.set(call, [...(given.get(call) || []), at])));
  const wrote = (/** @type {number} */ call) => given.get(call) || [];
  const items = new Map();
  const top = make("ul");
  const some = calls.map((/** @type {any} */ _, /** @type {number} */ at) => wrote(at).length > 0);
  for (let at = calls.length - 1; at >= 0; at -= 1) if (some[at] && calls[at].within !== undefined) some[calls[at].within] = true;
  calls.forEach((/** @type {any} */ call, /** @type {number} */ at) => {
    if (!some[at] || at > 700) return;
    const own = wrote(at);
    const props = call.props?.map((/** @type {string[]} */ [name, value]) => `${name}=${value.length > 60 ? `${value.slice(0, 60)}…` : value}`).join(" ");
    const item = make("li", {}, make("button", { type: "button", onclick: () => own.length && choose(own[0]), title: own.length ? `line ${own[0] + 1}` : "" },
      make("span", { class: call.kind, text: call.name }), props ? make("span", { class: "props", text: ` ${props}` }) : null, call.part ? make("span", { class: "props", text: ` · part ${call.part}` }) : null, own.length ? make("span", { class: "props", text: ` · ${own.length > 1 ? `lines ${own[0] + 1}–${own[own.length - 1] + 1}` : `line ${own[0] + 1}`}` }) : null));
    const parent = items.get(call.within);
    const list = parent ? parent.querySelector(":scope > ul") || parent.appendChild(make("ul")) : top;
    list.append(item);
    items.set(at, item);
  });
  return make("div", { class: "tree" }, top);
}

async function stateView() {
  const frame = now.frame;
  const answer = await ask(at(`state?turn=${frame.turn}`), "state");
  if (now.frame !== frame) return null;
  const shown = new Set(frame.shown.lines.map((/** @type {any} */ line) => `${line.section} ${line.item}`));
  const groups = new Map();
  for (const item of answer.items) groups.set(item.section, [...(groups.get(item.section) || []), item]);
  if (!groups.size) return empty("Nothing is known yet.");
  return [...groups].map(([section, items]) => [make("h3", { text: `${section} (${items.length})` }), make("table", {}, make("thead", {}, make("tr", {}, ...["item", "says", "by", "since"].map((text) => make("th", { scope: "col", text })))), make("tbody", {}, ...items.slice(0, 100).map((/** @type {any} */ item) => make("tr", {}, make("td", { text: item.item }), make("td", { dir: "auto" }, make("span", { class: "text", text: item.text.length > 500 ? `${item.text.slice(0, 500)}…` : item.text }), shown.has(`${item.section} ${item.item}`) ? "" : make("span", { class: "pill", text: "not shown" })), make("td", { text: item.by || "" }), make("td", {}, item.event ? eventLink(item.event, item.turn === null ? "" : `turn ${item.turn}`) : "")))))]).flat();
}

function parts() {
  const { shown } = now.frame;
  const head = ["part", "layer", "shown", "tokens", "of", "worth", "of", "why"];
  return make("table", {}, make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col", text })))), make("tbody", {}, ...shown.sections.map((/** @type {any} */ part) => make("tr", {}, make("td", { text: part.name || "(no part)" }), make("td", { text: part.layer }), make("td", { text: part.choice }), make("td", { class: "n", text: count(part.tokens) }), make("td", { class: "n", text: count(part.full) }), make("td", { class: "n", text: part.worth }), make("td", { class: "n", text: part.whole }), make("td", { text: `${part.reason}${part.because ? `; worth ${part.because}` : ""}` })))));
}

// ---- why

/** @param {number} line */
function choose(line) {
  now.line = line;
  for (const node of $("view").querySelectorAll("[data-line]")) {
    const is = Number(node.dataset.line) === line;
    if (node.tagName === "BUTTON") node.toggleAttribute("aria-current", false), is && node.setAttribute("aria-current", "true");
    else node.classList.toggle("picked", is);
  }
  explain();
}

/** @param {number} version @param {string} [text] */
const eventLink = (version, text) => make("button", { type: "button", class: "go", onclick: () => showEvent(version).catch(failed), text: text ? `${text}, event ${version}` : `event ${version}` });

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

function why() {
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
  const made = [...groups].map(([name, items]) => {
    const details = make("details", { open: now.open.has(name) || null }, make("summary", { text: `${items[0].section}: ${several(items.length, "item")} not shown` }), make("p", { class: "soft", text: `Why: ${items[0].why}.` }),
      make("ul", {}, ...items.slice(0, 40).map((/** @type {any} */ item) => make("li", { dir: "auto" }, make("span", { text: item.text || item.item }), " ", item.event ? eventLink(item.event) : ""))));
    details.addEventListener("toggle", () => (details.open ? now.open.add(name) : now.open.delete(name)));
    return details;
  });
  $("absent").replaceChildren(make("h3", { text: `In the state, and not shown (${shown.absent.length})` }), ...made);
}

// ---- what a person does

function acts() {
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

// ---- events

const searching = () => $("query").value.trim();

/** @param {any} payload */
function summary(payload) {
  if (payload === null || typeof payload !== "object") return String(payload);
  return Object.entries(payload).map(([name, value]) => `${name}: ${value !== null && typeof value === "object" ? "{…}" : value}`).join(", ").slice(0, 400);
}

/** @param {number | null} skip where the page begins; without it, where the turn's events are */
const drawEvents = (skip) => unlessAborted(loadEvents(skip));

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
  const rows = page.events.map((/** @type {any} */ event) => eventRow(event, seen));
  const filters = now.item !== null ? make("p", {}, make("span", { class: "pill", text: `${now.section} ${now.item}` }), " ", make("button", { type: "button", class: "go", onclick: () => filter("", null), text: "all events" })) : null;
  $("list").replaceChildren(...[filters, rows.length ? make("table", {}, make("colgroup", {}, make("col", { class: "c-version" }), make("col", { class: "c-turn" }), make("col", { class: "c-actor" }), make("col", { class: "c-kind" }), make("col")), make("thead", {}, make("tr", {}, ...["event", "turn", "by", "kind", "what"].map((text) => make("th", { scope: "col", text })))), make("tbody", {}, ...rows)) : empty("No event is like that.")].filter(Boolean));
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

/** @param {any} row @param {any} event */
async function unfold(row, event) {
  const button = row.querySelector("button");
  if (row.nextElementSibling?.classList.contains("more")) { row.nextElementSibling.remove(); button.setAttribute("aria-expanded", "false"); return; }
  const whole = event.cut ? await ask(at(`event/${event.version}`)) : event;
  const text = JSON.stringify(whole.payload, null, 2);
  button.setAttribute("aria-expanded", "true");
  row.after(make("tr", { class: "more" }, make("td", { colspan: 5 }, make("p", { class: "soft", text: `${when(event.at)}${event.section ? `, about ${event.section} ${event.item || ""}` : ""}, seq ${event.seq}` }), make("pre", { tabindex: 0, "aria-label": "What the event says", text: text.length > 200000 ? `${text.slice(0, 200000)}… (${count(text.length)} characters)` : text }))));
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
async function showEvent(version) {
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
function filter(section, item) {
  now.section = section; now.item = item;
  $("section").value = section;
  $("query").value = "";
  drawEvents(0).catch(failed);
}

// ---- news

let refreshing = Promise.resolve();
/** @param {boolean} follow */
function refresh(follow) {
  refreshing = refreshing.catch(() => {}).then(async () => {
    await readTimeline();
    if (now.follow || follow) await go(now.timeline.next, now.follow);
  });
  return refreshing;
}

/** The session that is told of, or the newest that began while nobody listened. @param {string} [session] */
async function openFirst(session) {
  const first = session || (await ask("/api/sessions?limit=1")).sessions[0]?.id;
  if (first && !now.session) await openSession(first);
}

let waiting = 0;
/** @param {any} news */
function heard(news) {
  if (news.state) return connection(news.state, { live: "live", lost: "not connected" }[/** @type {"live"} */ (news.state)] || "");
  if (news.error) return connection("lost", `the log can't be read: ${news.error}`);
  connection("live", "live");
  if ($("sessions").open) listSessions().catch(failed);
  if (!now.session) return void openFirst(news.session).catch(failed);
  if (!news.missed && news.session !== now.session) return;
  if (waiting) return;
  waiting = setTimeout(() => { waiting = 0; refresh(false).then(() => { if (!now.follow) connection("live", `live, ${several(now.timeline.next, "turn")}: press f to follow`); }).catch(failed); }, 15);
}

async function listen() {
  if (recorded) return connection("", "a recording");
  const others = new BroadcastChannel("hud-inspect");
  others.onmessage = (event) => heard(event.data);
  const tellAll = (/** @type {any} */ news) => { heard(news); others.postMessage(news); };
  // A browser opens six connections to a server and no more: one tab listens for all of them.
  await navigator.locks.request(`hud-inspect ${location.port}`, async () => {
    for (;;) {
      try {
        const response = await fetch("/api/live", { headers: { authorization: `Bearer ${now.key}` } });
        if (response.status === 401) return locked();
        if (!response.ok || !response.body) throw new Error(response.statusText);
        tellAll({ state: "live" });
        if (now.timeline || !now.session) tellAll({ missed: true });
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
        let rest = "";
        for (;;) {
          const { done, value } = await reader.read();
          if (done) break;
          rest += value;
          const pieces = rest.split("\n\n");
          rest = pieces.pop() || "";
          for (const piece of pieces) if (piece.startsWith("data:")) tellAll(JSON.parse(piece.slice(5)));
        }
      } catch { /* reported below */ }
      tellAll({ state: "lost" });
      await pause(1000);
    }
  });
}

// ---- the beginning

$("tabs").append(...TABS.map(([name, text], nth) => make("button", {
  type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "view", "aria-selected": "false", tabindex: -1, "aria-keyshortcuts": nth + 1, text,
  onclick: () => showTab(name),
  onkeydown: (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[/** @type {"ArrowRight"} */ (event.key)];
    if (!step) return;
    event.preventDefault();
    const to = TABS[(nth + step + TABS.length) % TABS.length][0];
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
  TABS.forEach(([name], nth) => { deeds[String(nth + 1)] = () => showTab(name); });
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
  const answer = await ask("/api/sessions?limit=1");
  listen().catch(failed);
  if (!answer.total) return notice("No session yet", `${now.about.name} holds no events. It fills when an agent works with the HUD, or with \`hud replay --db\`; this page shows it then.`);
  await openSession(wanted || answer.sessions[0].id);
}

begin().catch((error) => {
  if (error.status === 401) return locked();
  notice("It can't be shown", error.message || String(error));
});
