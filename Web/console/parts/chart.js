// Requests over time as stacked bars, with the same numbers as a table for people who cannot see them. The drawing stretches with the
// page, so its words stand beside it and not in it.

import { call } from "../api.js";
import { h, svg } from "../dom.js";
import { language, region, t, tn } from "../language.js";
import { go } from "../router.js";
import { QUEUE_FULL } from "../signer.js";
import { known } from "../store.js";
import { isHeld } from "./held.js";
import { unseenTable } from "./unseen.js";

/** The drawing's own units. */
const WIDTH = 640, HEIGHT = 120;
const SERIES = /** @type {[string, string][]} */ ([["allow", t("allowed")], ["wait", t("waiting for you")], ["ask", t("ended without your answer")], ["failed", t("failed")], ["deny", t("denied")]]);
/** Those that the legend names also where there are none. */
const ALWAYS = new Set(["allow", "deny"]);
export const HOUR = 3600, DAY = 86_400;

/** @typedef {{start: number, end: number, label: string, counts: Record<string, number>}} Bucket  times in seconds */
/** @typedef {{length: number, count: number, now: number, label: (start: Date) => string}} Shape  length of a bucket in seconds */

/** The hour that begins at a date, as "14:00" or "2:00 PM". @param {Date} start */
export function hourLabel(start) {
  return start.toLocaleTimeString(region(), { timeStyle: "short" });
}

/** @param {Date} start */
export function dayLabel(start) {
  return start.toLocaleDateString(language(), { month: "short", day: "numeric" });
}

/** Each request once, by what became of it. @param {any[]} entries */
function once(entries) {
  const found = new Map();
  for (const entry of entries) {
    const key = entry.request ? `${entry.client} ${entry.request}` : entry;
    if (!found.has(key) || found.get(key).decision === "ask") found.set(key, entry);
  }
  return [...found.values()];
}

/** The requests that were allowed and could not be carried out, such as a message that did not open. @param {any[]} entries */
function failures(entries) {
  return new Set(entries.filter(({ entry, error }) => entry === "requestDone" && (error ?? null) !== null).map(({ client, request }) => `${client} ${request}`));
}

/** What became of each request. One that waits still is among the latest of its app that asked. @param {any[]} entries  newest first @returns {{time: number, state: string}[]} */
function states(entries) {
  /** @type {Map<string, string[]>} */
  const waiting = new Map();
  for (const { id, client } of known("requests") ?? []) {
    // A denial that is held back is one already, as in the count beside Approvals.
    waiting.set(client.pubkey, [...waiting.get(client.pubkey) ?? [], isHeld(id) ? "deny" : "wait"]);
  }
  const failed = failures(entries);
  return once(entries.filter(({ entry }) => entry === "requestDecided")).map(({ client, request, decision, rule, time }) => {
    if (decision === "allow" && failed.has(`${client} ${request}`)) return { time, state: "failed" };
    const left = decision === "ask" ? waiting.get(client)?.pop() : undefined;
    // The owner never saw what was refused because too many waited.
    return { time, state: left ?? (rule === QUEUE_FULL ? "ask" : decision) };
  });
}

/**
 * Counts requests in buckets, the last of which has now in it.
 * @param {{time: number, entry: string, decision?: string, rule?: string}[]} entries  decisions and outcomes, with times in seconds
 * @param {Shape} shape
 * @returns {Bucket[]}
 */
export function buckets(entries, { length, count, now, label }) {
  const first = Math.floor(now / length) * length - (count - 1) * length;
  const found = Array.from({ length: count }, (_, index) => {
    const start = first + index * length;
    return { start, end: start + length, label: label(new Date(start * 1000)), counts: /** @type {Record<string, number>} */ ({}) };
  });
  for (const { time, state } of states(entries)) {
    const bucket = found[Math.floor((time - first) / length)];
    if (bucket && state) bucket.counts[state] = (bucket.counts[state] ?? 0) + 1;
  }
  return found;
}

/** How many charts were drawn: each names its own hatching. */
let drawn = 0;

/** The hatching of bars that failed. @param {string} id */
function hatching(id) {
  return svg("defs", {}, svg("pattern", { id, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, svg("rect", { width: 6, height: 6, class: "hatch-ground" }), svg("rect", { width: 3, height: 6, class: "hatch" })));
}

/** @param {Bucket[]} list @param {string} title @param {(bucket: Bucket) => string} [route]  where a press on a bar leads */
export function chart(list, title, route) {
  const hatch = `hatch-${drawn += 1}`;
  const most = Math.max(1, ...list.map(({ counts }) => total(counts)));
  const step = WIDTH / list.length;
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", class: "chart", role: route ? "group" : "img", "aria-label": title },
    hatching(hatch),
    [0, 0.5, 1].map((part) => svg("line", { x1: 0, x2: WIDTH, y1: part * HEIGHT, y2: part * HEIGHT, class: part === 1 ? "axis" : "line" })),
    list.map((bucket, index) => bar(bucket, index * step, step, most, hatch, route)),
  );
  return h(
    "figure",
    { class: "plot" },
    h("div", { class: "plot-area" }, drawing, h("span", { class: "plot-most", "aria-hidden": "true" }, most.toLocaleString(language()))),
    h("div", { class: "ticks", "aria-hidden": "true" }, ticks(list).map((words) => h("span", {}, words))),
    legend(list),
    table(list, title),
  );
}

