// The ways in: what unlocks the vault, when each was tested, and the keys behind them.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { t, tn } from "../language.js";
import { refresh } from "../store.js";
import { backupWanted } from "../parts/backup-wanted.js";
import { button, choice, field, nothing } from "../parts/common.js";
import { classBase, classTitle } from "../parts/classes.js";
import { dialog } from "../parts/dialog.js";
import { fillFold, fold } from "../parts/fold.js";
import { copies, verdicts } from "../parts/custody.js";
import { heading, waitingFor } from "../parts/heading.js";
import { icon, slotIcon } from "../parts/icons.js";
import { changedWarning, enrol, newPasskey } from "../parts/enrol.js";
import { meansHere, ownerDialog, ownerFields, severalFields } from "../parts/owner.js";
import { optional } from "../parts/optional.js";
import { passkeysWork } from "../parts/passkeys.js";
import { sections } from "../parts/sections.js";
import { inTrial, trialCard } from "../parts/trial.js";
import { newSecret } from "../parts/newsecret.js";
import { noPasskeysHere } from "../parts/nopasskeys.js";
import { SHORTEST_PASSPHRASE } from "../parts/secrets.js";
import { acceptance, slotTypeHelp, slotTypeWords, worked } from "../parts/slots.js";

/** @param {import("../view.js").View} view */
export async function vault(view) {
  const isTrial = await inTrial();
  if (!view.isOpen) return;
  if (isTrial) return view.draw(t("Ways in"), sections(view), trialCard());
  const slots = section(), keys = fold();
  const missing = h("div", {}), after = h("div", {});
  view.draw(
    t("Ways in"),
    sections(view),
    h("p", { class: "lead" }, t("Your keys are in an encrypted file, the vault. Each way in opens it alone. Have two, and test both.")),
    verdicts(view, "second-way-in"),
    copies(view),
    after,
    slots,
    keys,
    missing,
  );
  const draw = async () => {
    const [{ slots: list, generation, of_another_device: isElsewhere }, { passkeys }, { identities }] = await Promise.all([
      call("slot/list"),
      call("passkey/list").catch(() => ({ passkeys: [] })),
      call("identity/list").catch(() => ({ identities: [] })),
    ]);
    if (!view.isOpen) return;
    drawSlots(slots, list, passkeys, after, changed);
    drawKeys(keys, generation, identities, isElsewhere === true, changed);
  };
  // The signer sends no hint about its slots, and the line above them says how many there are.
  const changed = () => {
    refresh("custody");
    return draw();
  };
  keys.hidden = true;
  optional(view, slots, ["lock", "status", "sessions"], async () => {
    try {
      await draw();
      keys.hidden = false;
    } catch (failure) {
      if (/** @type {any} */ (failure).isUnknown) fill(missing, nothing(t("The ways to unlock are not available in this signer")));
      throw failure;
    }
  });
}

function section() {
  return h("section", { class: "card" }, waitingFor());
}

/** @param {Element} box @param {any[]} slots @param {any[]} passkeys @param {Element} after  see `changePassphrase` @param {() => unknown} redraw */
function drawSlots(box, slots, passkeys, after, redraw) {
  const untested = slots.filter((one) => !one.last_worked);
  const idle = passkeys.filter((one) => one.slot === null);
  fill(
    box,
    heading("vault", t("Ways to unlock")),
    h("p", { class: "help" }, t("Each of these opens the keys. The vault’s passphrase and a passkey from this list also sign you in here. A sign-in link, or a passkey that only signs in, opens none of them.")),
    slots.length > 1 && untested.length > 0 && h("p", { class: "help" }, t("A way that was never tested may not work when you need it.")),
    h("ul", { class: "rows" }, slots.map((one) => row(one, slots, redraw))),
    h(
      "div",
      { class: "buttons" },
      passkeysWork() && button(t("Add a passkey…"), () => addPasskeySlot(idle, redraw)),
      button(t("Change the passphrase…"), () => changePassphrase(after, redraw)),
      h("a", { class: "button", href: "#/recovery" }, t("Recovery kits")),
    ),
    !passkeysWork() && noPasskeysHere(),
    h("p", { class: "help" }, t("To add a token (TPM, smart card) or the desktop’s keyring, use the command line: holdfast slot add.")),
  );
}

