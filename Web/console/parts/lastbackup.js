// The card about the newest backup: when it was made, whether anybody checked it, and the button that makes another one.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { rich, t } from "../language.js";
import { known, refresh } from "../store.js";
import { button, fault, when } from "./common.js";
import { isToCheck } from "./custody.js";
import { icon } from "./icons.js";
import { save } from "./save.js";

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
  const redraw = () => draw(box, stored, downloaded, check, (fresh) => {
    downloaded = fresh;
    redraw();
  });
  // Whether the last one was checked is the signer's judgement.
  view.watch("custody", redraw);
  return {
    box,
    /** @param {number} last  when the last one was stored at the schedule's place, in seconds since 1970; 0 for none */
    draw: (last) => {
      stored = last;
      redraw();
    },
    /** @param {{number: number}} found  in a file that is good */
    checked: ({ number }) => {
      if (downloaded?.number === number) downloaded = null;
    },
  };
}

/** @param {Element} box @param {number} stored @param {Downloaded | null} downloaded @param {() => void} check @param {(fresh: Downloaded) => void} made */
function draw(box, stored, downloaded, check, made) {
  const step = known("custody")?.steps.find((/** @type {any} */ one) => one.step === "backup-fresh");
  const last = Math.max(stored, step?.last ?? 0), isUnchecked = downloaded !== null || (step && isToCheck(step));
  const faults = h("div", {});
  const make = button(t("Make a backup and download it"), async () => {
    fill(faults);
    try {
      made(await download());
      refresh("custody");
    } catch (failure) {
      fill(faults, fault(failure));
    }
  }, { class: isUnchecked ? "" : "primary" });
  fill(
    box,
    h("h2", {}, t("Newest backup")),
    last > 0 && h("p", {}, rich("The last one was made {when}.", { when: when(last) })),
    isUnchecked
      ? h("p", { class: "verdict fair" }, icon("warning"), h("span", {}, unchecked(downloaded), " ", t("Put it where it should stay, then check that it is whole and opens.")))
      : last === 0 && h("p", { class: "warning" }, t("Holdfast knows of no backup.")),
    faults,
    h("div", { class: "buttons" }, isUnchecked && button(t("Check a backup file"), check, { class: "primary" }), make),
  );
}

/** @param {Downloaded | null} downloaded */
function unchecked(downloaded) {
  return downloaded
    ? rich("Downloaded, not checked yet: {file}.", { file: h("code", { class: "whole" }, downloaded.name) })
    : t("It is a file that was not checked yet.");
}

/** Makes a backup, and gives it to the browser. @returns {Promise<Downloaded>} */
async function download() {
  const { data, name, number } = await call("backup/create");
  save(unbase64(data), name);
  notice(t("The backup is made. Keep it on another machine or medium."));
  return { name, number };
}

/** @param {string} text */
function unbase64(text) {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
}
