// The owner's proof: a passphrase, a passkey, a token's PIN or shares of a recovery kit, as this vault has them.

import { call, taken } from "../api.js";
import { fill, h } from "../dom.js";
import { t } from "../language.js";
import { choice, field, showButton } from "./common.js";
import { dialog } from "./dialog.js";
import { missingProof } from "./faults.js";
import { callByPasskey, passkeySlots } from "./passkeys.js";
import { shareFields } from "./sharefields.js";
import { insteadInTrial, isTrial, trialNote } from "./trial.js";

/** @typedef {{parameters: object, secrets: Record<string, Uint8Array>}} ShownCredential */
/** @typedef {"passphrase" | "passkey" | "token" | "shares"} Means */

/** @type {Record<Means, string>} */
const WORDS = {
  passphrase: t("With the passphrase"),
  passkey: t("With a passkey"),
  token: t("With the token and its PIN"),
  shares: t("With the sheets of a recovery kit"),
};

/** Marks a field for a proof: what the signer says of a wrong one is shown there. */
const PROOF = { data: { proof: "yes" } };

/** The kinds of proof that this vault has, the usual one first. @returns {Promise<Means[]>} */
export async function meansHere() {
  const [{ slots }, passkeys] = await Promise.all([call("slot/list").catch(() => ({ slots: [] })), passkeySlots()]);
  const has = (/** @type {string} */ type) => slots.some((/** @type {any} */ slot) => slot.type === type);
  const found = /** @type {Means[]} */ ([]);
  if (!slots.length || has("passphrase")) found.push("passphrase");
  if (passkeys.length) found.push("passkey");
  if (has("token")) found.push("token");
  if (has("recovery")) found.push("shares");
  return found;
}

/**
 * Fields for one kind of proof, and a choice if there are several.
 * @param {Means[]} means
 * @param {{autofocus?: boolean, canShow?: boolean, confirms?: boolean, isOfBackup?: boolean, passphraseName?: string}} [options]  `canShow`: a button shows the
 *   passphrase; `confirms`: it stands below other fields, and confirms what they say; `isOfBackup`: it opens a backup, which may be another vault's
 */
export function ownerFields(means, { autofocus = true, canShow = false, confirms = false, isOfBackup = false, passphraseName } = {}) {
  const name = passphraseName ?? (isOfBackup ? t("The backup’s passphrase") : confirms ? t("Your vault’s passphrase, to confirm") : t("Your vault’s passphrase"));
  const passphrase = field(name, { type: "password", autocomplete: "current-password", autofocus, ...PROOF });
  const pin = field(t("PIN of the token"), { type: "password", autocomplete: "off", ...PROOF });
  const code = codeField();
  const sheets = shareFields(t("Words of the sheets"), { isProof: true });
  const bodies = /** @type {Record<Means, any>} */ ({
    passphrase: [passphrase.box, canShow && showButton([passphrase.input], { class: "quiet shows" }).button],
    passkey: h("p", { class: "help" }, t("Next, your browser or device asks you.")),
    token: pin.box,
    shares: [sheets.box, code.box],
  });
  const isUnknown = !isOfBackup && isTrial();
  const which = choice(isOfBackup ? t("Open it") : t("Prove that it is you"), means.map((one) => [one, WORDS[one]]), means[0] ?? "");
  const body = h("div", { class: "fields-box" });
  const chosen = () => /** @type {Means} */ (which.select.value || "passphrase");
  const show = () => fill(body, isUnknown ? trialNote() : bodies[chosen()]);
  which.select.addEventListener("change", show);
  show();
  /** For every kind but the passkey, which signs during the call. @returns {ShownCredential} */
  const credential = () => {
    switch (chosen()) {
      case "token":
        return { parameters: { token: true }, secrets: { pin: needed(pin.input, t("Type the PIN of the token.")) } };
      case "shares":
        sheets.check();
        return { parameters: {}, secrets: { shares: sheets.taken(), ...codeSecret(code.input) } };
      default:
        return { parameters: {}, secrets: { passphrase: needed(passphrase.input, t("Type your passphrase.")) } };
    }
  };
  /** Calls an operation with the proof. @param {string} operation @param {object} [parameters] @param {Record<string, Uint8Array>} [secrets] */
  const perform = async (operation, parameters = {}, secrets = {}) => {
    if (chosen() === "passkey") return callByPasskey(operation, parameters, secrets);
    const shown = credential();
    return call(operation, { ...parameters, ...shown.parameters }, { ...secrets, ...shown.secrets });
  };
  return { box: h("div", { class: "fields-box" }, means.length > 1 && !isUnknown && which.box, body), perform, credential, chosen };
}

