// The owner's identities: each is a Nostr key with its own colour and emoji.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { t } from "../language.js";
import { refresh } from "../store.js";
import { button, field, nothing } from "../parts/common.js";
import { CLASS_NAMES, classTitle, classWords, needsPresence } from "../parts/classes.js";
import { dialog } from "../parts/dialog.js";
import { identityRows } from "../parts/identity.js";
import { importFields } from "../parts/import.js";
import { meansHere, ownerFields } from "../parts/owner.js";
import { keysWhileLocked, whileLocked } from "../parts/whilelocked.js";

/** @param {import("../view.js").View} view */
export function keys(view) {
  const list = h("section", { class: "card" }), retired = h("div", {});
  view.draw(
    t("Keys"),
    h("p", { class: "lead" }, t("An identity is a Nostr key: who you are on Nostr. The key stays in this signer. Apps get only what it signs.")),
    whileLocked(view, keysWhileLocked()),
    h("div", { class: "buttons spaced" }, button(t("Create one"), create, { class: "primary" }), button(t("Import one"), bring)),
    list,
    retired,
  );
  view.watch("identities", (all) => {
    const [gone, here] = [all.filter((/** @type {any} */ one) => one.retired), all.filter((/** @type {any} */ one) => !one.retired)];
    fill(list, here.length ? identityRows(here, { origin: true }) : nothing(t("There is no identity here yet")));
    fill(
      retired,
      gone.length > 0 && h(
        "section",
        { class: "card" },
        h("h2", {}, t("Retired")),
        h("p", { class: "help" }, t("A new key replaced each of these. A retired key signs only the statement that says so.")),
        identityRows(gone, { origin: true }),
      ),
    );
  });
}

/** The choice when the new key can be used, and the proof that some choices require. */
async function classChoice() {
  const owner = ownerFields(await meansHere(), { autofocus: false, confirms: true });
  owner.box.hidden = true;
  const words = h("span", { class: "help" }, classWords("when-unlocked"));
  const select = h(
    "select",
    {
      onchange: () => {
        words.textContent = classWords(select.value);
        owner.box.hidden = !needsPresence(select.value);
      },
    },
    CLASS_NAMES.map((name) => h("option", { value: name, selected: name === "when-unlocked" }, classTitle(name))),
  );
  const box = h(
    "details",
    { class: "more" },
    h("summary", {}, t("When it can be used")),
    h("label", { class: "field" }, h("span", { class: "label" }, t("Protection")), select, words),
    owner.box,
  );
  return {
    box,
    value: () => (select.value === "when-unlocked" ? {} : { class: select.value }),
    perform: (/** @type {string} */ operation, /** @type {object} */ parameters, /** @type {Record<string, Uint8Array>} */ secrets = {}) =>
      owner.box.hidden ? call(operation, parameters, secrets) : owner.perform(operation, parameters, secrets),
  };
}

async function create() {
  const name = field(
    t("Name"),
    { required: true, maxlength: "64", autofocus: true, placeholder: "me" },
    t("Only you see it, here and when an app asks."),
  );
  const protection = await classChoice();
  return dialog(t("Create an identity"), [h("p", {}, t("A new Nostr key, made from this machine’s randomness.")), name.box, protection.box], {
    confirm: t("Create"),
    act: async () => {
      await protection.perform("identity/create", { name: name.input.value, ...protection.value() });
      refresh("identities");
    },
  });
}

async function bring() {
  const fields = importFields(), protection = await classChoice();
  return dialog(t("Import an identity"), [fields.box, protection.box], {
    confirm: t("Import"),
    act: async () => {
      await fields.send(protection.value(), protection.perform);
      refresh("identities");
    },
  });
}
