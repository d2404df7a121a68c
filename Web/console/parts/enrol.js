// Adds a passkey, and lets a passkey unlock the keys.

import { call } from "../api.js";
import { h, notice } from "../dom.js";
import { field } from "./common.js";
import { dialog } from "./dialog.js";
import { ownerDialog } from "./owner.js";
import { addPasskey, letUnlock, NO_PRF } from "./passkeys.js";
import { acceptance } from "./slots.js";

export const CHANGED =
  "This closes keys under “Today’s passkeys only”. To open them, let in the new passkeys on the vault’s page with a recovery kit.";

/** The browser's name and system from its user agent, which is untrusted text. @param {string} agent */
export function browserName(agent) {
  const name = /(Firefox|Edg|OPR|Chrome|Safari)\/[\d]+/.exec(agent ?? "")?.[1];
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(agent ?? "")?.[1];
  const known = /** @type {Record<string, string>} */ ({ Edg: "Edge", OPR: "Opera" });
  return name
    ? `${known[name] ?? name}${system ? ` on ${system.replace("Mac OS X", "macOS")}` : ""}`
    : (agent || "A browser").slice(0, 80);
}

/** @returns {Promise<any>} the passkey, with `canUnlock`; nothing when none was made */
export async function newPasskey() {
  const name = field("Name of the passkey", {
    required: true,
    maxlength: "64",
    value: browserName(navigator.userAgent),
    autofocus: true,
  });
  let made = /** @type {any} */ (null);
  await dialog("Add a passkey", [h("p", {}, "Next, your browser or device asks you."), name.box], {
    confirm: "Go on",
    act: async () => {
      made = await addPasskey(name.input.value);
    },
  });
  if (made) notice(made.canUnlock ? "You can now sign in with it." : `You can now sign in with it. ${NO_PRF}`);
  return made;
}

/** Asks for another credential, then for the passkey. @param {any} passkey @returns {Promise<boolean>} */
export async function enrol(passkey) {
  const { a_passkey_loses: loses } = await call("slot/list").catch(() => ({}));
  const loss = acceptance(loses);
  const done = await ownerDialog(`Let “${passkey.name}” unlock the keys`, [
    h("p", {}, "First prove that it is you with a way that already opens the keys. Then your browser asks for the passkey once more."),
    h("p", { class: "help" }, "The device decides whether it opens by a finger, your face or a PIN. If its maker stores passkeys in a cloud, the passkey also opens there."),
    h("p", { class: "warning" }, CHANGED),
    loss.box,
  ], {
    confirm: "Go on",
    only: ["passphrase", "token", "shares"],
    act: (_, owner) => letUnlock(passkey, owner.credential(), loss.parameters()),
  });
  if (done) notice("It now also unlocks the keys.");
  return done;
}