/** @param {Bucket} bucket @param {number} x @param {number} step @param {number} most @param {string} hatch @param {((bucket: Bucket) => string) | undefined} route */
function bar(bucket, x, step, most, hatch, route) {
  let top = HEIGHT;
  const parts = SERIES.filter(([name]) => bucket.counts[name]).map(([name]) => {
    const tall = (bucket.counts[name] / most) * (HEIGHT - 4);
    top -= tall;
    return svg("rect", { x: x + step * 0.14, y: top, width: step * 0.72, height: tall, class: `bar ${name}`, ...(name === "failed" ? { fill: `url(#${hatch})` } : {}) });
  });
  const words = `${bucket.label}: ${said(bucket.counts)}`;
  const presses = Boolean(route) && parts.length > 0;
  const group = svg(
    "g",
    presses ? { class: "column", role: "link", tabindex: 0, "aria-label": words } : { class: "column", "aria-hidden": "true" },
    svg("title", {}, words),
    svg("rect", { x, y: 0, width: step, height: HEIGHT, class: "hover" }),
    ...parts,
  );
  if (presses) {
    const open = () => go(/** @type {(bucket: Bucket) => string} */ (route)(bucket));
    group.addEventListener("click", open);
    group.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && open());
  }
  return group;
}

/** Five words along the bottom, from the first bar's beginning to now. @param {Bucket[]} list */
function ticks(list) {
  const at = (/** @type {number} */ part) => list[Math.round(part * list.length)]?.label ?? t("now");
  return [0, 0.25, 0.5, 0.75, 1].map(at);
}

/** @param {Record<string, number>} counts */
function said(counts) {
  return SERIES.filter(([name]) => counts[name]).map(([name, words]) => `${counts[name].toLocaleString(language())} ${words}`).join(", ") || t("nothing");
}

/** @param {Record<string, number>} counts */
export function total(counts) {
  return SERIES.reduce((sum, [name]) => sum + (counts[name] ?? 0), 0);
}

/** @param {Bucket[]} list */
function legend(list) {
  const sums = SERIES.map(([name, words]) => ({ name, words, count: list.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0) }));
  return h(
    "figcaption",
    { class: "legend" },
    sums.filter(({ name, count }) => count || ALWAYS.has(name)).map(({ name, words, count }) =>
      h("span", {}, h("span", { class: `swatch ${name}`, "aria-hidden": "true" }), h("strong", {}, count.toLocaleString(language())), ` ${words}`)
    ),
  );
}

/** @param {Bucket[]} list @param {string} title */
function table(list, title) {
  const rows = list.filter(({ counts }) => total(counts)).map(({ label, counts }) => [label, ...SERIES.map(([name]) => counts[name] ?? 0)]);
  return unseenTable(title, [t("When"), ...SERIES.map(([, words]) => words)], rows);
}

/** A row of small bars without words: how busy an app was. @param {Bucket[]} list */
export function sparkline(list) {
  const sums = list.map(({ counts }) => total(counts));
  const most = Math.max(1, ...sums), all = sums.reduce((sum, one) => sum + one, 0);
  const words = all ? tn(all, "{count} request in the last 24 hours", "{count} requests in the last 24 hours") : t("no request in the last 24 hours");
  return svg(
    "svg",
    { viewBox: `0 0 ${list.length * 4} 24`, preserveAspectRatio: "none", class: "spark", role: "img", "aria-label": words },
    svg("title", {}, words),
    sums.map((sum, index) => {
      const tall = sum ? 2 + (sum / most) * 22 : 1;
      return svg("rect", { x: index * 4 + 0.5, y: 24 - tall, width: 3, height: tall, class: sum ? "busy" : "idle" });
    }),
  );
}

/** The most decisions that a picture counts. */
const MOST = 20_000;

/** The decisions of the last 24 hours, and what failed although it was allowed, as entries of the log. @returns {Promise<any[]>} */
export async function lastDecisions() {
  const asked = { since: Math.floor(Date.now() / 1000 - DAY), limit: MOST };
  const [decided, done] = await Promise.all(["requestDecided", "requestDone"].map((entry) => call("log/show", { ...asked, entry })));
  return [...decided.entries, ...done.entries];
}

/** The last 24 hours, an hour a bar. @param {any[]} entries  of the log @param {number} [now]  in seconds */
export function lastDay(entries, now = Date.now() / 1000) {
  return buckets(entries, { length: HOUR, count: 24, now, label: hourLabel });
}

/** The list of activity for a bar's time. @param {Bucket} bucket */
export function activityRoute({ start, end }) {
  return `/activity?since=${start}&until=${end}`;
}
