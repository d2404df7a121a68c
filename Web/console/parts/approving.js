// Sends an approval. While the signer is locked it asks for the credential and then goes on with the answer that was given, unless the
// request shows something else by then.

import { call } from "../api.js";
import { h, notice } from "../dom.js";
import { rich, t } from "../language.js";
import { spokenRequest } from "../signer.js";
import { askToUnlock } from "./unlock.js";

/** @typedef {import("./account.js").Account} Account */
/** @typedef {{answered?: string[], also?: string[], missing?: {why: string}[]}} Answered */

/**
 * @param {Account[]} requests  as their card showed them when the person decided
 * @param {object} parameters  what is to be remembered
 * @param {string} what  is approved, as the card says it
 * @returns {Promise<Answered | null>} null when nothing was approved, which the person knows
 */
export async function approve(requests, parameters, what) {
  const ids = requests.map(({ id }) => id);
  try {
    return await call("request/approve", { ids, ...parameters });
  } catch (failure) {
    if (!(/** @type {any} */ (failure).isLocked)) throw failure;
  }
  const isOpen = await askToUnlock("unlock", {
    says: rich("The signer is locked. Once it is unlocked, this is approved: {what}.", { what: h("strong", {}, what) }),
    confirm: t("Unlock and approve"),
    touch: t("Approve with a passkey"),
  });
  if (!isOpen) return null;
  return afterUnlocking(requests, parameters);
}

/** @param {Account[]} requests @param {object} parameters @returns {Promise<Answered | null>} */
async function afterUnlocking(requests, parameters) {
  /** @type {Account[]} */
  const waiting = (await call("request/list")).requests.map(spokenRequest);
  const still = requests.filter(({ id }) => waiting.some((one) => one.id === id));
  if (!still.length) {
    notice(t("Unlocked. Your rules decided the request, so it did not need your answer."));
    return null;
  }
  if (still.some((one) => seen(one) !== seen(waiting.find(({ id }) => id === one.id)))) {
    notice(t("Unlocked, but the request shows something else now, so nothing was approved. Check it, then answer."), { bad: true });
    return null;
  }
  return call("request/approve", { ids: still.map(({ id }) => id), ...parameters });
}

/** What a person decides on. Why it waits, and how often the app sent it, is no part of that. @param {Account | undefined} request */
function seen(request) {
  const { title, parts, risk, raw, remember } = /** @type {Account} */ (request);
  return JSON.stringify([title, parts, risk, raw, remember], withoutNames);
}

/** What people call themselves is looked up while a request waits, and says nothing of what it does: the key does. @param {string} _ @param {any} value */
function withoutNames(_, value) {
  if (typeof value?.npub !== "string") return value;
  const { name: _name, name_shared: _shared, ...rest } = value;
  return rest;
}
