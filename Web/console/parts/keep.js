// Keeping a trial: a button beside the chip that says what becomes of it, and the sheet that asks for the new vault's passphrase.

import { call } from "../api.js";
import { h } from "../dom.js";
import { rich, t } from "../language.js";
import { dialog } from "./dialog.js";
import { newSecret } from "./newsecret.js";
import { SHORTEST_PASSPHRASE } from "./secrets.js";

const button = h("button", { type: "button", class: "quiet", onclick: keep });

/** Whether the trial went on as a vault: then its signer restarts, and nothing is wiped. */
export let isKept = false;

/** Shows or hides the button. @param {HTMLElement} chip  the button stands in it @param {boolean} isOffered */
export function offerToKeep(chip, isOffered) {
  button.textContent = t("Keep this trial…");
  if (isOffered) chip.append(button);
  else button.remove();
}

/** Asks for the passphrase of the new vault, and keeps the trial in it. */
export async function keep() {
  const passphrase = newSecret(t("Passphrase for the vault"), t("Repeat it"), {
    help: t("Four or more random words. Nobody can recover it for you."),
    shortest: SHORTEST_PASSPHRASE,
    short: t("The new passphrase needs at least {count} characters.", { count: SHORTEST_PASSPHRASE }),
    differ: t("The two passphrases differ."),
    autofocus: true,
  });
  /** @type {{home: string, start: string}} */
  let kept = { home: "", start: "" };
  const isDone = await dialog(
    t("Keep this trial"),
    [
      h("p", {}, t("The keys, apps, rules and the log move into a vault of your own. Apps stay paired.")),
      h("p", { class: "help" }, t("Then you are told where it is. To come back to the console, you need a sign-in link from a terminal.")),
      passphrase.box,
    ],
    {
      confirm: t("Keep it"),
      act: async () => {
        kept = await call("trial/keep", {}, { new_passphrase: passphrase.value() });
        isKept = true;
        passphrase.clear();
      },
    },
  );
  if (isDone) await tell(kept);
}

/** @param {{home: string, start: string}} kept */
function tell({ home, start }) {
  return dialog(
    t("Your vault is at {home}", { home }),
    [
      h("p", {}, ...rich("The signer restarts now and ends this sign-in. To sign in again, run {command} in a terminal.", { command: h("code", {}, "holdfast console") })),
      h("p", {}, ...rich("Next time, start the signer with {command}.", { command: h("code", {}, start) })),
    ],
    { confirm: t("Done"), cancel: "", act: () => {} },
  );
}
