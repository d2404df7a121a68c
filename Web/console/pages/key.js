// One identity: what protects its key and who can use it, copies of it, further accounts of its words, how to replace it; its look comes last.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { t, tn } from "../language.js";
import { go } from "../router.js";
import { known, refresh } from "../store.js";
import { nameTab } from "../view.js";
import { fullTime } from "../words.js";
import { button, fault, field, nothing } from "../parts/common.js";
import { CLASS_NAMES, classBase, className, classTitle, classWords, HERE_ONLY_WORDS, isHereOnly, needsPresence } from "../parts/classes.js";
import { dialog } from "../parts/dialog.js";
import { exportDialog } from "../parts/export.js";
import { attempt, FieldFault } from "../parts/faults.js";
import { face, keyRoute, originWords, seconds, tags } from "../parts/identity.js";
import { keyGuard } from "../parts/keyguard.js";
import { keyText } from "../parts/keytext.js";
import { meansHere, ownerDialog, ownerFields } from "../parts/owner.js";
import { relayAddresses, relaysField } from "../parts/relayaddress.js";
import { rotation } from "../parts/rotation.js";
import { ACCOUNT } from "../parts/rules.js";
import { askToGoOn } from "../parts/unlock.js";
import { keysWhileLocked, whileLocked } from "../parts/whilelocked.js";

/** @param {import("../view.js").View} view */
export async function key(view) {
  const [name] = view.route.parts;
  const boxes = { guard: section(), head: section(), leaving: section(), words: section(), end: section(), look: section() };
  view.draw(name, h("p", { class: "back" }, h("a", { href: "#/keys" }, t("← All keys"))), whileLocked(view, keysWhileLocked()), ...Object.values(boxes));
  let shown = "";
  /** @type {any} */
  let found = null;
  const guard = () => found && keyGuard(boxes.guard, found.identity, found.receipt, button(t("Change…"), () => changeClass(found.identity), { class: "quiet", data: { focus: "class" } }));
  // They say which apps sign with it.
  view.watch("clients", guard);
  await view.keep(["identities", "lock"], async () => {
    let identity, receipt;
    try {
      [identity, receipt] = await Promise.all([call("identity/show", { name }), receiptOf(name)]);
    } catch (failure) {
      if (/** @type {any} */ (failure).exit !== 5) throw failure;
      view.draw(name, nothing(t("There is no identity of that name"), h("a", { class: "button", href: "#/keys" }, t("All keys"))));
      return;
    }
    if (!view.isOpen) return;
    found = { identity, receipt };
    guard();
    const fresh = JSON.stringify(identity);
    if (fresh === shown) return;
    shown = fresh;
    nameTab(identity.name);
    head(boxes.head, identity);
    look(boxes.look, identity);
    words(boxes.words, identity);
    leaving(boxes.leaving, identity);
    end(view, boxes.end, identity);
  });
}

/** What protects the key; null while the signer is locked, and where there are no receipts. @param {string} name */
async function receiptOf(name) {
  try {
    return await call("identity/receipt", { name });
  } catch (failure) {
    const { isLocked, isUnknown, exit } = /** @type {any} */ (failure);
    if (isLocked || isUnknown || exit === 5) return null;
    throw failure;
  }
}

function section() {
  return h("section", { class: "card" });
}

/** Updates the list and this page after a change. @param {string} said */
function changed(said) {
  notice(said);
  refresh("identities");
  refresh("clients");
  go(location.hash.slice(1));
}

/** @param {Element} box @param {any} identity */
function head(box, identity) {
  fill(
    box,
    h(
      "div",
      { class: "request-head" },
      face(identity),
      h(
        "div",
        { class: "request-words" },
        h("p", {}, originWords(identity), identity.created > 0 && ` · ${fullTime(seconds(identity.created))}`),
        h("p", {}, tags(identity)),
      ),
    ),
    h("div", {}, h("p", { class: "part-label" }, t("Public key, safe to share")), h("p", {}, keyText(identity.npub))),
    h(
      "div",
      { class: "buttons" },
      !identity.default && !identity.retired && button(t("Make it the default"), async () => {
        try {
          await call("identity/default", { name: identity.name });
          changed(t("{name} is now the default identity.", { name: identity.name }));
        } catch (failure) {
          notice(/** @type {Error} */ (failure).message, { bad: true });
        }
      }),
    ),
  );
}

/** @param {any} identity */
async function rename(identity) {
  const name = field(t("New name"), { required: true, maxlength: "64", value: identity.name, autofocus: true });
  const done = await dialog(t("Rename {name}", { name: identity.name }), [name.box], {
    confirm: t("Rename"),
    act: () => call("identity/rename", { name: identity.name, to: name.input.value }),
  });
  if (!done) return;
  refresh("identities");
  refresh("clients");
  go(keyRoute({ name: name.input.value }).slice(1));
}

