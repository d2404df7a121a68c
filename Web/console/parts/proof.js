// The proof that an entry is in the log.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { t } from "../language.js";
import { button, copyButton, fault } from "./common.js";

/** @param {number} sequence */
export function proofOf(sequence) {
  const box = h("div", { class: "proof" });
  fill(
    box,
    button(t("Prove it"), async () => {
      try {
        const proof = await call("log/prove", { sequence });
        fill(
          box,
          h(
            "p",
            {},
            t("This entry is one of the {count} that the signed head names. Anybody with that head can check it without seeing another entry. A changed, moved or removed entry would not fit.", { count: proof.size }),
          ),
          proof.checkpoint && h("pre", { class: "raw", tabindex: "0" }, proof.checkpoint),
          h(
            "div",
            { class: "buttons small" },
            button(t("Save the proof"), () => save(proof, sequence)),
            copyButton(JSON.stringify(proof), t("Copy the proof")),
            h("span", { class: "help" }, t("Check it on any machine: holdfast proof verify FILE")),
          ),
        );
      } catch (failure) {
        if (/** @type {any} */ (failure).isUnknown) box.remove();
        else fill(box, fault(failure));
      }
    }, { class: "quiet" }),
  );
  return box;
}

/** @param {object} proof @param {number} sequence */
function save(proof, sequence) {
  const url = URL.createObjectURL(new Blob([JSON.stringify(proof, null, 2) + "\n"], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `holdfast-entry-${sequence}.proof.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
