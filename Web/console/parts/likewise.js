// What still waits of an app after an answer that lasts, or once the app goes on: it can be approved together after it was seen. Nothing
// serious is among it, and nothing that the person cannot read.

import { h, notice } from "../dom.js";
import { rich, t, tn } from "../language.js";
import { known, refresh } from "../store.js";
import { gist, parts } from "./account.js";
import { approve } from "./approving.js";
import { grouped } from "./card.js";
import { dialog } from "./dialog.js";
import { isHeld, sayMissing } from "./held.js";

/** @typedef {import("./account.js").Account} Account */

/** This many are shown whole, more of them in their first words, which open. */
const WHOLE = 5;

/** The waiting requests that a condition fits and that no held denial concerns. @param {(request: Account) => boolean} fits @returns {Account[]} */
export function stillWaiting(fits) {
  return (known("requests") ?? []).filter((/** @type {Account} */ one) => !isHeld(one.id) && fits(one));
}

/** Whether a request may be approved along with others: the signer has a batch for each that need not be answered alone. @param {Account} request */
function isPlain({ batch, hidden }) {
  return Boolean(batch) && !hidden;
}

/**
 * The button of a notice that shows them and approves them after a yes; nothing where none may be approved so.
 * @param {Account[]} requests  of one app
 * @returns {{label: string, act: () => unknown} | undefined}
 */
export function offerOf(requests) {
  const plain = requests.filter(isPlain);
  if (!plain.length) return undefined;
  return { label: tn(plain.length, "Approve {count} more like this…", "Approve {count} more like this…"), act: () => approveSeen(plain) };
}

/** @param {Account[]} requests */
async function approveSeen(requests) {
  const still = requests.filter(({ id }) => stillWaiting((one) => one.id === id).length);
  if (!still.length) return notice(t("Nothing of it waits any more."));
  const [{ client }] = still;
  return dialog(t("Approve these, too?"), [
    h("p", {}, rich("{app} asks for this. Each is approved once; your rules stay as they are.", { app: h("strong", { dir: "auto" }, client.name) })),
    h("ol", { class: `members${still.length > WHOLE ? " short" : ""}` }, still.map((one) => h("li", {}, still.length > WHOLE ? folded(one) : shown(one)))),
  ], {
    confirm: tn(still.length, "Approve {count} request", "Approve {count} requests"),
    isCareful: true,
    act: () => approveAll(still),
  });
}

/** @param {Account} request */
function shown(request) {
  return [h("p", {}, h("strong", {}, request.title)), parts(request)];
}

/** @param {Account} request */
function folded(request) {
  return h("details", {}, h("summary", { dir: "auto" }, request.title, " · ", gist(request)), parts(request));
}

/** Each batch by itself, because the signer approves together only what is alike. @param {Account[]} requests */
async function approveAll(requests) {
  const what = tn(requests.length, "{count} request", "{count} requests");
  let count = 0;
  try {
    for (const { requests: alike } of grouped(requests)) {
      const done = await approve(alike, {}, what);
      if (!done) break;
      count += done.answered?.length ?? 0;
      sayMissing(done.missing);
    }
  } finally {
    refresh("requests");
  }
  if (count) notice(tn(count, "Approved {count} request.", "Approved {count} requests."), { link: [t("See activity"), "#/activity"] });
}
