// The receipt of an identity: where its key is stored, what opens and restores it, what has left this device, and when each was
// tested.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { fromSigner, rich, t, tn } from "../language.js";
import { capital, fullTime } from "../words.js";
import { button, nothing, when } from "../parts/common.js";
import { classTitle, classWords, inWords, isHereOnly } from "../parts/classes.js";
import { remedyOf } from "../parts/custody.js";
import { heading } from "../parts/heading.js";
import { icon, slotIcon } from "../parts/icons.js";
import { keyRoute, seconds } from "../parts/identity.js";
import { keyText } from "../parts/keytext.js";
import { isRisk, kitName, lacksBackup } from "../parts/receipts.js";
import { slotTypeHelp, slotTypeWords, worked } from "../parts/slots.js";

/** @param {import("../view.js").View} view */
export async function receipt(view) {
  const [name] = view.route.parts;
  const box = h("div", {});
  view.draw(t("Receipt of {name}", { name }), h("p", { class: "back screen" }, h("a", { href: keyRoute({ name }) }, `← ${name}`)), box);
  await view.keep(["identities", "lock"], async () => {
    let found;
    try {
      found = await call("identity/receipt", { name });
    } catch (failure) {
      if (!(/** @type {any} */ (failure).isUnknown)) throw failure;
      fill(box, nothing(t("Receipts are not available in this signer")));
      return;
    }
    if (view.isOpen) draw(box, found);
  });
}

/** @type {Record<string, string>} */
const MEMORY = {
  "for one use": t("It is in memory, unencrypted, for one use."),
  "while unlocked": t("It is in memory, unencrypted, while the signer is unlocked."),
  "from the first unlock until the signer ends": t("It is in memory, unencrypted, from the first unlock until the signer ends."),
};

/** @param {any} one */
function heldWords(one) {
  const title = one.what === "words" ? t("The words it came from, encrypted") : t("The key, encrypted");
  const bound = one.device_bound ? ` ${t("Bound to this machine.")}` : "";
  return [title, [h("code", { class: "whole" }, one.where), ` · ${classTitle(one.class)}. ${MEMORY[one.in_memory] ?? ""}${bound}`]];
}

/**
 * What opens a backup, and where it is, as far as that is known.
 * @param {string | undefined} where
 */
function backupWords(where) {
  return where
    ? rich("With what opened the vault when the backup was made. The schedule stored it at {place}.", { place: h("code", { class: "whole" }, where) })
    : t("With what opened the vault when the backup was made. Holdfast does not know where that backup is.");
}

/** @param {any} kit */
function sheetsOf({ threshold, shares }) {
  return threshold ? t("any {threshold} of {shares} sheets", { threshold, shares }) : t("{shares} sheets in groups", { shares });
}

/** The kits among what rebuilds a key. @param {any[]} rebuild @returns {any[]} */
function kitsOf(rebuild) {
  return rebuild.filter(({ kit }) => kit);
}

/** @param {any} one @param {any[]} all */
function rebuildWords(one, all) {
  if (one.what === "words") {
    const wereShown = one.last_shown > 0;
    const shown = wereShown ? rich("They were last shown {when}.", { when: when(seconds(one.last_shown)) }) : t("Holdfast never showed them, so it knows of no copy.");
    return [wereShown ? t("Anybody who has its words on paper") : t("Its words, if somebody has them from elsewhere"), [one.passphrase && [t("The words have a passphrase, which is needed too."), " "], shown]];
  }
  if (one.what === "backup") return [t("Anybody who opens a backup"), backupWords(one.where)];
  if (one.what === "exported copy") return [t("Anybody who has an exported copy and what opens it"), t("Holdfast does not know whether it still exists.")];
  if (one.what === "guardians") return [t("Your guardians"), tn(one.count, "{count} person holds a share.", "{count} people hold a share.")];
  if (lacksBackup(one, all)) return [kitName(one), [capital(sheetsOf(one)), ". ", t("They open a backup of the vault, and no backup has this key yet.")]];
  return [kitName(one), one.for === "vault" ? [capital(sheetsOf(one)), ", ", t("with a backup of the vault")] : capital(sheetsOf(one))];
}

