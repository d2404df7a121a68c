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
  "with a link that no longer works": t("with a link that no longer works"),
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

/** What an operation that asks for a proof is for, at the end of a sentence. @type {Record<string, string>} */
const PURPOSES = {
  "backup/create": t("to make a backup"),
  "backup/restore": t("to restore a backup"),
  "backup/schedule": t("to schedule backups"),
  "backup/upload-check": t("to check a backup"),
  "backup/verify": t("to check a backup"),
  "identity/accounts": t("to see a key’s accounts"),
  "identity/class": t("to change when a key may be used"),
  "identity/create": t("to make a key"),
  "identity/delete": t("to delete a key"),
  "identity/derive": t("to make a key"),
  "identity/export": t("to export a key"),
  "identity/import": t("to import a key"),
  "identity/rotate": t("to replace a key"),
  "identity/succession": t("to name a key’s successor"),
  "recovery/create": t("to make a recovery kit"),
  "recovery/remove": t("to remove a recovery kit"),
  "request/approve": t("to approve a request"),
  resume: t("to end a lockdown"),
  "session/prove": t("to prove that it is you"),
  sign: t("to sign something"),
  "slot/add": t("to add a way to unlock"),
  "slot/bind": t("to bind the vault to this device"),
  "slot/enrol": t("to let in passkeys"),
  "slot/passkey-add": t("to let a passkey unlock"),
  "slot/passphrase": t("to change the passphrase"),
  "slot/remove": t("to remove a way to unlock"),
  "slot/rotate": t("to renew the vault’s keys"),
  "slot/test": t("to test a way to unlock"),
  unlock: t("to unlock the signer"),
  "vault/accept": t("to accept an older vault"),
  "vault/repair": t("to repair the vault"),
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
  const purpose = operation && Object.hasOwn(PURPOSES, operation) ? `(${PURPOSES[operation]})` : "";
  return [shown, placeWords(place), purpose].filter(Boolean).join(" ");
}

/** Where it came from and for what, without what it was; "" for a text that names no origin. @param {string} text */
export function whence(text) {
  const [, what = ""] = /^(?:([a-z -]+), )?from /.exec(text) ?? [];
  return originWords(what ? text.slice(what.length + 2) : text) ?? "";
}

/** @param {string} place */
function placeWords(place) {
  const [, browser] = /^the browser (\w*)$/.exec(place) ?? [], [, user] = /^user (\d+) of this machine$/.exec(place) ?? [];
  if (browser !== undefined) return BROWSERS.get(browser) ?? t("in a browser that is signed out now");
  if (user !== undefined) return t("from user {number} of this machine", { number: user });
  return PLACES[place] ?? t("from {address}", { address: place });
}
