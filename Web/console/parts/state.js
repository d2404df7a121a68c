// The signer's state, always in sight: unlocked and for how long, locked, locked down, a trial. One press locks it.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { t } from "../language.js";
import { live } from "../live.js";
import { known, refresh, watch } from "../store.js";
import { stretch } from "../words.js";
import { button } from "./common.js";
import { icon } from "./icons.js";
import { isKept, offerToKeep } from "./keep.js";
import { isOver, isTrial, trialGone } from "./trial.js";
import { askToUnlock } from "./unlock.js";

/** Milliseconds between two looks at the time that is left. Each action of the owner moves it. */
const LOOK = 30_000;

/** What is shown of each state: icon, look, words, and what its button says and does. */
const STATES = {
  open: { sign: "unlocked", words: t("Unlocked"), act: t("Lock"), says: t("Lock the signer"), press: lock },
  shut: { sign: "locked", words: t("Locked"), act: t("Unlock"), says: t("Unlock the signer"), press: () => askToUnlock() },
  stopped: { sign: "paused", words: t("Locked down"), act: t("Resume"), says: t("Resume the signer"), press: () => askToUnlock("resume") },
};

/** @typedef {keyof typeof STATES} State */

/** @param {any} status @returns {State} */
function stateOf(status) {
  return status.suspended ? "stopped" : status.locked ? "shut" : "open";
}

/** Shows the state in the frame, and keeps it true. @param {() => boolean} isSignedIn */
export function watchState(isSignedIn) {
  const box = /** @type {HTMLElement} */ (document.getElementById("state"));
  const trial = /** @type {HTMLElement} */ (document.getElementById("trial"));
  box.setAttribute("aria-label", t("The signer"));
  trial.title = t("Keys, apps and the log are gone when the signer stops.");
  fill(trial, icon("trial"), t("Trial: wiped at the end"));
  const drawTrial = (/** @type {any} */ status) => {
    trial.hidden = !isSignedIn() || !status.trial;
    offerToKeep(trial, !trial.hidden && !isOver(status) && !status.suspended);
  };
  watch("status", (status) => {
    drawTrial(status);
    box.hidden = !isSignedIn() || typeof status.locked !== "boolean";
    if (!box.hidden && isReached) draw(box, status);
  });
  live.addEventListener("lost", () => {
    isReached = false;
    if (!box.hidden) drawUnreached(box);
  });
  live.addEventListener("gone", () => {
    if (!isTrial() || isKept) return;
    trialGone();
    drawTrial(known("status"));
    trial.hidden = true;
    if (!box.hidden) drawUnreached(box, t("The trial is over"), t("the signer is gone"));
  });
  live.addEventListener("connected", () => {
    isReached = true;
    trialGone(false);
    if (known("status")) drawTrial(known("status"));
    if (!box.hidden && known("status")) draw(box, known("status"));
  });
  setInterval(() => {
    if (isSignedIn() && !document.hidden) refresh("status");
  }, LOOK);
}

/** Whether the signer answers. What was known of it before says nothing of now. */
let isReached = true;

/** @param {HTMLElement} box @param {string} words @param {string} more */
function drawUnreached(box, words = t("Not reachable"), more = t("trying again")) {
  box.className = "state shut";
  fill(box, icon("warning"), h("span", { class: "state-words" }, words, h("span", {}, more)));
}

/** After a sign-out nothing is said of the signer. */
export function hideState() {
  const [box, trial] = ["state", "trial"].map((id) => /** @type {HTMLElement} */ (document.getElementById(id)));
  box.hidden = trial.hidden = true;
  offerToKeep(trial, false);
}

/** @param {HTMLElement} box @param {any} status */
function draw(box, status) {
  const state = stateOf(status);
  const { sign, words, act, says, press } = STATES[state];
  box.className = `state ${state}`;
  const hadFocus = box.contains(document.activeElement);
  fill(
    box,
    icon(sign),
    h("span", { class: "state-words" }, words, h("span", {}, more(state, status))),
    // Nobody knows a trial's passphrase, so it is never locked, and once it is, never unlocked.
    !status.trial && button(act, press, { "aria-label": says, data: { focus: `state-${state}` } }),
  );
  // Another Enter would do the opposite of what was just done.
  if (hadFocus && !box.contains(document.activeElement)) document.querySelector("main h1")?.focus({ preventScroll: true });
}

/** What follows the word: the time that is left, or what it means. @param {State} state @param {any} status */
function more(state, status) {
  if (isOver(status)) return t("the trial is over");
  if (state === "shut") return t("apps wait");
  if (state === "stopped") return status.locked ? t("no app is served") : t("every use asks you");
  if (status.trial) return t("as long as the trial runs");
  const left = (status.locks_at ?? 0) - Date.now() / 1000;
  return left > 0 ? t("locks in {time}", { time: stretch(left) }) : t("until you lock it");
}

async function lock() {
  try {
    await call("lock");
    notice(t("Locked. Your keys are wiped from memory, and what requests say is hidden."));
  } catch (failure) {
    notice(/** @type {Error} */ (failure).message, { bad: true });
  }
  refresh("status");
}
