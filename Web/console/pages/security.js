// The overview of security: locking and the emergency stop, what opens the keys, and the check of the log. The other parts of this
// subject have a tab each: parts/sections.js.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { t, tn } from "../language.js";
import { refresh } from "../store.js";
import { drawAutomaticLock } from "../parts/autolock.js";
import { button, fault } from "../parts/common.js";
import { custodyMap } from "../parts/custody-map.js";
import { oneLoss } from "../parts/custody.js";
import { dialog } from "../parts/dialog.js";
import { heading, waitingFor } from "../parts/heading.js";
import { incidentLine } from "../parts/incidents.js";
import { icon } from "../parts/icons.js";
import { keyRoute } from "../parts/identity.js";
import { optional } from "../parts/optional.js";
import { sections } from "../parts/sections.js";
import { inTrial, isOver, isTrial, overWords, trialCard } from "../parts/trial.js";
import { askToUnlock } from "../parts/unlock.js";

/** Seconds between two progress reports of the log check. */
const SECONDS_BETWEEN_WORDS = 2;

/** @param {import("../view.js").View} view */
export function security(view) {
  const lock = section(), session = section(), custody = section(), log = section();
  const trial = h("div", { hidden: true });
  view.draw(t("Security"), sections(view), lock, trial, custody, session, log);
  session.hidden = custody.hidden = true;
  view.watch("status", (status) => {
    drawLock(lock, status);
    trial.hidden = !status.trial;
    fill(trial, status.trial && trialCard());
  });
  view.watch("custody", (found) => drawCustody(custody, found));
  automaticLock(view, session);
  drawLog(log);
}

/** Nobody knows a trial's passphrase, so it never locks. @param {import("../view.js").View} view @param {HTMLElement} box */
async function automaticLock(view, box) {
  if (await inTrial() || !view.isOpen) return;
  optional(view, box, ["lock", "status"], async () => drawAutomaticLock(box, await call("session/show")));
}

function section() {
  return h("section", { class: "card" }, waitingFor());
}

/** @param {Element} box @param {any} found */
function drawCustody(box, found) {
  box.toggleAttribute("hidden", found.keys.length === 0 || isTrial());
  fill(
    box,
    heading("keys", t("What opens your keys")),
    verdict(found),
    custodyMap(found),
    oneLoss(found) && h("div", { class: "buttons" }, h("a", { class: "button primary", href: "#/security/vault" }, t("Add a second way")), h("a", { class: "button", href: "#/recovery" }, t("Make a recovery kit"))),
    receipts(found),
  );
}

/** The receipt of each key. @param {{keys: {name: string}[]}} custody */
function receipts({ keys }) {
  return h("p", { class: "help" }, t("What holds a key, what opens it and who can rebuild it, in full:"), keys.map((key) => [" ", h("a", { href: keyRoute(key, "/receipt"), dir: "auto" }, t("Receipt of {name}", { name: key.name }))]));
}

/** Whether one loss ends a key. @param {any} found */
function verdict(found) {
  const risk = oneLoss(found);
  return risk
    ? h("p", { class: "verdict fair" }, icon("warning"), h("span", {}, risk))
    : h("p", { class: "verdict good" }, icon("done"), h("span", {}, t("Each key has more than one way in."), " ", t("Against a broken disk, only a backup, an exported copy or the kit of a single key helps. A kit of the whole vault also needs a backup.")));
}

/** Shows a failure as a notice. @param {() => Promise<unknown>} work @param {string} [said] */
async function doing(work, said) {
  try {
    await work();
    if (said) notice(said);
  } catch (failure) {
    notice(/** @type {Error} */ (failure).message, { bad: true });
  }
}