/** @type {Record<string, string>} */
const LEFT = {
  "export as ncryptsec": t("An encrypted key (ncryptsec)"),
  "export as file": t("An encrypted key file"),
  "export as nsec": t("The unencrypted key (nsec)"),
  "export as mnemonic": t("Its words"),
  backup: t("A backup of the vault"),
};

/** @param {any} one */
function leftWords(one) {
  return [LEFT[one.what] ?? one.what, one.encrypted ? t("encrypted") : t("unencrypted: anybody who has it has the key")];
}

/** @param {string} sign @param {string} title @param {string} help @param {any[]} items @param {(one: any) => any} row @param {any} none */
function part(sign, title, help, items, row, none) {
  return h(
    "section",
    { class: "card" },
    heading(sign, title),
    h("p", { class: "help" }, help),
    items.length ? h("ul", { class: "rows" }, items.map((one) => h("li", { class: "row" }, row(one)))) : none,
  );
}

/** @param {any[]} [list] */
function some(list) {
  return Array.isArray(list) ? list : [];
}

/** @param {any} strong @param {any} [more] */
function words(strong, more) {
  return h("span", { class: "row-words" }, h("strong", { class: "whole", dir: "auto" }, strong), more && h("span", {}, more));
}

/** @param {Element} box @param {any} found */
function draw(box, found) {
  const identity = typeof found.identity === "object" ? found.identity : { name: found.identity };
  const claims = some(found.claims);
  const risks = claims.filter(isRisk);
  fill(
    box,
    h(
      "section",
      { class: "card" },
      heading("keys", t("When it can be used"), isHereOnly(found.class) && h("span", { class: "tag fair" }, t("this device only"))),
      h("p", {}, rich("{title}. {words}", { title: h("strong", {}, classTitle(found.class)), words: classWords(found.class) })),
      identity.npub && h("p", {}, keyText(identity.npub, { onPaper: true })),
      h("p", { class: "paper help" }, t("Printed {time}.", { time: fullTime(Date.now() / 1000) })),
      h("div", { class: "buttons screen" }, button([icon("print"), t("Print")], () => print())),
    ),
    h(
      "section",
      { class: risks.length ? "card careful" : "card" },
      heading("warning", t("Risks")),
      risks.length
        ? h("ul", { class: "rows" }, risks.map((one) => riskRow(one, identity, kitsOf(some(found.rebuild)))))
        : h("p", { class: "verdict good" }, icon("done"), h("span", {}, t("Nothing is left to do."))),
    ),
    h(
      "section",
      { class: "card" },
      heading("info", t("Properties")),
      h("p", { class: "help" }, t("What is true of this key, and what is not. Nothing here has to be changed.")),
      h("ul", { class: "rows" }, claims.filter((one) => !isRisk(one)).map(propertyRow)),
    ),
    part("vault", t("What holds this key"), t("Where the key is kept."), some(found.held_by), (one) => words(...heldWords(one)), h("p", { class: "warning" }, t("Holdfast knows of nothing that holds it."))),
    part(
      "unlocked",
      t("What opens it"),
      t("Each of these opens it alone."),
      some(found.opens),
      openerRow,
      h("p", { class: "warning" }, t("Nothing opens it.")),
    ),
    part(
      "recovery",
      t("Who can rebuild it"),
      t("If this machine is lost."),
      some(found.rebuild),
      (one) => [words(...rebuildWords(one, found.rebuild)), one.kit && h("span", { class: "row-end" }, lacksBackup(one, found.rebuild) && h("span", { class: "tag fair" }, t("needs a backup")), h("span", { class: "row-time" }, worked(one, { paper: true })))],
      h("p", { class: "warning" }, t("Nobody. If this machine is lost, so is the key, unless you have a copy outside Holdfast.")),
    ),
    part(
      "upload",
      t("What left this device"),
      t("Copies that were made here."),
      some(found.leaves),
      (one) => [words(...leftWords(one)), one.last_time > 0 && h("span", { class: "row-time" }, when(seconds(one.last_time)))],
      h("p", {}, t("Nothing has left this device.")),
    ),
    some(found.limits).length > 0 &&
      h("section", { class: "card" }, heading("info", t("Limits")), h("ul", { class: "plain" }, found.limits.map((/** @type {any} */ one) => h("li", {}, inWords(fromSigner(one)))))),
  );
}

