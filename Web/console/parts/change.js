// One change of an app, asked of the signer.

import { call } from "../api.js";
import { notice } from "../dom.js";
import { refresh } from "../store.js";

/** Does one change; the page follows by itself. @param {string} operation @param {object} parameters @param {string} said */
export async function change(operation, parameters, said) {
  try {
    await call(operation, parameters);
    notice(said);
  } catch (failure) {
    const { message, hint } = /** @type {any} */ (failure);
    notice([message, hint].filter(Boolean).join(" "), { bad: true });
  }
  refresh("clients");
}
