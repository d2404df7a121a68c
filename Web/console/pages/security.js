// Locking, the emergency stop, browser sessions, ways to unlock, notifications, and the check of the log.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { refresh } from "../store.js";
import { counted } from "../words.js";
import { button, fault, when } from "../parts/common.js";
import { dialog } from "../parts/dialog.js";
import { languageChoice } from "../parts/languages.js";
import { notifications } from "../parts/notifications.js";
import { browserName, enrol, newPasskey } from "../parts/enrol.js";
import { optional } from "../parts/optional.js";
import { passkeysWork } from "../parts/passkeys.js";
import { slotTypeWords } from "../parts/slots.js";
import { askToUnlock } from "../parts/unlock.js";

/** Seconds between two progress reports of the log check. */
const SECONDS_BETWEEN_WORDS = 2;

/** @param {import("../view.js").View} view */
export function security(view) {
  const lock = section(), sessions = section(), passkeys = section(), unlocking = section(), push = section(), log = section();
  view.draw("Security", lock, sessions, passkeys, push, unlocking, log, h("section", { class: "card" }, languageChoice()));
  view.watch("status", (status) => drawLock(lock, status));
  optional(view, sessions, ["sessions"], () => drawSessions(sessions));
  optional(view, passkeys, ["sessions"], () => drawPasskeys(passkeys));
  notifications(view, push);
  drawUnlocking(unlocking, [{ type: "passphrase" }], false);
  view.keep(["lock", "status", "sessions"], async () => {
    const { slots } = await call("slot/list").catch((failure) => {
      if (!failure.isUnknown) throw failure;
      return { slots: null };
    });
    if (slots) drawUnlocking(unlocking, slots, true);
  });
  drawLog(log);
}

function section() {
  return h("section", { class: "card" });
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

/** @param {Element} box @param {any} status */
function drawLock(box, status) {
  const canLock = typeof status.locked === "boolean", isStopped = status.suspended === true;
  const state = isStopped ? "The signer is locked down" : status.locked ? "The signer is locked" : "The signer is unlocked";
  const words = isStopped
    ? status.locked
      ? "Your keys are wiped from memory, and no app is served until you resume with your passphrase."
      : "The signer is unlocked, but every use of a key asks you until you resume with your passphrase."
    : status.locked
    ? "Your keys are wiped from memory. Apps wait, and their requests are kept."
    : "It answers your apps by your rules. When you lock it, keys are wiped from memory and apps wait.";
  fill(
    box,
    h("h2", {}, state),
    h("p", { class: "help" }, words),
    status.incidents > 0 &&
      h(
        "p",
        { class: "warning" },
        `${counted(status.incidents, "incident")} to check. `,
        h("a", { href: "#/activity?decision=security" }, "See what happened"),
      ),
    canLock && h(
      "div",
      { class: "buttons" },
      isStopped
        ? button("Resume…", () => askToUnlock("resume"), { class: "primary" })
        : status.locked
        ? button("Unlock…", () => askToUnlock(), { class: "primary" })
        : button("Lock now", () =>
          doing(async () => {
            await call("lock");
            refresh("status");
          }, "Locked.")),
      typeof status.suspended === "boolean" && !isStopped && button("Lock everything down…", stop, { class: "plain-danger" }),
    ),
  );
}

function stop() {
  return dialog(
    "Lock everything down?",
    [
      h(
        "p",
        {},
        "Your keys are wiped from memory, all apps are paused, and waiting requests stay unanswered. Use it when something is wrong.",
      ),
      h("p", {}, "Every browser is signed out, this one too. To continue, sign in with a new link and resume with your passphrase."),
    ],
    {
      confirm: "Lock everything down",
      dangerous: true,
      act: async () => {
        await call("panic");
        notice("The signer is locked down. Sign in again to resume.");
      },
    },
  );
}

/** @param {Element} box */
async function drawSessions(box) {
  const { sessions } = await call("session/list");
  fill(
    box,
    h("h2", {}, "Signed-in browsers"),
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
              one.current && [" ", h("span", { class: "tag good" }, "this one")],
            ),
            h(
              "span",
              {},
              `by ${one.by === "passkey" ? "passkey" : "link"}, since `,
              when(one.made),
              ", last seen ",
              when(one.last_seen),
            ),
          ),
          !one.current &&
            button("Sign out", () => doing(() => call("session/revoke", { id: one.id }), "Signed out."), {
              class: "quiet",
              data: { focus: `session-${one.id}` },
            }),
        )
      ),
    ),
    h(
      "div",
      { class: "buttons" },
      button("Sign out here", () =>
        doing(async () => {
          await call("session/close");
          location.reload();
        })),
    ),
  );
}

