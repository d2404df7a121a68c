// Relays for a new link, where the signer's own are on this machine only, or where the person chose others on the page Relays.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { t } from "../language.js";
import { button } from "./common.js";
import { FieldFault } from "./faults.js";
import { relayPicker } from "./relaypicker.js";
import { thisMachine } from "./thismachine.js";

/** Relays that the person chose on another page for the next link. In no address, so that no other site chooses them. @type {string[]} */
let chosenEarlier = [];

/** Chooses relays for the link that is made next. @param {string[]} relays */
export function chooseForNext(relays) {
  chosenEarlier = relays;
}

/**
 * The part of the form, the relays that the link shall name (empty for the signer's own), and whether none of them works. `check` throws if a
 * phone could not reach them.
 * @param {{isForPhone?: boolean}} [how]
 */
export function otherRelays({ isForPhone = false } = {}) {
  const box = h("div", { class: "other-relays" }), earlier = chosenEarlier;
  chosenEarlier = [];
  /** @type {import("./relaypicker.js").Picker | null} */
  let picker = null;
  let isNeeded = false;
  const listed = call("relay/list").then((answer) => {
    if (answer.this_machine_only || earlier.length || isForPhone) picker = offer(box, answer, earlier, isForPhone);
    isNeeded = isForPhone && answer.this_machine_only;
  }).catch(() => {/* An older signer: the link names its own relays. */});
  return {
    box,
    value: () => picker?.value() ?? [],
    isDead: () => picker?.isDead() ?? false,
    check: async () => {
      await listed;
      if (isNeeded && picker && !picker.value().length) throw new FieldFault(t("Choose a relay that the phone reaches."), picker.input);
    },
  };
}

/** @param {HTMLElement} box @param {{relays: string[], suggested: string[], this_machine_only: boolean}} answer @param {string[]} earlier @param {boolean} isForPhone */
function offer(box, { relays, suggested, this_machine_only: isOnlyHere }, earlier, isForPhone) {
  const named = h("p", { class: "help", hidden: isOnlyHere || !isForPhone }, t("The link names {relays}, unless you choose others.", { relays: relays.join(", ") }));
  const only = h("p", { class: "warning", hidden: !isOnlyHere || isForPhone }, t("Works for apps on this machine. A phone cannot reach the signer's own relay."));
  const buttons = h("div", { class: "buttons small" });
  const picker = relayPicker(suggested, () => {
    only.hidden = !isOnlyHere || isForPhone || picker.value().length > 0;
  });
  const editor = h(
    "div",
    { class: "other-relays", hidden: true },
    h("p", { class: "label" }, t("Relays of the link")),
    h("p", { class: "help" }, t("Apps and the signer exchange encrypted messages there. A relay sees when, and how much, but not what.")),
    picker.box,
  );
  const adding = button(t("Add a relay"), () => begin(), { data: { focus: "add-relay" } });
  const open = () => {
    // For a phone, the owner's network stays to choose.
    adding.hidden = true;
    buttons.hidden = !isForPhone;
    named.hidden = true;
    editor.hidden = false;
  };
  const begin = () => {
    open();
    picker.goOn();
  };
  const inNetwork = () =>
    thisMachine((url) => {
      begin();
      picker.add(url);
    });
  fill(buttons, adding, button(t("This machine in your network…"), inNetwork));
  fill(box, only, named, ...isForPhone ? [editor, buttons] : [buttons, editor]);
  if (earlier.length || (isForPhone && isOnlyHere)) open();
  for (const url of earlier) picker.add(url, { takesFocus: false });
  return picker;
}
