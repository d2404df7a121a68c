// Replacing a key: first the plan, then the rotation, then its results.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { fromSigner, rich, t, tn } from "../language.js";
import { appName } from "../signer.js";
import { button, fault, field } from "./common.js";
import { dialog } from "./dialog.js";
import { FieldFault } from "./faults.js";
import { ownerDialog } from "./owner.js";
import { relayAddresses, relaysField } from "./relayaddress.js";

/** @type {Record<string, string>} */
const WHAT = {
  statement: t("A statement that names the new key"),
  acceptance: t("A statement by the new key that it follows the old one"),
  profile: t("The profile"),
  relays: t("The relay list"),
  "message-relays": t("The relays for messages"),
  follows: t("The follow list"),
  note: t("A note for people to read"),
};

/**
 * The button. The plan and the following steps go into a box.
 * @param {import("../view.js").View} view
 * @param {Element} box
 * @param {any} identity
 * @param {(said: string) => void} changed
 */
export function rotation(view, box, identity, changed) {
  return button(t("Plan a new key…"), async () => {
    const wish = await wished(identity);
    if (!wish) return;
    try {
      const { plan, rotation: begun } = await call("identity/rotate", { ...wish, plan: true });
      if (view.isOpen) fill(box, begun ? progress(begun, wish, changed) : planned(plan, wish, identity, changed));
    } catch (failure) {
      if (/** @type {any} */ (failure).isUnknown) fill(box, h("p", { class: "help" }, t("This signer cannot do it yet.")));
      else fill(box, fault(failure));
    }
  });
}

/** Asks for what the plan needs. Nothing is changed yet. @param {any} identity @returns {Promise<any>} nothing when it was left */
async function wished(identity) {
  const relays = h("textarea", { rows: "3", spellcheck: "false", autocapitalize: "none" }, (identity.relays ?? []).join("\n"));
  const stolen = h("input", { type: "checkbox" });
  const done = await dialog(t("Plan a new key"), [
    h("p", {}, t("Your relays are asked what they have of this key. Nothing is changed yet.")),
    relaysField(t("Relays where it is read, one per line"), relays),
    h("label", { class: "level" }, stolen, h("span", {}, h("strong", {}, t("Somebody else has this key")), h("span", { class: "help" }, t("The statement says so.")))),
  ], { confirm: t("Show the plan"), act: () => {} });
  return done && { name: identity.name, relays: relayAddresses(relays.value), compromised: stolen.checked };
}

/** @param {string} title @param {any[]} [items] @param {(one: any) => any} [row] */
function list(title, items, row = (one) => one) {
  return items && items.length > 0 && [h("h3", {}, title), h("ul", { class: "plain" }, items.map((one) => h("li", { class: "whole" }, row(one))))];
}

/** @param {any} one */
function whatWords(one) {
  const what = WHAT[one.what] ?? one.what;
  return one.signed_by === "new" ? t("{what}, signed by the new key", { what }) : t("{what}, signed by the old key", { what });
}

/** @param {any} plan @param {any} wish @param {any} identity @param {(said: string) => void} changed */
function planned(plan, wish, identity, changed) {
  return h(
    "div",
    { class: "plan" },
    h("p", {}, rich("The new identity is called {name}.", { name: h("strong", { dir: "auto" }, plan.to) })),
    list(t("What is published"), plan.publishes, whatWords),
    list(t("Relays it goes to"), plan.relays),
    list(t("Relays that do not answer"), plan.unreachable, (one) => `${one.relay}: ${fromSigner(one.why)}`),
    list(t("Not found anywhere, so not published again"), plan.missing, (one) => WHAT[one] ?? one),
    list(t("Apps that you pair again"), plan.apps, (one) => appName(one.name, one.client)),
    list(t("What cannot be done"), plan.cannot, fromSigner),
    h("div", { class: "buttons" }, button(t("Do it…"), () => rotate(wish, identity, changed), { class: "plain-danger" })),
  );
}

/** Continues a rotation: asks the relays again that have not accepted it. @param {any} begun @param {any} wish @param {(said: string) => void} changed */
function progress(begun, wish, changed) {
  const open = (begun.published ?? []).filter((/** @type {any} */ one) => one.refused?.length);
  return h(
    "div",
    { class: "plan" },
    h("p", {}, t("“{name}” replaced it.", { name: begun.to?.name ?? begun.to?.npub }), " ", begun.stage === "done" ? t("Everything is published.") : t("Not every relay has accepted everything.")),
    list(t("Not accepted"), open, (one) => tn(one.refused.length, "{what}: {count} relay", "{what}: {count} relays", { what: WHAT[one.what] ?? one.what })),
    begun.stage !== "done" && h("div", { class: "buttons" }, button(t("Try again"), async () => {
      await call("identity/rotate", wish);
      changed(t("Sent again."));
    })),
  );
}

/** @param {any} wish @param {any} identity @param {(said: string) => void} changed */
async function rotate(wish, identity, changed) {
  const typed = field(t("Type the name “{name}” to go on", { name: identity.name }), { required: true });
  let result = /** @type {any} */ (null);
  const done = await ownerDialog(t("A new key for {name}", { name: identity.name }), [
    h(
      "p",
      { class: "warning" },
      t("The old key is retired: requests for it are denied from then on. Followers have to follow the new key, unless their app reads the statement."),
    ),
    typed.box,
  ], {
    confirm: t("Make the new key"),
    dangerous: true,
    act: async (perform) => {
      if (typed.input.value !== identity.name) throw new FieldFault(t("The name is not the same."), typed.input);
      result = (await perform("identity/rotate", wish)).rotation;
    },
  });
  if (done) changed(result?.stage === "done" ? t("The identity has a new key, and every relay has it.") : t("The identity has a new key. Not every relay has accepted everything yet: try again here."));
}