/**
 * Fields for all kinds at once, for an operation that does more with more proofs. Those that are filled in are sent.
 * @param {Means[]} means
 */
export function severalFields(means) {
  const passphrase = field(t("Your vault’s passphrase"), { type: "password", autocomplete: "current-password", autofocus: true, ...PROOF });
  const pin = field(t("PIN of the token"), { type: "password", autocomplete: "off", ...PROOF });
  const code = codeField();
  const sheets = shareFields(t("Words of a recovery kit’s sheets"), { isProof: true });
  const passkey = h("input", { type: "checkbox" });
  const has = (/** @type {Means} */ one) => means.includes(one);
  const box = h(
    "div",
    { class: "fields-box" },
    has("passphrase") && passphrase.box,
    has("token") && pin.box,
    has("shares") && [sheets.box, code.box],
    has("passkey") && h("label", { class: "level" }, passkey, h("span", {}, h("strong", {}, t("And a passkey")), h("span", { class: "help" }, t("Next, your browser or device asks you.")))),
  );
  /** @param {string} operation @param {object} [parameters] */
  const perform = async (operation, parameters = {}) => {
    if (!passphrase.input.value && !pin.input.value && sheets.isEmpty() && !passkey.checked) {
      throw means.length > 1 ? missingProof(passphrase.input) : missingProof(passphrase.input, t("Type your passphrase."));
    }
    const secrets = /** @type {Record<string, Uint8Array>} */ ({});
    if (passphrase.input.value) secrets.passphrase = taken(passphrase.input);
    if (pin.input.value) secrets.pin = taken(pin.input);
    if (!sheets.isEmpty()) Object.assign(secrets, { shares: sheets.taken() }, codeSecret(code.input));
    const all = secrets.pin ? { ...parameters, token: true } : parameters;
    return passkey.checked ? callByPasskey(operation, all, secrets) : call(operation, all, secrets);
  };
  return { box, perform };
}

/** The field for a kit's recovery code, if it has one. */
function codeField() {
  return field(t("Recovery code, if the kit has one"), { type: "password", autocomplete: "off", ...PROOF });
}

/** The recovery code for the shares. Empty when none was typed. @param {HTMLInputElement} input @returns {Record<string, Uint8Array>} */
export function codeSecret(input) {
  return input.value ? { recovery_code: taken(input) } : {};
}

/** @param {HTMLInputElement} input @param {string} missing  what is said when it is empty */
function needed(input, missing) {
  if (!input.value) throw missingProof(input, missing);
  return taken(input);
}

/**
 * A confirmation that requires the owner's proof, which nobody has in a trial.
 * @param {string} title
 * @param {import("../dom.js").Child[]} body
 * @param {{confirm: string, dangerous?: boolean, only?: Means[],
 *   act: (perform: (operation: string, parameters?: object, secrets?: Record<string, Uint8Array>) => Promise<any>,
 *     owner: ReturnType<typeof ownerFields>) => unknown}} options
 */
export async function ownerDialog(title, body, { confirm, dangerous, only, act }) {
  if (await insteadInTrial(title)) return false;
  const here = await meansHere();
  const means = only ? only.filter((one) => here.includes(one)) : here;
  if (!means.length) means.push("passphrase");
  const owner = ownerFields(means, { autofocus: !body.some(Boolean), confirms: true });
  return dialog(title, [...body, owner.box], { confirm, dangerous, act: () => act(owner.perform, owner) });
}
