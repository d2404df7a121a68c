// The apps that are no longer paired, as the log has them: by name, and since when.

import { call } from "../api.js";
import { h } from "../dom.js";
import { rich, t } from "../language.js";
import { appName } from "../signer.js";
import { known } from "../store.js";
import { when } from "./common.js";
import { fillFold, fold } from "./fold.js";

/** The most endings that are read. */
const MOST = 200;

/** Draws them below the paired ones, folded. @param {import("../view.js").View} view @returns {HTMLElement} */
export function formerApps(view) {
  const box = fold();
  box.hidden = true;
  const draw = async () => {
    const list = former(await endings({}), known("clients") ?? []);
    if (!view.isOpen) return;
    box.hidden = !list.length;
    fillFold(box, t("Revoked apps"), String(list.length), h("ul", { class: "rows" }, list.map(row)));
  };
  view.watch("clients", draw);
  return box;
}

/**
 * The names of the apps that are not paired now and whose pairing ended since a time.
 * @param {number} time  in seconds since 1970 @param {number} after  the number of an entry of the log; endings up to it do not count
 * @returns {Promise<string[]>}
 */
export async function formerSince(time, after) {
  const [entries, { clients }] = await Promise.all([endings({ since: time }), call("client/list")]);
  return former(entries, clients).filter((entry) => entry.time >= time && entry.sequence > after)
    .map(({ client, client_name: name }) => appName(name ?? "", client));
}

/** The number of the log's entry about the newest ending of a pairing; 0 for none. */
export async function newestEnding() {
  return Math.max(0, ...(await endings({})).map(({ sequence }) => sequence));
}

/** The newest entries about endings. While the signer is locked, nobody reads its log. @param {{since?: number}} filter @returns {Promise<any[]>} */
async function endings(filter) {
  const { entries } = await call("log/show", { entry: "unpaired", limit: MOST, ...filter }).catch(() => ({ entries: [] }));
  return entries;
}

/** The newest ending of each app that is not paired now. @param {any[]} entries  oldest first @param {any[]} clients @returns {any[]} newest first */
function former(entries, clients) {
  const paired = new Set(clients.map(({ pubkey }) => pubkey));
  /** @type {Map<string, any>} */
  const found = new Map();
  for (const entry of [...entries].sort((a, b) => b.sequence - a.sequence)) {
    if (entry.client && !paired.has(entry.client) && !found.has(entry.client)) found.set(entry.client, entry);
  }
  return [...found.values()];
}

/** @param {any} entry */
function row({ client, client_name: name, time }) {
  return h(
    "li",
    { class: "row" },
    h("span", { class: "row-words" }, h("strong", { dir: "auto" }, appName(name ?? "", client)), h("span", {}, rich("revoked {when}", { when: when(time) }))),
    h("a", { href: `#/activity?client=${client}` }, t("What it did")),
  );
}
