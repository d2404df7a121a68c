// One card of the approvals page: a request, or several similar requests of one app that are answered together.

import { fill, h } from "../dom.js";
import { appRoute } from "../router.js";
import { capital, clock, counted, DURATIONS } from "../words.js";
import { asker, parts, raw, repeats } from "./account.js";
import { avatar, button, keyText, when } from "./common.js";
import { hush } from "./guard.js";
import { wantsPresence } from "./presence.js";

/** @typedef {import("./account.js").Account} Account */
/** @typedef {{key: string, requests: Account[]}} Group */

/** Groups the requests of each batch, in the order of their first request. @param {Account[]} requests @returns {Group[]} */
export function grouped(requests) {
  /** @type {Map<string, Account[]>} */
  const groups = new Map();
  for (const request of [...requests].sort((a, b) => a.received - b.received)) {
    const key = request.batch ? `batch ${request.batch}` : request.id;
    groups.set(key, [...(groups.get(key) ?? []), request]);
  }
  return [...groups].map(([key, members]) => ({ key, requests: members }));
}

/**
 * @param {Group} group
 * @param {(card: HTMLElement, ids: string[], approve: boolean, remember: string) => unknown} answer
 */
export function makeCard(group, answer) {
  const card = h("article", { class: "card request", tabindex: "-1", "aria-label": label(group) });
  renewCard(card, group, answer);
  return card;
}

/**
 * @param {HTMLElement} card
 * @param {Group} group
 * @param {(card: HTMLElement, ids: string[], approve: boolean, remember: string) => unknown} answer
 */
export function renewCard(card, group, answer) {
  const shown = group.requests.map(({ id }) => id).join(" ");
  if (card.dataset.ids === shown) return;
  // The buttons' meaning has changed. A click already in progress is not meant for the new one.
  if (card.dataset.ids !== undefined) hush(card);
  card.dataset.ids = shown;
  card.setAttribute("aria-label", label(group));
  fill(
    card,
    heading(group),
    group.requests.length > 1 ? several(group, (ids, approve) => answer(card, ids, approve, "once")) : single(group.requests[0]),
    answers(card, group, answer),
  );
}

/** @param {Group} group */
function label({ requests: [first, ...rest] }) {
  return `${first.client.name} asks as ${first.identity.name}: ${rest.length ? first.batch_title ?? first.title : first.title}`;
}

/** @param {Group} group */
function heading({ requests }) {
  const [first] = requests;
  const title = requests.length > 1 ? first.batch_title ?? `${requests.length} × ${first.title}` : first.title;
  return h(
    "header",
    { class: "request-head" },
    avatar(first.client.name, first.client.pubkey),
    h(
      "div",
      { class: "request-words" },
      asker(first),
      h("h2", {}, title, " ", repeats(first)),
      h("p", { class: "as" }, "as ", h("strong", { dir: "auto" }, first.identity.name), " ", keyText(first.identity.npub)),
    ),
    h(
      "div",
      { class: "request-time" },
      when(first.received),
      first.expires && h("span", {}, "until ", clock(first.expires)),
    ),
  );
}

/** @param {Account} request */
function single(request) {
  return h("div", {}, parts(request), why(request), presenceLine(request), raw(request));
}

/** @param {Account} request */
function presenceLine(request) {
  return wantsPresence(request) &&
    h("p", { class: "why" }, h("span", { class: "part-label" }, "This key asks for you"), " Approving asks for ", PRESENCE[String(request.presence)] ?? "you", ".");
}

/** @type {Record<string, string>} */
const PRESENCE = { passcode: "your passphrase", passkey: "your passkey", "passkey-or-passcode": "your passkey or passphrase" };

/** @param {Account} request */
function why(request) {
  return h("p", { class: "why" }, h("span", { class: "part-label" }, "Why you are asked"), " ", capital(request.reason));
}

/** This many requests of a group are shown at once, because what is approved should have been seen. */
const SHOWN_AT_ONCE = 5;

/** @param {Group} group @param {(ids: string[], approve: boolean) => unknown} answer */
function several({ requests }, answer) {
  return h(
    "div",
    {},
    why(requests[0]),
    h(
      "details",
      { class: "more", open: requests.length <= SHOWN_AT_ONCE },
      h("summary", {}, `Look at each of the ${requests.length}`),
      h(
        "ol",
        { class: "members" },
        requests.map((request) =>
          h(
            "li",
            {},
            parts(request),
            raw(request),
            h(
              "div",
              { class: "buttons small" },
              button("Approve only this", () => answer([request.id], true)),
              button("Deny only this", () => answer([request.id], false)),
            ),
          )
        ),
      ),
    ),
  );
}

/**
 * @param {HTMLElement} card
 * @param {Group} group
 * @param {(card: HTMLElement, ids: string[], approve: boolean, remember: string) => unknown} answer
 */
function answers(card, { requests }, answer) {
  const [first] = requests;
  const ids = requests.map(({ id }) => id);
  // A key that is opened for one use requires a proof each time, so there is nothing to remember.
  const offers = wantsPresence(first) ? ["once"] : (first.offers ?? ["once"]).filter((offer) => DURATIONS[offer]);
  const remember = h(
    "select",
    { data: { focus: "remember" } },
    offers.map((offer) => h("option", { value: offer }, capital(DURATIONS[offer]))),
  );
  const all = ids.length > 1 ? ` all ${ids.length}` : "";
  return h(
    "footer",
    { class: "answers" },
    h(
      "div",
      { class: "buttons" },
      button(`Approve${all}`, () => answer(card, ids, true, remember.value || "once"), {
        class: "primary",
        data: { answer: "approve" },
      }),
      button(`Deny${all}`, () => answer(card, ids, false, remember.value || "once"), { data: { answer: "deny" } }),
    ),
    offers.length > 1 &&
      h(
        "label",
        { class: "remember" },
        h("span", {}, "Remember for ", h("span", { dir: "auto" }, first.remember?.label ?? "this app")),
        remember,
      ),
    h("a", { class: "to-app", href: appRoute(first.client) }, "Rules of this app"),
  );
}

/** @param {number} count */
export function waitingWords(count) {
  return count === 0 ? "Nothing waits for you" : `${counted(count, "request waits", "requests wait")} for you`;
}
