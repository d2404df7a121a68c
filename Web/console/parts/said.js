// What requests said that this tab has shown. It is in the tab's memory only: the log keeps no texts. It is gone with the tab, and as
// soon as the signer locks.

import { watch } from "../store.js";

/** The most requests that are remembered; an older one makes room. */
const MOST = 500;

/** By the id of the event that carried the request. @type {Map<string, string>} */
const told = new Map();

/**
 * Remembers each waiting request in one line of its own words, from now on.
 * @param {(request: import("./account.js").Account) => string} gist  makes the line
 */
export function startRemembering(gist) {
  watch("requests", (/** @type {import("./account.js").Account[]} */ requests) => {
    for (const request of requests) {
      if (!request.event || request.hidden) continue;
      told.delete(request.event);
      const words = gist(request);
      if (words) told.set(request.event, words);
    }
    for (const id of [...told.keys()].slice(0, -MOST)) told.delete(id);
  });
  watch("status", ({ locked }) => {
    if (locked) told.clear();
  });
}

/** Forgets all of it. */
export function forgetSaid() {
  told.clear();
}

/** What a request said; "" when this tab has not shown it. @param {string | undefined} event  that carried it */
export function saidBy(event) {
  return (event && told.get(event)) || "";
}
