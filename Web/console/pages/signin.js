// The sign-in page: a passkey if the signer has one for this address, the passphrase where the signer accepts it, and the link from a terminal.

import { call } from "../api.js";
import { clearNotices, fill, h, notice } from "../dom.js";
import { fromSigner, t } from "../language.js";
import { button, fault } from "../parts/common.js";
import { heading } from "../parts/heading.js";
import { atHome } from "../parts/starting.js";
import { command } from "../parts/thismachine.js";
import { languageChoice } from "../parts/languages.js";
import { noPasskeysHere } from "../parts/nopasskeys.js";
import { passkeysWork, signInWithPasskey, unlockedHere } from "../parts/passkeys.js";
import { passphraseForm, passphraseOptions } from "../parts/passphrase.js";

/** The run of the signer in which this browser was last signed in. */
const RUN = "holdfast-run";

/** Remembers in which run of the signer this browser is signed in. @param {{run?: string}} state  as `session/state` answers */
export function rememberRun({ run }) {
  if (run) localStorage.setItem(RUN, run);
}

/** Whether the signer was restarted since this browser was signed in. @param {{run?: string}} state */
function wasRestarted({ run }) {
  const before = localStorage.getItem(RUN);
  return before !== null && run !== undefined && before !== run;
}

/**
 * @param {import("../view.js").View} view
 * @param {(state: any) => Promise<void>} enter
 * @param {any} [failure]  of a sign-in link
 * @param {{has_passkeys?: boolean, run?: string, locked?: boolean, locked_down?: boolean} | null} [state]
 */
export async function signIn(view, enter, failure = null, state = null) {
  const restarted = h("p", { class: "help", hidden: true }, t("The signer was restarted, so every browser signs in again."));
  const stopped = h("section", { class: "card alarm", hidden: true }, heading("paused", t("The signer is locked down")), h("p", {}, t("You can sign in here, but that does not end the lockdown. To end it, resume with your passphrase afterwards.")));
  const ways = h("div", { class: "fields-box" }), faults = h("div", {}, failure && fault(failure));
  // The session's end may be noticed before or after the answer that says why.
  clearNotices({ butFarewell: true });
  view.root.className = "alone";
  view.draw(t("Sign in"), h("p", {}, t("This console belongs to the owner of the signer.")), stopped, restarted, faults, ways, languageChoice());
  const [known, { accepted: takesPassphrase = false, home }] = await Promise.all([state ?? call("session/state").catch(() => ({})), passphraseOptions()]);
  if (!view.isOpen) return;
  restarted.hidden = !wasRestarted(known);
  stopped.hidden = known.locked_down !== true;
  const done = () => {
    rememberRun(known);
    return enter(known);
  };
  const hasPasskey = known.has_passkeys === true && passkeysWork();
  const shown = [hasPasskey && passkeyButtons(faults, canUnlock(known), done), takesPassphrase && byPassphrase(!hasPasskey, known, done, home)].filter(Boolean);
  fill(ways, between(shown, takesPassphrase), byLink(takesPassphrase, home), !passkeysWork() && noPasskeysHere());
  if (takesPassphrase && !hasPasskey) focusFirst(ways);
}

/** The ways to sign in, with “or” between them, and before a way that is not folded. @param {HTMLElement[]} shown @param {boolean} isFolded */
function between(shown, isFolded) {
  const or = () => h("p", { class: "or" }, t("or"));
  return [shown.flatMap((way, index) => (index ? [or(), way] : [way])), shown.length > 0 && !isFolded && or()];
}

/** Puts the cursor into the first field, unless the person has gone elsewhere already. @param {HTMLElement} ways */
function focusFirst(ways) {
  const at = document.activeElement;
  if (!at || at === document.body || at.tagName === "H1") ways.querySelector("input")?.focus({ preventScroll: true });
}

/** Whether the sign-in may unlock the signer, too: it is locked, and no lockdown keeps it so. @param {{locked?: boolean, locked_down?: boolean}} state */
function canUnlock({ locked = false, locked_down: isStopped = false }) {
  return locked && !isStopped;
}

/** @param {boolean} isFirst @param {{locked?: boolean, locked_down?: boolean}} known @param {() => Promise<void>} done @param {string | null} [home] */
function byPassphrase(isFirst, known, done, home) {
  return passphraseForm({
    isFirst,
    home,
    unlocks: canUnlock(known),
    signedIn: async ({ unlocked }) => {
      await done();
      if (unlocked) notice(t("Signed in, and the keys are open."));
    },
  });
}

/** How to get a link. @param {boolean} isFolded  because there is another way @param {string | null} [home] */
function byLink(isFolded, home) {
  const steps = linkSteps(home);
  return isFolded ? h("details", { class: "more" }, h("summary", {}, t("Sign in with a link from a terminal")), steps) : steps;
}

/** @param {string | null} [home]  known to the owner’s own browser only */
function linkSteps(home) {
  return h(
    "div",
    { class: "fields-box" },
    h("p", {}, t("To sign in, get a link from the signer:")),
    command(atHome("holdfast console", home)),
    h(
      "p",
      { class: "help" },
      t("Type this in a terminal on the signer's machine. Then open the printed link in this browser. The link works once, within ten minutes."),
    ),
    !home && h("p", { class: "help" }, t("If the vault is not in the usual folder, or this is a trial, add --home FOLDER. The signer's first lines name the folder.")),
  );
}

/** Why the passkey that signed in opened nothing, if the signer had nothing to open with it. */
async function whyLocked() {
  const { suspended } = await call("status").catch(() => ({}));
  return suspended
    ? t("The signer is locked down, and no passkey ends that. Resume first, with your passphrase.")
    : t("This passkey does not unlock them here. Use another way.");
}

/** @param {HTMLElement} faults @param {boolean} canOpen  whether a passkey may unlock the signer, too @param {() => Promise<void>} enter */
function passkeyButtons(faults, canOpen, enter) {
  /** @param {string} label @param {boolean} unlocking @param {object} [look] */
  const way = (label, unlocking, look) =>
    button(label, async () => {
      fill(faults);
      try {
        const { unlocked, why_locked: why } = await signInWithPasskey({ unlocking });
        await enter();
        if (unlocked) notice(t("Signed in, and the keys are open."));
        else if (unlocking) notice(t("Signed in. The keys stay locked: {why}", { why: why ? fromSigner(why) : await whyLocked() }), { bad: true });
      } catch (error) {
        fill(faults, fault(error));
      }
    }, look);
  return h(
    "div",
    { class: "fields-box" },
    h(
      "div",
      { class: "buttons" },
      way(t("Sign in with a passkey"), false, { class: "primary" }),
      unlockedHere() && canOpen && way(t("Sign in with a passkey and unlock the keys"), true),
    ),
  );
}
