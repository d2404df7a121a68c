// What a receipt says of one key, for the receipt itself and for the page of the key.

import { t } from "../language.js";
import { slotTypeWords } from "./slots.js";

/** @param {any} kit */
export function kitName(kit) {
  return kit.label || (kit.for === "vault" ? t("A recovery kit of the whole vault") : t("A recovery kit of this key"));
}

/** Whether it is a kit that needs a backup which is not there. @param {any} one @param {any[]} rebuild */
export function lacksBackup(one, rebuild) {
  return one.for === "vault" && !rebuild.some(({ what }) => what === "backup");
}

/** Whether something should be done about a statement that does not hold. @param {any} one */
export function isRisk(one) {
  return (one.holds === false && Boolean(one.remedy)) || (one.holds !== true && ["check-backup", "make-backup"].includes(one.remedy));
}

/** What opens the key, by name. @param {any[]} opens @returns {string[]} */
export function openerNames(opens) {
  return [...new Set(opens.map((one) => one.label || slotTypeWords(one.type)))];
}

/** @type {Record<string, string>} */
const REBUILT_BY = {
  backup: t("A backup of the vault"),
  words: t("Its words on paper"),
  "exported copy": t("An exported copy"),
  guardians: t("Your guardians"),
};

/** What is known to bring the key back if this machine is lost, by name. @param {any[]} rebuild @returns {string[]} */
export function rebuilderNames(rebuild) {
  const known = rebuild.filter((one) => !lacksBackup(one, rebuild) && (one.what !== "words" || one.last_shown > 0));
  return [...new Set(known.map((one) => (one.kit ? kitName(one) : REBUILT_BY[one.what] ?? one.what)))];
}
