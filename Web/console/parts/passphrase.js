// Signing in with the vault's passphrase. The signer accepts it from browsers of its own user on its machine only.

import { call, taken, useToken } from "../api.js";
import { h } from "../dom.js";
import { t } from "../language.js";
import { busy, field, showButton } from "./common.js";
import { attempt } from "./faults.js";
import { atHome } from "./starting.js";
import { command } from "./thismachine.js";

/** Whether the signer accepts the passphrase from this browser, and the folder that commands must name. @returns {Promise<{accepted?: boolean, home?: string | null}>} */
export function passphraseOptions() {
  return call("passphrase/options").catch(() => ({}));
}

/** @param {HTMLInputElement} input @returns {Promise<{unlocked?: boolean, why_locked?: string}>} */
async function signInWith(input) {
  const answer = await call("passphrase/sign-in", {}, { passphrase: taken(input) });
  useToken(answer.csrf);
  return answer;
}

/**
 * @param {{isFirst: boolean, unlocks: boolean, home?: string | null, signedIn: (answer: {unlocked?: boolean}) => unknown}} options  `isFirst`: it is the usual way here;
 *   `unlocks`: the signer is locked, and the passphrase opens it, too; `home`: see `passphraseOptions`
 * @returns {HTMLElement}
 */
export function passphraseForm({ isFirst, unlocks, home, signedIn }) {
  const { box, input } = field(t("Your vault’s passphrase"), { type: "password", required: true, missing: t("Type the passphrase of your vault."), autocomplete: "current-password", data: { proof: "yes" } });
  const faults = h("div", {});
  const submit = h("button", { type: "submit", class: isFirst ? "primary" : null }, t("Sign in"));
  const work = () => attempt(form, faults, async () => signedIn(await signInWith(input)));
  const form = h(
    "form",
    {
      class: "fields-box",
      novalidate: true,
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        busy(submit, work);
      },
    },
    box,
    showButton([input], { class: "quiet shows" }).button,
    faults,
    h("div", { class: "buttons" }, submit),
    unlocks && h("p", { class: "help" }, t("The signer is locked. This unlocks it, too.")),
    forgotten(home),
  );
  return form;
}

/** The way back in with a recovery kit. @param {string | null} [home] */
function forgotten(home) {
  return h(
    "details",
    { class: "more" },
    h("summary", {}, t("Forgot the passphrase?")),
    h(
      "div",
      { class: "fields-box" },
      h("p", {}, t("The sheets of your recovery kit set a new one, in two steps:")),
      h("p", { class: "label" }, t("1. Bring the sheets together")),
      h("p", { class: "help" }, t("Those of the kit of the vault: each says at its top how many are enough. Have the recovery code ready, too, if they mention one.")),
      h("p", { class: "label" }, t("2. Type this in a terminal on the signer’s machine")),
      command(atHome("holdfast recovery restore", home)),
      h("p", { class: "help" }, t("It asks for the words of one sheet after the other, then for a new passphrase. Sign in here with that. This runs in a terminal, so that no web page can get hold of your sheets by looking like this one.")),
      h("p", { class: "help" }, t("Without a kit: sign in here with a passkey or a link. Under Security, Ways in, whatever else opens the keys sets a new passphrase, such as a passkey or a token.")),
    ),
  );
}
