// @ts-check
// The place of the reader, which the address has. It never has the key.

import { DENSITIES, TABS, now } from "./now.js";

export function readPlace() {
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
  now.columns = place.has("columns");
  if (key) writePlace(session);
  return session;
}

export let written = "";
export function writePlace(session = now.session) {
  const place = new URLSearchParams();
  if (session) place.set("s", session);
  if (!now.follow) place.set("turn", String(now.turn));
  if (now.tab !== "rendered") place.set("tab", now.tab);
  if (now.density !== "auto") place.set("density", now.density);
  if (now.budget) place.set("budget", String(now.budget));
  if (now.compare) place.set("with", String(now.compare));
  if (now.columns) place.set("columns", "1");
  written = `#${place}`;
  history.replaceState(null, "", written);
}
