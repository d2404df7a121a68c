// Two fields for a new passphrase, which can be shown, suggested by the signer, and are judged by it.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { fromSigner, t } from "../language.js";
import { button, copyButton, field, showButton } from "./common.js";
import { dialog } from "./dialog.js";
import { FieldFault } from "./faults.js";

/**
 * @param {string} label
 * @param {string} again  the label of the second field
 * @param {{help?: string, shortest: number, short: string, differ: string, autofocus?: boolean}} options  `short` and `differ` say why it
 *   is not taken
 */
export function newSecret(label, again, { help, shortest, short, differ, autofocus = false }) {
  const properties = { type: "password", autocomplete: "new-password" };
  const first = field(label, { ...properties, autofocus }, help), second = field(again, properties);
  const remark = h("p", { class: "row-warning", role: "status" });
  // A field is one line, which on a phone shows half of the words.
  const suggested = h("div", { class: "suggested", hidden: true });
  const { button: shows, show } = showButton([first.input, second.input], {}, (isShown) => {
    suggested.hidden = !isShown || !suggested.childElementCount || first.input.value !== suggested.dataset.words;
  });
  const judge = async () => {
    const judged = first.input.value;
    if (!judged) return remark.replaceChildren();
    const said = await remarkOn(judged);
    if (first.input.value === judged) remark.replaceChildren(said);
  };
  const suggest = async () => {
    const { passphrase } = await call("passphrase/suggest");
    first.input.value = passphrase;
    // Typed by the person, it shows that it was written down right.
    second.input.value = "";
    fill(suggested, h("p", {}, passphrase), copyButton(passphrase));
    suggested.dataset.words = passphrase;
    first.input.dispatchEvent(new Event("input", { bubbles: true }));
    show(true);
    remark.replaceChildren(t("Write it down now. Nobody can tell it to you later."));
  };
  first.input.addEventListener("change", judge);
  first.input.addEventListener("input", () => {
    remark.replaceChildren();
    if (first.input.value !== suggested.dataset.words) suggested.hidden = true;
    // Where the field is emptied, as a lock does, the suggestion goes, too.
    if (!first.input.value) forget();
  });
  const forget = () => {
    fill(suggested);
    delete suggested.dataset.words;
    suggested.hidden = true;
  };
  return {
    box: h("div", { class: "new-secret" }, first.box, remark, suggested, h("div", { class: "buttons small" }, shows, button(t("Suggest one"), suggest, { class: "quiet" })), second.box),
    /** Its bytes. Throws for one that is too short, typed in two ways, or weak and not wanted after all. @returns {Promise<Uint8Array>} */
    value: async () => {
      if (first.input.value.length < shortest) throw new FieldFault(short, first.input);
      if (first.input.value !== second.input.value) throw new FieldFault(differ, second.input);
      const wanted = first.input.value, said = await remarkOn(wanted);
      if (said && !await confirmWeak(said)) throw new FieldFault(said, first.input);
      return bytes(wanted);
    },
    clear: () => {
      first.input.value = second.input.value = "";
      forget();
    },
  };
}

/** What the signer says of a weak one; "" for any other. @param {string} text @returns {Promise<string>} */
async function remarkOn(text) {
  const { remark = "" } = await call("passphrase/check", {}, { new_passphrase: bytes(text) }).catch(() => ({}));
  return fromSigner(remark ?? "");
}

/** Asks once more before a weak one is taken. @param {string} said @returns {Promise<boolean>} */
function confirmWeak(said) {
  return dialog(t("Use it anyway?"), [h("p", { class: "warning" }, said)], {
    confirm: t("Use it anyway"),
    dangerous: true,
    isCareful: true,
    cancel: t("Choose another"),
    act: () => {},
  });
}

/** @param {string} text */
function bytes(text) {
  return new TextEncoder().encode(text);
}
