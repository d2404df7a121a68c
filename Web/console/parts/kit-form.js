// The form for a new recovery kit: what it restores, how many sheets it has, and whether a code is needed besides the sheets.

import { h } from "../dom.js";
import { t } from "../language.js";
import { known } from "../store.js";
import { choice, field } from "./common.js";
import { FieldFault } from "./faults.js";
import { kitSteps } from "./steps.js";

/** The most sheets of a kit. */
const MOST = 16;
/** @type {[string, string, string][]} */
const SHAPES = [
  ["2/3", t("Any 2 of 3"), t("You may lose one sheet. One alone reveals nothing. Right for most people: home, work, a friend.")],
  ["3/5", t("Any 3 of 5"), t("You may lose two sheets. Two alone reveal nothing. For family and friends.")],
  ["1/1", t("One sheet"), t("Anybody who finds it has everything. Only for a safe.")],
];

/** @returns the rows of the form, and `read`, which throws what is wrong in words. */
export function kitForm() {
  const what = choice(t("It opens"), [
    ["", t("this vault and its backups")],
    ...(known("identities") ?? []).map((/** @type {any} */ one) => /** @type {[string, string]} */ ([one.name, t("only {name}", { name: one.name })])),
  ], "");
  const shape = shapeChoice(), code = codeFields();
  return {
    rows: [
      kitSteps(0),
      what.box,
      shape.box,
      ...code.rows,
      h("p", { class: "help" }, t("Have paper or a printer ready, and be alone. Next you see the sheets, one at a time.")),
    ],
    identity: () => what.select.value,
    read: () => ({ counts: shape.read(), code: code.read() }),
    clear: code.clear,
  };
}

/** How many sheets, from a few that suit most people, or in numbers. */
function shapeChoice() {
  const needed = number(t("Sheets needed"), "2"), all = number(t("Sheets in all"), "3");
  const own = h("div", { class: "inline", hidden: true }, needed.box, all.box);
  let shape = SHAPES[0][0];
  const choose = (/** @type {string} */ value) => {
    shape = value;
    own.hidden = value !== "own";
  };
  const box = h(
    "fieldset",
    { class: "levels" },
    h("legend", {}, t("How many sheets?")),
    SHAPES.map(([value, title, words]) => level(radio(value, value === shape, choose), title, words)),
    level(radio("own", false, choose), t("Another number"), t("Up to 16 sheets.")),
    own,
  );
  const read = () => {
    const [threshold, shares] = shape === "own" ? [Number(needed.input.value), Number(all.input.value)] : shape.split("/").map(Number);
    if (!(threshold >= 1 && shares >= threshold && shares <= MOST)) throw new FieldFault(t("Choose 1 to 16 sheets, and no more needed than there are."), needed.input);
    if (threshold === 1 && shares > 1) throw new FieldFault(t("If one sheet is enough, make only one sheet."), all.input);
    return { threshold, shares };
  };
  return { box, read };
}

/** A code that is needed in addition to the sheets, typed twice, if one is wanted. */
function codeFields() {
  const code = field(t("Recovery code"), { type: "password", autocomplete: "new-password" });
  const again = field(t("Repeat the recovery code"), { type: "password", autocomplete: "new-password" });
  const codes = h("div", { hidden: true }, code.box, again.box);
  const wanted = h("input", { type: "checkbox", onchange: () => { codes.hidden = !wanted.checked; } });
  const words = t("A word or sentence that is on no sheet. Without it the sheets open nothing, also for you. Most kits need none.");
  const read = () => {
    if (!wanted.checked) return undefined;
    if (!code.input.value) throw new FieldFault(t("Type the recovery code, twice."), code.input);
    if (code.input.value !== again.input.value) throw new FieldFault(t("The two recovery codes differ."), again.input);
    return code.input.value;
  };
  const clear = () => {
    code.input.value = again.input.value = "";
  };
  return { rows: [level(wanted, t("With a recovery code"), words), codes], read, clear };
}

/** @param {HTMLElement} control @param {string} title @param {string} words */
function level(control, title, words) {
  return h("label", { class: "level" }, control, h("span", {}, h("strong", {}, title), h("span", { class: "help" }, words)));
}

/** @param {string} value @param {boolean} checked @param {(value: string) => void} choose */
function radio(value, checked, choose) {
  return h("input", { type: "radio", name: "shape", value, checked, onchange: () => choose(value) });
}

/** @param {string} label @param {string} value */
function number(label, value) {
  const input = h("input", { type: "number", min: "1", max: String(MOST), step: "1", value, inputmode: "numeric" });
  return { box: h("label", { class: "field" }, h("span", { class: "label" }, label), input), input };
}
