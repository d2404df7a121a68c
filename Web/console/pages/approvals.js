// The waiting requests, live. Keys: j and k move, o opens, a approves, d denies, u takes a denial back, ? shows help.

import { call } from "../api.js";
import { h, keyed, notice } from "../dom.js";
import { rich, t, tn } from "../language.js";
import { known, refresh } from "../store.js";
import { DURATIONS } from "../words.js";
import { approve } from "../parts/approving.js";
import { bottomInSight, keepBars } from "../parts/bars.js";
import { closeCard, grouped, makeCard, openCard, renewCard } from "../parts/card.js";
import { nothing } from "../parts/common.js";
import { change } from "../parts/change.js";
import { dialog } from "../parts/dialog.js";
import { confirmFinal, isFinal } from "../parts/final.js";
import { hush, hushingWhatMoves, isDeaf } from "../parts/guard.js";
import { denySoon, holding, isHeld, sayMissing, undoLatest, undoNotice } from "../parts/held.js";
import { confirmLasting, isLastingRisk, stillAsked } from "../parts/lasting.js";
import { presence, wantsPresence } from "../parts/presence.js";
import { refusedLine } from "../parts/refused.js";
import { sieve } from "../parts/sieve.js";

/** @typedef {import("../parts/account.js").Account} Account */

/** With more cards than this, new ones are rows until they are opened. */
const WHOLE = 3;

/** @param {import("../view.js").View} view */
export function approvals(view) {
  const list = h("div", { class: "cards", role: "feed", "aria-label": t("Waiting requests") });
  const empty = h("div", { hidden: true }, nothingWaits());
  /** @type {Account[]} */
  let requests = [];
  const acts = { answer, pause, isPaused };
  const bar = sieve({ changed: () => show(), denyAll, pause, isPaused });
  const show = () => {
    const waiting = requests.filter(({ id }) => !isHeld(id));
    const groups = grouped(waiting);
    bar.renew(waiting, groups);
    hushingWhatMoves(list, () => lay(list, groups, bar.shows, acts));
    empty.hidden = waiting.length > 0;
    refused.renew(waiting);
  };
  const refused = refusedLine(view);
  view.draw(t("Approvals"), keyLine(), refused.box, bar.box, list, empty);
  // When the chosen card goes, the one that takes its place is chosen.
  const renew = () => {
    const at = visible(list).findIndex((card) => card.classList.contains("selected"));
    const selected = at < 0 ? null : visible(list)[at];
    show();
    if (selected && !selected.isConnected) select(list, at, false);
  };
  let wanted = view.route.query.get("open");
  view.watch("requests", (value) => {
    requests = value;
    renew();
    if (wanted) openWanted(list, requests, wanted, acts);
    wanted = null;
  });
  view.watch("clients", () => known("requests") && show());
  const keys = (/** @type {KeyboardEvent} */ event) => press(event, list);
  holding.addEventListener("changed", renew);
  view.atEnd(keepBars(list));
  document.addEventListener("keydown", keys);
  view.atEnd(() => {
    holding.removeEventListener("changed", renew);
    document.removeEventListener("keydown", keys);
  });
}

/**
 * Lays the cards out. A card that is being read stays open; one that is left alone opens.
 * @param {HTMLElement} list
 * @param {import("../parts/card.js").Group[]} groups
 * @param {(group: import("../parts/card.js").Group) => boolean} shows
 * @param {import("../parts/card.js").Acts} acts
 */
function lay(list, groups, shows, acts) {
  const shown = groups.filter(shows);
  /** @type {[HTMLElement, import("../parts/card.js").Group][]} */
  const fresh = [];
  keyed(
    list,
    groups,
    ({ key }) => key,
    (group) => {
      const card = makeCard(group, acts, shown.length <= WHOLE);
      if (shown.length <= WHOLE) fresh.push([card, group]);
      return card;
    },
    (card, group) => renewCard(card, group, acts),
  );
  // Cards that do not fit beside the others are rows: what is below the window's end is not read.
  while (shown.length > 1 && fresh.length && !fits(list)) closeCard(.../** @type {[HTMLElement, any]} */ (fresh.pop()), acts);
  groups.forEach((group, index) => {
    const card = /** @type {HTMLElement} */ (list.children[index]);
    card.hidden = !shows(group);
    if (shown.length === 1 && shown[0] === group) openCard(card, group, acts, true);
  });
  list.classList.toggle("alone", shown.length === 1);
}

