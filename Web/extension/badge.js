// The number on the toolbar's icon: how many requests of sites wait for the owner.

import { ask, isAsking } from "./host.js";

/** How long after a request the number is looked up, and again while one is without an answer, in milliseconds: a helper may only start. */
const PAUSES = [400, 1000, 3000, 10_000];

let timer = 0;
let looks = 0;

/** Brings the number up to date in a moment, and keeps it so while something waits. */
export function badgeSoon() {
  if (timer && looks === 0) return;
  clearTimeout(timer);
  looks = 0;
  timer = setTimeout(refresh, PAUSES[0]);
}

async function refresh() {
  timer = 0;
  looks += 1;
  const { result } = await ask({ method: "state" });
  show(result?.waiting ?? 0);
  if (!timer && isAsking()) timer = setTimeout(refresh, PAUSES[Math.min(looks, PAUSES.length - 1)]);
}

/** @param {number} waiting */
export function show(waiting) {
  chrome.action.setBadgeText({ text: waiting > 0 ? String(waiting) : "" });
  chrome.action.setTitle({ title: waiting > 0 ? `Holdfast: ${waiting} waiting for you` : "Holdfast" });
}