/** @param {Element} box */
async function drawPasskeys(box) {
  const { passkeys } = await call("passkey/list");
  fill(
    box,
    h("h2", {}, "Passkeys"),
    h(
      "p",
      { class: "help" },
      "A passkey signs you in here with a fingerprint, your face or a security key, without a link from the terminal. It can also unlock the keys.",
    ),
    passkeys.length > 0 && h(
      "ul",
      { class: "rows" },
      passkeys.map((/** @type {any} */ one) =>
        h(
          "li",
          { class: "row" },
          h(
            "span",
            { class: "row-words" },
            h("strong", { dir: "auto" }, one.name, one.slot !== null && one.slot !== undefined && [" ", h("span", { class: "tag good" }, "unlocks")]),
            h("span", {}, "added ", when(one.made), one.last_used ? [", last used ", when(one.last_used)] : ", not used yet"),
          ),
          h(
            "div",
            { class: "buttons small" },
            one.slot === null && passkeysWork() &&
              button("Let it unlock…", async () => {
                if (await enrol(one)) await drawPasskeys(box);
              }, { class: "quiet" }),
            button("Remove…", () => removePasskey(one), { class: "quiet plain-danger" }),
          ),
        )
      ),
    ),
    passkeysWork() ? h("div", { class: "buttons" }, button("Add a passkey", newPasskey)) : h(
      "p",
      { class: "help" },
      location.hostname === "127.0.0.1"
        ? `Browsers allow passkeys only at a host name, not at a numeric address. Open the console at http://localhost:${location.port}/ to add one.`
        : "Browsers allow passkeys only at localhost or over HTTPS at a host name.",
    ),
  );
}

/** @param {any} passkey */
function removePasskey(passkey) {
  return dialog(`Remove the passkey “${passkey.name}”?`, [
    h("p", {}, "It can no longer sign you in. Without another passkey, the next sign-in needs a link from the terminal."),
  ], {
    confirm: "Remove",
    dangerous: true,
    act: () => call("passkey/remove", { id: passkey.id }),
  });
}

/** @param {Element} box @param {any[]} slots @param {boolean} isManaged  whether the signer can change them */
function drawUnlocking(box, slots, isManaged) {
  fill(
    box,
    h("h2", {}, "Ways to unlock the keys"),
    h(
      "ul",
      { class: "rows" },
      slots.map((one) =>
        h(
          "li",
          { class: "row" },
          h("span", { class: `dot ${one.last_tested || !isManaged ? "good" : "fair"}`, "aria-hidden": "true" }),
          h(
            "span",
            { class: "row-words" },
            h("strong", { dir: "auto" }, one.label || slotTypeWords(one.type)),
            h("span", {}, isManaged ? one.last_tested ? "tested" : "never tested" : "opens everything in this vault"),
          ),
        )
      ),
    ),
    h("p", { class: "help" }, "Signing in here does not open the keys. To open them, you need one of these."),
    isManaged && h("div", { class: "buttons" }, h("a", { class: "button", href: "#/security/vault" }, "Test and change them")),
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
    h("h2", {}, "The log"),
    h(
      "p",
      { class: "help" },
      "Every decision is recorded before anything is signed. A check reads the whole log and finds every entry that was changed, moved or removed.",
    ),
    result,
    h(
      "div",
      { class: "buttons" },
      button("Check the log", async () => {
        try {
          const { ok, entries, fault: what } = await checkedLog((checked, of) =>
            fill(result, h("p", {}, `Checked ${counted(checked, "entry", "entries")} of ${of} so far …`)),
          );
          fill(
            result,
            ok
              ? h("p", { class: "well" }, `All ${counted(entries, "entry", "entries")} are as they were written.`)
              : h("p", { class: "fault" }, `The log is not as it was written: ${what}`),
          );
        } catch (failure) {
          fill(result, fault(failure));
        }
      }),
      h("a", { href: "#/activity" }, "See activity"),
    ),
  );
}
