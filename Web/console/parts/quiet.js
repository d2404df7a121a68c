// Requests of apps that the owner paused. They wait without a badge and are folded away, because the owner has said that the app is to be quiet.

import { h } from "../dom.js";
import { t, tn } from "../language.js";
import { known } from "../store.js";
import { haltOf } from "./halt.js";

/** @typedef {import("./account.js").Account} Account */

/** The apps that are paused by themselves, by the signer's key for them. A lockdown is no pause: it should be heard. @returns {Set<string>} */
export function pausedApps() {
  const clients = known("clients") ?? [];
  return new Set(clients.filter((/** @type {any} */ one) => haltOf(one)?.isLockdown === false).map((/** @type {any} */ one) => one.signer));
}

/** Those that the owner is to be told of. @template {{client: {signer: string}}} Request @param {Request[]} requests @returns {Request[]} */
export function loud(requests) {
  const paused = pausedApps();
  return paused.size ? requests.filter(({ client }) => !paused.has(client.signer)) : requests;
}

/**
 * The row that stands for them, and shows and hides them.
 * @param {() => void} changed
 */
export function quietRow(changed) {
  const press = h("button", { type: "button", class: "quiet", onclick: () => show(!row.isOpen) });
  const box = h("p", { class: "quiet-row", hidden: true }, press);
  const show = (/** @type {boolean} */ isOpen) => {
    row.isOpen = isOpen;
    changed();
  };
  const row = {
    box,
    isOpen: false,
    show,
    renew(/** @type {number} */ count) {
      box.hidden = count === 0;
      press.setAttribute("aria-expanded", String(row.isOpen));
      press.textContent = row.isOpen ? t("Hide the requests of paused apps") : tn(count, "{count} request of paused apps", "{count} requests of paused apps");
    },
  };
  return row;
}
