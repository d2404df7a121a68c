// What the log names by a code or a few words, in words: where a key came from, how it was exported, what was changed.

import { t } from "../language.js";
import { kindNames } from "../words.js";
import { originName } from "./identity.js";

/** What the log names in a word or two: what was changed, or how the vault was opened. @type {Record<string, string>} */
const CHANGED = {
  details: t("its details"),
  keyring: t("keyring"),
  link: t("by a link"),
  "low trust": t("low trust"),
  "names of people: off": t("names of people: off"),
  "names of people: on": t("names of people: on"),
  passkey: t("passkey"),
  passphrase: t("passphrase"),
  paused: t("paused"),
  recovery: t("by a recovery kit"),
  // The entry itself says so.
  renamed: "",
  resumed: t("resumed"),
  suspended: t("paused"),
  "the rules of all apps": t("the rules of all apps"),
  token: t("token"),
  "web push": t("notifications"),
};

/** How a key was exported. @type {Record<string, string>} */
const EXPORTS = {
  ncryptsec: t("as an encrypted key (ncryptsec)"),
  file: t("as an encrypted file"),
  mnemonic: t("as words"),
  nsec: t("as an unencrypted key (nsec)"),
};

/** @param {string} code  the reason of an entry @param {string} entry  its type @returns {string | undefined} nothing for one that is no code */
export function codeWords(code, entry) {
  if (["identityCreated", "identityImported"].includes(entry)) return originName(code);
  if (entry === "keyExported" && Object.hasOwn(EXPORTS, code)) return EXPORTS[code];
  const [, kind] = /^kind (\d+) was reset$/.exec(code) ?? /^kind (\d+): forgot dates ahead/.exec(code) ?? [];
  if (kind) return t("dates begin anew: {things}", { things: kindNames(Number(kind)) });
  const [, successor] = /^to (npub1[0-9a-z]+)$/.exec(code) ?? [];
  if (successor) return t("the new key: {key}", { key: `${successor}…` });
  if (/^the label of slot \d+$/.test(code)) return t("the name of a way to unlock");
  return Object.hasOwn(CHANGED, code) ? CHANGED[code] : undefined;
}