/** @param {Element} box @param {any} identity */
function look(box, identity) {
  // Without a colour of its own, an identity has the one that follows from its key. Only a choice changes that.
  let chosen = identity.colour ?? undefined;
  const colour = field(t("Colour"), { type: "color", value: identity.colour ?? "#0a6355", oninput: (/** @type {any} */ event) => {
    chosen = event.target.value;
  } });
  const emoji = field(t("Emoji"), { value: identity.emoji ?? "", maxlength: "16" }, t("One emoji, to recognise it at a glance."));
  const relays = h("textarea", { rows: "3", spellcheck: "false", autocapitalize: "none" }, (identity.relays ?? []).join("\n"));
  const notes = h("textarea", { rows: "3", maxlength: "2000" }, identity.notes ?? "");
  const faults = h("div", {});
  fill(
    box,
    h("h2", {}, t("Its name, look, relays and notes")),
    h("p", { class: "help" }, t("None of this leaves the signer, except in backups. The signer asks these relays for your profile and lists.")),
    h("div", { class: "inline aligned" }, colour.box, emoji.box),
    relaysField(t("Relays, one per line"), relays),
    h("label", { class: "field" }, h("span", { class: "label" }, t("Notes")), notes),
    faults,
    h(
      "div",
      { class: "buttons" },
      button(t("Save"), () =>
        attempt(box, faults, async () => {
          await call("identity/set", {
            name: identity.name,
            colour: chosen,
            emoji: emoji.input.value.trim(),
            relays: relayAddresses(relays.value),
            notes: notes.value,
          });
          changed(t("Saved."));
        }), { class: "primary" }),
      button(t("Rename…"), () => rename(identity)),
    ),
  );
}

/** @param {any} identity */
async function changeClass(identity) {
  let chosen = classBase(identity.class);
  const here = h("input", { type: "checkbox", checked: isHereOnly(identity.class) });
  const done = await ownerDialog(t("When {name} can be used", { name: identity.name }), [
    h(
      "fieldset",
      { class: "levels" },
      h("legend", { class: "unseen" }, t("Protection")),
      CLASS_NAMES.map((name) =>
        h(
          "label",
          { class: "level" },
          h("input", {
            type: "radio",
            name: "class",
            value: name,
            checked: name === chosen,
            onchange: () => {
              chosen = name;
            },
          }),
          h("span", {}, h("strong", {}, classTitle(name)), h("span", { class: "help" }, classWords(name))),
        )
      ),
    ),
    h("label", { class: "level" }, here, h("span", {}, h("strong", {}, t("On this device only")), h("span", { class: "help" }, HERE_ONLY_WORDS))),
  ], {
    confirm: t("Change"),
    act: (perform) => perform("identity/class", { name: identity.name, class: className(chosen, here.checked) }),
  });
  if (done) changed(t("The protection is changed. Older backups still have the earlier one."));
}

/** Shows further accounts of the same words. @param {Element} box @param {any} identity */
function words(box, identity) {
  const hasWords = identity.words === true;
  /** @type {HTMLElement} */ (box).hidden = !hasWords;
  if (!hasWords) return;
  const list = h("div", {});
  fill(
    box,
    h("h2", {}, t("Accounts from its words")),
    h(
      "p",
      { class: "help" },
      t("One set of words gives many keys. A backup of the words is a backup of all of them."),
      identity.same_words?.length > 0 && [" ", t("From the same words: {names}.", { names: identity.same_words.join(", ") })],
    ),
    list,
    h(
      "div",
      { class: "buttons" },
      button(t("Make the next account…"), () => derive(identity)),
      button(t("Show the accounts"), () => showAccounts(list, identity)),
    ),
  );
}

/** @param {Element} list @param {any} identity */
async function showAccounts(list, identity) {
  try {
    const { accounts = [] } = await call("identity/accounts", { name: identity.name });
    fill(list, h("ul", { class: "rows" }, accounts.map(account)));
  } catch (failure) {
    const { isUnknown, isLocked } = /** @type {any} */ (failure);
    if (isLocked && await askToGoOn(t("The signer is locked. Once it is unlocked, the accounts are shown."))) return showAccounts(list, identity);
    if (isUnknown) fill(list, h("p", { class: "help" }, t("This signer cannot list them yet.")));
    else fill(list, fault(failure));
  }
}

/** @param {any} one */
function account(one) {
  return h(
    "li",
    { class: "row" },
    h(
      "span",
      { class: "row-words" },
      h("strong", { dir: "auto" }, one.here
        ? t("Account {number}: {name}", { number: one.account, name: one.here })
        : t("Account {number}: used, not here", { number: one.account })),
      keyText(one.npub),
    ),
  );
}

