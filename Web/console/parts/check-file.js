// Checks a backup file of this computer: sends it to the signer, which reads it, opens it with what the person types, and removes it.
// Nothing is restored.

import { h } from "../dom.js";
import { rich, t, tn } from "../language.js";
import { refresh } from "../store.js";
import { inside } from "./check-backup.js";
import { when } from "./common.js";
import { meansHere, ownerFields } from "./owner.js";
import { named, SentFile } from "./sentfile.js";

/** What the signer tries at a backup. A passkey opens one in the console after a restore only. */
const OPENS = ["passphrase", "shares"];

/** The card. @param {import("../view.js").View} view @param {(found: any) => void} checked  hears what was found in a file that is good @returns {HTMLElement} */
export function checkFile(view, checked) {
  const box = h("section", { class: "card" });
  const sent = new SentFile(view, box, {
    title: t("Check a backup file"),
    help: t("Choose a backup on this computer, or drop it here. The signer reads it, tests that your passphrase opens it, and removes it again. Nothing is restored."),
    arrived: async (name, told) => {
      const turn = sent.turn, means = await meansHere();
      if (turn !== sent.turn) return;
      if (told.this_vault) tell(sent, name, told, means, checked);
      else refuse(sent, name, told);
    },
  });
  sent.choose();
  return box;
}

/** Says what is known of the file, and asks for what opens it. @param {SentFile} sent @param {string} name @param {any} told @param {string[]} means @param {(found: any) => void} checked */
function tell(sent, name, told, means, checked) {
  const owner = ownerFields(/** @type {any} */ (means.filter((one) => OPENS.includes(one))));
  const form = sent.form(t("Check it"), owner.box, async (faults) => {
    const found = await sent.perform(form, faults, () => owner.perform("backup/upload-check", { upload: sent.upload }));
    if (!found) return;
    sent.upload = "";
    checked(found);
    refresh("custody");
    showFound(sent, name, found);
  });
  sent.ask(form, h("p", {}, ...whose(name, told)));
}

/** @param {SentFile} sent @param {string} name @param {any} told */
function refuse(sent, name, told) {
  sent.stop();
  sent.show(
    h("p", { class: "warning" }, rich("{file} says that it is a backup of another vault, {vault}. This signer cannot check it here.", { file: named(name), vault: h("code", {}, told.vault) })),
    h("p", { class: "help" }, t("On the signer's machine: holdfast backup verify FILE")),
    again(sent),
  );
}

/** @param {SentFile} sent @param {string} name @param {any} found */
function showFound(sent, name, found) {
  sent.show(
    h("p", { tabindex: "-1" }, h("span", { class: "tag good" }, t("checked")), " ", rich("{file} is whole, and what you gave opens it.", { file: named(name) })),
    ...madeWords(found),
    inside(found),
    again(sent),
  );
  /** @type {HTMLElement | null} */ (sent.box.querySelector("[tabindex]"))?.focus({ preventScroll: true });
}

/** When it was made, and what it leaves out. @param {any} found */
export function madeWords(found) {
  return [
    h("p", {}, ...rich("It was made {when} and has the number {number}.", { when: when(found.made), number: found.number })),
    found.left_out > 0 && h("p", {}, tn(found.left_out, "It leaves out {count} record that is bound to the signer's device.", "It leaves out {count} records that are bound to the signer's device.")),
  ];
}

/** @param {SentFile} sent */
function again(sent) {
  return h("div", { class: "buttons" }, sent.cancelButton(t("Check another file")));
}

/** What is known before anything opens it. @param {string} name @param {any} told */
function whose(name, { made, number }) {
  if (made === null) return rich("{file} has its full length and says that it is a backup of this vault. The signer's own keys do not open it: it may be from before they were changed.", { file: named(name) });
  return rich("{file} has its full length and is a backup of this vault. It was made {when} and has the number {number}.", { file: named(name), when: when(made), number });
}