/** @param {any} one */
function openerRow(one) {
  const type = slotTypeWords(one.type);
  const more = [one.label ? type : slotTypeHelp(one.type), one.gate && ` · ${t("behind {check}", { check: one.gate })}`];
  return [h("span", { class: "symbol" }, icon(slotIcon(one.type))), words(one.label || type, more), h("span", { class: "row-time" }, worked(one, { paper: true }))];
}

/** What is wrong when a statement does not hold. @type {Record<string, string>} */
const RISKS = {
  "more-than-one-way-in": t("Only one thing opens this key. If you lose it, the key is lost."),
  "ways-in-tested": t("Something that should open this key was never tried."),
  "survives-loss-of-this-machine": t("If this machine is lost, the key is lost."),
  "never-open-outside": t("This key was outside Holdfast unencrypted. Somebody may have a copy."),
};

/** A risk of which it is not known whether it exists, by what mends it. @type {Record<string, string>} */
const UNKNOWN = {
  "check-backup": t("No backup that has this key was checked."),
  "make-backup": t("If this machine is lost, the key may be lost."),
};

/** What is said of kits: which restores the key, whether it was tried, and what to do. @param {any[]} kits @returns {[string, import("../dom.js").Child]} */
function kitRisk([kit, ...more]) {
  if (!kit) return [t("No recovery kit restores this key."), t("Make one for the day when you have forgotten your passphrase.")];
  const help = t("Only a test shows that the sheets work.");
  if (more.length) return [t("No recovery kit that restores this key was tried."), help];
  const title = kit.last_tested
    ? t("The recovery kit that restores this key was not tried since the key was made.")
    : t("The recovery kit that restores this key was never tried.");
  return [title, [`${kitName(kit)}: ${sheetsOf(kit)}. `, help]];
}

/** @param {any} one @param {any[]} kits @returns {[string, import("../dom.js").Child]} */
function riskWords(one, kits) {
  if (one.claim === "recovery-tested") return kitRisk(kits);
  const title = one.holds === false ? RISKS[one.claim] : UNKNOWN[one.remedy] ?? RISKS[one.claim];
  return [title ?? inWords(fromSigner(one.sentence)), capital(inWords(fromSigner(one.how)))];
}

/** @param {any} one @param {{name: string}} identity @param {any[]} kits */
function riskRow(one, identity, kits) {
  const remedy = remedyOf(one.remedy);
  const href = one.remedy === "replace-key" ? keyRoute(identity) : remedy?.href;
  return h(
    "li",
    { class: "row wraps" },
    icon("warning", "fair"),
    words(...riskWords(one, kits)),
    remedy && h("a", { class: "button screen", href }, remedy.words),
  );
}

/** @param {any} one */
function propertyRow(one) {
  const said = one.holds === true ? t("yes") : one.holds === false ? t("no") : fromSigner(String(one.holds));
  return h(
    "li",
    { class: "row" },
    icon(one.holds === true ? "done" : "empty", one.holds === true ? "good" : ""),
    h("span", { class: "row-words" }, h("strong", { class: "whole" }, inWords(fromSigner(one.sentence ?? one.claim))), h("span", {}, capital(inWords(fromSigner(one.how))))),
    h("span", { class: "row-end" }, h("span", { class: "tag" }, said), one.tested > 0 && h("span", { class: "row-time" }, when(seconds(one.tested)))),
  );
}