/** Why a way cannot be removed; "" if it can be. @param {any} slot @param {any[]} slots */
function staysWords(slot, slots) {
  return slots.length === 1 && slots[0].id === slot.id ? t("It is the only way in, so it cannot be removed. Add another one first.") : "";
}

/** @param {any} slot @param {any[]} slots @param {() => unknown} redraw */
function row(slot, slots, redraw) {
  const stays = staysWords(slot, slots), why = `stays-${slot.id}`;
  const titles = (/** @type {string[]} */ names) => (names ?? []).map((name) => classTitle(name));
  const opens = titles(slot.opens), lacks = titles(slot.lacks).filter((title) => !opens.includes(title));
  return h(
    "li",
    { class: "row slot", "aria-label": slot.label || slotTypeWords(slot.type) },
    h("span", { class: `symbol ${slot.last_worked ? "good" : "fair"}` }, icon(slotIcon(slot.type))),
    h(
      "span",
      { class: "row-words" },
      h("strong", { dir: "auto" }, slot.label || slotTypeWords(slot.type)),
      h("span", {}, [slot.label && slotTypeWords(slot.type), detailWords(slot) || slotTypeHelp(slot.type)].filter(Boolean).join(" · ")),
      h(
        "span",
        {},
        worked(slot),
        slot.gate && ` · ${t("behind {check}", { check: slot.gate })}`,
      ),
      stays && h("span", { id: why }, stays),
      h("details", { class: "more" }, h("summary", {}, t("What it opens")), h("span", { class: "help" }, [...new Set(opens)].join(", ") || t("nothing"), lacks.length > 0 && ` ${t("Not yet: {classes}. It gets these when a way that has them is used.", { classes: [...new Set(lacks)].join(", ") })}`)),
    ),
    h(
      "div",
      { class: "buttons small" },
      button(t("Test"), () => test(slot, redraw), { class: "quiet" }),
      button(t("Rename…"), () => rename(slot, redraw), { class: "quiet" }),
      button(t("Remove…"), () => remove(slot, redraw), { class: "quiet plain-danger", disabled: stays !== "", "aria-describedby": stays ? why : null }),
    ),
  );
}

/** What tells it from others of its type; of a passkey the address that it works at. @param {any} slot */
function detailWords({ type, detail }) {
  const address = type === "passkey" ? /^at (.+)$/.exec(detail ?? "")?.[1] : undefined;
  return address ? t("for {address}", { address }) : detail;
}

/** @type {Record<string, import("../parts/owner.js").Means>} */
const MEANS = { passphrase: "passphrase", passkey: "passkey", token: "token", recovery: "shares" };

/** @param {any} slot @param {() => unknown} redraw */
async function test(slot, redraw) {
  const done = await (slot.type === "keyring"
    ? dialog(t("Test the desktop’s keyring"), [h("p", {}, t("The keyring is asked for its part now."))], {
      confirm: t("Test"),
      act: () => call("slot/test", { id: slot.id, keyring: true }),
    })
    : testBy(slot, MEANS[slot.type] ?? "passphrase"));
  if (done) notice(t("It works."));
  redraw();
}

/** Tests exactly this slot, whatever others there are. @param {any} slot @param {import("../parts/owner.js").Means} means */
function testBy(slot, means) {
  const owner = ownerFields([means]);
  return dialog(t("Test: {way}", { way: slot.label || slotTypeWords(slot.type) }), [
    h("p", {}, t("This only tests it and changes nothing.")),
    owner.box,
  ], { confirm: t("Test"), act: () => owner.perform("slot/test", { id: slot.id }) });
}

