// Questions before what cannot be taken back, and small forms. The browser's own dialog keeps the focus inside and gives it back.

import { h } from "../dom.js";
import { busy, fault } from "./common.js";

/**
 * Opens a dialog with a form.
 * @param {string} title
 * @param {import("../dom.js").Child[]} body
 * @param {{confirm: string, dangerous?: boolean, act: () => unknown, cancel?: string}} options  `act` throws to keep the dialog open
 * @returns {Promise<boolean>} whether it was done
 */
export function dialog(title, body, { confirm, dangerous = false, act, cancel = "Cancel" }) {
  return new Promise((resolve) => {
    let done = false;
    const faults = h("div", {});
    const submit = h("button", { type: "submit", class: dangerous ? "danger" : "primary" }, confirm);
    const form = h(
      "form",
      {
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          busy(submit, async () => {
            faults.replaceChildren();
            try {
              await act();
              done = true;
              box.close();
            } catch (failure) {
              faults.append(fault(failure));
            }
          });
        },
      },
      h("h2", { id: "dialog-title" }, title),
      ...body,
      faults,
      h("div", { class: "buttons" }, submit, h("button", { type: "button", onclick: () => box.close() }, cancel)),
    );
    const box = h("dialog", {
      "aria-labelledby": "dialog-title",
      onclose: () => {
        box.remove();
        resolve(done);
      },
    }, form);
    document.body.append(box);
    box.showModal();
  });
}
