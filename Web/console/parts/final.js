// Approvals that nobody can undo, such as a deletion. The owner is asked a second time before one is carried out.

import { h } from "../dom.js";
import { rich, t } from "../language.js";
import { changes, deleted, warnings } from "./account.js";
import { dialog } from "./dialog.js";
import { changesOf, fieldDiff, listDiff } from "./diff.js";
import { RISK_MEANINGS } from "./risk.js";

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
  return confirm(request, t("This cannot be undone."), [deleted(request)]);
}

/** The same for a request that changes where payments go, with each address. @param {Account} request @returns {Promise<boolean>} */
export function confirmPayee(request) {
  const changes = request.parts.filter(({ type, isVoid }) => type === "field-diff" && !isVoid);
  return confirm(request, t("Payments to you may go to somebody else."), changes.map((part) => fieldDiff({ ...part, fields: changesOf(part).filter(({ warning }) => warning) })));
}

/** A change of whom the owner follows. @param {Account} request @returns {any[]} */
function followChanges({ kind, parts }) {
  return kind === 3 ? parts.filter(({ type, baseline }) => type === "list-diff" && baseline !== false) : [];
}

/** Whether many of the people whom the owner follows would be gone, or all of a list: only who kept the old one could bring them back. @param {Account} request */
export function losesEntries(request) {
  return request.empties === true || followChanges(request).some(({ removed_count: removed = 0, kept = 0 }) => removed > 0 && (kept === 0 || (removed > FEW_PEOPLE && removed * 10 > kept)));
}

/** As many may go without a second question. */
const FEW_PEOPLE = 2;

/** The same for such a request, with who would be gone. @param {Account} request @returns {Promise<boolean>} */
export function confirmLoss(request) {
  return confirm(request, request.empties === true ? t("All that is in this list now would be gone.") : t("Many of the people you follow would be gone."), followChanges(request).map(listDiff));
}

/** Whether its card marks it as serious. @param {Account} request */
export function isSerious({ risk }) {
  return risk === "grave";
}

/** The same for any other serious request, with what it changes and why it is serious. @param {Account} request @returns {Promise<boolean>} */
export function confirmSerious(request) {
  const { risk_reason: why } = request;
  return confirm(request, t("Approve something serious?"), [
    h("p", { class: "warning" }, why ? t("Serious: {why}", { why }) : RISK_MEANINGS.grave),
    changes(request),
  ]);
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