/** @param {any} slot @param {() => unknown} redraw */
async function rename(slot, redraw) {
  const label = field(t("Name"), { required: true, maxlength: "64", value: slot.label ?? "", autofocus: true });
  await dialog(t("Rename this way to unlock"), [label.box], {
    confirm: t("Rename"),
    act: () => call("slot/rename", { id: slot.id, label: label.input.value }),
  });
  redraw();
}

/** @param {any} slot @param {() => unknown} redraw */
async function remove(slot, redraw) {
  let plan = /** @type {any} */ ({});
  try {
    plan = await call("slot/remove", { id: slot.id, plan: true });
  } catch (failure) {
    notice(/** @type {Error} */ (failure).message, { bad: true });
    return;
  }
  const loss = acceptance(plan.loses);
  const done = await ownerDialog(t("Remove “{way}”?", { way: slot.label || slotTypeWords(slot.type) }), [
    h("p", {}, t("It will no longer open the vault. The last way cannot be removed, and passkeys or the keyring alone cannot be left.")),
    ...(plan.warnings ?? []).map((/** @type {string} */ text) => h("p", { class: "warning" }, text)),
    slot.type === "passkey" && h("p", { class: "help" }, t("The passkey still signs you in here. If its device is lost, also remove it under Security, Console.")),
    slot.type === "passkey" && await changedWarning(),
    loss.box,
  ], { confirm: t("Remove"), dangerous: true, act: (perform) => perform("slot/remove", { id: slot.id, ...loss.parameters() }) });
  if (done) notice(t("It no longer opens the vault."));
  redraw();
}

/** @param {any[]} idle  passkeys that sign in only @param {() => unknown} redraw */
async function addPasskeySlot(idle, redraw) {
  let passkey = idle[0];
  if (!passkey) {
    const made = await newPasskey();
    if (!made) return;
    if (!made.canUnlock) return;
    passkey = made;
  } else if (idle.length) {
    const which = choice(t("Which passkey?"), [...idle.map((one) => /** @type {[string, string]} */ ([one.id, one.name])), ["", t("A new one")]], passkey.id);
    const chosen = await dialog(t("Let a passkey unlock the keys"), [which.box], { confirm: t("Continue"), act: () => {} });
    if (!chosen) return;
    passkey = which.select.value ? idle.find((one) => one.id === which.select.value) : await newPasskey();
    if (!passkey || passkey.canUnlock === false) return;
  }
  await enrol(passkey);
  redraw();
}

/**
 * Sets the passphrase anew. Whoever has forgotten it proves with another way in that it is them.
 * @param {Element} after  where to say what is to do then
 * @param {() => unknown} redraw
 */
async function changePassphrase(after, redraw) {
  const owner = ownerFields(await meansHere(), { passphraseName: t("Present passphrase") });
  const fresh = newSecret(t("New passphrase"), t("Repeat the new passphrase"), {
    help: t("Four or five random words are better than characters that nobody can remember."),
    shortest: SHORTEST_PASSPHRASE,
    short: t("The new passphrase needs at least {count} characters.", { count: SHORTEST_PASSPHRASE }),
    differ: t("The two new passphrases are not the same."),
  });
  const done = await dialog(t("Change the passphrase"), [
    owner.box,
    fresh.box,
    h("p", { class: "help" }, t("Older backups and copies of the vault still open with the old passphrase.")),
  ], {
    confirm: t("Change"),
    act: async () => {
      await owner.perform("slot/passphrase", {}, { new_passphrase: await fresh.value() });
      fresh.clear();
    },
  });
  if (done) {
    notice(t("The passphrase is changed."));
    fill(after, backupWanted(t("Make a new backup now: older ones do not open with the new passphrase.")));
  }
  redraw();
}

