// The ways to unlock, in words.

import { h } from "../dom.js";
import { fromSigner, t } from "../language.js";
import { fullTime } from "../words.js";
import { when } from "./common.js";
import { seconds } from "./identity.js";

/** @type {Record<string, [string, string]>} */
const TYPES = {
  passphrase: [t("Passphrase"), t("a text that only you know")],
  passkey: [t("Passkey"), t("your finger, your face or the PIN of its device")],
  token: [t("Token"), t("a security chip or card, and its PIN")],
  keyring: [t("Desktop keyring"), t("your login to this desktop; opens only keys that are always ready")],
  recovery: [t("Recovery kit"), t("enough of its sheets")],
};

/** @param {string} type */
export function slotTypeWords(type) {
  return TYPES[type]?.[0] ?? type;
}

/** @param {string} type */
export function slotTypeHelp(type) {
  return TYPES[type]?.[1] ?? "";
}

/** A way in, as `custody/overview` has it. @typedef {{id: string, type: string, label: string, identity?: string}} Way */

/** @param {Way} way */
export function wayName(way) {
  return way.label || (way.identity ? t("Kit of {name}", { name: way.identity }) : slotTypeWords(way.type));
}

/**
 * When a way to unlock, or a recovery kit, last worked. An unlock counts like a test.
 * @param {any} one
 * @param {{paper?: boolean}} [options]  whether the time is written out for paper, too
 */
export function worked(one, { paper = false } = {}) {
  const used = one.last_used ?? 0, tested = one.last_tested ?? 0;
  const time = Math.max(used, tested);
  if (!time) return h("span", { class: "tag fair" }, "last_used" in one ? t("never used or tested") : t("never tested"));
  const tag = h("span", { class: "tag good" }, tested >= used ? t("tested") : t("used"));
  return [tag, " ", when(seconds(time)), paper && h("span", { class: "paper" }, ` (${fullTime(seconds(time))})`)];
}

/**
 * What would be lost permanently, with a checkbox to accept it.
 * @param {string | null | undefined} loses  what, in words; nothing when nothing is
 */
export function acceptance(loses) {
  const box = h("input", { type: "checkbox" });
  return {
    box: loses && h(
      "label",
      { class: "level" },
      box,
      h("span", {}, h("strong", {}, t("Lose it for good")), h("span", { class: "warning" }, t("Nothing else opens {what}.", { what: fromSigner(loses) }))),
    ),
    parameters: () => (loses && box.checked ? { accept_loss: true } : {}),
  };
}
