// Keys that are never kept in memory: the person opens the key for each use.

import { h } from "../dom.js";
import { rich, t } from "../language.js";
import { deleted } from "./account.js";
import { isFinal } from "./final.js";
import { ownerDialog } from "./owner.js";

/** @typedef {import("./account.js").Account} Account */

/** @param {Account} request */
export function wantsPresence(request) {
  return typeof request.presence === "string";
}

/** @type {Record<string, import("./owner.js").Means[]>} */
const MEANS = {
  passcode: ["passphrase", "token"],
  passkey: ["passkey"],
  "passkey-or-passcode": ["passkey", "passphrase", "token"],
};

/** Asks for the proof, and approves. @param {Account} request @returns {Promise<boolean>} whether it was approved */
export function presence(request) {
  return ownerDialog(t("This key asks for you"), [
    h(
      "p",
      {},
      rich("The key of {identity} is opened for one use and closed again:", {
        identity: h("strong", { dir: "auto" }, request.identity.name),
      }),
    ),
    h("p", { class: "said" }, h("strong", { dir: "auto" }, request.client.name), ": ", request.title),
    deleted(request),
    isFinal(request) && h("p", { class: "warning" }, t("This cannot be undone.")),
  ], {
    confirm: t("Open it for this use"),
    only: MEANS[String(request.presence)] ?? ["passkey", "passphrase", "token"],
    act: (perform) => perform("request/approve", { id: request.id }),
  });
}
