// The waiting requests, live. Keys: j and k move, o opens, a approves, d denies, u takes a denial back, ? shows help.

import { call } from "../api.js";
import { announce, h, keyed, notice } from "../dom.js";
import { t, tn } from "../language.js";
import { known, refresh } from "../store.js";
import { approve } from "../parts/approving.js";
import { bottomInSight, keepBars } from "../parts/bars.js";
import { closeCard, grouped, makeCard, openCard, readCard, renewCard } from "../parts/card.js";
import { button, nothing } from "../parts/common.js";
import { change } from "../parts/change.js";
import { confirmFinal, confirmLoss, confirmPayee, confirmSerious, isFinal, isSerious, losesEntries } from "../parts/final.js";
import { hush, hushingWhatMoves, isDeaf } from "../parts/guard.js";
import { denySoon, holding, isHeld, sayMissing, takeBack, undoNotice } from "../parts/held.js";
import { keyHelp, keyLine } from "../parts/keyhelp.js";
import { confirmLasting, isLastingRisk, stillAsked } from "../parts/lasting.js";
import { offerOf, stillWaiting } from "../parts/likewise.js";
import { presence, wantsPresence } from "../parts/presence.js";
import { loud, quietRow } from "../parts/quiet.js";
import { refusedLine } from "../parts/refused.js";
import { rememberedText } from "../parts/remembered.js";
import { resume } from "../parts/resume.js";
import { sieve } from "../parts/sieve.js";
import { askToUnlock } from "../parts/unlock.js";

/** @typedef {import("../parts/account.js").Account} Account */

/** With more cards than this, new ones are rows until they are opened. */
const WHOLE = 3;

/** @param {import("../view.js").View} view */
export function approvals(view) {
  const list = h("div", { class: "cards", role: "feed", "aria-label": t("Waiting requests") });
  const empty = h("div", { hidden: true }, nothingWaits());
  /** @type {Account[]} */
  let requests = [];
  /** The card that the person opened last: another one takes its place. @type {HTMLElement | null} */
  let opened = null;
  const acts = {
    // The card that is answered is the chosen one, also by the mouse: the next one takes its place.
    answer: (/** @type {HTMLElement} */ card, /** @type {string[]} */ ids, /** @type {boolean} */ isApproved, /** @type {string} */ remember) => {
      mark(list, card);
      return answer(card, ids, isApproved, remember);
    },
    pause,
    isPaused,
    opened: (/** @type {HTMLElement} */ card) => {
      mark(list, card);
      const before = opened;
      opened = card;
      if (before && before !== card) closeAbove(before, card, acts, grouped(requests));
    },
  };
  const ofApp = view.route.query.get("app"), bar = sieve({ changed: () => show(), denyAll, pause, isPaused, ofApp });
  const show = () => {
    const waiting = requests.filter(({ id }) => !isHeld(id));
    const heard = loud(waiting), groups = grouped(heard), folded = grouped(waiting.filter((one) => !heard.includes(one)));
    const all = [...groups, ...folded], seen = quiet.isOpen ? waiting : heard;
    bar.renew(seen, quiet.isOpen ? all : groups);
    hushingWhatMoves(list, () => lay(list, all, (group) => bar.shows(group) && (quiet.isOpen || !folded.includes(group)), acts));
    empty.hidden = seen.length > 0;
    quiet.renew(waiting.length - heard.length);
    // One that is open says so itself.
    shut.hidden = seen.length < 2 || !seen.some(({ hidden }) => hidden);
    refused.renew(waiting);
  };
  const refused = refusedLine(view), shut = h("div", { hidden: true }, unread()), quiet = quietRow(() => show());
  view.draw(t("Approvals"), keyLine(), shut, refused.box, bar.box, list, empty, quiet.box);
  // When the chosen card goes, the one that takes its place is chosen, and is open if the one before was.
  const renew = () => {
    const before = visible(list), at = before.findIndex((card) => card.classList.contains("selected"));
    const selected = before[at], wasOpen = selected && !selected.classList.contains("closed");
    show();
    if (!selected || selected.isConnected) return;
    const cards = visible(list), card = cards[Math.min(at, cards.length - 1)];
    const group = grouped(requests.filter(({ id }) => !isHeld(id))).find(({ key }) => key === card?.dataset.key);
    if (isTyping()) return;
    if (!card) return allAnswered(view.root);
    if (wasOpen && group) readCard(card, group, acts);
    select(list, cards.indexOf(card), false);
  };
  let wanted = view.route.query.get("open"), isFirst = true;
  view.watch("requests", (value) => {
    requests = value;
    const isMeant = (/** @type {Account} */ { id, client }) => id === wanted || (isFirst && client.signer === ofApp);
    if (requests.some(isMeant) && !loud(requests).some(isMeant)) quiet.isOpen = true;
    isFirst = false;
    renew();
    if (wanted) openWanted(list, requests, wanted, acts);
    wanted = null;
  });
  for (const name of ["clients", "identities"]) view.watch(name, () => known("requests") && show());
  const keys = (/** @type {KeyboardEvent} */ event) => press(event, list);
  // What was taken back is the chosen one again.
  const back = (/** @type {any} */ { detail: ids }) => {
    const card = visible(list).findIndex(({ dataset: { key } }) => grouped(requests).some((one) => one.key === key && one.requests.some(({ id }) => ids.includes(id))));
    if (card >= 0) select(list, card, true);
  };
  holding.addEventListener("changed", renew);
  holding.addEventListener("restored", back);
  view.atEnd(keepBars(list));
  document.addEventListener("keydown", keys);
  view.atEnd(() => {
    holding.removeEventListener("changed", renew);
    holding.removeEventListener("restored", back);
    document.removeEventListener("keydown", keys);
  });
}

