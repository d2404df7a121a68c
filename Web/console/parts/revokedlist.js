// The list of revoked apps that lies beside a backup: a small file that the person may choose, too.

import { h } from "../dom.js";
import { rich, t } from "../language.js";
import { base64url } from "./base64url.js";
import { button } from "./common.js";
import { named } from "./sentfile.js";

/** The longest list that fits into one call, in bytes: of about a thousand apps. */
const LONGEST = 45_000;

/** The part of the form, and the list that was chosen, as the signer takes it; undefined for none. */
export function revokedList() {
  const input = h("input", { type: "file", hidden: true, "aria-label": t("List of revoked apps") });
  const state = h("p", { class: "help", role: "status" });
  const away = button(t("Without it"), () => {
    input.value = "";
    show();
    open.focus();
  }, { class: "quiet", hidden: true });
  const open = button(t("Choose the list…"), () => input.click());
  const show = () => {
    const [file] = /** @type {HTMLInputElement} */ (input).files ?? [];
    away.hidden = !file;
    state.replaceChildren(...(file ? [rich("Apps that {file} lists are not restored.", { file: named(file.name) })].flat() : []));
  };
  input.addEventListener("change", show);
  const box = h(
    "div",
    { class: "fields-box" },
    h("p", { class: "label" }, t("List of revoked apps, if you have it")),
    h("p", { class: "help" }, t("It lies beside the backup, and its name ends in -revoked.hfr. It names the apps that you revoked after the backup was made. Without it, those come back, too, paused like all others.")),
    h("div", { class: "buttons small" }, open, away, input),
    state,
  );
  const value = async () => {
    const [file] = /** @type {HTMLInputElement} */ (input).files ?? [];
    if (!file) return undefined;
    if (file.size > LONGEST) throw new Error(t("This file is too long to be the list of revoked apps."));
    return base64url(await file.arrayBuffer());
  };
  return { box, value };
}