/** @param {HTMLElement} box @param {number} generation @param {any[]} identities @param {boolean} isElsewhere @param {() => unknown} redraw */
function drawKeys(box, generation, identities, isElsewhere, redraw) {
  const ofTodaysPasskeys = identities.some((one) => classBase(one.class) === "biometric-required");
  box.toggleAttribute("open", isElsewhere || box.hasAttribute("open"));
  fillFold(
    box,
    t("For experts: the keys of the vault"),
    t("renew what encrypts it"),
    h(
      "p",
      { class: "help" },
      t("Class keys encrypt everything in the vault. After you renew them, an old copy of the vault or an old way to unlock opens nothing that is written later. Renew them after you removed a way that somebody else may have."),
    ),
    h("p", { class: "help" }, generation ? tn(generation, "Renewed, or a way to unlock changed: {count} time so far.", "Renewed, or a way to unlock changed: {count} times so far.") : t("Never changed so far.")),
    h(
      "div",
      { class: "buttons" },
      button(t("Renew them…"), () => rotate(redraw)),
      ofTodaysPasskeys && button(t("Let in today’s passkeys…"), () => enrolAnew(redraw)),
      isElsewhere && button(t("Bind to this device…"), () => bind(redraw)),
    ),
    isElsewhere && h("p", { class: "warning" }, t("This vault’s “this device only” keys cannot be opened here: they belong to another machine, or this one has lost its device.key.")),
  );
}

/** @param {() => unknown} redraw */
async function rotate(redraw) {
  let result = /** @type {any} */ (null);
  const owner = severalFields(await meansHere());
  const done = await dialog(t("Renew the class keys"), [
    h("p", {}, t("Every way to unlock stays as it is. Classes that you do not open here keep their old key and are named afterwards. Give several ways to renew them all.")),
    owner.box,
  ], {
    confirm: t("Renew them"),
    act: async () => {
      result = await owner.perform("slot/rotate");
    },
  });
  if (!done) return;
  const names = (/** @type {string[]} */ list) => [...new Set((list ?? []).map((name) => classTitle(name)))].join(", ");
  const kept = result.kept?.length ? ` ${t("Kept, since nothing was shown that opens it: {classes}.", { classes: names(result.kept) })}` : "";
  notice(t("Renewed: {classes}.", { classes: names(result.rotated) || t("none") }) + kept);
  redraw();
}

/** Binds the vault to this machine after the home was copied from another one. @param {() => unknown} redraw */
async function bind(redraw) {
  const plan = await call("slot/bind", { plan: true });
  const loss = acceptance(plan.loses);
  const done = await ownerDialog(t("Bind the vault to this device"), [
    h("p", {}, t("After this you can use “this device only” here. If you still have the other machine, first move its keys to another class there.")),
    loss.box,
  ], { confirm: t("Bind it"), dangerous: Boolean(plan.loses), act: (perform) => perform("slot/bind", loss.parameters()) });
  if (done) notice(t("The vault is bound to this device."));
  redraw();
}

/** After a passkey was added or removed, the class “Today's passkeys only” stays closed until this is done. @param {() => unknown} redraw */
async function enrolAnew(redraw) {
  const discard = h("input", { type: "checkbox" });
  let result = /** @type {any} */ (null);
  const done = await ownerDialog(t("Let in today’s passkeys"), [
    h("p", {}, t("Keys under “Today’s passkeys only” close when a passkey is added or removed. Check the list of ways to unlock first: after this, every passkey in it opens these keys.")),
    h("p", { class: "help" }, t("The sheets of a recovery kit open these keys. Keys that are bound to this device are in no kit.")),
    h("label", { class: "level" }, discard, h("span", {}, h("strong", {}, t("Delete keys that nothing opens any more")), h("span", { class: "help" }, t("These keys are lost for good, and the class can be used again.")))),
  ], {
    confirm: t("Let them in"),
    only: ["shares", "passphrase", "token"],
    act: async (perform) => {
      result = await perform("slot/enrol", discard.checked ? { discard: true } : {});
    },
  });
  if (!done) return;
  const still = result.closed?.length ? ` ${t("Keys that are bound to this device stay closed.")}` : "";
  notice((result.enrolled?.length ? t("Today’s passkeys are let in.") : t("No keys were closed.")) + still);
  redraw();
}
