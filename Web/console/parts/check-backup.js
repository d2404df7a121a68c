// Reads a backup of the schedule as a whole, and shows what is in it.

import { call } from "../api.js";
import { h, notice } from "../dom.js";
import { rich, t, tn } from "../language.js";
import { refresh } from "../store.js";
import { dialog } from "./dialog.js";
import { slotTypeWords } from "./slots.js";

/** @param {string} name  as the list has it */
export async function checkBackup(name) {
  notice(t("The signer reads the backup…"));
  try {
    const found = await call("backup/verify", { name });
    refresh("custody");
    await dialog(t("The backup is whole"), contents(found), { confirm: t("Close"), cancel: "", act: () => {} });
  } catch (failure) {
    const { message, hint } = /** @type {any} */ (failure);
    notice([message, hint].filter(Boolean).join(" "), { bad: true });
  }
}

/** @param {any} found */
function contents(found) {
  return [
    h("p", {}, rich("{file} was read to its end and is undamaged.", { file: h("code", { class: "whole" }, found.file) })),
    inside(found),
    h("p", { class: "help" }, t("This says nothing of your passphrase. To test that it opens the backup: holdfast backup verify FILE.")),
  ];
}

/** What is in a backup. @param {any} found */
export function inside({ identities = [], apps = [], slots = [], opened, sealed, proven }) {
  const closed = Object.values(sealed ?? {}).reduce((sum, count) => sum + Number(count), 0);
  const why = proven
    ? tn(closed, "{count} was not checked, because this does not open it", "{count} were not checked, because this does not open them")
    : tn(closed, "{count} was not opened: the signer does not hold its key now", "{count} were not opened: the signer does not hold their keys now");
  return h(
    "dl",
    { class: "facts" },
    h("dt", {}, t("Identities")),
    h("dd", {}, names(identities.map((/** @type {any} */ one) => one.name))),
    h("dt", {}, t("Apps")),
    h("dd", {}, names(apps)),
    h("dt", {}, t("Opens with")),
    h("dd", {}, names(slots.map((/** @type {any} */ one) => one.label || slotTypeWords(one.type)))),
    h("dt", {}, t("Records")),
    h("dd", {}, tn(opened, "{count} was opened", "{count} were opened"), closed > 0 && [", ", why]),
  );
}

/** @param {string[]} all */
function names(all) {
  return all.length ? all.map((one, index) => [index > 0 && ", ", h("span", { dir: "auto" }, one)]) : t("none");
}
