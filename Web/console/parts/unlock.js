// Asks to unlock when the keys are locked and something needs them: with the passkey, the passphrase, or another credential of
// this vault.

import { call, unlockBy } from "../api.js";
import { h } from "../dom.js";
import { t } from "../language.js";
import { known, refresh } from "../store.js";
import { button, fault } from "./common.js";
import { dialog } from "./dialog.js";
import { meansHere, ownerFields } from "./owner.js";
import { callByPasskey } from "./passkeys.js";
import { insteadInTrial } from "./trial.js";

/** Fetches data again after an unlock. */
function opened() {
  refresh("status");
  refresh("requests");
}

/**
 * What goes on as soon as the keys are open.
 * @typedef {{says: Node | string | (Node | string)[], confirm: string, touch: string}} Next  `touch`: the button for a passkey
 */

/**
 * @param {string} [operation]  `unlock`, or `resume` after a panic
 * @param {Next} [next]
 * @returns {Promise<boolean>}
 */
export async function askToUnlock(operation = "unlock", next = undefined) {
  if (await insteadInTrial(operation === "resume" ? t("End the lockdown") : t("Unlock the signer"))) return false;
  const means = await meansHere();
  const isResume = operation === "resume";
  const typed = means.filter((one) => one !== "passkey");
  const owner = ownerFields(typed.length ? typed : ["passphrase"], { canShow: true });
  return dialog(isResume ? t("End the lockdown") : t("Unlock the signer"), [
    next && h("p", {}, next.says),
    h(
      "p",
      { class: next ? "help" : null },
      isResume
        ? t("Your passphrase opens the keys, and your apps' rules apply again. Requests that came during the lockdown wait for your answer.")
        : known("status")?.suspended
        ? t("This opens the keys and the log. The lockdown stays: every use of a key asks you until you resume.")
        : t("This opens the keys. Waiting requests continue if your rules allow them."),
    ),
    owner.box,
  ], {
    confirm: isResume ? t("Resume") : next?.confirm ?? t("Unlock"),
    act: async () => {
      await owner.perform(operation);
      opened();
    },
    other: !isResume && means.includes("passkey")
      ? {
        label: next?.touch ?? t("Use a passkey"),
        act: async () => {
          await callByPasskey("unlock");
          opened();
        },
      }
      : undefined,
  });
}

/** Connects the question to the calls: a change that the signer refuses because it is locked is made once it is unlocked. */
export function startUnlocking() {
  unlockBy(async () => {
    const { locked, suspended, trial } = await call("status").catch(() => ({}));
    if (!locked || suspended || trial) return null;
    return askToGoOn(t("The signer is locked. Once it is unlocked, your change is made."));
  }, () => askToUnlock());
}

/** Asks to unlock for something that then goes on. @param {string} says  what does @returns {Promise<boolean>} whether it is unlocked now */
export function askToGoOn(says) {
  return askToUnlock("unlock", { says, confirm: t("Unlock and continue"), touch: t("Continue with a passkey") });
}

/** What a page shows while the keys are locked. @param {boolean} hasPasskey @param {() => void} [after] */
export function lockedButtons(hasPasskey, after) {
  const faults = h("div", {});
  const box = h(
    "div",
    { class: "buttons" },
    hasPasskey && button(t("Unlock with a passkey"), async () => {
      faults.replaceChildren();
      try {
        await callByPasskey("unlock");
        opened();
        after?.();
      } catch (failure) {
        faults.append(fault(failure));
      }
    }, { class: "primary" }),
    h("button", { type: "button", class: hasPasskey ? null : "primary", onclick: () => askToUnlock() }, t("Unlock…")),
  );
  return h("div", { class: "fields-box" }, box, faults);
}
