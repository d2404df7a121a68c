// What to type to restore a backup on the machine where it is to live from now on.

import { h } from "../dom.js";
import { rich, t } from "../language.js";
import { command } from "./thismachine.js";

/** The card. @param {boolean} isHere  in a trial, on that machine @returns {HTMLElement} */
export function restoreSteps(isHere) {
  return h(
    "section",
    { class: "card" },
    h("h2", {}, isHere ? t("Restore it in a terminal instead") : t("Restore on another machine")),
    h("p", { class: "help" }, isHere ? t("For files over 64 MiB and backups on a server. Stop the trial first.") : t("This signer has a vault already, so nothing is restored here.")),
    h("p", { class: "label" }, isHere ? t("1. Keep the file that ends in -revoked.hfr beside the backup: apps that it lists are not restored") : t("1. Install Holdfast there, and copy the backup to it, with the file that ends in -revoked.hfr")),
    h("p", { class: "label" }, t("2. Restore it, with the passphrase; press Enter to use the sheets of a recovery kit")),
    command(["holdfast", "backup", "restore", "FILE"].join(" ")),
    h("p", { class: "label" }, t("3. Start the signer, and resume your apps")),
    command("holdfast up"),
    !isHere && h("p", { class: "help" }, rich("Or in a browser: start it there with {command}, and choose “Restore a backup” in its console.", { command: h("code", {}, ["holdfast", "up", "--trial"].join(" ")) })),
  );
}
