// Alike entries of the log that follow each other within minutes, as one row that opens: twenty notes of an app are one thing to read.

import { fill, h, keyed } from "../dom.js";
import { fromSigner, region, rich, t } from "../language.js";
import { kindNames } from "../words.js";
import { mark, nameOf, reason, rowOf, sign, tag, titleOf } from "./entries.js";
import { saidBy } from "./said.js";

/** @typedef {import("./entries.js").Entry} Entry */
/** Entries, newest first. @typedef {{time: number, entries: Entry[]}} Run */

/** As many alike entries become one row. */
const FEWEST = 3;
/** The longest time between two of them, in seconds. */
const GAP = 600;
/** How many texts its line shows; what does not fit is cut. */
const MOST_SAID = 5;

/** What two entries have in common: the app, the identity, the kind, the outcome and its reason. @param {Entry} entry */
function likeness(entry) {
  if (!entry.entry.startsWith("request") || !entry.method || !entry.client) return null;
  const { client, identity, method, kind } = entry;
  return JSON.stringify([client, identity, method, kind, tag(entry)?.[0], reason(entry), titleOf(entry), entry.risk, entry.risk_reason, new Date(entry.time * 1000).toDateString()]);
}

/** Puts alike entries together. @param {Entry[]} entries  newest first @returns {Run[]} */
export function runs(entries) {
  /** @type {(Run & {like: string | null})[]} */
  const found = [];
  for (const entry of entries) {
    const last = found.at(-1), like = likeness(entry);
    if (last && like !== null && last.like === like && last.entries[last.entries.length - 1].time - entry.time <= GAP) last.entries.push(entry);
    else found.push({ time: entry.time, entries: [entry], like });
  }
  return found.flatMap((run) => (run.entries.length < FEWEST ? run.entries.map((one) => ({ time: one.time, entries: [one] })) : [run]));
}

/** One name for a row as long as it shows the same: an entry that joins a run renews its row, which stays open. @param {Run} run @param {any[] | null} clients */
export function runKey({ entries }, clients) {
  const [entry] = entries, oldest = entries[entries.length - 1];
  const name = clients && nameOf(entry, clients);
  return entries.length > 1 ? `+${oldest.sequence} ${name}` : `${entry.sequence} ${entry.outcome?.sequence ?? ""} ${name}`;
}

/** What a row stands for now. @type {WeakMap<HTMLElement, Run>} */
const shown = new WeakMap();

/** @param {Run} run @param {any[] | null} clients  as for `rowOf` */
export function runRow(run, clients) {
  if (run.entries.length === 1) return rowOf(run.entries[0], clients);
  const list = h("ul", { class: "rows run" });
  const box = h("details", {
    class: "entry",
    ontoggle: () => {
      if (box.open) drawMembers(list, shown.get(row)?.entries ?? [], clients);
    },
  }, h("summary", { class: "row" }), list);
  const row = h("li", {}, box);
  renewRun(row, run, clients);
  return row;
}

/** @param {HTMLElement} row @param {Run} run @param {any[] | null} clients */
export function renewRun(row, run, clients) {
  const list = row.querySelector(".run");
  if (!list || shown.get(row)?.entries.length === run.entries.length) return;
  shown.set(row, run);
  fill(/** @type {Element} */ (row.querySelector("summary")), summary(run, clients));
  if (list.childElementCount) drawMembers(list, run.entries, clients);
}

/** @param {Element} list @param {Entry[]} entries @param {any[] | null} clients */
function drawMembers(list, entries, clients) {
  keyed(list, entries, (entry) => `${entry.sequence} ${entry.outcome?.sequence ?? ""}`, (entry) => rowOf(entry, clients));
}

/** @param {Run} run @param {any[] | null} clients */
function summary({ entries }, clients) {
  const [first] = entries, look = tag(first), why = reason(first), said = saidTogether(entries);
  const name = clients && nameOf(first, clients);
  return [
    sign(first, name),
    h(
      "span",
      { class: "row-words" },
      h("strong", {}, name && [h("span", { dir: "auto" }, name), ": "], counted(entries), mark(first)),
      said && h("span", { class: "gist", dir: "auto" }, said),
      h("span", {}, first.identity && [rich("as {identity}", { identity: h("span", { dir: "auto" }, first.identity) }), why && " · "], why),
    ),
    look && h("span", { class: `tag ${look[1]}` }, look[0]),
    h("span", { class: "row-time" }, span(entries[entries.length - 1].time, first.time)),
  ];
}

/** What the newest of them said, as far as this tab has shown it. @param {Entry[]} entries */
function saidTogether(entries) {
  return [...new Set(entries.map(({ request }) => saidBy(request)).filter(Boolean))].slice(0, MOST_SAID).join(" · ");
}

/** "20 notes", "4 × Encrypt a message". @param {Entry[]} entries */
function counted(entries) {
  const [first] = entries, { kind, text } = first, count = entries.length, title = titleOf(first);
  return typeof kind === "number" && title === fromSigner(text) ? t("{count} {things}", { count, things: kindNames(kind) }) : t("{count} × {what}", { count, what: title });
}

/** "14:02 – 14:07". @param {number} first @param {number} last  seconds since 1970 */
function span(first, last) {
  return new Intl.DateTimeFormat(region(), { timeStyle: "short" }).formatRange(new Date(first * 1000), new Date(last * 1000));
}
