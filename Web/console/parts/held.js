// Answers that this page holds back for ten seconds before it sends them, so that the person can take them back. What has been
// sent cannot be taken back.

import { call, settleBy } from "../api.js";
import { h, notice } from "../dom.js";
import { t, tn } from "../language.js";
import { refresh } from "../store.js";
import { button } from "./common.js";

/** How long an answer is held back, in milliseconds. */
const HELD = 10_000;
/** The most answers that are held back at once. Another one sends the oldest. */
const MOST = 3;

/**
 * Operations that may let a waiting request through, or end the session. A denial that is held back is sent before them: until then the
 * signer does not know of it, and a new rule or an opened key would carry the request out.
 */
const AFTER_DENIALS = new Set([
  ...["allow", "ask", "budget", "forget", "limit", "resume", "trust"].map((verb) => `client/${verb}`),
  ...["request/approve", "policy/set", "unlock", "resume", "lock", "panic", "trial/keep", "trial/restore", "session/close", "session/revoke", "session/set"],
]);

/** @typedef {{ids: string[], parameters: object, box: HTMLElement, timer: number}} Held */
/** @type {Held[]} */
const answers = [];
/** Requests whose denial was sent. The list contains them until it is fetched again. @type {Set<string>} */
const sent = new Set();
/** Says that something is held back, or no longer (`changed`), and which requests wait again (`restored`). */
export const holding = new EventTarget();

/** Whether a request was denied here, so that it is not shown any more. @param {string} id  of a request */
export function isHeld(id) {
  return sent.has(id) || answers.some(({ ids }) => ids.includes(id));
}

/** Denies requests in ten seconds. @param {string[]} ids @param {object} parameters  what is to be remembered @param {string} words  what was done */
export function denySoon(ids, parameters, words) {
  // What cannot be sent is not announced as done.
  if (document.body.classList.contains("lost")) return void notice(t("The signer cannot be reached, so nothing was denied. Try again once it answers."), { bad: true });
  while (answers.length >= MOST) send(answers[0]);
  const box = undoNotice(words, () => giveBack(held), () => send(held));
  /** @type {Held} */
  const held = { ids, parameters, box, timer: setTimeout(() => send(held), HELD) };
  answers.push(held);
  tell();
}

/** Says that there was nothing to take back, which is no longer so with the next notice that offers it. @type {HTMLElement | undefined} */
let inVain;

/** Presses “Undo” on the newest notice that has it, or says that there is none. */
export function takeBack() {
  inVain?.remove();
  const latest = /** @type {HTMLElement | undefined} */ ([...document.querySelectorAll("#notices [data-undo]")].at(-1));
  if (latest) latest.click();
  else inVain = notice(t("There is nothing to take back."));
}

/** Says which requests got no answer. @param {{why: string}[]} [missing] */
export function sayMissing(missing = []) {
  if (!missing.length) return;
  const words = tn(missing.length, "{count} request no longer waits", "{count} requests no longer wait");
  notice(`${words}: ${missing[0].why}`, { bad: true });
}

/**
 * A notice that offers to take something back, or to do more.
 * @param {string} words
 * @param {(() => unknown) | null} undo
 * @param {() => unknown} [now]  does at once what is held back
 * @param {{label: string, act: () => unknown}} [other]
 */
export function undoNotice(words, undo, now, other) {
  inVain?.remove();
  const closing = now ? t("Do it now") : t("Close");
  const act = (/** @type {string} */ label, /** @type {() => unknown} */ work, properties = {}) =>
    button(label, () => {
      box.remove();
      return work();
    }, { class: "on-notice", ...properties });
  // Of what was done at once, the newest notice takes the place of the one before. What is held back is shown until it is sent.
  if (!now) document.querySelector("#notices .undo.done")?.remove();
  const box = h(
    "div",
    { class: "notice undo" },
    h("span", {}, words),
    other && act(other.label, other.act),
    undo && act(t("Undo"), undo, { data: { undo: "" } }),
    button("×", () => {
      box.remove();
      return now?.();
    }, { class: "on-notice", "aria-label": closing, title: closing }),
  );
  box.classList.toggle("done", !now);
  document.getElementById("notices")?.append(box);
  setTimeout(() => box.remove(), HELD);
  return box;
}

/** Takes a held answer out. @param {Held} held @returns {boolean} whether it was still held back */
function end(held) {
  const at = answers.indexOf(held);
  if (at < 0) return false;
  answers.splice(at, 1);
  clearTimeout(held.timer);
  held.box.remove();
  tell();
  return true;
}

/** The requests wait again. @param {Held} held */
function giveBack(held) {
  if (end(held)) holding.dispatchEvent(new CustomEvent("restored", { detail: held.ids }));
}

/** @param {Held} held */
async function send(held) {
  for (const id of held.ids) sent.add(id);
  if (!end(held)) return;
  try {
    sayMissing((await call("request/deny", { ids: held.ids, ...held.parameters })).missing);
  } catch (failure) {
    for (const id of held.ids) sent.delete(id);
    const { message, hint } = /** @type {import("../api.js").Failure} */ (failure);
    notice([t("The denial was not sent, so the request still waits."), message, hint].filter(Boolean).join(" "), { bad: true });
    tell();
  } finally {
    refresh("requests");
  }
}

function tell() {
  holding.dispatchEvent(new Event("changed"));
}

/** Sends everything that is held back. */
function sendAll() {
  return Promise.all(answers.slice().map(send));
}

settleBy(async (operation) => {
  if (AFTER_DENIALS.has(operation)) await sendAll();
});

// A page that is closed, or out of sight on a phone, which may end it, sends what it holds back: the person said no.
addEventListener("pagehide", sendAll);
document.addEventListener("visibilitychange", () => {
  if (document.hidden) sendAll();
});
