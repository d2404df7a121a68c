// The receipt of an identity: where its key is stored, what opens and restores it, what has left this device, and when each was
// tested.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { counted, fullTime } from "../words.js";
import { button, nothing, when } from "../parts/common.js";
import { classTitle, classWords, inWords, isHereOnly } from "../parts/classes.js";
import { keyRoute, seconds } from "../parts/identity.js";
import { slotTypeHelp, slotTypeWords, worked } from "../parts/slots.js";

/** @param {import("../view.js").View} view */
export async function receipt(view) {
  const [name] = view.route.parts;
  const box = h("div", {});
  view.draw(`Receipt of ${name}`, h("p", { class: "back screen" }, h("a", { href: keyRoute({ name }) }, `← ${name}`)), box);
  await view.keep(["identities", "lock"], async () => {
    let found;
    try {
      found = await call("identity/receipt", { name });
    } catch (failure) {
      if (!(/** @type {any} */ (failure).isUnknown)) throw failure;
      fill(box, nothing("Receipts are not available in this signer"));
      return;
    }
    if (view.isOpen) draw(box, found);
  });
}

/** @type {Record<string, string>} */
const MEMORY = {
  "for one use": "It is in memory, unencrypted, for one use.",
  "while unlocked": "It is in memory, unencrypted, while the signer is unlocked.",
  "from the first unlock until the signer ends": "It is in memory, unencrypted, from the first unlock until the signer ends.",
};

/** @param {any} one */
function heldWords(one) {
  const title = one.what === "words" ? "The words it came from, encrypted" : "The key, encrypted";
  const bound = one.device_bound ? " Bound to this machine." : "";
  return [title, [h("code", { class: "whole" }, one.where), ` · ${classTitle(one.class)}. ${MEMORY[one.in_memory] ?? ""}${bound}`]];
}

/** @param {any} one */
function rebuildWords(one) {
  if (one.what === "words") {
    const shown = one.last_shown > 0 ? ["They were last shown ", when(seconds(one.last_shown)), "."] : "They were never shown here.";
    return ["Anybody who has its words on paper", [one.passphrase && "The words have a passphrase, which is needed too. ", shown]];
  }
  if (one.what === "guardians") return ["Your guardians", `${counted(one.count, "person holds", "people hold")} a share.`];
  const what = one.for === "vault" ? "A recovery kit of the whole vault" : "A recovery kit of this key";
  return [one.label || what, one.threshold ? `any ${one.threshold} of ${one.shares} shares` : `${one.shares} shares in groups`];
}

/** @type {Record<string, string>} */
const LEFT = {
  "export as ncryptsec": "An encrypted key (ncryptsec)",
  "export as file": "An encrypted key file",
  "export as nsec": "The unencrypted key (nsec)",
  "export as mnemonic": "Its words",
  backup: "A backup of the vault",
};

/** @param {any} one */
function leftWords(one) {
  return [LEFT[one.what] ?? one.what, one.encrypted ? "encrypted" : "unencrypted: anybody who has it has the key"];
}

/** @param {string} title @param {string} help @param {any[]} items @param {(one: any) => any} row @param {any} none */
function part(title, help, items, row, none) {
  return h(
    "section",
    { class: "card" },
    h("h2", {}, title),
    h("p", { class: "help" }, help),
    items.length ? h("ul", { class: "rows" }, items.map((one) => h("li", { class: "row" }, row(one)))) : none,
  );
}

/** @param {any[]} [list] */
function some(list) {
  return Array.isArray(list) ? list : [];
}

/** @param {Element} box @param {any} found */
function draw(box, found) {
  const identity = typeof found.identity === "object" ? found.identity : { name: found.identity };
  const words = (/** @type {any[]} */ ...[strong, more]) => h("span", { class: "row-words" }, h("strong", { class: "whole", dir: "auto" }, strong), more && h("span", {}, more));
  fill(
    box,
    h(
      "section",
      { class: "card" },
      h("h2", {}, classTitle(found.class), isHereOnly(found.class) && [" ", h("span", { class: "tag fair" }, "this device only")]),
      h("p", {}, classWords(found.class)),
      identity.npub && h("code", { class: "key whole" }, identity.npub),
      h("p", { class: "paper help" }, `Printed ${fullTime(Date.now() / 1000)}.`),
      h("div", { class: "buttons screen" }, button("Print", () => print()), h("a", { href: "#/security/vault" }, "Test the ways to unlock"), h("a", { href: "#/recovery" }, "Recovery kits")),
    ),
    part("What holds this key", "Where the key is kept.", some(found.held_by), (one) => words(...heldWords(one)), h("p", { class: "warning" }, "Holdfast knows of nothing that holds it.")),
    part(
      "What opens it",
      "Each of these opens it alone.",
      some(found.opens),
      (one) => [words(one.label || slotTypeWords(one.type), [one.label ? slotTypeWords(one.type) : slotTypeHelp(one.type), one.gate && ` · behind ${one.gate}`]), h("span", { class: "row-time" }, worked(one, { paper: true }))],
      h("p", { class: "warning" }, "Nothing opens it."),
    ),
    part(
      "Who can rebuild it",
      "If this machine is lost.",
      some(found.rebuild),
      (one) => [
        words(...rebuildWords(one)),
        one.kit && h("span", { class: "row-time" }, worked(one, { paper: true })),
      ],
      h("p", { class: "warning" }, "Nobody. If this machine is lost, so is the key, unless you have a copy outside Holdfast."),
    ),
    part(
      "What left this device",
      "Copies that were made here.",
      some(found.leaves),
      (one) => [words(...leftWords(one)), one.last_time > 0 && h("span", { class: "row-time" }, when(seconds(one.last_time)))],
      h("p", {}, "Nothing has left this device."),
    ),
    some(found.claims).length > 0 && h(
      "section",
      { class: "card" },
      h("h2", {}, "Statements, and whether they are true"),
      h("ul", { class: "rows" }, found.claims.map(claim)),
    ),
    some(found.limits).length > 0 &&
      h("section", { class: "card" }, h("h2", {}, "Limits"), h("ul", { class: "plain" }, found.limits.map((/** @type {any} */ one) => h("li", {}, inWords(one))))),
  );
}

/** @param {any} one */
function claim(one) {
  const [words, look] = one.holds === true ? ["holds", "good"] : one.holds === false ? ["does not hold", "bad"] : [String(one.holds), "fair"];
  return h(
    "li",
    { class: "row" },
    h("span", { class: "row-words" }, h("strong", { class: "whole" }, inWords(one.sentence ?? one.claim)), h("span", {}, inWords(one.how))),
    h("span", { class: "row-time" }, one.tested > 0 && when(seconds(one.tested))),
    h("span", { class: `tag ${look}` }, words),
  );
}