/** Whether the person types somewhere, or answers a question: then the focus stays there. */
function isTyping() {
  return Boolean(document.activeElement?.closest("input, textarea, select, dialog"));
}

/** Nothing is left to choose. @param {HTMLElement} page */
function allAnswered(page) {
  page.querySelector("h1")?.focus({ preventScroll: true });
  announce(t("Nothing waits for you"));
}

/** Marks the chosen card. @param {HTMLElement} list @param {HTMLElement} card */
function mark(list, card) {
  for (const other of visible(list)) other.classList.toggle("selected", other === card);
}

/**
 * Makes the card that was open before a row again. The one that is read now stays where it is in the window.
 * @param {HTMLElement} before @param {HTMLElement} card @param {import("../parts/card.js").Acts} acts @param {import("../parts/card.js").Group[]} groups
 */
function closeAbove(before, card, acts, groups) {
  const group = groups.find(({ key }) => key === before.dataset.key);
  if (!group || !before.isConnected || before.classList.contains("closed")) return;
  const top = card.getBoundingClientRect().top;
  closeCard(before, group, acts);
  scrollBy(0, card.getBoundingClientRect().top - top);
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
  const group = grouped(requests.filter((one) => !isHeld(one.id))).find((one) => one.requests.some((request) => request.id === id));
  const card = /** @type {HTMLElement[]} */ ([...list.children]).find((one) => one.dataset.key === group?.key);
  if (!card || !group) return;
  openCard(card, group, acts, true);
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

/** Above several requests whose words are hidden. */
function unread() {
  return h(
    "section",
    { class: "card careful" },
    h("p", {}, t("What these requests say is hidden while the signer is locked.")),
    h("div", { class: "buttons" }, button(t("Unlock to read…"), () => askToUnlock(), { class: "primary" })),
  );
}

/** @param {HTMLElement} card @param {string[]} ids @param {boolean} isApproved @param {string} remember */
async function answer(card, ids, isApproved, remember) {
  /** @type {Account[]} */
  const requests = (known("requests") ?? []).filter((/** @type {Account} */ one) => ids.includes(one.id));
  const [request] = requests;
  // A denial can be taken back, so it is never kept waiting.
  if (isApproved && isDeaf(card)) {
    notice(t("That request had just appeared, moved or changed, so nothing was done. Check it again, then answer."));
    return;
  }
  if (!isApproved) {
    denySoon(ids, remember === "once" ? {} : { remember }, said(card, ids.length, false, remember, request));
    return;
  }
  if (request && wantsPresence(request)) {
    if (await presence(request)) notice(said(card, 1, true, "once"), { link: [t("See activity"), "#/activity"] });
    refresh("requests");
    return;
  }
  const lasting = request ? await confirmed(request, remember) : remember;
  if (lasting) await approveNow(card, requests, lasting);
}

/**
 * Asks a second time, where an answer cannot be undone or lets more through.
 * @param {Account} request @param {string} remember @returns {Promise<string>} for how long to approve it; "" for not at all
 */
async function confirmed(request, remember) {
  if (isLastingRisk(request, remember)) return confirmLasting(request, remember);
  const confirm = isFinal(request) ? confirmFinal : losesEntries(request) ? confirmLoss : request.pays_elsewhere ? confirmPayee : isSerious(request) ? confirmSerious : null;
  return !confirm || await confirm(request) ? remember : "";
}

/** @param {HTMLElement} card @param {Account[]} requests @param {string} remember */
async function approveNow(card, requests, remember) {
  card.setAttribute("aria-busy", "true");
  try {
    const done = await approve(requests, remember === "once" ? {} : { remember }, titleOf(card));
    if (done?.answered?.length) {
      const words = said(card, done.answered.length, true, remember, requests[0]), left = leftOf(requests[0], done);
      approved(words, remember, requests[0], left);
    }
    sayMissing(done?.missing);
  } catch (failure) {
    failed(/** @type {any} */ (failure));
  } finally {
    card.removeAttribute("aria-busy");
    refresh("requests");
  }
}

/** The requests of that kind by that app that wait although the answer lasts. @param {Account} request @param {{answered?: string[], also?: string[]}} done */
function leftOf({ client, identity, method, kind }, { answered = [], also = [] }) {
  return stillWaiting((one) =>
    one.client.signer === client.signer && one.identity.pubkey === identity.pubkey && one.method === method && one.kind === kind && ![...answered, ...also].includes(one.id)
  );
}

/** A rule can be taken back, a signature cannot. @param {string} words @param {string} remember @param {Account | undefined} request @param {Account[]} left */
function approved(words, remember, request, left) {
  if (remember === "once" || !request?.remember) {
    notice(words, { link: [t("See activity"), "#/activity"] });
    return;
  }
  const { client, rule, remember: { permission } } = request;
  // An app that was asked by the owner's own rule is asked by it again.
  const back = rule === "owner-asks" ? "client/ask" : "client/forget";
  const more = left.length && tn(left.length, "{count} more of this kind still waits for you.", "{count} more of this kind still wait for you.");
  undoNotice(
    [words, more, stillAsked(permission), t("Undo takes back the rule.")].filter(Boolean).join(" "),
    () => change(back, { client: client.signer, permission }, t("The rule is taken back: you are asked again.")),
    undefined,
    offerOf(left),
  );
}

/** What is asked, as the card says it. @param {HTMLElement} card */
function titleOf(card) {
  return card.querySelector("h2")?.firstChild?.textContent?.trim() ?? "";
}

/** @param {HTMLElement} card @param {number} count @param {boolean} isApproved @param {string} remember @param {Account} [request]  one of them */
function said(card, count, isApproved, remember, request = undefined) {
  const what = count === 1 && request ? request.title : titleOf(card);
  const done = count > 1
    ? (isApproved ? t("Approved {count}: {what}.", { count, what }) : t("Denied {count}: {what}.", { count, what }))
    : (isApproved ? t("Approved: {what}.", { what }) : t("Denied: {what}.", { what }));
  return remember === "once" || !request?.remember ? done : `${done} ${rememberedText(request, remember)}`;
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
  undoNotice(t("{app} is paused: what it asks for waits at the end of Approvals, without a badge.", { app: client.name }), () => resume(client));
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
  const at = chosenOf(cards);
  if ("jk".includes(event.key) && !cards.length) announce(t("Nothing waits for you"));
  else if (event.key === "j") select(list, at + 1, true);
  else if (event.key === "k") select(list, Math.max(at - 1, 0), true);
  else if (event.key === "?") keyHelp();
  else if (event.key === "u") takeBack();
  else if (event.key === "o") pressOn(cards[at], cards.length, ".opener");
  else if (event.key === "Escape" && cards[at] && !cards[at].classList.contains("closed")) pressOn(cards[at], cards.length, ".opener");
  else if (event.key === "a") pressOn(cards[at], cards.length, '[data-answer="approve"]');
  else if (event.key === "d") pressOn(cards[at], cards.length, '[data-answer="deny"]');
  else return;
  event.preventDefault();
}

/** Which card the keys are about: the one that was chosen, the one with the focus, or the only one; -1 for none. @param {HTMLElement[]} cards */
function chosenOf(cards) {
  const at = cards.findIndex((card) => card.classList.contains("selected"));
  const focused = cards.findIndex((card) => card.contains(document.activeElement));
  if (at >= 0 || focused >= 0) return at >= 0 ? at : focused;
  return cards.length === 1 ? 0 : -1;
}

/** Presses a button of the chosen card. What is still a row is opened first. @param {HTMLElement | undefined} card @param {number} count  of cards @param {string} which */
function pressOn(card, count, which) {
  if (!card) notice(count ? t("Choose a request first: press j.") : t("Nothing waits for you"));
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