/** @param {any} identity */
async function derive(identity) {
  const name = field(t("Name of the new identity"), { required: true, maxlength: "64", autofocus: true });
  const number = field(t("Account"), { inputmode: "numeric", rule: ACCOUNT, required: true, value: String((identity.account ?? 0) + 1) });
  const extra = field(t("Passphrase of the words (25th word)"), { type: "password", autocomplete: "off" });
  extra.box.hidden = identity.words_passphrase !== true;
  const owner = needsPresence(identity.class) ? ownerFields(await meansHere(), { autofocus: false, confirms: true }) : null;
  let made = /** @type {any} */ (null);
  const done = await dialog(t("The next account"), [
    h("p", {}, t("This makes a new identity from the same words. Nobody can see that the two belong together.")),
    name.box,
    number.box,
    extra.box,
    owner?.box,
  ], {
    confirm: t("Make it"),
    act: async () => {
      const secrets = /** @type {Record<string, Uint8Array>} */ (extra.input.value
        ? { words_passphrase: new TextEncoder().encode(extra.input.value) }
        : {});
      made = await (owner?.perform ?? call)("identity/derive", { from: identity.name, account: Number(number.input.value), name: name.input.value }, secrets);
    },
  });
  if (!done) return;
  refresh("identities");
  go(keyRoute({ name: made?.name ?? name.input.value }).slice(1));
}

/** @param {Element} box @param {any} identity */
function leaving(box, identity) {
  fill(
    box,
    h("h2", {}, t("Copies")),
    h("p", { class: "help" }, t("A key that is in one place only is lost with that place. The log records each export.")),
    h("div", { class: "buttons" }, button(t("Export…"), () => exportDialog(identity), { class: "primary" }), h("a", { href: "#/recovery" }, t("Recovery kits"))),
  );
}

/** @param {import("../view.js").View} view @param {Element} box @param {any} identity */
function end(view, box, identity) {
  const plan = h("div", {});
  fill(
    box,
    h("h2", {}, t("Replace this key")),
    h("p", { class: "help" }, t("If the key was stolen, or if you want another, a new key can replace it. You see a plan before anything is done.")),
    plan,
    h(
      "div",
      { class: "buttons" },
      !identity.retired && rotation(view, plan, identity, changed),
      button(t("Delete…"), () => remove(identity), { class: "quiet plain-danger" }),
    ),
  );
}

/** @param {any} identity */
async function remove(identity) {
  const typed = field(t("Type the name “{name}” to delete it", { name: identity.name }), { required: true });
  const plan = await call("identity/delete", { name: identity.name, plan: true }).catch(() => ({}));
  const apps = (known("clients") ?? []).filter((/** @type {any} */ client) => client.identity === identity.name).length;
  // Nobody knows the passphrase of a trial's vault.
  const isTrial = known("status")?.trial === true;
  const ask = isTrial ? dialog : ownerDialog;
  const done = await ask(t("Delete {name}?", { name: identity.name }), [
    h("p", {}, t("Its key is erased from this signer.")),
    h("p", { class: plan.still_in?.length ? "help" : "warning" }, copiesWords(plan)),
    apps > 0 && h("p", { class: "warning" }, tn(apps, "{count} app signing for it will be revoked.", "{count} apps signing for it will be revoked.")),
    typed.box,
  ], {
    confirm: t("Delete for good"),
    dangerous: true,
    act: async (/** @type {any} */ perform) => {
      if (typed.input.value !== identity.name) throw new FieldFault(t("The name is not the same."), typed.input);
      await (isTrial ? call : perform)("identity/delete", { name: identity.name });
    },
  });
  if (!done) return;
  refresh("identities");
  go("/keys");
}

/** Describes what still contains a key that is about to be deleted. @param {any} plan */
function copiesWords(plan) {
  const copies = plan.still_in;
  if (!Array.isArray(copies)) return t("Holdfast cannot tell now whether a backup or a recovery kit has it.");
  if (!copies.length && plan.log_begins_later) {
    return t("Holdfast knows of no backup, recovery kit or export of it. Its log begins after the key was made, so there may be an older one.");
  }
  if (!copies.length) return t("Holdfast knows of no backup, recovery kit or export of it, so nothing could restore it.");
  const words = copies.map((/** @type {any} */ one) => {
    const time = fullTime(seconds(one.last_time ?? 0));
    switch (one.what) {
      case "recovery kit":
        return one.last_tested ? t("recovery kit {kit}", { kit: one.kit }) : t("recovery kit {kit}, which was never tested", { kit: one.kit });
      case "backup":
        return t("a backup of {time}", { time });
      case "words":
        return t("the words of {name}, of which it is an account", { name: one.of });
      case "export":
        return t("an export of {time}", { time });
      default:
        return `${one.what}, ${time}`;
    }
  });
  return t("It is still in: {places}.", { places: words.join("; ") });
}