/** Whether the whole list is in sight when the page is at its top. @param {HTMLElement} list */
function fits(list) {
  return list.getBoundingClientRect().bottom + scrollY <= bottomInSight();
}

/** Opens the request that the address names, and chooses it. @param {HTMLElement} list @param {Account[]} requests @param {string} id @param {import("../parts/card.js").Acts} acts */
function openWanted(list, requests, id, acts) {
  const groups = grouped(requests.filter((one) => !isHeld(one.id)));
  const at = groups.findIndex((group) => group.requests.some((request) => request.id === id));
  const card = /** @type {HTMLElement | undefined} */ (list.children[at]);
  if (!card) return;
  openCard(card, groups[at], acts, true);
  select(list, visible(list).indexOf(card), true);
}

function nothingWaits() {
  return nothing(
    t("Nothing waits for you"),
    h(
      "p",
      {},
      t("When an app asks for something that your rules do not decide, the request appears here at once. You can leave this page open."),
    ),
  );
}

function keyLine() {
  const key = (/** @type {string} */ name) => h("kbd", {}, name);
  return h(
    "p",
    { class: "hint keys" },
    rich("Keys: {j} {k} move, {o} open, {a} approve, {d} deny, {u} undo, {help} help", {
      j: key("j"),
      k: key("k"),
      o: key("o"),
      a: key("a"),
      d: key("d"),
      u: key("u"),
      help: key("?"),
    }),
  );
}

/** @param {HTMLElement} card @param {string[]} ids @param {boolean} isApproved @param {string} remember */
async function answer(card, ids, isApproved, remember) {
  // A denial can be taken back, so it is never kept waiting.
  if (isApproved && isDeaf(card)) {
    notice(t("That request had just appeared, moved or changed, so nothing was done. Check it again, then answer."));
    return;
  }
  if (!isApproved) {
    denySoon(ids, remember === "once" ? {} : { remember }, said(card, ids.length, false, remember));
    return;
  }
  /** @type {Account[]} */
  const requests = (known("requests") ?? []).filter((/** @type {Account} */ one) => ids.includes(one.id));
  const [request] = requests;
  if (request && wantsPresence(request)) {
    if (await presence(request)) notice(said(card, 1, true, "once"), { link: [t("See activity"), "#/activity"] });
    refresh("requests");
    return;
  }
  if (request && !(await isSure(request, remember))) return;
  await approveNow(card, requests, remember);
}

/** Asks a second time, where an answer cannot be undone or lets more through. @param {Account} request @param {string} remember */
async function isSure(request, remember) {
  if (isLastingRisk(request, remember)) return confirmLasting(request, remember);
  return !isFinal(request) || confirmFinal(request);
}

/** @param {HTMLElement} card @param {Account[]} requests @param {string} remember */
async function approveNow(card, requests, remember) {
  card.setAttribute("aria-busy", "true");
  try {
    const done = await approve(requests, remember === "once" ? {} : { remember }, titleOf(card));
    if (done?.answered?.length) approved(said(card, done.answered.length, true, remember), remember, requests[0]);
    sayMissing(done?.missing);
  } catch (failure) {
    failed(/** @type {any} */ (failure));
  } finally {
    card.removeAttribute("aria-busy");
    refresh("requests");
  }
}

/** A rule can be taken back, a signature cannot. @param {string} words @param {string} remember @param {Account | undefined} request */
function approved(words, remember, request) {
  if (remember === "once" || !request?.remember) {
    notice(words, { link: [t("See activity"), "#/activity"] });
    return;
  }
  const { client, rule, remember: { permission } } = request;
  // An app that was asked by the owner's own rule is asked by it again.
  const back = rule === "owner-asks" ? "client/ask" : "client/forget";
  undoNotice([words, stillAsked(permission), t("What was sent stays sent. Undo takes back the rule.")].filter(Boolean).join(" "), () =>
    change(back, { client: client.signer, permission }, t("The rule is taken back: you are asked again.")));
}

/** What is asked, as the card says it. @param {HTMLElement} card */
function titleOf(card) {
  return card.querySelector("h2")?.firstChild?.textContent?.trim() ?? "";
}

