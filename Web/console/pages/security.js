// Locking, the emergency stop, browser sessions, ways to unlock, notifications, and the check of the log.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { rich, t, tn } from "../language.js";
import { refresh } from "../store.js";
import { button, fault, when } from "../parts/common.js";
import { custodyMap, needsCopy } from "../parts/custody-map.js";
import { lossWords } from "../parts/custody.js";
import { heading, waitingFor } from "../parts/heading.js";
import { icon, slotIcon } from "../parts/icons.js";
import { dialog } from "../parts/dialog.js";
import { languageChoice } from "../parts/languages.js";
import { drawNames } from "../parts/names.js";
import { notifications } from "../parts/notifications.js";
import { browserName, enrol, newPasskey } from "../parts/enrol.js";
import { optional } from "../parts/optional.js";
import { passkeysWork } from "../parts/passkeys.js";
import { slotTypeWords, worked } from "../parts/slots.js";
import { isOver, isTrial, overWords, trialCard } from "../parts/trial.js";
import { askToUnlock } from "../parts/unlock.js";

/** Seconds between two progress reports of the log check. */
const SECONDS_BETWEEN_WORDS = 2;

/** @param {import("../view.js").View} view */
export function security(view) {
  const lock = section(), custody = section(), sessions = section(), passkeys = section(), unlocking = section(), push = section(), names = section(), log = section();
  const trial = h("div", { hidden: true });
  view.draw(t("Security"), lock, trial, custody, unlocking, passkeys, sessions, push, names, log, h("section", { class: "card" }, languageChoice()));
  view.watch("status", (status) => {
    drawLock(lock, status);
    // Nothing of it can be followed in a trial.
    unlocking.hidden = status.trial === true;
    trial.hidden = !status.trial;
    fill(trial, status.trial && trialCard());
  });
  custody.hidden = true;
  view.watch("custody", (found) => drawCustody(custody, found));
  optional(view, sessions, ["sessions"], () => drawSessions(sessions));
  optional(view, passkeys, ["sessions"], () => drawPasskeys(passkeys, renewUnlocking));
  notifications(view, push);
  optional(view, names, [], () => drawNames(names));
  drawUnlocking(unlocking, [{ type: "passphrase" }], false);
  const renewUnlocking = async () => {
    const { slots } = await call("slot/list").catch((failure) => {
      if (!failure.isUnknown) throw failure;
      return { slots: null };
    });
    if (slots && view.isOpen) drawUnlocking(unlocking, slots, true);
  };
  view.keep(["lock", "status", "sessions"], renewUnlocking);
  drawLog(log);
}

function section() {
  return h("section", { class: "card" }, waitingFor());
}

/** @param {Element} box @param {any} found */
function drawCustody(box, found) {
  box.toggleAttribute("hidden", found.keys.length === 0 || isTrial());
  const risk = lossWords(found);
  fill(
    box,
    heading("keys", t("What opens your keys")),
    risk
      ? h("p", { class: "verdict fair" }, icon("warning"), h("span", {}, risk, " ", h("a", { href: "#/security/vault" }, t("Add a second way"))))
      : h("p", { class: "verdict good" }, icon("done"), h("span", {}, opened(found), " ", t("Against a broken disk, only a backup, an exported copy or the kit of a single key helps. A kit of the whole vault also needs a backup."))),
    custodyMap(found),
  );
}

/** Why no loss ends a key. @param {any} found */
function opened({ keys }) {
  return keys.some(needsCopy)
    ? t("Each key has more than one way in, or an exported copy that restores it as long as you still have that copy.")
    : t("Each key has more than one way in.");
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
        ? t("Your keys are wiped from memory, and no app is served until you resume with your passphrase.")
        : t("The signer is unlocked, but every use of a key asks you until you resume with your passphrase."),
    };
  }
  return status.locked
    ? { sign: "locked", title: t("The signer is locked"), words: t("Your keys are wiped from memory. Apps wait, and their requests are kept.") }
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
    status.new_incidents > 0 &&
      h(
        "p",
        { class: "warning" },
        tn(status.new_incidents, "{count} incident to check.", "{count} incidents to check."),
        " ",
        h("a", { href: "#/activity?decision=security" }, t("See what happened")),
        " ",
        button(t("I have checked it"), () =>
          doing(async () => {
            await call("incidents/checked");
            refresh("status");
          }), { class: "quiet" }),
      ),
    canLock && h(
      "div",
      { class: "buttons" },
      status.trial
        ? null
        : isStopped
        ? button(t("Resume…"), () => askToUnlock("resume"), { class: "primary" })
        : status.locked
        ? button(t("Unlock…"), () => askToUnlock(), { class: "primary" })
        : button(t("Lock now"), () =>
          doing(async () => {
            await call("lock");
            refresh("status");
          }, t("Locked."))),
      !status.trial && h("a", { href: "#/security/vault" }, t("When it locks by itself")),
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
        notice(isLost ? t("The signer is locked down, and the trial is over.") : t("The signer is locked down. Sign in again to resume."));
      },
    },
  );
}

