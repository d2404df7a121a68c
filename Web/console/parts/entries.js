// Entries of the log in words. A request's intent and outcome share one line; each can be proved.

import { h } from "../dom.js";
import { fullTime } from "../words.js";
import { classTitle } from "./classes.js";
import { avatar, keyText, when } from "./common.js";
import { proofOf } from "./proof.js";

/** @typedef {{sequence: number, time: number, entry: string, text: string, client?: string, identity?: string, method?: string, kind?: number,
 *   decision?: string, rule?: string, reason?: string, request?: string, signed?: string, error?: any, failure?: string, amount?: number, channel?: string,
 *   outcome?: Entry, [more: string]: any}} Entry */

/** Newest first. The outcome of a request is shown with its intent. @param {Entry[]} entries @returns {Entry[]} */
export function merged(entries) {
  const newest = [...entries].sort((a, b) => b.sequence - a.sequence);
  /** @type {Map<string, Entry>} */
  const outcomes = new Map();
  /** @type {Entry[]} */
  const kept = [];
  for (const entry of newest) {
    const key = entry.request && `${entry.client} ${entry.request}`;
    if (entry.entry === "requestDone" && key && !outcomes.has(key)) {
      outcomes.set(key, entry);
      kept.push(entry);
    } else if (entry.entry === "requestDecided" && key && outcomes.has(key) && entry.decision !== "ask") {
      const outcome = /** @type {Entry} */ (outcomes.get(key));
      outcomes.delete(key);
      kept[kept.indexOf(outcome)] = { ...entry, outcome };
    } else kept.push(entry);
  }
  return kept;
}

/** The tag for each decision. @type {Record<string, [string, string]>} */
const TAGS = { allow: ["allowed", "good"], ask: ["asked you", "fair"], deny: ["denied", "bad"] };

/** @param {Entry} entry */
export function reason(entry) {
  const given = entry.reason ?? entry.rule ?? "";
  return entry.entry === "identityChanged" && given.startsWith("class ") ? `now: ${classTitle(given.slice(6))}` : given;
}

/** @param {Entry} entry  @returns {[string, string] | undefined} */
function tag(entry) {
  const failed = entry.outcome?.error ?? (entry.entry === "requestDone" ? entry.error : undefined);
  if (failed !== undefined && entry.decision !== "deny") return ["failed", "bad"];
  if (entry.entry === "requestDone") return ["done", "good"];
  return entry.decision ? TAGS[entry.decision] : undefined;
}

/** The owner's name for an entry's app. @param {Entry} entry @param {any[]} clients */
export function nameOf(entry, clients) {
  if (!entry.client) return "";
  return clients.find((one) => one.pubkey === entry.client)?.name ?? entry.client_name ?? "An app that is gone";
}

/** @param {Entry} entry @param {any[] | null} clients  to name the app; null when the page is about one */
export function rowOf(entry, clients) {
  const name = clients && nameOf(entry, clients);
  const look = tag(entry);
  const why = reason(entry);
  const box = h(
    "details",
    {
      class: "entry",
      ontoggle: () => {
        if (box.open && box.children.length === 1) box.append(details(entry));
      },
    },
    h(
      "summary",
      { class: "row" },
      name && entry.client && avatar(name, entry.client),
      h(
        "span",
        { class: "row-words" },
        h("strong", {}, name && [h("span", { dir: "auto" }, name), ": "], entry.text),
        h("span", {}, entry.identity && ["as ", h("span", { dir: "auto" }, entry.identity), why && " · "], why),
      ),
      look && h("span", { class: `tag ${look[1]}` }, look[0]),
      when(entry.time),
    ),
  );
  return h("li", { data: { sequence: String(entry.sequence) } }, box);
}

/** @param {Entry} entry */
function details(entry) {
  const { outcome } = entry;
  const signed = outcome?.signed ?? entry.signed, failed = outcome ?? entry;
  const rows = /** @type {[string, import("../dom.js").Child][]} */ ([
    ["When", fullTime(entry.time)],
    ["What", [entry.text, typeof entry.kind === "number" && ` (kind ${entry.kind})`]],
    ["Why", reason(entry)],
    ["Rule", entry.rule && entry.reason ? entry.rule : ""],
    [
      "App",
      entry.client && [keyText(entry.client), " ", h("a", { href: `#/activity?client=${entry.client}` }, "all of its activity")],
    ],
    ["Identity", entry.identity],
    ["Answered by", entry.channel],
    ["Signed event", signed && h("code", { class: "key whole" }, signed)],
    ["Request event", entry.request && h("code", { class: "key whole" }, entry.request)],
    ["Not done", failed.failure ?? failed.error],
    ["How many", entry.amount],
    ["Entry", `number ${entry.sequence}${outcome ? `, its outcome number ${outcome.sequence}` : ""}`],
  ]);
  return h(
    "div",
    { class: "entry-more" },
    h(
      "dl",
      { class: "facts" },
      rows.filter(([, value]) => value !== undefined && value !== "" && value !== false).map((
        [name, value],
      ) => [h("dt", {}, name), h("dd", {}, value)]),
    ),
    proofOf(entry.sequence),
  );
}
