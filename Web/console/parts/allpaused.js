// Pausing and resuming all apps. That all are paused, as after a restore, is said on Home until the owner has resumed them or chosen. Of an
// only app its row says so.

import { call } from "../api.js";
import { h, notice } from "../dom.js";
import { rich, t, tn } from "../language.js";
import { refresh } from "../store.js";
import { button } from "./common.js";
import { dialog } from "./dialog.js";
import { heading } from "./heading.js";
import { undoNotice } from "./held.js";

/** Whether there are several apps and each is paused. @param {{suspended?: boolean}[]} clients */
function areAllPaused(clients) {
  return clients.length > 1 && clients.every(({ suspended }) => suspended === true);
}

/** @param {any[]} clients @returns {HTMLElement | null} */
export function allPaused(clients) {
  if (!areAllPaused(clients)) return null;
  return h(
    "section",
    { class: "card careful" },
    heading("paused", t("All apps are paused")),
    h("p", {}, t("What they ask for waits quietly. After a restore, resume those that you still use, and revoke the others. If the old machine still runs, stop its signer first.")),
    h(
      "div",
      { class: "buttons" },
      button(t("Resume all…"), () => resumeAll(clients), { class: "primary" }),
      h("a", { class: "button", href: "#/apps" }, t("Choose")),
    ),
  );
}

/** The button that pauses all apps, or resumes them once all are paused; null where there is no app. @param {any[]} clients */
export function allButton(clients) {
  if (!clients.length) return null;
  const open = clients.filter(({ suspended }) => suspended !== true), data = { focus: "all-apps" };
  return open.length
    ? button(t("Pause all apps…"), () => pauseAll(open), { data })
    : button(t("Resume all…"), () => resumeAll(clients), { data });
}

/** @param {any[]} clients */
function names(clients) {
  return h("ul", { class: "plain" }, clients.map(({ name }) => h("li", { dir: "auto" }, name)));
}

/** @param {"suspend" | "resume"} verb @param {any[]} clients */
async function each(verb, clients) {
  for (const { signer } of clients) await call(`client/${verb}`, { client: signer });
}

function renew() {
  refresh("clients");
  refresh("requests");
}

/** Those that were paused before stay so, also after “Undo”. @param {any[]} clients  those that are not paused */
async function pauseAll(clients) {
  const done = await dialog(t("Pause all apps?"), [
    h("p", {}, t("They stay paired. What their rules do not deny waits at the end of Approvals, without a badge or a notification, until you resume them.")),
    names(clients),
    h("p", { class: "help" }, rich("Your keys stay unlocked and your browsers signed in. If somebody else may have this machine or a key, use “{link}”: it also wipes the keys from memory and signs out every browser.", {
      link: h("a", { href: "#/security" }, t("Lock everything down")),
    })),
  ], { confirm: t("Pause all"), act: () => each("suspend", clients) });
  renew();
  if (!done) return;
  undoNotice(tn(clients.length, "{count} app is paused.", "{count} apps are paused."), async () => {
    try {
      await each("resume", clients);
      notice(t("Taken back."));
    } catch (failure) {
      notice(/** @type {Error} */ (failure).message, { bad: true });
    }
    renew();
  });
}

/** @param {any[]} clients */
async function resumeAll(clients) {
  const done = await dialog(t("Resume all apps?"), [h("p", {}, t("Their rules apply again. What they asked for meanwhile still waits for you.")), names(clients)], {
    confirm: t("Resume all"),
    act: () => each("resume", clients),
  });
  renew();
  if (done) notice(t("All apps are resumed."));
}
