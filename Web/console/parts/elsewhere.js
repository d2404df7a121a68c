// The settings that have a page of their own, each with what holds now.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { rich, t, tn } from "../language.js";
import { stretch } from "../words.js";
import { when } from "./common.js";
import { heading } from "./heading.js";
import { icon } from "./icons.js";
import { isOn } from "./locking.js";
import { inTrial } from "./trial.js";

/** @typedef {{href: string, title: string, value: import("../dom.js").Child}} Setting */

/** @param {import("../view.js").View} view @param {HTMLElement} box */
export async function elsewhere(view, box) {
  const [isTrial, session, slots, sessions, status, custody] = await Promise.all([
    inTrial(),
    ...["session/show", "slot/list", "session/list", "status", "custody/overview"].map((one) => call(one).catch(() => null)),
  ]);
  if (!view.isOpen) return;
  const found = /** @type {(Setting | false | null)[]} */ ([
    !isTrial && session && { href: "#/security", title: t("When it locks by itself"), value: lockWords(session) },
    !isTrial && slots && { href: "#/security/vault", title: t("Ways in"), value: tn(slots.slots.length, "{count} way to unlock", "{count} ways to unlock") },
    sessions && { href: "#/security/console", title: t("Signed-in browsers and passkeys"), value: tn(sessions.sessions.length, "{count} browser", "{count} browsers") },
    status && { href: "#/phone", title: t("On your phone"), value: phoneWords(status) },
    status && { href: "#/relays", title: t("Relays"), value: tn((status.relays ?? []).length, "{count} relay", "{count} relays") },
    !isTrial && custody && { href: "#/backup", title: t("Backups"), value: backupWords(custody) },
  ]);
  fill(box, heading("settings", t("Other settings")), h("ul", { class: "rows" }, found.filter(Boolean).map((one) => row(/** @type {Setting} */ (one)))));
}

/** @param {Setting} setting */
function row({ href, title, value }) {
  return h("li", {}, h("a", { class: "row", href }, h("span", { class: "row-words" }, h("strong", {}, title), h("span", {}, value)), icon("next")));
}

/** @param {any} state  what `session/show` says */
function lockWords({ lock_after: after, ...state }) {
  const said = [
    after !== null && t("after {time} without you", { time: stretch(after) }),
    isOn(state.lock_on_suspend, state.hears_suspend) && t("when the machine goes to sleep"),
    isOn(state.lock_on_desktop_lock, state.hears_desktop_lock) && t("with the desktop"),
  ].filter(Boolean);
  return said.length ? said.join(", ") : t("never");
}

/** @param {{console_elsewhere?: string[]}} status */
function phoneWords({ console_elsewhere: addresses = [] }) {
  return addresses.length ? t("this console is at {address}", { address: addresses[0] }) : t("this console opens on this machine only");
}

/** @param {{steps: any[]}} custody */
function backupWords({ steps }) {
  const last = steps.find(({ step }) => step === "backup-fresh")?.last;
  return last ? rich("last made {when}", { when: when(last) }) : t("none yet");
}
