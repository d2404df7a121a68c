// Protection classes: when a key can be used, in everyday words.

import { t } from "../language.js";

/** @type {Record<string, {title: string, words: string}>} */
const CLASSES = {
  "after-first-unlock": {
    title: t("Always ready"),
    words: t("The key stays in memory from the first unlock until the signer stops, also while the signer is locked. Choose this for a key that must work while you are away."),
  },
  "when-unlocked": {
    title: t("While unlocked"),
    words: t("The key stays in memory while the signer is unlocked and is wiped when it locks. This is right for most keys."),
  },
  "device-passcode": {
    title: t("Passphrase each time"),
    words: t("The key is never kept in memory. Each use waits for you and asks for the passphrase, or the PIN of a token."),
  },
  "biometric-any": {
    title: t("Passkey each time"),
    words: t("The key is never kept in memory. Each use waits for you and asks for a passkey: a finger, your face, or its device’s PIN."),
  },
  "biometric-required": {
    title: t("Today’s passkeys only"),
    words:
      t("Like “Passkey each time”, but adding or removing a passkey closes the key until a recovery kit lets the new passkeys in. So nobody gets in by adding their own passkey."),
  },
  "biometric-or-passcode": {
    title: t("You, each time"),
    words: t("The key is never kept in memory. Each use waits for you and asks for the passphrase or a passkey."),
  },
};

const HERE_ONLY = ",this-device-only";

export const CLASS_NAMES = Object.keys(CLASSES);

/** @param {string} [name] */
export function classBase(name) {
  return (name ?? "when-unlocked").replace(HERE_ONLY, "");
}

/** @param {string} [name] */
export function isHereOnly(name) {
  return (name ?? "").endsWith(HERE_ONLY);
}

/** Whether making the key and each use of it require the owner's proof. @param {string} [name] */
export function needsPresence(name) {
  return !["after-first-unlock", "when-unlocked"].includes(classBase(name));
}

/** @param {string} base @param {boolean} hereOnly */
export function className(base, hereOnly) {
  return base + (hereOnly ? HERE_ONLY : "");
}

/** @param {string} [name] */
export function classTitle(name) {
  return CLASSES[classBase(name)]?.title ?? String(name);
}

/** @param {string} [name] */
export function classWords(name) {
  return CLASSES[classBase(name)]?.words ?? "";
}

const NAMED = new RegExp(`\\b(${CLASS_NAMES.join("|")})(${HERE_ONLY})?\\b`, "g");

/** Replaces the signer's class names in a text with the names used here. @param {string} text */
export function inWords(text) {
  return text.replace(NAMED, (_, name, here) => 
    here ? t("“{title}”, on this device only", { title: classTitle(name) }) : t("“{title}”", { title: classTitle(name) }));
}

export const HERE_ONLY_WORDS =
  t("On this device only: no backup and no recovery kit has it. This is not enforced here against a copy of the whole home, because no chip seals it. If you lose the machine, you lose the key, unless you have another copy.");
