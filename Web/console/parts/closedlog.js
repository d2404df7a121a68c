// What stands in the place of the log while it cannot be read: why, and how to read it. A lockdown does not end by that.

import { h } from "../dom.js";
import { t } from "../language.js";
import { known } from "../store.js";
import { button, nothing } from "./common.js";
import { isOver, overWords } from "./trial.js";
import { askToUnlock } from "./unlock.js";

export function closedLog() {
  if (isOver()) return nothing(t("The log cannot be read"), h("p", {}, overWords()));
  const why = known("status")?.suspended
    ? t("It is encrypted, and the lockdown wiped its key. Unlock the signer to see what happened. The lockdown stays until you resume.")
    : t("It is encrypted, and the signer is locked. Unlock the signer to read it.");
  return nothing(
    t("The log cannot be read"),
    h("p", {}, why),
    h("div", { class: "buttons" }, button(t("Unlock to read it…"), () => askToUnlock(), { class: "primary" })),
  );
}
