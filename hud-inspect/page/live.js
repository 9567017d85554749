// @ts-check
// News.

import { $, pause, several } from "./dom.js";
import { now, recorded } from "./now.js";
import { ask, connection, failed, locked } from "./ask.js";
import { listSessions, openSession, readTimeline } from "./sessions.js";
import { go } from "./turns.js";

let refreshing = Promise.resolve();
/** @param {boolean} follow */
export function refresh(follow) {
  refreshing = refreshing.catch(() => {}).then(async () => {
    await readTimeline();
    if (now.follow || follow) await go(now.timeline.next, now.follow);
  });
  return refreshing;
}

/** The session that the news is about, or the newest that began while nobody listened. @param {string} [session] */
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

export async function listen() {
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
