// The owner's name for an app.

import { call } from "../api.js";
import { t } from "../language.js";
import { refresh } from "../store.js";
import { field } from "./common.js";
import { dialog } from "./dialog.js";

/** Asks for it. @param {{signer: string}} client @param {string} given  "" for none @param {string} title */
export function rename({ signer }, given, title) {
  const name = field(t("Name"), { required: true, maxlength: "64", value: given, autofocus: true }, t("Only you see it."));
  return dialog(title, [name.box], {
    confirm: t("Rename"),
    act: async () => {
      await call("client/rename", { client: signer, name: name.input.value });
      refresh("clients");
      refresh("requests");
    },
  });
}
