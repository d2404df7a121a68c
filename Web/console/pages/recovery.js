// Recovery kits, which restore the keys when this machine is lost, and the guardians who keep shares.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { rich, t, tn } from "../language.js";
import { known, refresh } from "../store.js";
import { button, choice, fault, field, nothing, when } from "../parts/common.js";
import { verdicts } from "../parts/custody.js";
import { guardians } from "../parts/guardians.js";
import { seconds } from "../parts/identity.js";
import { codeSecret, ownerDialog } from "../parts/owner.js";
import { scanButton } from "../parts/scan.js";
import { showShares } from "../parts/sheets.js";

/** @param {import("../view.js").View} view */
export function recovery(view) {
  const fresh = h("div", {}), list = section(), test = section(), people = h("div", {});
  test.classList.add("kit-test");
  view.draw(
    t("Recovery"),
    h(
      "p",
      { class: "lead screen" },
      t("A recovery kit is a few sheets with words. Enough sheets together restore the vault or one identity; fewer reveal nothing. Keep each with another person or in another place."),
    ),
    verdicts(view, "kit-tested"),
    fresh,
    list,
    test,
    people,
  );
  view.watch("identities", () => {});
  const draw = async () => {
    const { kits } = await call("recovery/list");
    if (view.isOpen) drawKits(view, list, fresh, kits, draw);
  };
  [list.hidden, test.hidden] = [true, true];
  view.keep(["status", "lock"], async () => {
    try {
      await draw();
      if (list.hidden) drawTest(view, test, draw);
      [list.hidden, test.hidden] = [false, false];
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
      : h("p", { class: "warning" }, t("You have no recovery kit. If you lose this machine and forget the passphrase of your backups, your keys are lost.")),
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
  if (groups.length > 1) return tn(groups.length, "{count} group of shares", "{count} groups of shares");
  return t("any {needed} of {all} shares", { needed: kit.threshold, all: kit.shares });
}

/** @type {[string, string, string][]} */
const SHAPES = [
  ["2/3", t("Any 2 of 3"), t("You may lose one, and one sheet alone reveals nothing. For home, work and a friend. Right for most people.")],
  ["3/5", t("Any 3 of 5"), t("You may lose two, and two people together cannot open it. For family and friends.")],
  ["1/1", t("One sheet"), t("Anybody who finds it has everything. Only for a safe.")],
];

/** @param {import("../view.js").View} view @param {Element} fresh @param {() => unknown} redraw */
async function create(view, fresh, redraw) {
  let shape = "2/3";
  const number = (/** @type {string} */ label, /** @type {string} */ value) => {
    const input = h("input", { type: "number", min: "1", max: "16", step: "1", value, inputmode: "numeric" });
    return { box: h("label", { class: "field" }, h("span", { class: "label" }, label), input), input };
  };
  const needed = number(t("Shares needed"), "2"), all = number(t("Shares in all"), "3");
  const own = h("div", { class: "inline", hidden: true }, needed.box, all.box);
  const code = field(t("Recovery code"), { type: "password", autocomplete: "new-password" }), again = field(t("Repeat the recovery code"), { type: "password", autocomplete: "new-password" });
  const codes = h("div", { hidden: true }, code.box, again.box);
  const withCode = h("input", { type: "checkbox", onchange: () => { codes.hidden = !withCode.checked; } });
  const what = choice(t("It rebuilds"), [
    ["", t("everything in this vault")],
    ...(known("identities") ?? []).map((/** @type {any} */ one) => /** @type {[string, string]} */ ([one.name, t("only {name}", { name: one.name })])),
  ], "");
  const level = (/** @type {string} */ value, /** @type {string} */ title, /** @type {string} */ words) =>
    h(
      "label",
      { class: "level" },
      h("input", {
        type: "radio",
        name: "shape",
        value,
        checked: value === shape,
        onchange: () => {
          shape = value;
          own.hidden = value !== "own";
        },
      }),
      h("span", {}, h("strong", {}, title), h("span", { class: "help" }, words)),
    );
  let made = /** @type {any} */ (null), counts = { threshold: 0, shares: 0 };
  const done = await ownerDialog(t("Make a recovery kit"), [
    what.box,
    h(
      "fieldset",
      { class: "levels" },
      h("legend", {}, t("How many shares?")),
      SHAPES.map(([value, title, words]) => level(value, title, words)),
      level("own", t("Another number"), t("Up to 16 shares.")),
      own,
    ),
    h(
      "label",
      { class: "level" },
      withCode,
      h(
        "span",
        {},
        h("strong", {}, t("With a recovery code")),
        h("span", { class: "help" }, t("A word or sentence that is needed in addition to the shares and is on no sheet. Without it the shares are useless, also to you. Most kits need none.")),
      ),
    ),
    codes,
    h("p", { class: "help" }, t("Next you see the shares, one at a time. Have paper or a printer ready, and make sure that nobody watches.")),
  ], {
    confirm: t("Make the kit"),
    act: async (perform) => {
      const [threshold, shares] = shape === "own" ? [Number(needed.input.value), Number(all.input.value)] : shape.split("/").map(Number);
      if (!(threshold >= 1 && shares >= threshold && shares <= 16)) throw new Error(t("Choose 1 to 16 shares, and no more needed than there are."));
      if (threshold === 1 && shares > 1) throw new Error(t("If one share is enough, make only one share."));
      if (withCode.checked && !code.input.value) throw new Error(t("Type the recovery code, twice."));
      if (withCode.checked && code.input.value !== again.input.value) throw new Error(t("The two recovery codes differ."));
      counts = { threshold, shares };
      made = await perform(
        "recovery/create",
        { ...counts, ...(what.select.value ? { identity: what.select.value } : {}) },
        withCode.checked ? { new_recovery_code: new TextEncoder().encode(code.input.value) } : {},
      );
      code.input.value = again.input.value = "";
    },
  });
  if (!done || !view.isOpen) return;
  const id = made.kit.id;
  const title = what.select.value ? t("Recovery kit of {name}", { name: what.select.value }) : t("Recovery kit of the vault");
  // Beside the sheets nothing says that there is no kit, or offers another one.
  view.root.classList.add("with-sheets");
  await showShares(view, h2box(fresh), { shares: made.shares, threshold: counts.threshold, title, kit: made.kit }, async () => {
    view.root.classList.remove("with-sheets");
    fill(fresh);
    await call("recovery/handed-out", { id });
    notice(t("Now test the kit: type enough of its shares below, as if this machine were lost."));
    refresh("custody");
    await redraw();
    view.root.querySelector(".kit-test")?.scrollIntoView({ block: "center" });
    /** @type {HTMLElement | null} */ (view.root.querySelector(".kit-test textarea"))?.focus({ preventScroll: true });
  });
  made = null;
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
        : t("Its shares will no longer open this vault, but they still open older backups. Destroy the sheets too."),
    ),
  ], { confirm: t("Remove"), dangerous: true, act: (perform) => perform("recovery/remove", { id: kit.id }) });
  if (done) notice(kit.npub ? t("The kit is forgotten here. Destroy its sheets.") : t("Its shares no longer open this vault."));
  redraw();
}

