// One card of the approvals page: a request, or several similar requests of one app that are answered together. Where many wait, a
// card is one row until it is opened. The description is made when it is opened for the first time.

import { fill, h } from "../dom.js";
import { rich, t, tn } from "../language.js";
import { appRoute } from "../router.js";
import { FIRST_USE } from "../signer.js";
import { known } from "../store.js";
import { capital, clock, DURATIONS } from "../words.js";
import { asker, gist, isShownWhole, parts, raw, repeats } from "./account.js";
import { avatar, button, when } from "./common.js";
import { bottomInSight, onward } from "./bars.js";
import { hush } from "./guard.js";
import { icon, requestIcon } from "./icons.js";
import { keyText } from "./keytext.js";
import { isAskedAgain, stillAskedThen } from "./lasting.js";
import { nameOffer } from "./names.js";
import { wantsPresence } from "./presence.js";
import { rename } from "./rename.js";
import { rememberedLine } from "./remembered.js";
import { risk } from "./risk.js";
import { askToUnlock } from "./unlock.js";
import { byWeight } from "./weight.js";

/** @typedef {import("./account.js").Account} Account */
/** @typedef {{key: string, requests: Account[]}} Group */
/**
 * What a card can do.
 * @typedef {{answer: (card: HTMLElement, ids: string[], approve: boolean, remember: string) => unknown,
 *   pause: (request: Account) => unknown, isPaused: (request: Account) => boolean, opened: (card: HTMLElement) => unknown}} Acts
 */

/** Groups the requests of each batch, the weightiest first. Everything in a batch is an everyday request. @param {Account[]} requests @returns {Group[]} */
export function grouped(requests) {
  /** @type {Map<string, Account[]>} */
  const groups = new Map();
  for (const request of byWeight(requests)) {
    const key = request.batch ? `batch ${request.batch}` : request.id;
    const members = groups.get(key);
    if (members) members.push(request);
    else groups.set(key, [request]);
  }
  return [...groups].map(([key, members]) => ({ key, requests: members }));
}

/** @param {Group} group @param {Acts} acts @param {boolean} open  whether the whole card is shown at once */
export function makeCard(group, acts, open) {
  const card = h("article", { class: "card request", tabindex: "-1" });
  card.classList.toggle("closed", !open);
  renewCard(card, group, acts);
  return card;
}

/** The requests that each card shows, to see whether it must be drawn anew. @type {WeakMap<HTMLElement, string>} */
const drawn = new WeakMap();

/** @param {HTMLElement} card @param {Group} group @param {Acts} acts */
export function renewCard(card, group, acts) {
  // What was looked up meanwhile, such as the profile that would be replaced, comes as other parts of the same request.
  const shown = JSON.stringify([areSeveral(), acts.isPaused(group.requests[0]), group.requests[0].client.name, group.requests.map(({ id, hidden, parts: all }) => [id, hidden, all])]);
  if (drawn.get(card) === shown) return;
  // The buttons' meaning has changed. A click already in progress is not meant for the new one.
  if (drawn.has(card)) hush(card);
  drawn.set(card, shown);
  card.classList.toggle("grave", group.requests[0].risk === "grave");
  card.setAttribute("aria-label", label(group));
  const isFocused = card.contains(document.activeElement);
  drawCard(card, group, acts);
  if (isFocused) card.focus({ preventScroll: true });
}

/** @param {HTMLElement} card @param {Group} group @param {Acts} acts */
function drawCard(card, group, acts) {
  if (card.classList.contains("closed")) {
    fill(card, row(card, group, acts));
    return;
  }
  const { requests } = group;
  fill(
    card,
    heading(card, group, acts),
    requests.length > 1
      ? several(group, (ids, approve) => acts.answer(card, ids, approve, "once"))
      : single(requests[0]),
    more(requests[0], acts),
    onward(),
    answers(card, group, acts),
  );
}

/** Shows the whole card, or its row. @param {HTMLElement} card @param {Group} group @param {Acts} acts @param {boolean} open */
export function openCard(card, group, acts, open) {
  if (card.classList.contains("closed") !== open) return;
  card.classList.toggle("closed", !open);
  drawCard(card, group, acts);
  // What is under the pointer now was not there when the person decided to click.
  hush(card);
  /** @type {HTMLElement | null} */ (card.querySelector(".opener"))?.focus({ preventScroll: true });
}

/** Makes a card that was just laid out a row. The focus stays where it is. @param {HTMLElement} card @param {Group} group @param {Acts} acts */
export function closeCard(card, group, acts) {
  card.classList.add("closed");
  drawCard(card, group, acts);
}

