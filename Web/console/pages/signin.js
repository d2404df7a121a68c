// The sign-in page, with a passkey button if the signer has passkeys.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { fromSigner, t } from "../language.js";
import { button, fault } from "../parts/common.js";
import { languageChoice } from "../parts/languages.js";
import { passkeysWork, signInWithPasskey, unlockedHere } from "../parts/passkeys.js";

/**
 * @param {import("../view.js").View} view
 * @param {() => void} enter
 * @param {any} [failure]  of a sign-in link
 * @param {{has_passkeys?: boolean} | null} [state]
 */
export async function signIn(view, enter, failure = null, state = null) {
  const passkey = h("div", {}), faults = h("div", {}, failure && fault(failure));
  view.root.className = "alone";
  view.draw(
    t("Sign in"),
    h("p", {}, t("This console belongs to the owner of the signer. To sign in, get a link from the signer:")),
    h("pre", { class: "command" }, "holdfast console"),
    h(
      "p",
      { class: "help" },
      t("Type this in a terminal on the signer's machine. Then open the printed link in this browser. The link works once, within ten minutes."),
    ),
    h("p", { class: "help" }, t("If the vault is not in the usual folder, or this is a trial, add --home FOLDER. The signer's first lines name the folder.")),
    passkey,
    faults,
    languageChoice(),
  );
  const { has_passkeys: hasPasskeys } = state ?? (await call("session/state").catch(() => ({})));
  if (!view.isOpen || !hasPasskeys) return;
  if (!passkeysWork()) {
    fill(
      passkey,
      h(
        "p",
        { class: "help" },
        t("You have a passkey for this signer, but browsers allow passkeys only at localhost or over HTTPS, not at this address."),
      ),
    );
    return;
  }
  /** @param {string} label @param {boolean} unlocking @param {object} [look] */
  const way = (label, unlocking, look) =>
    button(label, async () => {
      fill(faults);
      try {
        const { unlocked, why_locked: why } = await signInWithPasskey({ unlocking });
        enter();
        if (unlocked) notice(t("Signed in, and the keys are open."));
        else if (why) notice(t("Signed in. The keys stay locked: {why}", { why: fromSigner(why) }), { bad: true });
      } catch (error) {
        fill(faults, fault(error));
      }
    }, look);
  fill(
    passkey,
    h("p", { class: "or" }, t("or")),
    h(
      "div",
      { class: "buttons" },
      way(t("Sign in with a passkey"), false, { class: "primary" }),
      unlockedHere() && way(t("Sign in and unlock the keys"), true),
    ),
  );
}
