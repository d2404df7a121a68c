// Secrets that a person types. Their fields are emptied when the signer locks, and when the browser leaves the console, so that whoever
// comes to the screen afterwards reads nothing of them.

import { watch } from "../store.js";

/** Marks a text area whose text is a secret. A `field` for a password is marked already. */
export const SECRET = "yes";

/** Empties every field for a secret. A form that shows something because of the text hears of it. */
export function forgetTyped() {
  for (const one of /** @type {NodeListOf<HTMLInputElement | HTMLTextAreaElement>} */ (document.querySelectorAll("[data-secret]"))) {
    if (!one.value) continue;
    one.value = "";
    one.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

/** Forgets what was typed whenever an open signer locks. What unlocks it is typed after that. */
export function startForgetting() {
  let wasOpen = false;
  watch("status", ({ locked }) => {
    if (wasOpen && locked === true) forgetTyped();
    wasOpen = locked === false;
  });
  addEventListener("pagehide", forgetTyped);
}
