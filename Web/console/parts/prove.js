// Some operations require more than an open browser: the passkey again, the vault's passphrase, or a new link.

import { call, proveBy } from "../api.js";
import { h } from "../dom.js";
import { t } from "../language.js";
import { dialog } from "./dialog.js";
import { ownerFields } from "./owner.js";
import { passkeysWork, signInWithPasskey } from "./passkeys.js";
import { atHome } from "./starting.js";
import { command } from "./thismachine.js";
import { isTrial } from "./trial.js";

/** Connects the question to the calls. */
export function startProving() {
  proveBy(async () => {
    const { has_passkeys: hasPasskeys } = await call("session/state").catch(() => ({}));
    if (hasPasskeys && passkeysWork()) return byPasskey();
    return (await hasPassphrase()) ? byPassphrase() : byLink();
  });
}

async function hasPassphrase() {
  if (isTrial()) return false;
  const { slots } = await call("slot/list").catch(() => ({ slots: [] }));
  return slots.some((/** @type {any} */ slot) => slot.type === "passphrase");
}

function byPasskey() {
  return dialog(t("Prove that it is you"), [
    h("p", {}, t("For this, prove that you are there. Use your passkey once more.")),
  ], {
    confirm: t("Use the passkey"),
    act: () => signInWithPasskey(),
  });
}

function byPassphrase() {
  const owner = ownerFields(["passphrase"]);
  return dialog(t("Prove that it is you"), [
    h("p", {}, t("For this, prove that you are there, because your sign-in was a while ago. Type the vault’s passphrase.")),
    owner.box,
  ], { confirm: t("Continue"), act: () => owner.perform("session/prove") });
}

/** What prints a link, in any terminal of the signer's machine. */
export async function consoleCommand() {
  const { home = "", usual_home: isUsual = true } = await call("status").catch(() => ({}));
  return atHome("holdfast console", isUsual ? null : home);
}

async function byLink() {
  return dialog(
    t("Prove that it is you"),
    [
      h("p", {}, t("For this, prove that you are there, because your sign-in was a while ago. Print a new link:")),
      command(await consoleCommand()),
      h("p", { class: "help" }, t("Open it in this browser, for example in another tab. Then continue here.")),
    ],
    {
      confirm: t("I have opened it"),
      act: async () => {
        const { proven } = await call("session/state");
        if (proven === false) throw new Error(t("The new link has not been opened in this browser yet."));
      },
    },
  );
}
