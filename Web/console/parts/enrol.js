// Adds a passkey, and lets a passkey unlock the keys.

import { call } from "../api.js";
import { h, notice } from "../dom.js";
import { t } from "../language.js";
import { field } from "./common.js";
import { dialog } from "./dialog.js";
import { ownerDialog } from "./owner.js";
import { addPasskey, letUnlock, NO_PRF } from "./passkeys.js";
import { acceptance } from "./slots.js";

const CHANGED =
  t("This closes keys under “Today’s passkeys only”. To open them, let in the new passkeys on the vault’s page with a recovery kit.");

/** The warning about a change of the passkeys; nothing where no key is closed by it. @returns {Promise<HTMLElement | null>} */
export async function changedWarning() {
  const { identities } = await call("identity/list").catch(() => ({ identities: [] }));
  const isClosed = identities.some((/** @type {any} */ one) => String(one.class).startsWith("biometric-required"));
  return isClosed ? h("p", { class: "warning" }, CHANGED) : null;
}

/** The browser's name and system from its user agent, which is untrusted text. @param {string} agent */
export function browserName(agent) {
  const name = /(Firefox|Edg|OPR|Chrome|Safari)\/[\d]+/.exec(agent ?? "")?.[1];
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(agent ?? "")?.[1];
  const known = /** @type {Record<string, string>} */ ({ Edg: "Edge", OPR: "Opera" });
  if (!name) return (agent || t("A browser")).slice(0, 80);
  const browser = known[name] ?? name;
  return system ? t("{browser} on {system}", { browser, system: system.replace("Mac OS X", "macOS") }) : browser;
}

/** @returns {Promise<any>} the passkey, with `canUnlock`; nothing when none was made */
export async function newPasskey() {
  const name = field(t("Name of the passkey"), {
    required: true,
    maxlength: "64",
    value: browserName(navigator.userAgent),
    autofocus: true,
  });
  let made = /** @type {any} */ (null);
  await dialog(t("Add a passkey"), [h("p", {}, t("Next, your browser or device asks you.")), name.box], {
    confirm: t("Continue"),
    act: async () => {
      made = await addPasskey(name.input.value);
    },
  });
  if (made) notice(made.canUnlock ? t("You can now sign in with it.") : `${t("You can now sign in with it.")} ${NO_PRF}`);
  return made;
}

/** Asks for another credential, then for the passkey. @param {any} passkey @returns {Promise<boolean>} */
export async function enrol(passkey) {
  const { a_passkey_loses: loses } = await call("slot/list").catch(() => ({}));
  const loss = acceptance(loses);
  const done = await ownerDialog(t("Let “{name}” unlock the keys", { name: passkey.name }), [
    h("p", {}, t("First prove that it is you with a way that already opens the keys. Then your browser asks for the passkey once more.")),
    h("p", { class: "help" }, t("The device decides whether it opens by a finger, your face or a PIN. If its maker stores passkeys in a cloud, the passkey also opens there.")),
    await changedWarning(),
    loss.box,
  ], {
    confirm: t("Continue"),
    only: ["passphrase", "token", "shares"],
    act: (_, owner) => letUnlock(passkey, owner.credential(), loss.parameters()),
  });
  if (done) notice(t("It now also unlocks the keys."));
  return done;
}
