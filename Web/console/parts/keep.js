// Keeping a trial: a button beside the chip that says what becomes of it, and the sheet that asks for the new vault's passphrase.

import { call, proveFirst } from "../api.js";
import { h } from "../dom.js";
import { fromSigner, rich, t } from "../language.js";
import { live } from "../live.js";
import { goInstead } from "../router.js";
import { known } from "../store.js";
import { dialog } from "./dialog.js";
import { newSecret } from "./newsecret.js";
import { SHORTEST_PASSPHRASE } from "./secrets.js";

/** The step of the first run that was open last, so that a reload goes on there: of each vault, and with this name alone of the next vault. */
export const FIRST_RUN_STEP = "welcome-step";

const button = h("button", { type: "button", class: "quiet", onclick: keep });

/** Whether the trial went on as a vault: then its signer restarts, and nothing is wiped. */
export let isKept = false;

/** What signs this page in once after the restart, which run of the signer ends, and what is said then. @type {{token: string, run: string, said: string} | null} */
let wayBack = null;

/**
 * The signer goes on as a vault: nothing is wiped, and this page signs in again.
 * @param {{sign_in?: string | null}} kept  the signer's answer @param {string} run  the run of the signer that ends @param {string} [said]  once it is back
 */
export function goOn({ sign_in: token }, run, said = "") {
  isKept = true;
  if (token) wayBack = { token, run, said };
}

/** Gives the way back once; null without one. */
export function takeWayBack() {
  const taken = wayBack;
  wayBack = null;
  return taken;
}

/** Shows or hides the button. @param {HTMLElement} chip  the button stands in it @param {boolean} isOffered */
export function offerToKeep(chip, isOffered) {
  button.textContent = t("Keep this trial…");
  if (isOffered) chip.append(button);
  else button.remove();
}

/** Why no vault of the person's own can be made in the usual folder, as the signer says it; "" if it can. @returns {Promise<string>} */
export async function takenPlace() {
  return (await call("trial/place").catch(() => ({}))).fault ?? "";
}

/** Asks for the passphrase of the new vault, and keeps the trial in it. */
export async function keep() {
  const taken = await takenPlace();
  if (taken) return sayTaken(taken);
  if (!await proveFirst()) return;
  const passphrase = newSecret(t("Passphrase for the vault"), t("Repeat it"), {
    help: t("Four or more random words. Nobody can recover it for you."),
    shortest: SHORTEST_PASSPHRASE,
    short: t("The new passphrase needs at least {count} characters.", { count: SHORTEST_PASSPHRASE }),
    differ: t("The two passphrases differ."),
    autofocus: true,
  });
  /** @type {{home: string, start: string, sign_in?: string | null}} */
  let kept = { home: "", start: "" };
  const isDone = await dialog(
    t("Keep this trial"),
    [
      h("p", {}, t("The keys, apps, rules and the log move into a vault of your own. Apps stay paired.")),
      h("p", { class: "help" }, t("Then you are told where it is, and this browser signs in again by itself.")),
      passphrase.box,
    ],
    {
      confirm: t("Keep it"),
      act: async () => {
        const { run } = await call("session/state");
        kept = await call("trial/keep", {}, { new_passphrase: await passphrase.value() });
        goOn(kept, run);
        passphrase.clear();
      },
    },
  );
  if (isDone && await tell(kept)) toFirstRun();
}

/** Says it before a passphrase is chosen. @param {string} why */
async function sayTaken(why) {
  await dialog(t("Keep this trial"), [
    h("p", { class: "warning" }, fromSigner(why)),
    h("p", {}, t("To keep the trial in another folder, run this in a terminal on the signer’s machine:")),
    h("pre", { class: "command", tabindex: "0" }, ["holdfast", "keep", "--to", "DIR"].join(" ")),
  ], { confirm: t("Close"), cancel: "", act: () => {} });
}

/** @param {{home: string, start: string}} kept @returns {Promise<boolean>} whether the person goes on with what a trial leaves out */
function tell({ home, start }) {
  return dialog(t("Your vault is at {home}", { home }), [
    ...goingOn({ start }),
    h("p", {}, t("A trial leaves three steps out: a copy of your key, when the signer locks by itself, and a passkey. They take two minutes.")),
  ], { confirm: t("Continue with these steps"), cancel: t("Later"), act: () => {} });
}

/** The first run goes on where a trial ends it: now if the page is signed in again already, else as soon as it is. */
function toFirstRun() {
  localStorage.setItem(FIRST_RUN_STEP, "backup");
  if (!wayBack && known("status")?.trial === false) goInstead("/welcome");
  else history.replaceState(null, "", "#/welcome");
}

/** How the person comes back now, and starts the signer next time. @param {{start: string}} kept */
export function goingOn({ start }) {
  const now = h("p", {}, ...rich("The signer restarts now, and this browser signs in again by itself. If it does not, run {command} in a terminal.", { command: h("code", {}, "holdfast console") }));
  live.addEventListener("connected", () => {
    now.textContent = t("The signer has restarted, and this browser is signed in again.");
  }, { once: true });
  return [
    now,
    h("p", {}, ...rich("Next time, start the signer with {command}.", { command: h("code", {}, start) })),
  ];
}