/** @param {HTMLElement} card @param {number} count @param {boolean} isApproved @param {string} remember */
function said(card, count, isApproved, remember) {
  const what = titleOf(card);
  const done = count > 1
    ? (isApproved ? t("Approved {count}: {what}.", { count, what }) : t("Denied {count}: {what}.", { count, what }))
    : (isApproved ? t("Approved: {what}.", { what }) : t("Denied: {what}.", { what }));
  if (remember === "once") return done;
  return `${done} ${t("Similar requests get the same answer {time}.", { time: DURATIONS[remember] })}`;
}

/** @param {Account[]} requests */
function denyAll(requests) {
  denySoon(requests.map(({ id }) => id), {}, tn(requests.length, "Denied {count} request.", "Denied {count} requests."));
}

/** @param {Account} request */
async function pause({ client }) {
  try {
    await call("client/suspend", { client: client.signer });
  } catch (failure) {
    failed(/** @type {any} */ (failure));
    return;
  }
  refresh("clients");
  undoNotice(t("{app} is paused: it asks you for everything.", { app: client.name }), () =>
    change("client/resume", { client: client.signer }, t("Resumed: its rules apply again.")));
}

/** Whether the request's app asks for everything already. @param {Account} request */
function isPaused({ client, rule }) {
  const found = (known("clients") ?? []).find((/** @type {any} */ one) => one.signer === client.signer);
  return found ? Boolean(found.suspended) : rule === "suspended";
}

/** @param {any} failure */
function failed(failure) {
  notice([failure.message, failure.hint].filter(Boolean).join(" "), { bad: true });
}

/** @param {KeyboardEvent} event @param {HTMLElement} list */
function press(event, list) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || target.closest("input, textarea, select, dialog")) return;
  const cards = visible(list);
  const at = cards.findIndex((card) => card.classList.contains("selected"));
  if (event.key === "j") select(list, at + 1, true);
  else if (event.key === "k") select(list, Math.max(at - 1, 0), true);
  else if (event.key === "?") help();
  else if (event.key === "u") takeBack();
  else if (event.key === "o") pressOn(cards[at], ".opener");
  else if (event.key === "Escape" && cards[at] && !cards[at].classList.contains("closed")) pressOn(cards[at], ".opener");
  else if (event.key === "a") pressOn(cards[at], '[data-answer="approve"]');
  else if (event.key === "d") pressOn(cards[at], '[data-answer="deny"]');
  else return;
  event.preventDefault();
}

function takeBack() {
  if (!undoLatest()) notice(t("There is nothing to take back."));
}

/** Presses a button of the chosen card. What is still a row is opened first. @param {HTMLElement | undefined} card @param {string} which */
function pressOn(card, which) {
  if (!card) notice(t("Choose a request first: press j."));
  else /** @type {HTMLElement | null} */ (card.querySelector(card.classList.contains("closed") ? ".opener" : which))?.click();
}

/** @param {HTMLElement} list @returns {HTMLElement[]} */
function visible(list) {
  return /** @type {HTMLElement[]} */ ([...list.children]).filter((card) => !card.hidden);
}

/** Selects a card. @param {HTMLElement} list @param {number} index @param {boolean} asked  by the person, not because another went away */
function select(list, index, asked) {
  const cards = visible(list);
  const card = cards[Math.min(index, cards.length - 1)];
  for (const other of cards) other.classList.toggle("selected", other === card);
  if (!card) return;
  if (!asked) hush(card);
  card.focus({ preventScroll: true });
  card.scrollIntoView({ block: "nearest" });
}

function help() {
  /** @type {[string, string][]} */
  const rows = [
    ["j", t("the next request")],
    ["k", t("the previous request")],
    ["o", t("open or close the chosen request; Esc closes it, too")],
    ["a", t("approve the chosen request, if it is open; otherwise open it")],
    ["d", t("deny it in the same way")],
    ["u", t("take the latest denial back, for ten seconds")],
    ["Tab", t("move between the buttons of a request")],
    ["?", t("this help")],
  ];
  dialog(t("Keys on this page"), [
    h("dl", { class: "help-keys" }, rows.map(([key, words]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)])),
    h(
      "p",
      { class: "help" },
      t("A request that has just appeared or moved cannot be approved for a moment, so you cannot approve the wrong one by accident."),
    ),
  ], { confirm: t("Close"), act: () => {}, cancel: "" });
}
