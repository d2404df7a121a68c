// How the keys are kept, as the signer judges it (`custody/overview`): in words, with the page that mends each risk.

import { fill, h } from "../dom.js";
import { fromSigner, rich, t, tn } from "../language.js";
import { when } from "./common.js";
import { heading } from "./heading.js";
import { icon } from "./icons.js";
import { wayName } from "./slots.js";

/** What mends a risk: the page, and the words of its button. @type {Record<string, [string, string]>} */
const REMEDIES = {
  "add-way": ["#/security/vault", t("Add a second way")],
  "test-ways": ["#/security/vault", t("Test the ways")],
  "make-kit": ["#/recovery", t("Make a recovery kit")],
  "test-kit": ["#/recovery", t("Test the kit")],
  "make-backup": ["#/backup", t("Make a backup")],
  "check-backup": ["#/backup", t("Check the backup")],
  "move-backup": ["#/backup", t("Keep a backup elsewhere")],
  "add-relay": ["#/relays", t("See the relays")],
  "choose-locking": ["#/security", t("Choose when it locks")],
  "replace-key": ["#/keys", t("Replace the key")],
};

/** @param {string} remedy @returns {{href: string, words: string} | null} */
export function remedyOf(remedy) {
  const found = REMEDIES[remedy];
  return found ? { href: found[0], words: found[1] } : null;
}

/** @typedef {{step: string, done: boolean, text: string, last?: number, remedy: string}} Step */
/** @typedef {{name: string, ways: string[], exported?: number | null, ends_with_one_loss: boolean}} Key */
/** @typedef {{steps: Step[], keys: Key[], ways: import("./slots.js").Way[]}} Custody */

/** What each step is called. @type {Record<string, string>} */
const STEPS = {
  "second-way-in": t("A second way in"),
  "kit-tested": t("A recovery kit that was tested"),
  "backup-fresh": t("A fresh backup"),
  "relays-reachable": t("A relay beyond this machine"),
  locking: t("When it locks by itself"),
};

/** What to do next, by what mends the risk. @type {Record<string, string>} */
const NEXT = {
  "add-way": t("Add a passkey, or make a recovery kit."),
  "make-kit": t("Make one for the day when you have forgotten your passphrase."),
  "test-kit": t("Test it: only a test shows that its sheets open the vault."),
  "make-backup": t("Make one: if this machine is lost, a backup has your keys and apps."),
  "check-backup": t("Check that it arrived where you keep it, and opens."),
  "move-backup": t("Copy it to another machine or medium and check it there, or schedule backups to another place."),
  "add-relay": t("Add one that apps on your phone can reach."),
  "choose-locking": t("On a laptop or desktop, let it lock after some minutes without you. On a server, choose “never”."),
};

/** What is said of a step that is half done, by what mends the risk. @type {Record<string, string>} */
const OPEN = {
  "check-backup": t("not checked yet"),
  "move-backup": t("only on this disk"),
};

/** Whether the newest backup is a file that nobody has checked. @param {Step} step */
export function isToCheck({ done, remedy }) {
  return !done && remedy === "check-backup";
}

/** Without it one loss can end a key, or a kit is relied on that may not work. @param {Step} step */
function isNeeded({ step, remedy }) {
  return ["second-way-in", "backup-fresh"].includes(step) || remedy === "test-kit";
}

/** What the person has now, and what to do next. @param {Step} step @param {Custody} custody */
function reasonFor({ step, text, remedy }, custody) {
  const now = (step === "second-way-in" && oneLoss(custody)) || fromSigner(text);
  return [now, NEXT[remedy]].filter(Boolean).join(" ");
}

/** What the person has of a step that is done, where the time does not say it. @param {Step} step @param {Custody} custody */
function hasWords({ step }, { ways }) {
  return step === "second-way-in" && ways.length > 0 && [" ", t("You have: {ways}.", { ways: ways.map(wayName).join(", ") })];
}

/** The steps without which one loss can end a key: how many there are, and those still to do. @param {Custody} custody */
export function neededSteps({ steps }) {
  const needed = steps.filter(isNeeded);
  return { all: needed.length, open: needed.filter(({ done }) => !done) };
}

