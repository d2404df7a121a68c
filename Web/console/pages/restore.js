// Restoring a backup, on the machine where it is to live from now on. Only a trial restores in the browser: a signer with a vault of its own
// would have to part with that.

import { h } from "../dom.js";
import { fromSigner, t } from "../language.js";
import { heading } from "../parts/heading.js";
import { restoreFile } from "../parts/restore-file.js";
import { restoreSteps } from "../parts/restore-steps.js";
import { takenPlace } from "../parts/keep.js";
import { command } from "../parts/thismachine.js";
import { inTrial, isOver } from "../parts/trial.js";

/** @param {import("../view.js").View} view */
export async function restore(view) {
  const isTrial = await inTrial(), taken = isTrial && !isOver() ? await takenPlace() : "";
  if (!view.isOpen) return;
  view.draw(
    t("Restore a backup"),
    h("p", { class: "back" }, h("a", { href: "#/backup" }, t("← Backups"))),
    h("p", { class: "lead" }, t("A backup brings the keys, apps, rules and settings of another Holdfast to this machine.")),
    isTrial && !isOver() && (taken ? noRoom(taken) : [ofTrial(), restoreFile(view)]),
    restoreSteps(isTrial),
  );
}

/** What becomes of the trial, before a file is chosen. */
function ofTrial() {
  return h(
    "section",
    { class: "card careful" },
    heading("trial", t("This is a trial")),
    h("p", {}, t("What you restore becomes your vault on this machine, and the signer goes on with it. The trial ends then, and its own keys and apps are wiped.")),
  );
}

/** In the place of the file, where no vault can be made: before anything is sent. @param {string} why */
function noRoom(why) {
  return h(
    "section",
    { class: "card careful" },
    heading("warning", t("There is no place for it here")),
    h("p", {}, fromSigner(why)),
    h("p", {}, t("To use the vault that is there, stop this trial and start the signer with the first command. To restore into another folder, use the second.")),
    command(["holdfast", "up"].join(" ")),
    command(["holdfast", "backup", "restore", "FILE", "--into", "DIR"].join(" ")),
  );
}
