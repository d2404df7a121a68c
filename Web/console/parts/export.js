// Exports of a key: encrypted with a password, as words, as a file, or unencrypted after a typed confirmation.

import { fill, h } from "../dom.js";
import { t } from "../language.js";
import { button, choice, copyButton, field } from "./common.js";
import { attempt, FieldFault } from "./faults.js";
import { icon } from "./icons.js";
import { meansHere, ownerFields } from "./owner.js";
import { newSecret } from "./newsecret.js";
import { qrCode } from "./qr.js";
import { save } from "./save.js";
import { insteadInTrial } from "./trial.js";
import { SHORTEST_PASSWORD } from "./secrets.js";

/** The text that confirms that an unencrypted key is shown: as the person types it, and as the signer expects it. */
const TYPED = t("I understand"), CONFIRMED = "I understand";

/** @type {Record<string, {title: string, words: string, isOpen: boolean, needsPassword: boolean}>} */
const FORMATS = {
  ncryptsec: {
    title: t("Encrypted key (ncryptsec)"),
    words: t("One line and a QR code. Useless without its password. Opens in Holdfast and in many Nostr apps."),
    isOpen: false,
    needsPassword: true,
  },
  file: {
    title: t("Encrypted file"),
    words: t("A small file in a documented format. Useless without its password."),
    isOpen: false,
    needsPassword: true,
  },
  mnemonic: {
    title: t("Words"),
    words: t("The words that the key came from, to write on paper. Anybody who reads them has the key."),
    isOpen: true,
    needsPassword: false,
  },
  nsec: {
    title: t("Unencrypted key (nsec)"),
    words: t("The key itself. Anybody who sees it, now or in a screenshot, can be you on Nostr for good."),
    isOpen: true,
    needsPassword: false,
  },
};

/** @param {any} identity */
export async function exportDialog(identity) {
  const title = t("Export {name}", { name: identity.name });
  if (await insteadInTrial(title)) return;
  const means = await meansHere();
  const box = h(
    "dialog",
    { "aria-labelledby": "export-title", class: "tall", onclose: () => box.remove() },
    h("h2", { id: "export-title" }, title),
    exportForm(identity, means, () => box.close()),
  );
  document.body.append(box);
  box.showModal();
}

/** @param {any} identity @param {import("./owner.js").Means[]} means @param {() => void} close */
function exportForm(identity, means, close) {
  const form = h("form", { class: "fields-box", novalidate: true });
  const words = h("p", { class: "help" });
  const format = choice(t("As"), Object.entries(FORMATS).filter(([name]) => name !== "mnemonic" || identity.words !== false).map(([name, { title }]) => [name, title]), "ncryptsec");
  const password = newSecret(t("Password for the copy"), t("Repeat the password"), {
    help: t("At least {count} characters. Without it the copy is useless, also to you.", { count: SHORTEST_PASSWORD }),
    shortest: SHORTEST_PASSWORD,
    short: t("The password needs at least {count} characters.", { count: SHORTEST_PASSWORD }),
    differ: t("The two passwords are not the same."),
  });
  const word = field(t("Type “{words}” to see it", { words: TYPED }), { autocomplete: "off" }, t("Make sure that nobody watches, and take no photo of it."));
  const owner = ownerFields(means.length ? means : ["passphrase"], { autofocus: false, confirms: true });
  const faults = h("div", {});
  const shape = () => FORMATS[format.select.value];
  const show = () => {
    const { isOpen, needsPassword } = shape();
    words.textContent = shape().words;
    words.className = isOpen ? "warning" : "help";
    [password.box.hidden, word.box.hidden] = [!needsPassword, !isOpen];
  };
  format.select.addEventListener("change", show);
  show();
  const make = () =>
    attempt(form, faults, async () => {
      const name = format.select.value;
      const secrets = /** @type {Record<string, Uint8Array>} */ ({});
      if (shape().needsPassword) {
        secrets.password = await password.value();
      } else if (word.input.value.trim() !== TYPED) throw new FieldFault(t("Type “{words}” if you want to see it.", { words: TYPED }), word.input);
      const confirm = shape().isOpen ? { confirm: CONFIRMED } : {};
      const made = await owner.perform("identity/export", { name: identity.name, format: name, ...confirm }, secrets);
      password.clear();
      await result(form, identity, name, made, close);
    });
  const submit = button(t("Export"), make, { class: "primary" });
  form.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    submit.click();
  });
  fill(form, format.box, words, password.box, word.box, owner.box, faults, h("div", { class: "buttons" }, submit, h("button", { type: "button", onclick: close }, t("Cancel"))));
  return form;
}

/** @param {Element} box @param {any} identity @param {string} format @param {any} made @param {() => void} close */
async function result(box, identity, format, made, close) {
  const text = made[format] ?? made.text ?? made.file ?? made.words ?? "";
  const shown = typeof text === "string" ? text : JSON.stringify(text, null, 2);
  const ending = format === "file" ? "holdfast-key.json" : `${format}.txt`;
  fill(
    box,
    FORMATS[format].isOpen
      ? h("p", { class: "warning" }, t("Write it down by hand, then close this. To see it again, you have to prove that it is you."))
      : h("p", {}, t("Keep this in a safe place: print the code, or save the file on another device.")),
    made.words_passphrase && h("p", { class: "warning" }, t("These words have a passphrase (the 25th word). Without it they give another key. Keep the passphrase too.")),
    format === "ncryptsec" && await qrCode(shown, t("QR code of the encrypted key of {name}", { name: identity.name })),
    h("pre", { class: "link", tabindex: "0" }, shown),
    h(
      "div",
      { class: "buttons" },
      !FORMATS[format].isOpen && button(t("Save as a file"), () => save(shown + "\n", `holdfast-${identity.name}.${ending}`), { class: "primary" }),
      !FORMATS[format].isOpen && copyButton(shown),
      !FORMATS[format].isOpen && button([icon("print"), t("Print")], () => print()),
      h("button", { type: "button", onclick: close }, t("Close")),
    ),
  );
}
