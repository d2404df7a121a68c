// Adds a passkey, and lets a passkey unlock the keys.

import { call } from "../api.js";
import { h, notice } from "../dom.js";
import { field } from "./common.js";
import { dialog } from "./dialog.js";
import { ownerDialog } from "./owner.js";
import { addPasskey, letUnlock, NO_PRF } from "./passkeys.js";
import { acceptance } from "./slots.js";

export const CHANGED =
  "Keys under “Today’s passkeys only” are shut by this, until you let in the passkeys of then on the vault’s page, with a recovery kit.";

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
  const name = field("What shall it be called?", {
    required: true,
    maxlength: "64",
    value: browserName(navigator.userAgent),
    autofocus: true,
  });
  let made = /** @type {any} */ (null);
  await dialog("Add a passkey", [h("p", {}, "Your browser or device asks you next."), name.box], {
    confirm: "Go on",
    act: async () => {
      made = await addPasskey(name.input.value);
    },
  });
  if (made) notice(made.canUnlock ? "From now on you can sign in with it." : `From now on you can sign in with it. ${NO_PRF}`);
  return made;
}

/** Asks for another credential, then for the passkey. @param {any} passkey @returns {Promise<boolean>} */
export async function enrol(passkey) {
  const { a_passkey_loses: loses } = await call("slot/list").catch(() => ({}));
  const loss = acceptance(loses);
  const done = await ownerDialog(`Let “${passkey.name}” unlock the keys`, [
    h("p", {}, "First show that it is you with a way that opens the keys already. Then your browser asks for the passkey once more."),
    h("p", { class: "help" }, "It opens by a finger, a face, or the PIN of its device, whichever the device takes. Where its maker keeps passkeys in a cloud, it opens there, too."),
    h("p", { class: "warning" }, CHANGED),
    loss.box,
  ], {
    confirm: "Go on",
    only: ["passphrase", "token", "shares"],
    act: (_, owner) => letUnlock(passkey, owner.credential(), loss.parameters()),
  });
  if (done) notice("From now on it unlocks the keys, too.");
  return done;
}
