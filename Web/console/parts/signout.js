// Signing out in this browser: from the frame, from “More” on a narrow screen, and from the list of browsers.

import { call } from "../api.js";
import { notice } from "../dom.js";
import { t } from "../language.js";
import { button } from "./common.js";
import { icon } from "./icons.js";

/** Ends this browser's session, and shows the sign-in page. */
export async function signOut() {
  try {
    await call("session/close");
    location.reload();
  } catch (failure) {
    notice(/** @type {Error} */ (failure).message, { bad: true });
  }
}

/** @param {object} [look] */
export function signOutButton(look = {}) {
  return button([icon("logout"), t("Sign out")], signOut, look);
}
