// The fields to import a key. The typed text is sent as a secret. It stays in its field until the signer has accepted it, so that
// a typing mistake can be corrected. Then, or when the form is closed, the field is emptied.

import { call } from "../api.js";
import { h } from "../dom.js";
import { t } from "../language.js";
import { known } from "../store.js";
import { field, showButton } from "./common.js";
import { ACCOUNT } from "./rules.js";

/** @param {string} [suggested]  name */
export function importFields(suggested = "") {
  const name = field(
    t("Name"),
    { required: true, missing: t("Enter a name for this identity."), maxlength: "64", value: suggested, placeholder: t("such as: main") },
    t("Only you see it."),
  );
  const key = field(
    t("Key"),
    { type: "password", required: true, missing: t("Paste or type the key."), autocomplete: "off" },
    t("nsec1…, ncryptsec1…, 64 hex digits, or 12 to 24 words."),
  );
  const password = field(t("Password of this ncryptsec"), { type: "password", required: true, missing: t("Type its password."), autocomplete: "off" });
  const extra = field(t("Passphrase of the words (25th word)"), { type: "password", autocomplete: "off" }, t("Empty if you never chose one."));
  const account = field(t("Account"), { inputmode: "numeric", rule: ACCOUNT, value: "0", maxlength: "10" }, t("0 unless you know another."));
  const words = h("details", { class: "more", hidden: true }, h("summary", {}, t("More about these words")), extra.box, account.box);
  password.box.hidden = true;
  key.input.addEventListener("input", () => {
    const text = key.input.value.trim();
    password.box.hidden = !text.startsWith("ncryptsec1");
    words.hidden = !/\s/.test(text);
  });
  const secret = [key.input, password.input, extra.input];
  /** @param {object} [more] @param {typeof call} [perform]  with the owner's proof, where that is needed */
  const send = async (more = {}, perform = call) => {
    const secrets = /** @type {Record<string, Uint8Array>} */ ({ key: bytes(key.input.value.trim()) });
    if (!password.box.hidden && password.input.value) secrets.password = bytes(password.input.value);
    if (!words.hidden && extra.input.value) secrets.words_passphrase = bytes(extra.input.value);
    const from = words.hidden ? 0 : Number(account.input.value);
    const made = await perform("identity/import", { name: name.input.value, ...(from ? { account: from } : {}), ...more }, secrets);
    for (const input of secret) input.value = "";
    return made;
  };
  const trial = known("status")?.trial &&
    h("p", { class: "warning" }, t("This is a trial: the key is gone when the signer stops. Keep your own copy, or keep the trial in a vault of your own first."));
  return { box: h("div", { class: "fields-box" }, trial, name.box, key.box, password.box, showButton(secret, { class: "quiet shows" }).button, words), send };
}

/** @param {string} text */
function bytes(text) {
  return new TextEncoder().encode(text);
}
