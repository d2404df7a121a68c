// A trial: nobody knows the passphrase of its vault. What would ask for it says so, and offers to keep the trial.

import { call } from "../api.js";
import { h } from "../dom.js";
import { t } from "../language.js";
import { known } from "../store.js";
import { dialog } from "./dialog.js";
import { heading } from "./heading.js";
import { keep } from "./keep.js";

/** Whether the signer runs a trial, as far as is known here. */
export function isTrial() {
  return known("status")?.trial === true;
}

/** The same, asked of the signer where it is not known yet. @returns {Promise<boolean>} */
export async function inTrial() {
  return (known("status") ?? await call("status").catch(() => ({}))).trial === true;
}

/** Whether a trial was locked or ended: nothing opens its keys again, and it cannot be kept. @param {any} [status] */
export function isOver(status = known("status")) {
  return status?.trial === true && (isGone || status.locked === true);
}

/** Whether the trial's signer is gone, and all of the trial with it. */
let isGone = false;

/** The trial's signer has stopped: nothing of the trial can be kept any more. @param {boolean} [gone]  false when it answers again */
export function trialGone(gone = true) {
  isGone = gone;
}

/** What is said of a trial that was locked. */
export function overWords() {
  if (isGone) return goneWords();
  return t("The keys of this trial are wiped from memory, and nobody knows a passphrase that opens them: they are lost. Stop the signer, and start a new trial or make a vault.");
}

/** What is said of a trial whose signer does not answer any more. Only on its own machine is that certain. */
export function goneWords() {
  return ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname)
    ? t("The trial has ended. Its keys, apps and log were wiped.")
    : t("The signer does not answer any more. If it was stopped, the trial has ended, and its keys, apps and log were wiped.");
}

/** Why nothing can be proved in a trial. */
function unknownWords() {
  return t("This is a trial: its vault has a random passphrase that nobody knows, so this cannot be done. Keep the trial first. Then you choose a passphrase.");
}

/** A card in the place of advice that nobody can follow in a trial. */
export function trialCard() {
  return h(
    "section",
    { class: "card" },
    heading("trial", isOver() ? t("The trial is over") : t("This is a trial")),
    h(
      "p",
      {},
      isOver()
        ? overWords()
        : t("Its vault has a random passphrase that nobody knows, and all of it is gone when the signer stops. Keep the trial to choose a passphrase. Then you can add further ways to unlock, and make recovery kits and backups."),
    ),
    !isOver() && h("div", { class: "buttons" }, h("button", { type: "button", class: "primary", onclick: () => keep() }, t("Keep this trial…"))),
  );
}

/** In the place of a passphrase field. */
export function trialNote() {
  const box = h(
    "div",
    { class: "fields-box" },
    h("p", { class: "warning" }, isOver() ? overWords() : unknownWords()),
    !isOver() && h("div", { class: "buttons" }, h("button", { type: "button", onclick: () => leaveFor(box) }, t("Keep this trial…"))),
  );
  return box;
}

/** @param {HTMLElement} box */
function leaveFor(box) {
  box.closest("dialog")?.close();
  keep();
}

/**
 * In a trial, a dialog in the place of one that would ask for the passphrase.
 * @param {string} title  of that one
 * @returns {Promise<boolean>} whether it is a trial
 */
export async function insteadInTrial(title) {
  if (!await inTrial()) return false;
  if (isOver()) {
    await dialog(title, [h("p", { class: "warning" }, overWords())], { confirm: t("Close"), cancel: "", act: () => {} });
  } else if (await dialog(title, [h("p", { class: "warning" }, unknownWords())], { confirm: t("Keep this trial…"), act: () => {} })) {
    await keep();
  }
  return true;
}
