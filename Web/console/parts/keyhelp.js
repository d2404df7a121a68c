// What the keys on the approvals page do.

import { h } from "../dom.js";
import { rich, t } from "../language.js";
import { risk, RISK_MEANINGS } from "./risk.js";
import { dialog } from "./dialog.js";

/** The keys in one line. */
export function keyLine() {
  const key = (/** @type {string} */ name) => h("kbd", {}, name);
  return h(
    "p",
    { class: "hint keys" },
    rich("Keys: {j} {k} move, {o} open, {a} approve, {d} deny, {u} undo, {help} help", {
      j: key("j"),
      k: key("k"),
      o: key("o"),
      a: key("a"),
      d: key("d"),
      u: key("u"),
      help: key("?"),
    }),
  );
}

/** The keys and the marks, explained. */
export function keyHelp() {
  /** @type {[string, string][]} */
  const rows = [
    ["j", t("the next request")],
    ["k", t("the previous request")],
    ["o", t("open or close the chosen request; Esc closes it, too")],
    ["a", t("approve the chosen request, if it is open; otherwise open it")],
    ["d", t("deny it in the same way")],
    ["u", t("undo the latest answer, while its notice is shown")],
    ["Tab", t("move between the buttons of a request")],
    ["?", t("this help")],
  ];
  dialog(t("Keys on this page"), [
    h("dl", { class: "help-keys" }, rows.map(([key, words]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)])),
    h("p", { class: "label" }, t("What the marks mean")),
    h("dl", { class: "help-keys" }, ["careful", "grave"].map((mark) => [h("dt", {}, risk({ risk: mark })), h("dd", {}, RISK_MEANINGS[mark])])),
    h(
      "p",
      { class: "help" },
      t("A request that has just appeared or moved cannot be approved for a moment, so you cannot approve the wrong one by accident."),
    ),
  ], { confirm: t("Close"), act: () => {}, cancel: "" });
}
