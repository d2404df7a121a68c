// Restoring a backup, on the machine where it is to live from now on. Only a trial restores in the browser: a signer with a vault of its own
// would have to part with that.

import { h } from "../dom.js";
import { t } from "../language.js";
import { restoreFile } from "../parts/restore-file.js";
import { restoreSteps } from "../parts/restore-steps.js";
import { inTrial, isOver } from "../parts/trial.js";

/** @param {import("../view.js").View} view */
export async function restore(view) {
  const isTrial = await inTrial();
  if (!view.isOpen) return;
  view.draw(
    t("Restore a backup"),
    h("p", { class: "back" }, h("a", { href: "#/backup" }, t("← Backups"))),
    h("p", { class: "lead" }, t("A backup brings the keys, apps, rules and settings of another Holdfast to this machine.")),
    isTrial && !isOver() && restoreFile(view),
    restoreSteps(isTrial),
  );
}
