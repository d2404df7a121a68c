// Backups: one encrypted file with everything that is allowed to leave this machine.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { fromSigner, rich, t, tn } from "../language.js";
import { refresh } from "../store.js";
import { button, choice, fault, field, nothing, when } from "../parts/common.js";
import { checkBackup } from "../parts/check-backup.js";
import { checkFile } from "../parts/check-file.js";
import { verdicts } from "../parts/custody.js";
import { seconds } from "../parts/identity.js";
import { lastBackup } from "../parts/lastbackup.js";
import { ownerDialog } from "../parts/owner.js";
import { restoreSteps } from "../parts/restore-steps.js";
import { revokedSince } from "../parts/revokedfile.js";
import { wholeNumber } from "../parts/rules.js";
import { slotTypeWords } from "../parts/slots.js";
import { sections } from "../parts/sections.js";
import { storageFields } from "../parts/storage.js";
import { inTrial, trialCard } from "../parts/trial.js";
import { whileLocked } from "../parts/whilelocked.js";

/** @param {import("../view.js").View} view */
export async function backup(view) {
  const isTrial = await inTrial();
  if (!view.isOpen) return;
  if (isTrial) return view.draw(t("Backups"), sections(view), trialCard(), restoreCard());
  const [plan, list] = [h("section", { class: "card" }), h("section", { class: "card" })], missing = h("div", {});
  const restoring = restoreSteps(false);
  const now = lastBackup(view, () => {
    file.scrollIntoView({ block: "center" });
    file.querySelector("button")?.focus({ preventScroll: true });
  });
  const file = checkFile(view, now.checked), cards = [now.box, plan, list, file, restoring];
  view.draw(
    t("Backups"),
    sections(view),
    h(
      "p",
      { class: "lead" },
      t("A backup is one encrypted file with your keys, rules and settings. It opens on any machine with Holdfast, with what opened the vault when it was made, such as your passphrase or a recovery kit. After you change these, make a new one. It leaves out keys marked “this device only”."),
    ),
    whileLocked(view, t("Scheduled backups are made while the signer is locked, too. To make one here, or to check a file, unlock it.")),
    verdicts(view, "backup-fresh"),
    cards,
    missing,
  );
  for (const box of cards) box.hidden = true;
  const draw = async () => {
    const [{ plan: planned }, { backups = [], error }, { steps }] = await Promise.all([call("backup/plan"), call("backup/list"), overview()]);
    if (!view.isOpen) return;
    const stored = Math.max(planned?.last ?? 0, ...backups.map(made));
    const last = Math.max(stored, steps.find((/** @type {any} */ one) => one.step === "backup-fresh")?.last ?? 0);
    now.draw(stored, await revokedSince(last, planned));
    drawPlan(plan, planned, draw);
    drawList(list, backups, error);
    for (const box of cards) box.hidden = false;
    // Without a schedule there is nothing to list.
    list.hidden = !planned && !backups.length && !error;
  };
  view.keep(["status"], async () => {
    try {
      await draw();
    } catch (failure) {
      if (!(/** @type {any} */ (failure).isUnknown)) throw failure;
      fill(missing, nothing(t("Backups are not available in this signer")));
    }
  });
}

/** What protects the keys. A locked signer cannot say it: then nothing is known but the schedule. @returns {Promise<any>} */
async function overview() {
  try {
    return await call("custody/overview");
  } catch (failure) {
    if (/** @type {any} */ (failure).isLocked) return { steps: [] };
    throw failure;
  }
}

/** In a trial, the way to restore what another Holdfast backed up. */
function restoreCard() {
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("I already have a Holdfast")),
    h("p", {}, t("With a backup of it, and its passphrase or recovery kit, you go on here with the same keys.")),
    h("div", { class: "buttons" }, h("a", { class: "button", href: "#/restore" }, t("Restore a backup…"))),
  );
}

/** @param {any} one */
function made(one) {
  return seconds(one.made ?? one.time ?? 0);
}

