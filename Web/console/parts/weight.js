// In what order waiting requests stand: the serious ones first, and of those the ones that nobody can take back. Then by time.

import { isFinal, losesEntries } from "./final.js";

/** @typedef {import("./account.js").Account} Account */

/** 0 for a serious request that cannot be undone or leads payments elsewhere, 1 for another serious one, 2 for the rest. @param {Account} request */
function weight(request) {
  if (request.risk !== "grave") return 2;
  return isFinal(request) || request.pays_elsewhere || losesEntries(request) ? 0 : 1;
}

/** The weightiest first, and of one weight the oldest. @param {Account[]} requests @returns {Account[]} */
export function byWeight(requests) {
  return [...requests].sort((a, b) => weight(a) - weight(b) || a.received - b.received);
}
