// How the keys are kept, as the signer judges it (`custody/overview`): in words, with the page that mends each risk.

import { fill, h } from "../dom.js";
import { fromSigner, t, tn } from "../language.js";
import { when } from "./common.js";
import { heading } from "./heading.js";
import { icon } from "./icons.js";

/** What mends a risk: the page, and the words of its button. @type {Record<string, [string, string]>} */
const REMEDIES = {
  "add-way": ["#/security/vault", t("Add a second way")],
  "test-ways": ["#/security/vault", t("Test the ways")],
  "make-kit": ["#/recovery", t("Make a recovery kit")],
  "test-kit": ["#/recovery", t("Test the kit")],
  "make-backup": ["#/backup", t("Make a backup")],
  "add-relay": ["#/pair", t("See the relays")],
  "replace-key": ["#/keys", t("Replace the key")],
};

/** @param {string} remedy @returns {{href: string, words: string} | null} */
export function remedyOf(remedy) {
  const found = REMEDIES[remedy];
  return found ? { href: found[0], words: found[1] } : null;
}

/** @typedef {{step: string, done: boolean, text: string, last?: number, remedy: string}} Step */

/** Each step: what it is called, and why it matters. @type {Record<string, [string, string]>} */
const STEPS = {
  "second-way-in": [t("A second way in"), t("If you lose the only one, your keys are lost.")],
  "kit-tested": [t("A recovery kit that was tested"), t("Only a test shows that its shares open the vault.")],
  "backup-fresh": [t("A fresh backup"), t("If this machine is lost, a backup has your keys and apps.")],
  "relays-reachable": [t("A relay beyond this machine"), t("Apps on your phone cannot reach a relay on this machine.")],
};

/** The checklist, until all of it is done. @param {Element} box @param {{steps: Step[]}} custody */
export function drawChecklist(box, { steps }) {
  const open = steps.filter(({ done }) => !done);
  box.toggleAttribute("hidden", open.length === 0);
  box.replaceChildren();
  if (!open.length) return;
  box.append(
    heading("security", t("Before you rely on it"), h("span", { class: "help" }, t("{done} of {all} done", { done: steps.length - open.length, all: steps.length }))),
    h("ul", { class: "rows" }, [...open, ...steps.filter(({ done }) => done)].map(stepRow)),
  );
}

/** What is done; for the ways in, what counts as one. @param {Step} step */
function doneWords({ step, text }) {
  return step === "second-way-in" ? fromSigner(text) : t("done");
}

/** @param {Step} step */
function stepRow(step) {
  const [title, why] = STEPS[step.step] ?? [step.text, ""];
  if (step.done) {
    return h("li", { class: "row" }, icon("done", "good"), h("span", { class: "row-words" }, h("strong", {}, title), h("span", {}, doneWords(step), step.last && [" · ", when(step.last)])));
  }
  const mend = remedyOf(step.remedy);
  return h(
    "li",
    {},
    h(
      "a",
      { class: "row", href: mend?.href ?? "#/security" },
      icon("empty", "fair"),
      h("span", { class: "row-words" }, h("strong", {}, title), h("span", {}, why)),
      icon("next"),
    ),
  );
}

/** One step in a line, for the page that is about it. @param {{steps: Step[]}} custody @param {string} name */
function stepLine(custody, name) {
  const step = custody.steps.find((one) => one.step === name);
  if (!step) return null;
  return h("p", { class: step.done ? "verdict good" : "verdict fair" }, icon(step.done ? "done" : "warning"), h("span", {}, STEPS[name]?.[0], ": ", step.done ? t("done") : t("not done"), step.last && [", ", when(step.last)], step.done ? "." : `. ${STEPS[name]?.[1]}`));
}

/** These steps in a line each, kept up to date. @param {import("../view.js").View} view @param {...string} names */
export function verdicts(view, ...names) {
  const box = h("div", { class: "verdicts screen" });
  view.watch("custody", (custody) => fill(box, names.map((name) => stepLine(custody, name))));
  return box;
}

/** How many keys one loss would end, in a sentence; nothing when there is none. @param {{keys: {ends_with_one_loss: boolean}[]}} custody */
export function lossWords({ keys }) {
  const count = keys.filter((one) => one.ends_with_one_loss).length;
  return count ? tn(count, "A single loss, such as a broken disk, would end {count} key.", "A single loss, such as a broken disk, would end {count} keys.") : "";
}