/** Opens the card that the person wants to read, with its beginning in sight. @param {HTMLElement} card @param {Group} group @param {Acts} acts */
export function readCard(card, group, acts) {
  openCard(card, group, acts, true);
  acts.opened(card);
  if (card.getBoundingClientRect().bottom > bottomInSight()) card.scrollIntoView({ block: "start" });
}

/** @param {Group} group */
function title({ requests: [first, ...rest] }) {
  return rest.length ? first.batch_title ?? `${rest.length + 1} × ${first.title}` : first.title;
}

/** @param {Group} group */
function label(group) {
  const [first] = group.requests;
  return t("{app} asks as {identity}: {what}", { app: first.client.name, identity: first.identity.name, what: title(group) });
}

/** Whether there is more than one identity, so that each row has to say for which it is. */
function areSeveral() {
  return (known("identities") ?? []).length > 1;
}

/** @param {Account} request */
function forWhom({ identity }) {
  return areSeveral() && [" ", rich("as {identity}", { identity: h("strong", { dir: "auto" }, identity.name) })];
}

/** @param {HTMLElement} card @param {Group} group @param {Acts} acts */
function row(card, group, acts) {
  const [first] = group.requests;
  return h(
    "button",
    { type: "button", class: "opener request-row", "aria-expanded": "false", onclick: () => readCard(card, group, acts) },
    avatar(first.client.name, first.client.pubkey),
    h(
      "span",
      { class: "row-words" },
      h("strong", {}, icon(requestIcon(first.method, first.kind)), " ", title(group)),
      h("span", { class: isShownWhole(first) ? "whole" : "gist" }, h("span", { dir: "auto" }, first.client.name), forWhom(first), " · ", h("span", { dir: "auto" }, gist(first))),
    ),
    h("span", { class: "row-end" }, risk(first), when(first.received)),
  );
}

