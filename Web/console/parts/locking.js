// Whether the owner has chosen when the signer locks by itself: a line of the checklist until then. The signer keeps what was chosen; that
// "never" was a choice, and not only what holds at the beginning, is known to this browser.

import { call } from "../api.js";
import { t } from "../language.js";
import { recall, remember } from "./ofvault.js";

const CHOSEN = "locking-chosen";

/** Whether it locks by itself here: what the machine does not report locks nothing. @param {any} state  what `session/show` says */
function locksByItself({ lock_after: after, ...state }) {
  return after !== null || isOn(state.lock_on_suspend, state.hears_suspend) || isOn(state.lock_on_desktop_lock, state.hears_desktop_lock);
}

/** @param {boolean} isWanted @param {boolean} [isHeard] */
export function isOn(isWanted, isHeard) {
  return isWanted === true && isHeard !== false;
}

/** It was chosen here. */
export function chosen() {
  return remember(CHOSEN, "yes");
}

/** @returns {Promise<import("./custody.js").Step[]>} the line; none where the signer has no session */
export async function lockingStep() {
  const state = await call("session/show").catch(() => null);
  if (!state) return [];
  const done = locksByItself(state) || await recall(CHOSEN) !== null;
  return [{ step: "locking", done, text: t("The signer stays unlocked until you lock it."), remedy: "choose-locking" }];
}
