// A copy of one identity's key, encrypted with its own password (ncryptsec, NIP-49), as a file and as a QR code.

import { call, taken } from "../api.js";
import { fill, h } from "../dom.js";
import { t } from "../language.js";
import { button, copyButton, field } from "./common.js";
import { attempt } from "./faults.js";
import { icon } from "./icons.js";
import { newSecret } from "./newsecret.js";
import { qrCode } from "./qr.js";
import { save } from "./save.js";
import { SHORTEST_PASSWORD } from "./secrets.js";

/**
 * The form, and then its result.
 * @param {any} identity
 * @param {{made?: () => void, kept?: () => void}} [hears]  `kept`: the person saved, copied or printed it
 */
export function copyForm(identity, hears = {}) {
  const password = newSecret(t("Password for the copy"), t("Repeat the password"), {
    help: t("At least {count} characters. Without it the copy is useless, also to you.", { count: SHORTEST_PASSWORD }),
    shortest: SHORTEST_PASSWORD,
    short: t("The password needs at least {count} characters.", { count: SHORTEST_PASSWORD }),
    differ: t("The two passwords are not the same."),
  });
  const passphrase = field(
    t("Your vault’s passphrase, to confirm"),
    { type: "password", required: true, autocomplete: "current-password", data: { proof: "yes" } },
    t("It is needed so that nobody can take your key from an unattended browser."),
  );
  const faults = h("div", {}), box = h("form", { class: "fields-box", novalidate: true });
  const make = () =>
    attempt(box, faults, async () => {
      const { ncryptsec } = await call("identity/export", { name: identity.name, format: "ncryptsec" }, {
        password: await password.value(),
        passphrase: taken(passphrase.input),
      });
      password.clear();
      await show(box, identity, ncryptsec, hears);
      hears.made?.();
    });
  const submit = button(t("Make the copy"), make, { class: "primary" });
  box.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    submit.click();
  });
  fill(box, password.box, passphrase.box, faults, h("div", { class: "buttons" }, submit));
  return box;
}

/** @param {Element} box @param {any} identity @param {string} ncryptsec @param {{kept?: () => void}} hears */
async function show(box, identity, ncryptsec, { kept }) {
  fill(
    box,
    h(
      "p",
      {},
      t("Keep this in a safe place: print the code, or save the file on another device. With its password it opens in Holdfast and in many Nostr apps."),
    ),
    await qrCode(ncryptsec, t("QR code of the copy of {name}", { name: identity.name })),
    h("code", { class: "link", tabindex: "0" }, ncryptsec),
    h(
      "div",
      { class: "buttons" },
      button(t("Save as a file"), () => {
        save(ncryptsec + "\n", `holdfast-${identity.name}.ncryptsec`, "text/plain");
        kept?.();
      }, { class: "primary" }),
      copyButton(ncryptsec, t("Copy"), kept),
      button([icon("print"), t("Print")], () => {
        print();
        kept?.();
      }),
    ),
  );
}
