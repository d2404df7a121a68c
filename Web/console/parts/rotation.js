// A key that gives way to another: the plan first, in the signer's own words, then the doing.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { button, fault, field } from "./common.js";
import { ownerDialog } from "./owner.js";

/**
 * The button, or nothing where the signer cannot do it.
 * @param {import("../view.js").View} view
 * @param {Element} box  where the plan goes
 * @param {any} identity
 * @param {(said: string) => void} changed
 */
export function rotation(view, box, identity, changed) {
  const start = button("Plan a new key…", async () => {
    try {
      const plan = await call("identity/rotate", { name: identity.name, plan: true });
      if (view.isOpen) fill(box, drawn(plan, identity, changed));
    } catch (failure) {
      if (/** @type {any} */ (failure).isUnknown) {
        start.remove();
        fill(box, h("p", { class: "help" }, "This signer cannot do it yet."));
      } else fill(box, fault(failure));
    }
  });
  return start;
}

/** @param {any} plan @param {any} identity @param {(said: string) => void} changed */
function drawn(plan, identity, changed) {
  const list = (/** @type {string} */ title, /** @type {any[]} */ items) =>
    items?.length > 0 &&
    [h("h3", {}, title), h("ul", { class: "plain" }, items.map((one) => h("li", {}, typeof one === "string" ? one : one.text ?? one.what ?? "")))];
  return h(
    "div",
    { class: "plan" },
    list("What will be done", plan.steps),
    list("What cannot be done", plan.cannot),
    list("Relays it goes to", plan.relays),
    h("div", { class: "buttons" }, button("Do it…", () => rotate(identity, changed), { class: "plain-danger" })),
  );
}

/** @param {any} identity @param {(said: string) => void} changed */
async function rotate(identity, changed) {
  const typed = field(`Type the name “${identity.name}” to go on`, { required: true });
  const done = await ownerDialog(`A new key for ${identity.name}`, [
    h("p", { class: "warning" }, "The old key is retired and signs nothing any more but the statement that names the new one. Followers have to follow anew where their app does not read it."),
    typed.box,
  ], {
    confirm: "Make the new key",
    dangerous: true,
    act: (perform) => {
      if (typed.input.value !== identity.name) throw new Error("That is not the name.");
      return perform("identity/rotate", { name: identity.name });
    },
  });
  if (done) changed(`${identity.name} has a new key.`);
}
