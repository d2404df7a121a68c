// The language of this console: as the browser says, until the person chooses.

import { choice as chosen, choose, LANGUAGES, t } from "../language.js";
import { choice } from "./common.js";

/** A choice of the language, which this browser keeps. The page is loaded again in it. */
export function languageChoice() {
  const options = /** @type {[string, string][]} */ ([["", t("As the browser says")], ["en", "English"], ...Object.entries(LANGUAGES)]);
  const { box, select } = choice(t("Language"), options, chosen());
  select.addEventListener("change", () => {
    choose(select.value);
    location.reload();
  });
  return box;
}