/** The checklist, until all of it is done: what is needed, what can be added, what is done. @param {Element} box @param {Custody} custody */
export function drawChecklist(box, custody) {
  const { steps } = custody;
  const open = steps.filter(({ done }) => !done);
  box.toggleAttribute("hidden", open.length === 0);
  box.replaceChildren();
  if (!open.length) return;
  const needed = steps.filter(isNeeded), more = steps.filter((step) => !isNeeded(step));
  box.append(heading("security", t("Before you rely on it"), doneOf(needed)), rowsOf(needed, custody));
  if (more.length) box.append(h("div", { class: "head spaced" }, h("h3", {}, t("Recommended")), doneOf(more)), rowsOf(more, custody));
}

/** How many of the steps in the list below are done. @param {Step[]} steps */
function doneOf(steps) {
  return h("span", { class: "help" }, t("{done} of {all} done", { done: steps.filter(({ done }) => done).length, all: steps.length }));
}

/** What is open comes first. @param {Step[]} steps @param {Custody} custody */
function rowsOf(steps, custody) {
  const [open, done] = [false, true].map((isDone) => steps.filter((step) => step.done === isDone));
  return h("ul", { class: "rows" }, open.map((step) => openRow(step, custody, isNeeded(step))), done.map(doneRow));
}

/** @param {Step} step */
function doneRow(step) {
  return h("li", { class: "row" }, icon("done", "good"), h("span", { class: "row-words" }, h("strong", {}, STEPS[step.step] ?? step.text), h("span", {}, t("done"), step.last && [" · ", when(step.last)])));
}

/** @param {Step} step @param {Custody} custody @param {boolean} isNeededNow */
function openRow(step, custody, isNeededNow) {
  return h(
    "li",
    {},
    h(
      "a",
      { class: "row", href: remedyOf(step.remedy)?.href ?? "#/security" },
      icon("empty", isNeededNow ? "fair" : ""),
      h("span", { class: "row-words" }, h("strong", {}, STEPS[step.step] ?? step.text), h("span", { class: "whole" }, reasonFor(step, custody))),
      icon("next"),
    ),
  );
}

/** One step in a line, for the page that is about it. @param {Custody} custody @param {string} name */
function stepLine(custody, name) {
  const step = custody.steps.find((one) => one.step === name);
  if (!step) return null;
  const state = step.done ? t("done") : OPEN[step.remedy] ?? t("not done");
  return h(
    "p",
    { class: step.done ? "verdict good" : "verdict fair" },
    icon(step.done ? "done" : "warning"),
    h("span", {}, STEPS[name], ": ", state, step.done && step.last && [", ", when(step.last)], ".", step.done ? hasWords(step, custody) : ` ${reasonFor(step, custody)}`),
  );
}

/** These steps in a line each, kept up to date. @param {import("../view.js").View} view @param {...string} names */
export function verdicts(view, ...names) {
  const box = h("div", { class: "verdicts screen" });
  view.watch("custody", (custody) => fill(box, names.map((name) => stepLine(custody, name))));
  return box;
}

/** The exported copies, which open nothing here. @param {import("../view.js").View} view */
export function copies(view) {
  const box = h("ul", { class: "copies help" });
  view.watch("custody", ({ keys }) => {
    const copied = keys.filter((/** @type {any} */ key) => key.exported);
    box.toggleAttribute("hidden", copied.length === 0);
    fill(box, copied.map((/** @type {any} */ { name, exported }) =>
      h("li", {}, rich("A copy of {name} was made {time}. It is no way in: it opens nothing here, and this signer cannot know whether you kept it or whether it works.", { name: h("bdi", {}, name), time: when(exported) }))));
  });
  return box;
}

/** Whether an exported copy is all that would be left after one loss. @param {{ways: string[], exported?: number | null}} key */
export function needsCopy({ ways, exported }) {
  return Boolean(exported) && ways.length < 2;
}

/**
 * What one loss ends, in a sentence; "" for nothing. Home, Security and the vault's page say it alike. A copy is no way in, so one thing that
 * opens a key is not enough.
 * @param {Custody} custody
 */
export function oneLoss({ keys, ways }) {
  const lost = keys.filter((one) => one.ends_with_one_loss);
  const [only, another] = ways.filter(({ id }) => lost.some((key) => key.ways.includes(id)));
  if (only && !another) {
    return tn(lost.length, "Only one thing opens your key: {way}. If you lose it, the key is lost.", "Only one thing opens {count} of your keys: {way}. If you lose it, they are lost.", { way: wayName(only) });
  }
  if (lost.length) return tn(lost.length, "A single loss would end {count} key.", "A single loss would end {count} keys.");
  const names = keys.filter(needsCopy).map(({ name }) => name).join(", ");
  return names && t("One thing alone opens {names}. If that is lost, only an exported copy restores it, as long as you still have that copy.", { names });
}
