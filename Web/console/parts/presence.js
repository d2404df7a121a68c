// A key that is never kept in memory: each use of it waits for the person, who opens it for that one.

import { h } from "../dom.js";
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

/** Asks, and approves. @param {Account} request @returns {Promise<boolean>} whether it was approved */
export function presence(request) {
  return ownerDialog("This key wants you", [
    h(
      "p",
      {},
      "The key of ",
      h("strong", { dir: "auto" }, request.identity.name),
      " is opened for one use and put away again:",
    ),
    h("p", { class: "said" }, h("strong", { dir: "auto" }, request.client.name), ": ", request.title),
  ], {
    confirm: "Open it for this use",
    only: MEANS[String(request.presence)] ?? ["passkey", "passphrase", "token"],
    act: (perform) => perform("request/approve", { id: request.id }),
  });
}
