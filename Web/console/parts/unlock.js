// The passphrase, asked for when something needs the locked keys.

import { call, taken } from "../api.js";
import { h } from "../dom.js";
import { refresh } from "../store.js";
import { field } from "./common.js";
import { dialog } from "./dialog.js";

/** @param {string} [operation]  `unlock`, or `resume` after a panic @returns {Promise<boolean>} */
export function askToUnlock(operation = "unlock") {
  const passphrase = field("Passphrase", { type: "password", required: true, autocomplete: "current-password", autofocus: true });
  return dialog(operation === "resume" ? "End the emergency stop" : "Unlock the signer", [
    h(
      "p",
      {},
      operation === "resume"
        ? "Your passphrase opens the keys again and lets your apps back in, as they were."
        : "Your passphrase opens the keys. What waits goes on by itself where your rules allow it.",
    ),
    passphrase.box,
  ], {
    confirm: operation === "resume" ? "Resume" : "Unlock",
    act: async () => {
      await call(operation, {}, { passphrase: taken(passphrase.input) });
      refresh("status");
      refresh("requests");
    },
  });
}
