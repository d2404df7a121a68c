// The card about the newest backup: when it was made, whether anybody checked it, and the button that makes another one.

import { fill, h } from "../dom.js";
import { rich, t, tn } from "../language.js";
import { known, refresh } from "../store.js";
import { button, fault, when } from "./common.js";
import { isToCheck } from "./custody.js";
import { icon } from "./icons.js";
import { downloadBackup, downloadRevoked } from "./revokedfile.js";

/** A backup that the browser was given. @typedef {{name: string, number: number}} Downloaded */

/**
 * @param {import("../view.js").View} view
 * @param {() => void} check  leads to the card that checks a file
 */
export function lastBackup(view, check) {
  const box = h("section", { class: "card" });
  /** What this page downloaded, until it was checked. @type {Downloaded | null} */
  let downloaded = null;
  let stored = 0;
  /** Apps that were revoked since. @type {string[]} */
  let revoked = [];
  const redraw = () => draw(box, { stored, downloaded, revoked }, check, (fresh) => {
    if (fresh) downloaded = fresh;
    // It is of now, and so is the list.
    revoked = [];
    redraw();
  });
  // Whether the last one was checked is the signer's judgement.
  view.watch("custody", redraw);
  return {
    box,
    /** @param {number} last  when the last one was stored at the schedule's place, in seconds since 1970; 0 for none @param {string[]} names  of apps that were revoked since */
    draw: (last, names) => {
      [stored, revoked] = [last, names];
      redraw();
    },
    /** @param {{number: number}} found  in a file that is good */
    checked: ({ number }) => {
      if (downloaded?.number === number) downloaded = null;
    },
  };
}

/**
 * @param {Element} box @param {{stored: number, downloaded: Downloaded | null, revoked: string[]}} known @param {() => void} check
 * @param {(fresh: Downloaded | null) => void} made  hears of a backup, or of the list alone
 */
function draw(box, { stored, downloaded, revoked }, check, made) {
  const step = known("custody")?.steps.find((/** @type {any} */ one) => one.step === "backup-fresh");
  const last = Math.max(stored, step?.last ?? 0), isUnchecked = downloaded !== null || (step && isToCheck(step));
  const faults = h("div", {});
  const doing = async (/** @type {() => unknown} */ work) => {
    fill(faults);
    try {
      await work();
    } catch (failure) {
      fill(faults, fault(failure));
    }
  };
  const make = button(t("Make a backup and download it"), () =>
    doing(async () => {
      made(await downloadBackup());
      refresh("custody");
    }), { class: isUnchecked && !revoked.length ? "" : "primary" });
  const list = button(t("Download the list of revoked apps"), () =>
    doing(async () => {
      await downloadRevoked();
      made(null);
    }), { class: revoked.length ? "" : "quiet" });
  fill(
    box,
    h("h2", {}, t("Newest backup")),
    last > 0 && h("p", {}, rich("The last one was made {when}.", { when: when(last) })),
    isUnchecked
      ? h("p", { class: "verdict fair" }, icon("warning"), h("span", {}, unchecked(downloaded), " ", t("Put it where it should stay, then check that it is whole and opens.")))
      : last === 0 && h("p", {}, t("Holdfast made no backup here in the last 30 days.")),
    revoked.length > 0 && h("p", { class: "warning" }, tn(revoked.length, "It still has an app that you revoked since: {apps}.", "It still has {count} apps that you revoked since: {apps}.", { apps: revoked.join(", ") }), " ", t("Make a new backup, or keep the list of revoked apps beside this one: a restore then leaves them out.")),
    faults,
    h("div", { class: "buttons" }, isUnchecked && button(t("Check a backup file"), check, { class: revoked.length ? "" : "primary" }), make, (last > 0 || downloaded) && list),
    (last > 0 || downloaded) && !revoked.length && h("p", { class: "help" }, t("A backup cannot know which apps you revoke after it. Keep the list of revoked apps in the same folder, and a restore leaves them out.")),
  );
}

/** @param {Downloaded | null} downloaded */
function unchecked(downloaded) {
  return downloaded
    ? rich("Downloaded, not checked yet: {file}.", { file: h("code", { class: "whole" }, downloaded.name) })
    : t("It is a file that was not checked yet.");
}
