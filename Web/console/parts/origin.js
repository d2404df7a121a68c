// Where a wrong passphrase came from, as the log says it: "passphrase, from the browser 3fa29c01, for identity/export".

import { call } from "../api.js";
import { t } from "../language.js";
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
};

/** @type {Record<string, string>} */
const PLACES = {
  "a terminal": t("in a terminal"),
  "the desktop": t("in a notification on the desktop"),
  "the sign-in page": t("on the sign-in page"),
};

/** Learns what the browsers are called. */
export async function learnBrowsers() {
  const { sessions } = await call("session/list").catch(() => ({ sessions: [] }));
  for (const { id, agent, current } of sessions) BROWSERS.set(id.slice(0, 8), current ? t("in this browser") : t("in a browser: {name}", { name: browserName(agent) }));
}

/** @param {string} text  the rule of an entry @returns {string | undefined} nothing for one that names no origin */
export function originWords(text) {
  const [, what, place, operation] = /^([a-z ]+), from (.+?)(?:, for ([a-z/-]+))?$/.exec(text) ?? [];
  if (!place || !Object.hasOwn(SHOWN, what)) return undefined;
  const browser = /^the browser (\w*)$/.exec(place)?.[1];
  const where = PLACES[place] ?? (browser === undefined ? place : BROWSERS.get(browser) ?? t("in a browser that is signed out now"));
  return [SHOWN[what], where, operation && `(${operation})`].filter(Boolean).join(" ");
}
