// While the signer is locked, pages whose forms need it open say so once, at the top, with what still works. The forms stay: what is sent
// from one asks to unlock, and is done then.

import { fill, h } from "../dom.js";
import { t } from "../language.js";
import { heading } from "./heading.js";
import { passkeySlots } from "./passkeys.js";
import { isOver, overWords } from "./trial.js";
import { lockedButtons } from "./unlock.js";

/** A card that is there while the signer is locked, and unlocks it. @param {import("../view.js").View} view @param {string} words  what works and what does not @returns {HTMLElement} */
export function whileLocked(view, words) {
  const box = h("div", {});
  let shown = false;
  view.watch("status", async (status) => {
    if (Boolean(status.locked) === shown) return;
    shown = Boolean(status.locked);
    if (!shown) return fill(box);
    const hasPasskey = !isOver(status) && (await passkeySlots()).length > 0;
    if (!shown || !view.isOpen) return;
    const body = isOver(status) ? h("p", {}, overWords()) : [h("p", {}, words), lockedButtons(hasPasskey)];
    fill(box, h("section", { class: "card careful" }, heading("locked", t("The signer is locked")), body));
  });
  return box;
}

/** What is said where keys are shown. */
export function keysWhileLocked() {
  return t("You can see what is public about your keys. To use or change them, unlock the signer.");
}
