// The switch for the names of people.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { t } from "../language.js";
import { heading } from "./heading.js";

/** Draws whether requests show what people call themselves. @param {Element} box */
export async function drawNames(box) {
  const { names } = await call("people/show");
  const shows = h("input", { type: "checkbox", checked: names });
  shows.addEventListener("change", async () => {
    try {
      await call("people/set", { names: shows.checked });
      notice(shows.checked ? t("Requests show names from now on.") : t("Requests show keys only from now on."));
    } catch (failure) {
      shows.checked = !shows.checked;
      notice(/** @type {Error} */ (failure).message, { bad: true });
    }
  });
  fill(
    box,
    heading("account", t("Names of people")),
    h("p", { class: "help" }, t("Requests show people by their keys. Names come from people’s profiles on your own relays, which then learn whom you look up. Pictures and other addresses in a profile are never opened.")),
    h("label", { class: "level" }, shows, h("span", {}, h("strong", {}, t("Show what people call themselves")), h("span", { class: "help" }, t("A name proves nothing: anybody can take any name. Compare the key.")))),
  );
}