/** @param {HTMLElement} card @param {Group} group @param {Acts} acts */
function heading(card, group, acts) {
  const [first] = group.requests;
  return h(
    "header",
    { class: "request-head" },
    avatar(first.client.name, first.client.pubkey),
    h(
      "div",
      { class: "request-words" },
      asker(first),
      h("h2", {}, title(group), " ", risk(first), " ", repeats(first)),
      h(
        "p",
        { class: "as" },
        rich("as {identity} {key}", {
          identity: h("strong", { dir: "auto" }, first.identity.name),
          key: keyText(first.identity.npub),
        }),
      ),
    ),
    h(
      "div",
      { class: "request-time" },
      when(first.received),
      first.expires && h("span", {}, t("waits until {time}", { time: clock(first.expires) })),
      h("button", {
        type: "button",
        class: "opener quiet",
        "aria-expanded": "true",
        onclick: () => openCard(card, group, acts, false),
      }, t("Close")),
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
    h("p", { class: "why" }, h("span", { class: "part-label" }, t("This key asks for you")), " ", PRESENCE[String(request.presence)] ?? PRESENCE.any);
}

/** @type {Record<string, string>} */
const PRESENCE = {
  passcode: t("Approving asks for your passphrase."),
  passkey: t("Approving asks for your passkey."),
  "passkey-or-passcode": t("Approving asks for your passkey or passphrase."),
  any: t("To approve, prove that you are there."),
};

/** The rule, and of one that stops an app whether it still does. @param {Account} request */
function reasonOf({ rule, reason, client }) {
  if (rule === "locked-down" && known("status")?.suspended) return t("the signer is locked down");
  if (rule !== "suspended") return reason;
  return (known("clients") ?? []).find((/** @type {any} */ one) => one.signer === client.signer)?.suspended ? t("you paused this app") : reason;
}

/** @param {Account} request */
function why(request) {
  return h("p", { class: "why" }, h("span", { class: "part-label" }, t("Why you are asked")), " ", capital(reasonOf(request)));
}

/** This many requests of a group are shown whole at once. More of them are shown in their first words, because what is approved should have been seen. */
const SHOWN_AT_ONCE = 5;

/** @param {Group} group @param {(ids: string[], approve: boolean) => unknown} answer */
function several({ requests }, answer) {
  const shown = requests.length <= SHOWN_AT_ONCE;
  return h(
    "div",
    {},
    why(requests[0]),
    h("ol", { class: `members${shown ? "" : " short"}` }, requests.map((request) => (shown ? member : excerpt)(request, answer))),
  );
}

/** One of many in its first words; the rest is made when it is opened. @param {Account} request @param {(ids: string[], approve: boolean) => unknown} answer */
function excerpt(request, answer) {
  const whole = h("div", {});
  return h(
    "li",
    {},
    h(
      "details",
      { ontoggle: () => whole.childElementCount || fill(whole, memberParts(request, answer)) },
      h("summary", { dir: "auto" }, gist(request)),
      whole,
    ),
  );
}

/** @param {Account} request @param {(ids: string[], approve: boolean) => unknown} answer */
function member(request, answer) {
  return h("li", {}, memberParts(request, answer));
}

/** @param {Account} request @param {(ids: string[], approve: boolean) => unknown} answer */
function memberParts(request, answer) {
  return [
    parts(request),
    raw(request),
    !request.hidden && h(
      "div",
      { class: "buttons small" },
      button(t("Approve only this"), () => answer([request.id], true)),
      button(t("Deny only this"), () => answer([request.id], false)),
    ),
  ];
}

/** What one can do about the app. @param {Account} request @param {Acts} acts */
function more(request, { pause, isPaused }) {
  return h(
    "p",
    { class: "about-app" },
    h("a", { href: appRoute(request.client) }, request.is_program ? t("Its rules") : t("Rules of this app")),
    request.client.isUnnamed && button(t("Name it…"), () => rename(request.client, "", t("Rename this app")), { class: "quiet" }),
    nameOffer(request),
    !isPaused(request) && button(request.is_program ? t("Pause it") : t("Pause this app"), () => pause(request), { class: "quiet" }),
  );
}

/** The answers, in one place on every card. @param {HTMLElement} card @param {Group} group @param {Acts} acts */
function answers(card, { requests }, { answer }) {
  const [first] = requests;
  const ids = requests.map(({ id }) => id);
  if (first.hidden) return answersUnread(() => answer(card, ids, false, "once"));
  // A key that is opened for one use requires a proof each time, so there is nothing to remember.
  const offers = wantsPresence(first) ? ["once"] : (first.offers ?? ["once"]).filter((offer) => DURATIONS[offer]);
  const letsIn = first.rule === FIRST_USE;
  const remember = h(
    "select",
    { data: { focus: "remember" }, onchange: () => {
      name();
      // The longer words may have moved the buttons out of sight.
      requestAnimationFrame(() => footer.scrollIntoView({ block: "nearest" }));
    } },
    offers.map((offer) => h("option", { value: offer }, offer === "once" && letsIn ? t("Let it in, and approve this once") : capital(DURATIONS[offer]))),
  );
  const chosen = () => remember.value || "once";
  const approve = button("", () => answer(card, ids, true, chosen()), { class: first.risk === "grave" ? "plain-danger" : "primary", data: { answer: "approve" } });
  const deny = button("", () => answer(card, ids, false, chosen()), { data: { answer: "deny" } });
  const exactly = h("p", { class: "help remembered", role: "status" });
  const name = () => {
    [approve.textContent, deny.textContent] = answerWords(ids.length, chosen(), letsIn);
    if (isAskedAgain(first, chosen())) approve.append("…");
    fill(exactly, rememberedLine(first, chosen()), stillAskedThen(first, chosen()) && [" ", stillAskedThen(first, chosen())]);
  };
  name();
  const footer = h(
    "footer",
    { class: "answers" },
    h("div", { class: "buttons" }, approve, deny),
    letsIn && h("p", { class: "help" }, t("An approval also lets it in: from then on its trust and your rules decide.")),
    offers.length > 1 &&
      h(
        "label",
        { class: "remember" },
        h("span", {}, rich("Remember for {what}", { what: h("span", { dir: "auto" }, first.remember?.label ?? t("this app")) })),
        remember,
      ),
    exactly,
  );
  return footer;
}

/** While the signer is locked nobody can read what is asked for, so it can only be denied. @param {() => unknown} refuse */
function answersUnread(refuse) {
  return h(
    "footer",
    { class: "answers" },
    h(
      "div",
      { class: "buttons" },
      button(t("Unlock to read…"), () => askToUnlock(), { class: "primary", data: { answer: "approve" } }),
      button(t("Deny"), refuse, { data: { answer: "deny" } }),
    ),
  );
}

/**
 * What the two buttons say: an answer that lasts says for how long.
 * @param {number} count @param {string} remember @param {boolean} letsIn  whether the approval lets a program in @returns {[string, string]}
 */
function answerWords(count, remember, letsIn) {
  const time = DURATIONS[remember];
  if (letsIn && count === 1 && remember === "once") return [t("Let it in and approve"), t("Deny")];
  if (remember === "once") return count > 1 ? [t("Approve all {count}", { count }), t("Deny all {count}", { count })] : [t("Approve"), t("Deny")];
  return count > 1
    ? [t("Approve all {count} {time}", { count, time }), t("Deny all {count} {time}", { count, time })]
    : [t("Approve {time}", { time }), t("Deny {time}", { time })];
}

/** @param {number} count */
export function waitingWords(count) {
  return count === 0 ? t("Nothing waits for you") : tn(count, "{count} request waits for you", "{count} requests wait for you");
}
