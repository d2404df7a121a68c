// The switch for the names of people, and the offer to turn it on where people are shown by their keys only.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { rich, t } from "../language.js";
import { refresh } from "../store.js";
import { button } from "./common.js";
import { dialog } from "./dialog.js";
import { identityRelays } from "./earlier.js";
import { heading } from "./heading.js";

/** @returns {string} what leaves the signer for it */
function privacy() {
  return t("Requests show people by their keys. Names come from people’s profiles on your own relays, which then learn whom you look up. Pictures and other addresses in a profile are never opened.");
}

function proof() {
  return t("A name proves nothing: anybody can take any name. Compare the key.");
}

/** Whether no relay could answer: all are on this machine, and no identity names another. */
async function lacksRelays() {
  return (await knownRelays()).lacks;
}

async function knownRelays() {
  const [{ this_machine_only: isOnlyHere, suggested = [] }, { identities }] = await Promise.all([call("relay/list"), call("identity/list")]);
  return { lacks: isOnlyHere && identities.every((/** @type {any} */ one) => !one.relays?.length), suggested, identities };
}

/** What is said then. @param {boolean} lacks */
function noRelay(lacks) {
  return lacks && h("p", { class: "warning" }, rich("No relay can be asked yet: all are on this machine. Name some for an identity under {keys}.", { keys: h("a", { href: "#/keys" }, t("Keys")) }));
}

/** Draws whether requests show what people call themselves. @param {Element} box */
export async function drawNames(box) {
  const [{ names }, lacks] = await Promise.all([call("people/show"), lacksRelays().catch(() => false)]);
  const shows = h("input", { type: "checkbox", checked: names }), missing = h("div", {});
  const say = () => fill(missing, shows.checked && noRelay(lacks));
  shows.addEventListener("change", async () => {
    try {
      await set(shows.checked);
      notice(!shows.checked ? t("Requests show keys only from now on.") : lacks ? t("Names are on, but no relay can be asked yet.") : t("Requests show names from now on."));
    } catch (failure) {
      shows.checked = !shows.checked;
      notice(/** @type {Error} */ (failure).message, { bad: true });
    }
    say();
  });
  say();
  fill(
    box,
    heading("account", t("Names of people")),
    h("p", { class: "help" }, privacy()),
    h("label", { class: "level" }, shows, h("span", {}, h("strong", {}, t("Show what people call themselves")), h("span", { class: "help" }, proof()))),
    missing,
  );
}

/** Whether names are on, as far as this page knows. @type {Promise<boolean> | null} */
let isOn = null;

/** @param {boolean} names */
async function set(names) {
  await call("people/set", { names });
  isOn = Promise.resolve(names);
  refresh("requests");
}

/** Whether a request shows somebody by a key alone. @param {import("./account.js").Account} request */
function hasKeysOnly({ parts = [] }) {
  const isKeyOnly = (/** @type {any} */ one) => one.npub && !one.name && !one.self;
  return parts.some((part) => isKeyOnly(part) || [...part.added ?? [], ...part.removed ?? []].some(isKeyOnly));
}

/** A button that turns the names on, where they are off and somebody has none. @param {import("./account.js").Account} request */
export function nameOffer(request) {
  if (!hasKeysOnly(request)) return null;
  const offer = button(t("Show names…"), async () => offer.toggleAttribute("hidden", await ask(request)), { class: "quiet", hidden: true, data: { focus: "names" } });
  isOn ??= call("people/show").then(({ names }) => names);
  isOn.then((names) => offer.toggleAttribute("hidden", names)).catch(() => {
    isOn = null;
  });
  return offer;
}

/** Where no relay can be asked, the dialog asks for some. Answers whether names are on now. @param {import("./account.js").Account} request */
async function ask({ identity: { pubkey } }) {
  const { lacks, suggested, identities } = await knownRelays().catch(() => ({ lacks: false, suggested: [], identities: [] }));
  const identity = lacks && identities.find((/** @type {any} */ one) => one.pubkey === pubkey);
  const wanted = identity && identityRelays(identity, suggested);
  const done = await dialog(t("Show what people call themselves?"), [
    h("p", {}, privacy()),
    h("p", { class: "help" }, proof()),
    wanted && [h("p", {}, t("All relays are on this machine, so none knows any names. Name the relays that your apps write to. They are kept with {name}.", { name: identity.name })), ...wanted.form],
  ], {
    confirm: t("Show names"),
    act: async () => {
      await wanted?.keep();
      await set(true);
    },
  });
  if (!done) return false;
  if (wanted) refresh("identities");
  notice(t("Requests show names from now on."));
  return true;
}