/** @param {any} status @returns {{sign: string, title: string, words: string}} */
function lockWords(status) {
  if (isOver(status)) return { sign: status.suspended ? "paused" : "locked", title: t("The trial is over"), words: overWords() };
  if (status.suspended) {
    return {
      sign: "paused",
      title: t("The signer is locked down"),
      words: status.locked
        ? t("Your keys are wiped from memory until you resume with your passphrase.")
        : t("The signer is unlocked. To let your apps go on by your rules, resume."),
    };
  }
  if (status.trial) return { sign: "unlocked", title: t("The signer is unlocked"), words: t("It answers your apps by your rules, as long as the trial runs.") };
  return status.locked
    ? { sign: "locked", title: t("The signer is locked"), words: t("Your keys are wiped from memory. Once you unlock the signer, your rules answer what was asked meanwhile.") }
    : { sign: "unlocked", title: t("The signer is unlocked"), words: t("It answers your apps by your rules. When you lock it, keys are wiped from memory and apps wait.") };
}

/** @param {Element} box @param {any} status */
function drawLock(box, status) {
  const canLock = typeof status.locked === "boolean", isStopped = status.suspended === true;
  const { sign, title, words } = lockWords(status);
  box.classList.toggle("alarm", isStopped);
  fill(
    box,
    heading(sign, title),
    h("p", { class: "help" }, words),
    incidentLine(status) || (isStopped && h("p", {}, h("a", { href: "#/activity?decision=incidents" }, t("See what happened")))),
    canLock && h(
      "div",
      { class: "buttons" },
      status.trial
        ? null
        : isStopped
        ? button(t("Resume…"), () => askToUnlock("resume"), { class: "primary resumes" })
        : status.locked
        ? button(t("Unlock…"), () => askToUnlock(), { class: "primary" })
        : button(t("Lock now"), () =>
          doing(async () => {
            await call("lock");
            refresh("status");
          }, t("Locked."))),
      typeof status.suspended === "boolean" && !isStopped && !isOver(status) && button(t("Lock everything down…"), stop, { class: "quiet plain-danger" }),
    ),
  );
}

function stop() {
  return dialog(
    t("Lock everything down?"),
    [
      h(
        "p",
        {},
        t("Your keys are wiped from memory, no app is served, and waiting requests stay unanswered. Use it when something is wrong."),
      ),
      isTrial()
        ? h("p", { class: "warning" }, t("This ends the trial. Nobody knows its passphrase, so its keys are lost and it cannot be kept any more. Every browser is signed out, this one too."))
        : h("p", {}, t("Every browser is signed out, this one too. To continue, sign in again and resume with your passphrase. Signing in alone, also with a passkey, does not end it.")),
    ],
    {
      confirm: t("Lock everything down"),
      dangerous: true,
      act: async () => {
        const isLost = isTrial();
        await call("panic");
        notice(isLost ? t("The signer is locked down, and the trial is over.") : t("The signer is locked down. Sign in again to resume."), { isFarewell: true });
      },
    },
  );
}

/**
 * Checks the whole log. This takes minutes for a long one, so the signer reports its progress.
 * @param {(checked: number, of: number) => void} progress
 */
async function checkedLog(progress) {
  let found = await call("log/verify", { wait: SECONDS_BETWEEN_WORDS });
  while (found.running) {
    progress(found.checked, found.entries);
    found = await call("log/verify", { wait: SECONDS_BETWEEN_WORDS, check: found.check });
  }
  return found;
}

/** @param {Element} box */
function drawLog(box) {
  const result = h("div", { role: "status" });
  fill(
    box,
    heading("log", t("The log")),
    h(
      "p",
      { class: "help" },
      t("Every decision is recorded before anything is signed. A check reads the whole log and finds every entry that was changed, moved or removed."),
    ),
    result,
    h(
      "div",
      { class: "buttons" },
      button(t("Check the log"), async () => {
        try {
          const { ok, entries, fault: what } = await checkedLog((checked, of) =>
            fill(result, h("p", {}, tn(checked, "Checked {count} entry of {of} so far …", "Checked {count} entries of {of} so far …", { of }))),
          );
          fill(
            result,
            ok
              ? h("p", { class: "well" }, tn(entries, "The only entry is as it was written.", "All {count} entries are as they were written."))
              : h("p", { class: "fault" }, t("The log is not as it was written: {fault}", { fault: what })),
          );
        } catch (failure) {
          fill(result, fault(failure));
        }
      }),
      h("a", { href: "#/activity" }, t("See activity")),
    ),
  );
}
