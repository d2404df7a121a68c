// The owner's identities: make, import, rename, choose the default, back up, delete.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { known, refresh } from "../store.js";
import { counted, fullTime } from "../words.js";
import { avatar, button, copyButton, field, nothing } from "../parts/common.js";
import { dialog } from "../parts/dialog.js";
import { backupDialog } from "../parts/backup.js";
import { importFields } from "../parts/import.js";

/** @param {import("../view.js").View} view */
export function identities(view) {
  const list = h("div", {});
  view.draw(
    "Identities",
    h("p", { class: "lead" }, "An identity is a Nostr key. It stays in this signer; apps only get what it signs."),
    h("div", { class: "buttons spaced" }, button("Create one", create, { class: "primary" }), button("Import one", bring)),
    list,
  );
  view.watch("identities", (all) => fill(list, all.length ? all.map(card) : nothing("There is no identity here yet")));
}

/** @type {Record<string, string>} */
const ORIGINS = {
  created: "made in this signer",
  generated: "made in this signer",
  imported: "imported",
  words: "imported from words",
  mnemonic: "imported from words",
};

/** @param {any} identity */
function card(identity) {
  return h(
    "section",
    { class: "card", "aria-label": identity.name },
    h(
      "div",
      { class: "row" },
      avatar(identity.name, identity.pubkey),
      h(
        "span",
        { class: "row-words" },
        h("h2", { dir: "auto" }, identity.name, " ", identity.default && h("span", { class: "tag" }, "default")),
        h(
          "span",
          {},
          ORIGINS[identity.origin] ?? identity.origin,
          identity.created > 0 && ` · ${fullTime(identity.created > 1e11 ? identity.created / 1000 : identity.created)}`,
        ),
      ),
    ),
    h(
      "div",
      {},
      h("p", { class: "part-label" }, "Public key, safe to share"),
      h("code", { class: "key whole" }, identity.npub),
      " ",
      copyButton(identity.npub),
    ),
    h(
      "div",
      { class: "buttons" },
      button("Back up…", () => backupDialog(identity)),
      button("Rename…", () => rename(identity)),
      !identity.default && button("Make it the default", () => makeDefault(identity)),
      button("Delete…", () => remove(identity), { class: "quiet plain-danger" }),
    ),
  );
}

function create() {
  const name = field(
    "Name",
    { required: true, maxlength: "64", autofocus: true, placeholder: "me" },
    "Only you see it, here and when an app asks.",
  );
  return dialog("Create an identity", [h("p", {}, "A new Nostr key, made from this machine’s randomness."), name.box], {
    confirm: "Create",
    act: async () => {
      await call("identity/create", { name: name.input.value });
      refresh("identities");
    },
  });
}

function bring() {
  const fields = importFields();
  return dialog("Import an identity", [fields.box], {
    confirm: "Import",
    act: async () => {
      await fields.send();
      refresh("identities");
    },
  });
}

/** @param {any} identity */
function rename(identity) {
  const name = field("New name", { required: true, maxlength: "64", value: identity.name, autofocus: true });
  return dialog(`Rename ${identity.name}`, [name.box], {
    confirm: "Rename",
    act: async () => {
      await call("identity/rename", { name: identity.name, to: name.input.value });
      refresh("identities");
      refresh("clients");
    },
  });
}

/** @param {any} identity */
async function makeDefault(identity) {
  try {
    await call("identity/default", { name: identity.name });
  } catch (failure) {
    notice(/** @type {Error} */ (failure).message, { bad: true });
  }
  refresh("identities");
}

/** @param {any} identity */
function remove(identity) {
  const typed = field(`Type the name “${identity.name}” to delete it`, { required: true });
  const apps = (known("clients") ?? []).filter((/** @type {any} */ client) => client.identity === identity.name).length;
  return dialog(`Delete ${identity.name}?`, [
    h(
      "p",
      {},
      "Its key is erased from this signer and cannot be had back without a backup. Whoever has no copy loses this identity for good.",
    ),
    apps > 0 && h("p", { class: "warning" }, `${counted(apps, "app")} signing for it will be revoked.`),
    typed.box,
  ], {
    confirm: "Delete for good",
    dangerous: true,
    act: async () => {
      if (typed.input.value !== identity.name) throw new Error("That is not the name.");
      await call("identity/delete", { name: identity.name });
      refresh("identities");
    },
  });
}
