// Recovery kits, which restore the keys when this machine is lost, and the guardians who keep shares.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { fromSigner, rich, t, tn } from "../language.js";
import { refresh } from "../store.js";
import { backupWanted } from "../parts/backup-wanted.js";
import { button, field, nothing, when } from "../parts/common.js";
import { verdicts } from "../parts/custody.js";
import { attempt } from "../parts/faults.js";
import { guardians } from "../parts/guardians.js";
import { seconds } from "../parts/identity.js";
import { kitForm } from "../parts/kit-form.js";
import { codeSecret, ownerDialog } from "../parts/owner.js";
import { scanButton } from "../parts/scan.js";
import { sections } from "../parts/sections.js";
import { shareFields } from "../parts/sharefields.js";
import { showShares } from "../parts/sheets.js";
import { kitSteps } from "../parts/steps.js";
import { inTrial, trialCard } from "../parts/trial.js";

/** @param {import("../view.js").View} view */
export async function recovery(view) {
  // In a trial nobody can prove that it is them, so no kit and no guardian can be had.
  const isInTrial = await inTrial();
  if (!view.isOpen) return;
  const fresh = h("div", {}), list = section(), test = section(), people = h("div", {});
  test.classList.add("kit-test");
  view.draw(
    t("Recovery kits"),
    sections(view),
    h(
      "div",
      { class: "lead screen" },
      h("p", {}, t("A kit is a few sheets of paper with words. It helps when you have forgotten your passphrase, or a passkey is lost.")),
      h(
        "ol",
        { class: "what-to-do" },
        h("li", {}, t("Make a kit. It takes five minutes, and paper or a printer.")),
        h("li", {}, t("Put each sheet in another place, or give it to another person. One sheet alone reveals nothing.")),
        h("li", {}, t("Test the kit here, as if you needed it.")),
      ),
      h("p", {}, rich("A kit does not replace a backup: if this machine breaks, a kit of the vault needs one. {link}", { link: h("a", { href: "#/backup" }, t("Backups")) })),
    ),
    isInTrial ? trialCard() : [verdicts(view, "kit-tested"), fresh, list, test, people],
  );
  if (isInTrial) return;
  view.watch("identities", () => {});
  const draw = async () => {
    const { kits } = await call("recovery/list");
    if (!view.isOpen) return;
    drawKits(view, list, fresh, kits, draw);
    // Without a kit there is nothing to test.
    test.hidden = !kits.length;
  };
  [list.hidden, test.hidden] = [true, true];
  view.keep(["status", "lock"], async () => {
    try {
      if (list.hidden) drawTest(view, test, draw);
      await draw();
      list.hidden = false;
    } catch (failure) {
      if (!(/** @type {any} */ (failure).isUnknown)) throw failure;
      fill(fresh, nothing(t("Recovery kits are not available in this signer")));
    }
  });
  guardians(view, people);
}

function section() {
  return h("section", { class: "card screen" });
}

/** @param {any} kit */
function kitName(kit) {
  return kit.label || (kit.for === "vault" ? t("The whole vault") : t("The identity {name}", { name: kit.for }));
}

/** @param {import("../view.js").View} view @param {Element} box @param {Element} fresh @param {any[]} kits @param {() => unknown} redraw */
function drawKits(view, box, fresh, kits, redraw) {
  fill(
    box,
    h("h2", {}, t("Recovery kits")),
    kits.length
      ? h(
        "ul",
        { class: "rows" },
        kits.map((kit) =>
          h(
            "li",
            { class: "row", "aria-label": kitName(kit) },
            h(
              "span",
              { class: "row-words" },
              h("strong", { dir: "auto" }, kitName(kit)),
              h("span", {}, rich("{shares} · made {when}", { shares: shape(kit), when: when(seconds(kit.made)) })),
              h("span", {}, kitState(kit)),
            ),
            button(t("Remove…"), () => remove(kit, redraw), { class: "quiet plain-danger" }),
          )
        ),
      )
      : h("p", {}, t("You have no recovery kit. If you lose every other way in, your keys are lost.")),
    h("div", { class: "buttons" }, button(t("Make a kit…"), () => create(view, fresh, redraw), { class: "primary" })),
  );
}

/** @param {any} kit */
function kitState(kit) {
  if (kit.last_tested) return [h("span", { class: "tag good" }, t("tested")), " ", when(seconds(kit.last_tested))];
  return h("span", { class: "tag fair" }, kit.handed_out ? t("never tested") : t("you never confirmed its sheets"));
}

/** @param {any} kit */
function shape(kit) {
  const groups = kit.groups ?? [];
  if (groups.length > 1) return tn(groups.length, "{count} group of sheets", "{count} groups of sheets");
  return t("any {needed} of {all} sheets", { needed: kit.threshold, all: kit.shares });
}

