// Where a wrong passphrase or a failed sign-in came from, as the log says it: "passphrase, from the browser 3fa29c01, for identity/export".

import { call } from "../api.js";
import { fromSigner, t } from "../language.js";
import { browserName } from "./enrol.js";

/** What the browsers that are signed in are called, by the first digits of their sessions. @type {Map<string, string>} */
const BROWSERS = new Map();

/** @type {Record<string, string>} */
const SHOWN = {
  passphrase: t("passphrase"),
  passkey: t("passkey"),
  token: t("token"),
  recovery: t("by a recovery kit"),
  keyring: t("keyring"),
  "wrong passphrase": t("wrong passphrase"),
  "with a link that was used already": t("with a link that was used already"),
};

/** What the signer's catalogue has words for. */
const OF_SIGNER = /^a (?:failed sign-in|sign-in link that was used already)$/;

/** @type {Record<string, string>} */
const PLACES = {
  "a terminal": t("in a terminal"),
  "the desktop": t("in a notification on the desktop"),
  "the sign-in page": t("on the sign-in page"),
  "this machine": t("from this machine"),
};

/** Learns what the browsers are called. */
export async function learnBrowsers() {
  const { sessions } = await call("session/list").catch(() => ({ sessions: [] }));
  for (const { id, agent, current } of sessions) BROWSERS.set(id.slice(0, 8), current ? t("in this browser") : t("in a browser: {name}", { name: browserName(agent) }));
}

/** @param {string} text  the rule of an entry @returns {string | undefined} nothing for one that names no origin */
export function originWords(text) {
  const [, what = "", place, operation] = /^(?:([a-z -]+), )?from (.+?)(?:, for ([a-z/-]+))?$/.exec(text) ?? [];
  const shown = OF_SIGNER.test(what) ? fromSigner(what) : Object.hasOwn(SHOWN, what) ? SHOWN[what] : undefined;
  if (!place || (what && !shown)) return undefined;
  return [shown, placeWords(place), operation && `(${operation})`].filter(Boolean).join(" ");
}

/** @param {string} place */
function placeWords(place) {
  const [, browser] = /^the browser (\w*)$/.exec(place) ?? [], [, user] = /^user (\d+) of this machine$/.exec(place) ?? [];
  if (browser !== undefined) return BROWSERS.get(browser) ?? t("in a browser that is signed out now");
  if (user !== undefined) return t("from user {number} of this machine", { number: user });
  return PLACES[place] ?? t("from {address}", { address: place });
}
