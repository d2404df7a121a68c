// Confirmations for actions that cannot be undone, and small forms. The browser's own dialog keeps the focus inside and restores
// it.

import { h, raiseNotices } from "../dom.js";
import { t } from "../language.js";
import { busy } from "./common.js";
import { attempt } from "./faults.js";

/** How long a careful dialog takes no answer, in milliseconds: the second click of a double click is meant for what was there before. */
const MOMENT = 700;

/** How many dialogs were opened: one may stand over another, and each is named by its own title. */
let count = 0;

/**
 * Opens a dialog with a form.
 * @param {string} title
 * @param {import("../dom.js").Child[]} body
 * @param {{confirm: string, dangerous?: boolean, isCareful?: boolean, act: () => unknown, cancel?: string,
 *   other?: {label: string, act: () => unknown}}} options  `act` throws to keep the dialog open; no second button without `cancel`; a careful
 *   dialog has the focus on `cancel`, and its other buttons wait for a moment
 * @returns {Promise<boolean>} whether it was done
 */
export function dialog(title, body, { confirm, dangerous = false, isCareful = false, act, cancel = t("Cancel"), other }) {
  return new Promise((resolve) => {
    let done = false;
    const titleID = `dialog-title-${count += 1}`;
    const faults = h("div", {});
    const submit = h("button", { type: "submit", class: dangerous ? "danger" : "primary", disabled: isCareful }, confirm);
    /** @param {HTMLButtonElement} pressed @param {() => unknown} work */
    const run = (pressed, work) =>
      busy(pressed, async () => {
        if (!await attempt(form, faults, work)) return;
        done = true;
        box.close();
      });
    const second = other && h("button", { type: "button", disabled: isCareful, onclick: () => run(second, other.act) }, other.label);
    const form = h(
      "form",
      {
        // The form says itself what is missing, in its own words.
        novalidate: true,
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          run(submit, act);
        },
      },
      h("h2", { id: titleID }, title),
      ...body,
      faults,
      h("div", { class: "buttons" }, submit, second, cancel && h("button", { type: "button", autofocus: isCareful, onclick: () => box.close() }, cancel)),
    );
    const box = h("dialog", {
      class: dangerous && "grave",
      "aria-labelledby": titleID,
      onclose: () => {
        box.remove();
        resolve(done);
      },
    }, form);
    document.body.append(box);
    box.showModal();
    // Something of it is below what is in sight: the line over the buttons says so.
    const measure = () => box.classList.toggle("long", box.scrollHeight > box.clientHeight);
    measure();
    form.addEventListener("change", measure);
    raiseNotices();
    if (isCareful) setTimeout(() => [submit, second].forEach((one) => one?.removeAttribute("disabled")), MOMENT);
  });
}