/** @param {import("../view.js").View} view @param {Element} fresh @param {() => unknown} redraw */
async function create(view, fresh, redraw) {
  const form = kitForm();
  let made = /** @type {any} */ (null), threshold = 0;
  const done = await ownerDialog(t("Make a recovery kit"), form.rows, {
    confirm: t("Make the kit"),
    act: async (perform) => {
      const { counts, code } = form.read();
      const identity = form.identity();
      made = await perform(
        "recovery/create",
        { ...counts, ...(identity ? { identity } : {}) },
        code === undefined ? {} : { new_recovery_code: new TextEncoder().encode(code) },
      );
      threshold = counts.threshold;
      form.clear();
    },
  });
  if (!done || !view.isOpen) return;
  const name = form.identity();
  const title = name ? t("Recovery kit of {name}", { name }) : t("Recovery kit of the vault");
  // Beside the sheets nothing says that there is no kit, or offers another one.
  view.root.classList.add("with-sheets");
  const { id } = made.kit;
  await showShares(view, h2box(fresh), { shares: made.shares, threshold, title, kit: made.kit }, () => handedOut(view, fresh, { id, isOfVault: !name }, redraw));
  made = null;
}

/**
 * The sheets are with their people or places: the kit counts from now on.
 * @param {import("../view.js").View} view
 * @param {Element} fresh
 * @param {{id: string, isOfVault: boolean}} kit
 * @param {() => unknown} redraw
 */
async function handedOut(view, fresh, { id, isOfVault }, redraw) {
  view.root.classList.remove("with-sheets");
  fill(fresh);
  await call("recovery/handed-out", { id });
  notice(t("Now test the kit: type the words of enough sheets below, as if this machine were lost."));
  refresh("custody");
  await redraw();
  if (!view.isOpen) return;
  if (isOfVault) fill(fresh, h("section", { class: "card" }, backupWanted(t("Make a new backup now: older ones do not open with this kit."))));
  progressOf(view.root).replaceChildren(kitSteps(2));
  view.root.querySelector(".kit-test")?.scrollIntoView({ block: "center" });
  /** @type {HTMLElement | null} */ (view.root.querySelector(".kit-test textarea"))?.focus({ preventScroll: true });
}

/** Where the card of the test shows the steps of a kit that was just made. @param {Element} root @returns {Element} */
function progressOf(root) {
  return /** @type {Element} */ (root.querySelector(".kit-progress"));
}

/** @param {Element} fresh */
function h2box(fresh) {
  const box = h("section", { class: "card" });
  fill(fresh, box);
  return box;
}

/** @param {any} kit @param {() => unknown} redraw */
async function remove(kit, redraw) {
  const done = await ownerDialog(t("Remove “{name}”?", { name: kitName(kit) }), [
    h(
      "p",
      {},
      kit.npub
        ? t("The kit is forgotten here, but enough of its sheets still restore the key. Destroy the sheets too.")
        : t("Its sheets will no longer open this vault, but they still open older backups. Destroy them, too."),
    ),
  ], { confirm: t("Remove"), dangerous: true, act: (perform) => perform("recovery/remove", { id: kit.id }) });
  if (done) notice(kit.npub ? t("The kit is forgotten here. Destroy its sheets.") : t("Its sheets no longer open this vault."));
  refresh("custody");
  redraw();
}

/** What the checklist says if there is no backup that the kit opens. */
async function missingBackup() {
  const { steps } = await call("custody/overview");
  const step = steps.find((/** @type {any} */ one) => one.step === "backup-fresh");
  return step && !step.done ? [backupWanted(fromSigner(step.text))] : [];
}

/** @param {import("../view.js").View} view @param {Element} box @param {() => unknown} redraw */
function drawTest(view, box, redraw) {
  const sheets = shareFields(t("Words of the sheets"));
  const code = field(t("Recovery code, if the kit has one"), { type: "password", autocomplete: "off" });
  const result = h("div", { role: "status" });
  view.atEnd(() => {
    sheets.clear();
    code.input.value = "";
  });
  fill(
    box,
    h("div", { class: "kit-progress" }),
    h("h2", {}, t("Test a kit")),
    h("p", { class: "help" }, t("Type the words of enough sheets. They are tried, and nothing of them is kept.")),
    sheets.box,
    code.box,
    result,
    h(
      "div",
      { class: "buttons" },
      button(t("Test"), () =>
        attempt(box, result, async () => {
          sheets.check();
          // The words stay in their fields after an error, so that one wrong letter does not mean typing them all again.
          const answer = await call("recovery/test", {}, { shares: sheets.bytes(), ...codeSecret(code.input) });
          sheets.clear();
          code.input.value = "";
          if (progressOf(box).childElementCount) fill(progressOf(box), kitSteps(3));
          fill(
            result,
            h(
              "p",
              { class: "well" },
              answer.restores === "vault"
                ? t("They work: together they open this vault. On another machine you also need a backup that was made after the kit.")
                : t("They work: together they rebuild {name}.", { name: answer.restores }),
            ),
            answer.without.length > 0 && h("p", {}, t("Bound to this device, so that no kit of the vault brings it back: {names}.", { names: answer.without.join(", ") })),
          );
          redraw();
          refresh("custody");
          if (answer.restores === "vault") result.append(...await missingBackup());
        }), { class: "primary" }),
      scanButton(view, (text) => sheets.put(text.trim())),
    ),
  );
}