/** How a browser signed in, and since when. @param {any} one */
function signedIn(one) {
  const times = { made: when(one.made), seen: when(one.last_seen) };
  return one.by === "passkey" ? rich("by passkey {made}, last seen {seen}", times) : rich("by link {made}, last seen {seen}", times);
}

/** @param {Element} box */
async function drawSessions(box) {
  const { sessions } = await call("session/list");
  fill(
    box,
    heading("browser", t("Signed-in browsers")),
    h(
      "ul",
      { class: "rows" },
      sessions.map((/** @type {any} */ one) =>
        h(
          "li",
          { class: "row" },
          h(
            "span",
            { class: "row-words" },
            h(
              "strong",
              { dir: "auto" },
              browserName(one.agent),
              one.current && [" ", h("span", { class: "tag good" }, t("this one"))],
            ),
            h(
              "span",
              {},
              signedIn(one),
            ),
          ),
          !one.current &&
            button(t("Sign out"), () => doing(() => call("session/revoke", { id: one.id }), t("Signed out.")), {
              class: "quiet",
              data: { focus: `session-${one.id}` },
            }),
        )
      ),
    ),
    h(
      "div",
      { class: "buttons" },
      button(t("Sign out here"), () =>
        doing(async () => {
          await call("session/close");
          location.reload();
        })),
    ),
  );
}

/** @param {Element} box @param {() => Promise<void>} renewUnlocking  draws the ways to unlock again */
async function drawPasskeys(box, renewUnlocking) {
  const { passkeys } = await call("passkey/list");
  fill(
    box,
    heading("passkey", t("Passkeys")),
    h(
      "p",
      { class: "help" },
      t("A passkey signs you in here with a fingerprint, your face or a security key, without a link from the terminal."),
      !isTrial() && ` ${t("It can also unlock the keys.")}`,
    ),
    passkeys.length > 0 && h(
      "ul",
      { class: "rows" },
      passkeys.map((/** @type {any} */ one) =>
        h(
          "li",
          { class: "row wraps" },
          h(
            "span",
            { class: "row-words" },
            h("strong", { dir: "auto" }, one.name, one.slot !== null && one.slot !== undefined && [" ", h("span", { class: "tag good" }, t("unlocks"))]),
            h(
              "span",
              {},
              one.last_used
                ? rich("added {made}, last used {used}", { made: when(one.made), used: when(one.last_used) })
                : rich("added {made}, not used yet", { made: when(one.made) }),
            ),
          ),
          h(
            "div",
            { class: "buttons small" },
            one.slot === null && passkeysWork() && !isTrial() &&
              button(t("Let it unlock…"), async () => {
                if (!await enrol(one)) return;
                refresh("custody");
                await Promise.all([drawPasskeys(box, renewUnlocking), renewUnlocking()]);
              }, { class: "quiet" }),
            button(t("Remove…"), () => removePasskey(one), { class: "quiet plain-danger" }),
          ),
        )
      ),
    ),
    passkeysWork() ? h("div", { class: "buttons" }, button(t("Add a passkey"), newPasskey)) : h(
      "p",
      { class: "help" },
      location.hostname === "127.0.0.1"
        ? t("Browsers allow passkeys only at a host name, not at a numeric address. Open the console at {address} to add one.", {
          address: `${location.protocol}//localhost:${location.port}/`,
        })
        : t("Browsers allow passkeys only at localhost or over HTTPS at a host name."),
    ),
  );
}

/** @param {any} passkey */
function removePasskey(passkey) {
  return dialog(t("Remove the passkey “{name}”?", { name: passkey.name }), [
    h("p", {}, t("It can no longer sign you in. Without another passkey, the next sign-in needs a link from the terminal.")),
  ], {
    confirm: t("Remove"),
    dangerous: true,
    act: () => call("passkey/remove", { id: passkey.id }),
  });
}

/** @param {Element} box @param {any[]} slots @param {boolean} isManaged  whether the signer can change them */
function drawUnlocking(box, slots, isManaged) {
  fill(
    box,
    heading("vault", t("Ways to unlock the keys")),
    h(
      "ul",
      { class: "rows" },
      slots.map((one) =>
        h(
          "li",
          { class: "row" },
          h("span", { class: `symbol ${!isManaged || one.last_worked ? "good" : "fair"}` }, icon(slotIcon(one.type))),
          h(
            "span",
            { class: "row-words" },
            h("strong", { dir: "auto" }, one.label || slotTypeWords(one.type)),
            h("span", {}, isManaged ? worked(one) : t("opens everything in this vault")),
          ),
        )
      ),
    ),
    h("p", { class: "help" }, t("Signing in here does not open the keys. To open them, you need one of these.")),
    isManaged && h("div", { class: "buttons" }, h("a", { class: "button", href: "#/security/vault" }, t("Test and change them"))),
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
