// The paired apps.

import { fill, h, keyed } from "../dom.js";
import { t, tn } from "../language.js";
import { known } from "../store.js";
import { allButton } from "../parts/allpaused.js";
import { appRow, renewAppRow } from "../parts/approw.js";
import { field, nothing } from "../parts/common.js";
import { formerApps } from "../parts/formerapps.js";
import { haltOf } from "../parts/halt.js";
import { isHeld } from "../parts/held.js";

/** With this many apps or more, a search field is shown. */
const MANY = 8;

/** @param {import("../view.js").View} view */
export function apps(view) {
  const search = field(t("Find an app"), { type: "search" });
  const list = h("ul", { class: "rows" }), message = h("div", {});
  const paused = h("p", { class: "help", hidden: true }), all = h("span", {});
  const pairing = h("div", { class: "buttons spaced" }, h("a", { class: "button primary", href: "#/pair" }, t("Pair an app")), all);
  /** @type {{text: string, row: HTMLElement}[]} */
  let rows = [];
  view.draw(
    t("Apps"),
    pairing,
    search.box,
    h("section", { class: "card" }, paused, list, message),
    formerApps(view),
  );
  search.box.hidden = true;
  // A row that does not fit is hidden and not removed, so that a letter in the field builds nothing anew.
  const sift = () => {
    const wanted = search.input.value.toLowerCase();
    let found = 0;
    for (const { text, row } of rows) {
      row.hidden = !text.includes(wanted);
      if (!row.hidden) found += 1;
    }
    if (rows.length && !found) fill(message, nothing(t("No app has that name")));
    else fill(message, !rows.length && noApps());
  };
  search.input.addEventListener("input", sift);
  const draw = () => {
    const clients = [...(known("clients") ?? [])].sort((a, b) => a.name.localeCompare(b.name));
    const stopped = clients.filter((client) => haltOf(client)).length;
    const waiting = (known("requests") ?? []).filter((/** @type {any} */ { id }) => !isHeld(id));
    const of = (/** @type {any} */ { signer }) => waiting.filter((/** @type {any} */ { client }) => client.signer === signer);
    keyed(list, clients, ({ signer }) => signer, (one) => appRow(one, undefined, of(one)), (row, one) => renewAppRow(row, one, undefined, of(one)));
    rows = clients.map(({ name, identity }, index) => ({
      text: `${name} ${identity}`.toLowerCase(),
      row: /** @type {HTMLElement} */ (list.children[index]),
    }));
    search.box.hidden = clients.length < MANY;
    paused.hidden = !stopped;
    pairing.hidden = known("status")?.suspended === true;
    fill(all, allButton(clients));
    paused.textContent = pausedWords(stopped);
    sift();
  };
  view.watch("clients", draw);
  for (const name of ["status", "requests"]) view.watch(name, () => known("clients") && draw());
}

/** @param {number} count */
function pausedWords(count) {
  const { suspended, locked } = known("status") ?? {};
  if (!suspended) return tn(count, "{count} app is paused: what it asks for waits quietly.", "{count} apps are paused: what they ask for waits quietly.");
  return `${t("The signer is locked down.")} ${locked ? t("No app gets an answer until you resume.") : t("Every app asks you for everything until you resume.")}`;
}

function noApps() {
  return nothing(t("No app is paired yet"), h("p", {}, t("A paired app asks this signer for signatures. It never gets your key.")));
}
