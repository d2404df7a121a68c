// The last step of the first run: a passkey, so that the next sign-in needs no terminal.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { t } from "../language.js";
import { button } from "./common.js";
import { enrol, newPasskey } from "./enrol.js";
import { passkeysWork } from "./passkeys.js";
import { beginStep } from "./steps.js";

/** Whether the step is of use: passkeys work at this address, and none is there. @returns {Promise<boolean>} */
export async function lacksPasskey() {
  if (!passkeysWork()) return false;
  return (await call("session/state").catch(() => ({ has_passkeys: true }))).has_passkeys === false;
}

/** @param {Element} box @param {() => void} finish */
export function passkeyStep(box, finish) {
  const add = button(t("Add a passkey for this browser…"), async () => {
    const made = await newPasskey();
    if (made) added(box, made, finish);
  }, { class: "primary" });
  fill(
    box,
    h("h2", {}, t("Sign in without a terminal")),
    h("p", {}, t("The link that you came with works once. With a passkey you sign in here with your finger, your face or the PIN of this device.")),
    h("div", { class: "buttons" }, add, button(t("Skip for now"), finish, { class: "quiet" })),
    h("p", { class: "help" }, t("Later, you find this under Security.")),
  );
  beginStep(box);
}

/** @param {Element} box @param {any} passkey  with `canUnlock` @param {() => void} finish */
function added(box, passkey, finish) {
  if (!passkey.canUnlock) return finish();
  const unlock = button(t("Let it unlock…"), async () => {
    if (await enrol(passkey)) finish();
  }, { class: "primary" });
  fill(
    box,
    h("h2", {}, t("You can now sign in with it.")),
    h("p", {}, t("It can also unlock the keys, instead of your passphrase. The passphrase stays.")),
    h("div", { class: "buttons" }, unlock, button(t("Finish"), finish)),
  );
  beginStep(box);
}
