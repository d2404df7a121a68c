// Replacing a key: first the plan, then the rotation, then its results.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { counted } from "../words.js";
import { button, fault, field } from "./common.js";
import { dialog } from "./dialog.js";
import { ownerDialog } from "./owner.js";

/** @type {Record<string, string>} */
const WHAT = {
  statement: "A statement that names the new key",
  acceptance: "A statement by the new key that it follows the old one",
  profile: "The profile",
  relays: "The relay list",
  "message-relays": "The relays for messages",
  follows: "The follow list",
  note: "A note for people to read",
};

/**
 * The button. The plan and the following steps go into a box.
 * @param {import("../view.js").View} view
 * @param {Element} box
 * @param {any} identity
 * @param {(said: string) => void} changed
 */
export function rotation(view, box, identity, changed) {
  return button("Plan a new key…", async () => {
    const wish = await wished(identity);
    if (!wish) return;
    try {
      const { plan, rotation: begun } = await call("identity/rotate", { ...wish, plan: true });
      if (view.isOpen) fill(box, begun ? progress(begun, wish, changed) : planned(plan, wish, identity, changed));
    } catch (failure) {
      if (/** @type {any} */ (failure).isUnknown) fill(box, h("p", { class: "help" }, "This signer cannot do it yet."));
      else fill(box, fault(failure));
    }
  });
}

/** Asks for what the plan needs. Nothing is changed yet. @param {any} identity @returns {Promise<any>} nothing when it was left */
async function wished(identity) {
  const relays = h("textarea", { rows: "3", spellcheck: "false", autocapitalize: "none" }, (identity.relays ?? []).join("\n"));
  const stolen = h("input", { type: "checkbox" });
  const done = await dialog("Plan a new key", [
    h("p", {}, "Your relays are asked what they have of this key. Nothing is changed yet."),
    h("label", { class: "field" }, h("span", { class: "label" }, "Relays where it is read, one per line"), relays),
    h("label", { class: "level" }, stolen, h("span", {}, h("strong", {}, "Somebody else has this key"), h("span", { class: "help" }, "The statement says so."))),
  ], { confirm: "Show the plan", act: () => {} });
  return done && { name: identity.name, relays: relays.value.split(/\s+/).filter(Boolean), compromised: stolen.checked };
}

/** @param {string} title @param {any[]} [items] @param {(one: any) => any} [row] */
function list(title, items, row = (one) => one) {
  return items && items.length > 0 && [h("h3", {}, title), h("ul", { class: "plain" }, items.map((one) => h("li", { class: "whole" }, row(one))))];
}

/** @param {any} one */
function whatWords(one) {
  return `${WHAT[one.what] ?? one.what}, signed by the ${one.signed_by} key`;
}

/** @param {any} plan @param {any} wish @param {any} identity @param {(said: string) => void} changed */
function planned(plan, wish, identity, changed) {
  return h(
    "div",
    { class: "plan" },
    h("p", {}, "The new identity is called ", h("strong", { dir: "auto" }, plan.to), "."),
    list("What is published", plan.publishes, whatWords),
    list("Relays it goes to", plan.relays),
    list("Relays that do not answer", plan.unreachable, (one) => `${one.relay}: ${one.why}`),
    list("Not found anywhere, so not published again", plan.missing, (one) => WHAT[one] ?? one),
    list("Apps that you pair again", plan.apps, (one) => one.name),
    list("What cannot be done", plan.cannot),
    h("div", { class: "buttons" }, button("Do it…", () => rotate(wish, identity, changed), { class: "plain-danger" })),
  );
}

/** Continues a rotation: asks the relays again that have not accepted it. @param {any} begun @param {any} wish @param {(said: string) => void} changed */
function progress(begun, wish, changed) {
  const open = (begun.published ?? []).filter((/** @type {any} */ one) => one.refused?.length);
  return h(
    "div",
    { class: "plan" },
    h("p", {}, `“${begun.to?.name ?? begun.to?.npub}” replaced it. `, begun.stage === "done" ? "Everything is published." : "Not every relay has accepted everything."),
    list("Not accepted", open, (one) => `${WHAT[one.what] ?? one.what}: ${counted(one.refused.length, "relay")}`),
    begun.stage !== "done" && h("div", { class: "buttons" }, button("Try again", async () => {
      await call("identity/rotate", wish);
      changed("Sent again.");
    })),
  );
}

/** @param {any} wish @param {any} identity @param {(said: string) => void} changed */
async function rotate(wish, identity, changed) {
  const typed = field(`Type the name “${identity.name}” to go on`, { required: true });
  let result = /** @type {any} */ (null);
  const done = await ownerDialog(`A new key for ${identity.name}`, [
    h(
      "p",
      { class: "warning" },
      "The old key is retired: requests for it are denied from then on. Followers have to follow the new key, unless their app reads the statement.",
    ),
    typed.box,
  ], {
    confirm: "Make the new key",
    dangerous: true,
    act: async (perform) => {
      if (typed.input.value !== identity.name) throw new Error("The name is not the same.");
      result = (await perform("identity/rotate", wish)).rotation;
    },
  });
  if (done) changed(result?.stage === "done" ? "The identity has a new key, and every relay has it." : "The identity has a new key. Not every relay has accepted everything yet: try again here.");
}
