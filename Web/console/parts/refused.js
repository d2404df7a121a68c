// Requests that were refused because too many waited already. Nobody hears of them otherwise: they are in no list of waiting requests.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { rich, t, tn } from "../language.js";
import { appName, QUEUE_FULL } from "../signer.js";

/** @typedef {import("./account.js").Account} Account */

/** The most requests that wait for one app, and in all. The signer refuses more: `PendingRequest` in RemoteSigning. */
const MOST_OF_ONE = 20, MOST = 200;
/** The most refusals that are counted. */
const COUNTED = 2000;
/** Milliseconds between two looks, while something is refused. */
const LOOK = 3000;

/** The line above the waiting requests. @param {import("../view.js").View} view */
export function refusedLine(view) {
  const box = h("div", { role: "status", hidden: true });
  /** @type {Account[]} */
  let waiting = [];
  /** Whether as many waited as may, since the last time that none did. */
  let wasFull = false;
  /** How often was looked. An earlier look that ends later says nothing. */
  let looks = 0;
  const look = async () => {
    const own = ++looks;
    if (!waiting.length) wasFull = false;
    else if (isFull(waiting)) wasFull = true;
    // Without the log, as in a lockdown, there is nothing to say.
    const refused = wasFull ? await refusedSince(Math.min(...waiting.map(({ received }) => received))).catch(() => []) : [];
    if (!view.isOpen || own !== looks) return;
    box.hidden = !refused.length;
    fill(box, refused.map((one) => line(one, waiting)));
  };
  const timer = setInterval(() => wasFull && !document.hidden && look(), LOOK);
  view.atEnd(() => clearInterval(timer));
  return {
    box,
    /** @param {Account[]} requests  all that wait for an answer */
    renew: (requests) => {
      waiting = requests;
      return look();
    },
  };
}

/** @param {Account[]} requests */
function isFull(requests) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { client } of requests) counts.set(client.signer, (counts.get(client.signer) ?? 0) + 1);
  return requests.length >= MOST || Math.max(...counts.values()) >= MOST_OF_ONE;
}

/** @typedef {{client: string, name: string, count: number}} Refused */

/** How many requests of each app were refused, from the log. @param {number} since  seconds since 1970 @returns {Promise<Refused[]>} */
async function refusedSince(since) {
  const { entries } = await call("log/show", { decision: "deny", since, limit: COUNTED });
  /** @type {Map<string, Refused>} */
  const found = new Map();
  for (const { client, client_name: name, rule } of entries) {
    if (rule !== QUEUE_FULL || !client) continue;
    const one = found.get(client) ?? { client, name, count: 0 };
    one.count += 1;
    found.set(client, one);
  }
  return [...found.values()];
}

/** @param {Refused} refused @param {Account[]} waiting */
function line({ client, name, count }, waiting) {
  const app = waiting.find((one) => one.client.pubkey === client)?.client.name ?? (name && appName(name, client)) ?? t("An app that is gone");
  return h(
    "p",
    { class: "warning spaced" },
    rich("{app}: {count}, because too many were waiting. Answer these, or pause the app: it can ask again.", {
      app: h("strong", { dir: "auto" }, app),
      count: tn(count, "{count} more request was refused", "{count} more requests were refused"),
    }),
    " ",
    h("a", { href: `#/activity?client=${client}&decision=deny` }, t("See them")),
  );
}
