// Approvals that nobody can undo, such as a deletion. The owner is asked a second time before one is carried out.

import { h } from "../dom.js";
import { rich, t } from "../language.js";
import { warnings } from "./account.js";
import { dialog } from "./dialog.js";
import { changesOf, fieldDiff } from "./diff.js";

/** @typedef {import("./account.js").Account} Account */

/** Kinds that delete or remove: relays and members cannot be made to bring it back. */
const DESTROYS = [5, 62, 8001, 9001, 9005, 9008, 9022, 28936];
/** Kinds by which a key is handed on, or speaks elsewhere. */
const HANDS_KEYS = [443, 444, 445, 8041, 24133];
/** Kinds that send money, or order a wallet to do so. */
const PAYS = [9321, 21000, 23194];
const FINAL = new Set([...DESTROYS, ...HANDS_KEYS, ...PAYS]);

/** Whether an approval of the request does something that nobody can undo. @param {{kind: number | null, deletes?: boolean}} request */
export function isFinal({ kind, deletes }) {
  return deletes === true || (kind !== null && FINAL.has(kind));
}

/** Asks once more. Cancel has the focus, and the button names the act. @param {Account} request @returns {Promise<boolean>} whether to go on */
export function confirmFinal(request) {
  return confirm(request, t("This cannot be undone."));
}

/** The same for a request that changes where payments go, with each address. @param {Account} request @returns {Promise<boolean>} */
export function confirmPayee(request) {
  const changes = request.parts.filter(({ type, isVoid }) => type === "field-diff" && !isVoid);
  return confirm(request, t("Payments to you may go to somebody else."), changes.map((part) => fieldDiff({ ...part, fields: changesOf(part).filter(({ warning }) => warning) })));
}

/** @param {Account} request @param {string} title @param {import("../dom.js").Child[]} [more] */
function confirm(request, title, more = []) {
  return dialog(title, [
    h("p", {}, rich("{app} asks, as {identity}:", {
      app: h("strong", { dir: "auto" }, request.client.name),
      identity: h("strong", { dir: "auto" }, request.identity.name),
    })),
    h("p", { class: "said" }, request.title),
    ...more,
    warnings(request),
  ], { confirm: request.title, dangerous: true, isCareful: true, act: () => {} });
}