/** @param {import("../view.js").View} view @param {Element} box @param {() => unknown} redraw */
function drawTest(view, box, redraw) {
  const words = h("textarea", { rows: "6", spellcheck: "false", autocapitalize: "none", autocomplete: "off", "aria-label": t("Shares, one per line") });
  const code = field(t("Recovery code, if the kit has one"), { type: "password", autocomplete: "off" });
  const result = h("div", { role: "status" });
  view.atEnd(() => {
    words.value = code.input.value = "";
  });
  fill(
    box,
    h("h2", {}, t("Test a kit")),
    h("p", { class: "help" }, t("Type enough shares, one per line. They are restored into a temporary place, checked, and deleted. Nothing is kept.")),
    words,
    code.box,
    result,
    h(
      "div",
      { class: "buttons" },
      button(t("Test"), async () => {
        fill(result);
        try {
          // The words stay in their field after an error, so that one wrong letter does not mean typing them all again.
          const answer = await call("recovery/test", {}, { shares: new TextEncoder().encode(words.value.trim()), ...codeSecret(code.input) });
          words.value = code.input.value = "";
          fill(
            result,
            h(
              "p",
              { class: "well" },
              answer.restores === "vault"
                ? t("They work: together they rebuild this vault.")
                : t("They work: together they rebuild {name}.", { name: answer.restores }),
            ),
            answer.without.length > 0 && h("p", {}, t("Bound to this device, so that no kit of the vault brings it back: {names}.", { names: answer.without.join(", ") })),
          );
          refresh("custody");
          redraw();
        } catch (failure) {
          fill(result, fault(failure));
        }
      }, { class: "primary" }),
      scanButton(view, (text) => {
        words.value = [words.value.trim(), text.trim()].filter(Boolean).join("\n");
      }),
    ),
  );
}

