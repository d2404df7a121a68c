// Signing in with the vault's passphrase. The signer accepts it from browsers of its own user on its machine only.

import { call, taken, useToken } from "../api.js";
import { h } from "../dom.js";
import { t } from "../language.js";
import { busy, field, showButton } from "./common.js";
import { attempt } from "./faults.js";

/** Whether the signer accepts the passphrase from this browser. @returns {Promise<boolean>} */
export async function isPassphraseAccepted() {
  return (await call("passphrase/options").catch(() => ({}))).accepted === true;
}

/** @param {HTMLInputElement} input @returns {Promise<{unlocked?: boolean, why_locked?: string}>} */
async function signInWith(input) {
  const answer = await call("passphrase/sign-in", {}, { passphrase: taken(input) });
  useToken(answer.csrf);
  return answer;
}

/**
 * @param {{isFirst: boolean, unlocks: boolean, signedIn: (answer: {unlocked?: boolean}) => void}} options  `isFirst`: it is the usual way here;
 *   `unlocks`: the signer is locked, and the passphrase opens it, too
 * @returns {HTMLElement}
 */
export function passphraseForm({ isFirst, unlocks, signedIn }) {
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
    h("details", { class: "more" }, h("summary", {}, t("Forgot the passphrase?")), h("p", { class: "help" }, t("Sign in with a passkey or a link, then set a new one under Security, Ways in, with a passkey or a recovery kit; or type on the signer’s machine: holdfast recovery restore."))),
  );
  return form;
}
