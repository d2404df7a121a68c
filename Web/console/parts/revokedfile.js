// The list of revoked apps as a file beside a downloaded backup. A backup still has the apps that were revoked after it was made.

import { call } from "../api.js";
import { h, notice } from "../dom.js";
import { rich, t } from "../language.js";
import { when } from "./common.js";
import { dialog } from "./dialog.js";
import { unbase64 } from "./base64url.js";
import { formerSince, newestEnding } from "./formerapps.js";
import { recall, remember } from "./ofvault.js";
import { save } from "./save.js";

/** Up to which entry of the log the list that this browser last downloaded reaches. Times are whole seconds, which is too coarse. */
const SAVED = "holdfast-revoked-through";

/** Gives the list to the browser. */
export async function downloadRevoked() {
  const through = await newestEnding();
  const { data, name } = await call("backup/revoked-apps");
  save(unbase64(data), name);
  await remember(SAVED, String(through));
  notice(t("The list is made. Keep it in the folder of the backup, under the name that it has."));
}

/** Makes a backup, and gives it to the browser. @returns {Promise<{name: string, number: number}>} */
export async function downloadBackup() {
  const { data, name, number } = await call("backup/create");
  save(unbase64(data), name);
  notice(t("The backup is made. Keep it on another machine or medium."));
  return { name, number };
}

/**
 * The names of the apps that the newest backup still has although they were revoked since, unless the list is beside it already.
 * @param {number} last  when it was made, in seconds since 1970 @param {any} plan  of scheduled backups; the schedule keeps the list beside its own
 */
export async function revokedSince(last, plan) {
  if (!last || isListedBeside(last, plan)) return [];
  return formerSince(last, Number(await recall(SAVED) ?? 0));
}

/** @param {number} last @param {any} plan */
function isListedBeside(last, plan) {
  return plan && !plan.revocations_error && (plan.last ?? 0) >= last;
}

/** When the newest backup was made that still has an app which is being revoked; 0 for none. @param {{paired: number}} client */
export async function backupWith({ paired }) {
  try {
    const [{ steps }, { plan }] = await Promise.all([call("custody/overview"), call("backup/plan")]);
    const last = Math.max(plan?.last ?? 0, steps.find((/** @type {any} */ one) => one.step === "backup-fresh")?.last ?? 0);
    return paired <= last && !isListedBeside(last, plan) ? last : 0;
  } catch {
    // A trial has no backups.
    return 0;
  }
}

/** Offers what keeps a revoked app from coming back with a backup. @param {string} app  its name @param {number} last  when the backup was made that has it */
export function offerAfterRevoking(app, last) {
  return dialog(t("{app} is revoked", { app }), [
    h("p", {}, rich("Your last backup, made {when}, still has this app. After a restore, the app would be back, paused.", { when: when(last) })),
    h("p", {}, t("Make a new backup, or keep the list of revoked apps beside the one that you have: a restore then leaves the app out.")),
  ], {
    confirm: t("Make a backup and download it"),
    act: downloadBackup,
    other: { label: t("Download the list"), act: downloadRevoked },
    cancel: t("Later"),
  });
}
