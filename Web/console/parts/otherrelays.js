// Relays for a new link, where the signer's own are on this machine only, or where the person chose others on the page Relays.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { t } from "../language.js";
import { button } from "./common.js";
import { relayPicker } from "./relaypicker.js";
import { thisMachine } from "./thismachine.js";

/** Relays that the person chose on another page for the next link. In no address, so that no other site chooses them. @type {string[]} */
let chosenEarlier = [];

/** Chooses relays for the link that is made next. @param {string[]} relays */
export function chooseForNext(relays) {
  chosenEarlier = relays;
}

/** The part of the form, the relays that the link shall name (empty for the signer's own), and whether none of them works. */
export function otherRelays() {
  const box = h("div", { class: "other-relays" }), earlier = chosenEarlier;
  chosenEarlier = [];
  /** @type {import("./relaypicker.js").Picker | null} */
  let picker = null;
  call("relay/list").then((answer) => {
    if (answer.this_machine_only || earlier.length) picker = offer(box, answer, earlier);
  }).catch(() => {/* An older signer: the link names its own relays. */});
  return {
    box,
    value: () => picker?.value() ?? [],
    isDead: () => picker?.isDead() ?? false,
  };
}

/** @param {HTMLElement} box @param {{suggested: string[], this_machine_only: boolean}} answer @param {string[]} earlier */
function offer(box, { suggested, this_machine_only: isOnlyHere }, earlier) {
  const only = h("p", { class: "warning", hidden: !isOnlyHere }, t("Works for apps on this machine. A phone cannot reach the signer's own relay."));
  const buttons = h("div", { class: "buttons small" });
  const picker = relayPicker(suggested, () => {
    only.hidden = !isOnlyHere || picker.value().length > 0;
  });
  const editor = h(
    "div",
    { class: "other-relays", hidden: true },
    h("p", { class: "label" }, t("Relays of the link")),
    h("p", { class: "help" }, t("Apps and the signer exchange encrypted messages there. A relay sees when, and how much, but not what.")),
    picker.box,
  );
  const open = () => {
    buttons.hidden = true;
    editor.hidden = false;
  };
  const begin = () => {
    open();
    picker.goOn();
  };
  fill(
    buttons,
    button(t("Add a relay"), begin, { data: { focus: "add-relay" } }),
    button(t("This machine in your network…"), () => thisMachine((url) => {
      begin();
      picker.add(url);
    })),
  );
  fill(box, only, buttons, editor);
  if (earlier.length) open();
  for (const url of earlier) picker.add(url, { takesFocus: false });
  return picker;
}