/** @param {Element} box @param {any} plan @param {() => unknown} redraw */
function drawPlan(box, plan, redraw) {
  const faults = h("div", {});
  fill(
    box,
    h("h2", {}, t("Scheduled backups")),
    plan
      ? h(
        "p",
        {},
        rich("{every} to {place}, keeping {count}.", {
          every: h("strong", {}, every(String(plan.every))),
          place: h("code", { class: "whole" }, plan.to),
          count: plan.keep,
        }),
        " ",
        plan.last ? rich("The last one was made {when}.", { when: when(plan.last) }) : t("No backup was made yet."),
      )
      : h("p", { class: "help" }, t("No backups are scheduled.")),
    plan?.remark && h("p", { class: "warning" }, fromSigner(plan.remark)),
    plan?.failures > 0 && h("p", { class: "fault" }, t("The last attempt failed: {why}.", { why: fromSigner(plan.last_error ?? "") || t("the reason is unknown") })),
    faults,
    h(
      "div",
      { class: "buttons" },
      plan && button(t("Run it now"), async () => {
        fill(faults);
        try {
          await call("backup/run");
          notice(t("The backup is stored, and was read back."));
          await refresh("custody");
        } catch (failure) {
          fill(faults, fault(failure));
        }
        redraw();
      }),
      button(plan ? t("Change it…") : t("Set it up…"), () => schedule(plan, redraw)),
      plan && button(t("Stop it"), async () => {
        try {
          await call("backup/schedule", { off: true });
        } catch (failure) {
          notice(/** @type {Error} */ (failure).message, { bad: true });
        }
        redraw();
      }, { class: "quiet" }),
    ),
  );
}

/** A place in one line, as a person types it. @param {any} plan */
function address({ to, endpoint, region }) {
  const more = [endpoint && `endpoint=${endpoint}`, region && `region=${region}`].filter(Boolean);
  return more.length ? `${to}?${more.join("&")}` : to;
}

/** "Every day" for "1d", "Every 12 hours" for "12h". @param {string} text */
function every(text) {
  const [, count, unit] = /^(\d+)([mhdw])$/.exec(text) ?? [];
  switch (unit) {
    case "m":
      return tn(Number(count), "Every minute", "Every {count} minutes");
    case "h":
      return tn(Number(count), "Every hour", "Every {count} hours");
    case "d":
      return tn(Number(count), "Every day", "Every {count} days");
    case "w":
      return tn(Number(count), "Every week", "Every {count} weeks");
    default:
      return text;
  }
}

/** @param {any} plan @param {() => unknown} redraw */
async function schedule(plan, redraw) {
  const place = storageFields(plan ? address(plan) : "");
  const usual = ["1h", "12h", "1d", "1w"], now = String(plan?.every ?? "1d");
  const often = choice(t("How often"), [...new Set([...usual, now])].map((one) => [one, every(one)]), now);
  const keep = field(t("How many to keep"), { inputmode: "numeric", required: true, rule: wholeNumber(1, 999), value: String(plan?.keep ?? 10) });
  const done = await ownerDialog(t("Schedule backups"), [place.to, place.more, h("div", { class: "inline" }, often.box, keep.box)], {
    confirm: t("Save"),
    act: async (perform) => {
      await perform("backup/schedule", { to: place.address(), every: often.select.value, keep: Number(keep.input.value) }, place.secrets());
      place.clear();
    },
  });
  if (done) notice(t("Saved. To test it, run it now."));
  redraw();
}

/** Which of the present ways in open a backup, and which do not. @param {{opens_with?: any[], not_with?: any[]}} one */
function openers({ opens_with: open = [], not_with: closed = [] }) {
  const names = (/** @type {any[]} */ ways) => ways.map((way) => way.label || slotTypeWords(way.type)).join(", ");
  return [open.length > 0 && t("Opens with: {ways}", { ways: names(open) }), closed.length > 0 && t("Does not open with: {ways}", { ways: names(closed) })].filter(Boolean);
}

/** @param {Element} box @param {any[]} backups @param {string} [error]  why they cannot be listed now */
function drawList(box, backups, error) {
  fill(
    box,
    h("h2", {}, t("Backups of the schedule")),
    error && h("p", { class: "fault" }, fromSigner(error)),
    backups.length
      ? h(
        "ul",
        { class: "rows" },
        [...backups].sort((a, b) => made(b) - made(a)).map((one) =>
          h(
            "li",
            { class: "row wraps" },
            h(
              "span",
              { class: "row-words" },
              h("strong", { class: "whole" }, one.name ?? one.to ?? t("A backup")),
              one.to && one.name && h("span", { class: "whole" }, one.to),
              openers(one).map((words) => h("span", { class: "whole" }, words)),
            ),
            one.verified && h("span", { class: "tag good" }, t("checked")),
            one.error && h("span", { class: "tag bad" }, t("failed")),
            h("span", { class: "row-time" }, when(made(one))),
            one.name && button(t("Check it…"), () => checkBackup(one.name), { class: "quiet" }),
          )
        ),
      )
      : nothing(t("None yet")),
    backups.length > 0 && h("p", { class: "help" }, t("Beside them lies a file that ends in -revoked.hfr: the list of the apps that you revoked. Keep it with the backups, so that a restored one lets none of these apps in.")),
  );
}
