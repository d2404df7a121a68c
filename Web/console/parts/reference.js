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

/** @param {import("./account.js").Part} part */
export function reference({ id = "", isSought }) {
  const about = h("p", { class: "help" });
  if (ID.test(id) && waiting < MOST) {
    waiting += 1;
    last = last.then(async () => {
      try {
        const entry = await entryOf(id);
        fill(about, entry ? ownWords(entry) : isSought && t("This signer did not sign it, as far as its log goes, so it cannot say what it is. Compare it in an app."));
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
