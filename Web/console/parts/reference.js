// Another event that a request names by its id: whether this signer signed it, as its log says. The log keeps no texts, so what it said is
// there only if this tab has shown it.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { rich, t } from "../language.js";
import { appName } from "../signer.js";
import { capital, kindName } from "../words.js";
import { when } from "./common.js";
import { keyText } from "./keytext.js";
import { noteId } from "./note.js";
import { saidBy } from "./said.js";

/** The most references that are looked up at once; each reads the log. */
const MOST = 8;
const ID = /^[0-9a-f]{64}$/;

/** What the log says of an event, by its id. What is not there now may be later. @type {Map<string, any>} */
const found = new Map();
/** Asked one after the other. @type {Promise<unknown>} */
let last = Promise.resolve();
let waiting = 0;

/** @param {string} id */
async function entryOf(id) {
  if (found.has(id)) return found.get(id);
  const { entries } = await call("log/show", { signed: id, entry: "requestDone", limit: 1 });
  if (entries.length) found.set(id, entries[0]);
  return entries[0];
}

/** Says once, under the last one, what is so of all references of a request that are not known here. @param {Element} about */
function sayOnce(about) {
  const all = [.../** @type {Element} */ (about.closest(".parts"))?.querySelectorAll(".reference > .help.not-here") ?? [about]];
  for (const one of all) fill(one);
  fill(all[all.length - 1], all.length > 1
    ? t("This signer signed none of these, as far as its log goes, so it cannot say what they are. Compare them in an app.")
    : t("This signer did not sign it, as far as its log goes, so it cannot say what it is. Compare it in an app."));
}

/** @param {import("./account.js").Part} part */
export function reference({ id = "", isSought }) {
  const about = h("p", { class: "help" });
  if (ID.test(id) && waiting < MOST) {
    waiting += 1;
    last = last.then(async () => {
      try {
        const entry = await entryOf(id);
        if (entry) fill(about, ownWords(entry));
        else if (isSought) {
          about.classList.add("not-here");
          sayOnce(about);
        }
      } catch {
        // While locked, and in a trial that ended, there is no log to look into.
      } finally {
        waiting -= 1;
      }
    });
  }
  return h("div", { class: "reference" }, ID.test(id) ? keyText(noteId(id), { isEvent: true }) : h("code", { class: "key whole" }, id), about);
}

/** @param {any} entry */
function ownWords(entry) {
  const said = saidBy(entry.request);
  const words = {
    what: h("strong", {}, typeof entry.kind === "number" ? kindName(entry.kind) : t("event")),
    time: when(entry.time),
    app: h("strong", { dir: "auto" }, appName(entry.client_name ?? "", entry.client ?? "")),
  };
  return [
    rich("Signed here {time}: {what}, for {app}.", words),
    " ",
    said ? h("bdi", { class: "said-short" }, `“${capital(said)}”`) : t("Its text is not kept here."),
  ];
}
