// Some operations require more than an open browser: the passkey again, or a new link.

import { call, proveBy } from "../api.js";
import { h } from "../dom.js";
import { t } from "../language.js";
import { dialog } from "./dialog.js";
import { passkeysWork, signInWithPasskey } from "./passkeys.js";

/** Connects the question to the calls. */
export function startProving() {
  proveBy(async () => {
    const { has_passkeys: hasPasskeys } = await call("session/state").catch(() => ({}));
    return hasPasskeys && passkeysWork() ? byPasskey() : byLink();
  });
}

function byPasskey() {
  return dialog(t("Prove that it is you"), [
    h("p", {}, t("For this, prove that you are there. Use your passkey once more.")),
  ], {
    confirm: t("Use the passkey"),
    act: () => signInWithPasskey(),
  });
}

async function byLink() {
  const { trial, home } = await call("status").catch(() => ({}));
  return dialog(
    t("Prove that it is you"),
    [
      h("p", {}, t("For this, prove that you are there, because your sign-in was a while ago. Print a new link:")),
      h("pre", { class: "command" }, trial ? `holdfast console --home ${home}` : "holdfast console"),
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
