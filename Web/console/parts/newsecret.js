// Two fields for a new passphrase, which can be shown, suggested by the signer, and are judged by it.

import { call } from "../api.js";
import { h } from "../dom.js";
import { fromSigner, t } from "../language.js";
import { button, field } from "./common.js";

/**
 * @param {string} label
 * @param {string} again  the label of the second field
 * @param {{help?: string, shortest: number, short: string, differ: string, autofocus?: boolean, isRequired?: boolean}} options  `short` and `differ` say why it
 *   is not taken
 */
export function newSecret(label, again, { help, shortest, short, differ, autofocus = false, isRequired = true }) {
  const properties = { type: "password", required: isRequired, autocomplete: "new-password" };
  const first = field(label, { ...properties, autofocus }, help), second = field(again, properties);
  const remark = h("p", { class: "row-warning", role: "status" });
  const shows = h("button", { type: "button", class: "quiet", "aria-pressed": "false", onclick: () => show(first.input.type === "password") }, t("Show"));
  const show = (/** @type {boolean} */ isShown) => {
    for (const { input } of [first, second]) input.type = isShown ? "text" : "password";
    shows.textContent = isShown ? t("Hide") : t("Show");
    shows.setAttribute("aria-pressed", String(isShown));
  };
  const judge = async () => {
    const judged = first.input.value;
    if (!judged) return remark.replaceChildren();
    const answer = await call("passphrase/check", {}, { new_passphrase: bytes(judged) }).catch(() => ({}));
    if (first.input.value === judged) remark.replaceChildren(answer.remark ? fromSigner(answer.remark) : "");
  };
  const suggest = async () => {
    const { passphrase } = await call("passphrase/suggest");
    first.input.value = second.input.value = passphrase;
    show(true);
    first.input.dispatchEvent(new Event("input", { bubbles: true }));
    remark.replaceChildren(t("Write it down now. Nobody can tell it to you later."));
  };
  first.input.addEventListener("change", judge);
  first.input.addEventListener("input", () => remark.replaceChildren());
  return {
    box: h("div", { class: "new-secret" }, first.box, remark, h("div", { class: "buttons small" }, shows, button(t("Suggest one"), suggest, { class: "quiet" })), second.box),
    /** Its bytes. Throws for one that is too short, or typed in two ways. */
    value: () => {
      if (first.input.value.length < shortest) throw new Error(short);
      if (first.input.value !== second.input.value) throw new Error(differ);
      return bytes(first.input.value);
    },
    clear: () => {
      first.input.value = second.input.value = "";
    },
  };
}

/** @param {string} text */
function bytes(text) {
  return new TextEncoder().encode(text);
}
