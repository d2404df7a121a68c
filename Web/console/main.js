// Starts the console: checks the session, shows the right page, and updates the frame around it.

import { call, heard, useToken } from "./api.js";
import { announce, clearNotices, fill, h, notice } from "./dom.js";
import { language, t, tn, translateFrame } from "./language.js";
import { connect, disconnect, live, nudge } from "./live.js";
import { route, takeToken } from "./router.js";
import { forget, known, refreshAll, touch, watch } from "./store.js";
import { ownWords } from "./parts/account.js";
import { notAnnounced } from "./parts/announced.js";
import { startClock } from "./parts/common.js";
import { holding, isHeld } from "./parts/held.js";
import { recall, remember } from "./parts/ofvault.js";
import { startProving } from "./parts/prove.js";
import { loud } from "./parts/quiet.js";
import { forgetSaid, startRemembering } from "./parts/said.js";
import { drawMenu, markPage } from "./parts/frame.js";
import { starting } from "./parts/starting.js";
import { hideState, watchState } from "./parts/state.js";
import { startTheme } from "./parts/theme.js";
import { isKept, takeWayBack } from "./parts/keep.js";
import { goneWords, isTrial } from "./parts/trial.js";
import { startForgetting } from "./parts/typed.js";
import { startUnlocking } from "./parts/unlock.js";
import { startWorker } from "./parts/worker.js";
import { hearIncidents, markIncidents } from "./parts/incidents.js";
import { countInTab, View } from "./view.js";
import { rememberRun, signIn } from "./pages/signin.js";
import { home } from "./pages/home.js";
import { approvals } from "./pages/approvals.js";
import { apps } from "./pages/apps.js";
import { app } from "./pages/app.js";
import { phone } from "./pages/phone.js";
import { pair } from "./pages/pair.js";
import { keys } from "./pages/keys.js";
import { key } from "./pages/key.js";
import { receipt } from "./pages/receipt.js";
import { recovery } from "./pages/recovery.js";
import { backup } from "./pages/backup.js";
import { restore } from "./pages/restore.js";
import { more } from "./pages/more.js";
import { vault } from "./pages/vault.js";
import { activity } from "./pages/activity.js";
import { browsers } from "./pages/browsers.js";
import { relays } from "./pages/relays.js";
import { security } from "./pages/security.js";
import { settings } from "./pages/settings.js";
import { WELCOMED, welcome } from "./pages/welcome.js";

/** The parts of Security below its own address. @type {Record<string, (view: View) => unknown>} */
const SECURITY = { vault, console: browsers };

/** @type {Record<string, (view: View) => unknown>} */
const PAGES = {
  home,
  approvals,
  pair,
  identities: (view) => keys(view),
  keys: (view) => (view.route.parts[1] === "receipt" ? receipt(view) : view.route.parts.length ? key(view) : keys(view)),
  activity,
  recovery,
  backup,
  restore,
  more,
  settings,
  relays,
  phone,
  security: (view) => (SECURITY[view.route.parts[0]] ?? security)(view),
  welcome,
  apps: (view) => (view.route.parts.length ? app(view) : apps(view)),
};

/** The most new requests that are read aloud at once. */
const MOST_SAID = 3;

const page = /** @type {HTMLElement} */ (document.getElementById("page"));
const menu = /** @type {HTMLElement} */ (document.getElementById("menu"));
const banner = /** @type {HTMLElement} */ (document.getElementById("banner"));
let signedIn = false;
/** @type {View | null} */
let view = null;

/** @param {(view: View) => unknown} show */
function open(show) {
  view?.close();
  view = new View(page, route());
  page.className = "";
  const opened = view;
  Promise.resolve(show(opened)).catch((failure) => opened.failed(failure));
  page.querySelector("h1")?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

function show() {
  const { name } = route();
  markPage(menu, route());
  open(Object.hasOwn(PAGES, name) ? PAGES[name] : unknown);
}

/** @param {View} shown */
function unknown(shown) {
  shown.draw(t("There is no such page"), h("p", { class: "lead" }, t("The address may be mistyped, or of another version of the console.")), h("a", { class: "button", href: "#/" }, t("Home")));
}

/** A new owner is welcomed, once for each vault, however they signed in. @param {{first_run?: boolean}} state */
async function toWelcome({ first_run: isFirst }) {
  if (isFirst && route().name === "home" && !await recall(WELCOMED)) history.replaceState(null, "", "#/welcome");
}

/** @param {{first_run?: boolean}} state  as `session/state` answers */
async function enter(state) {
  await toWelcome(state);
  signedIn = true;
  // What was said before the sign-in, such as "Sign in again", is no longer so.
  clearNotices();
  menu.hidden = false;
  connect();
  watchWaiting();
  keepState();
  keepSaid();
  show();
}

function leave() {
  if (!signedIn && view) return;
  signedIn = false;
  heardAgain();
  useToken("");
  menu.hidden = true;
  banner.hidden = true;
  hideState();
  disconnect();
  forget();
  forgetSaid();
  announce("");
  countInTab(0);
  const back = takeWayBack();
  // A dialog that says where the vault is now stays until it was read.
  if (back) return comeBack(back);
  closeDialogs();
  open((opened) => signIn(opened, enter));
}

/** The most looks, one a second, for the signer that restarts. */
const MOST_LOOKS = 60;

/** Signs in again once another run of the signer answers. @param {{token: string, run: string, said: string}} back */
async function comeBack({ token, run, said }) {
  open((opened) => opened.draw(t("Sign in"), h("p", { class: "lead" }, t("The signer restarts. This page signs in again by itself."))));
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const state = await call("session/state").catch(() => null);
    if (state && state.run !== run) break;
  }
  await start(token, false);
  if (signedIn) await remember(WELCOMED, "yes");
  if (signedIn && said) notice(said);
}

/** @param {string | null} [token] @param {boolean} [isFirst]  false when this page comes back after a restart, with a vault that was kept or restored */
async function start(token = takeToken(), isFirst = true) {
  /** @type {any} */
  let failure = null;
  if (token !== null) {
    try {
      useToken((await call("session/open", { token })).csrf);
    } catch (error) {
      failure = error;
    }
  }
  try {
    const state = await call("session/state");
    if (!state.signed_in) return open((opened) => signIn(opened, enter, failure, state));
    rememberRun(state);
    await enter(isFirst ? state : {});
    if (failure) notice(failure.message, { bad: true });
  } catch {
    say(t("The signer does not answer. Trying again…"));
    setTimeout(() => start(), 2000);
  }
}

/** Shows a banner. @param {string} text  "" when all is well */
function say(text) {
  banner.hidden = !text;
  fill(banner, text);
}

/** After this time without the signer it is not just a restart; in milliseconds. */
const LONG = 3_000;
/** @type {number | undefined} */
let lostFor;
/** How often the connection was lost since the signer last answered. Once may be a sign-out. */
let losses = 0;

/** Says that nothing reaches the signer, and after a while what starts it. */
function lost() {
  const words = t("Not connected to the signer. This page may be out of date. Trying again…");
  document.body.classList.add("lost");
  losses += 1;
  // What it said before it stopped is no longer so.
  if (losses > 1) clearNotices({ butHeld: true });
  // Each try in vain comes here again. The time counts from the first.
  if (lostFor !== undefined) return;
  say(words);
  const more = isTrial() ? t("If it was stopped, this trial is over, and its keys are gone.") : t("If it does not run, start it with: {command}", { command: starting(known("status")?.start) });
  lostFor = setTimeout(() => say(`${words} ${more}`), LONG);
}

/** It answers again, or ended for good. */
function heardAgain() {
  clearTimeout(lostFor);
  lostFor = undefined;
  losses = 0;
  document.body.classList.remove("lost");
}

live.addEventListener("lost", lost);
live.addEventListener("gone", () => {
  if (!isTrial() || isKept) return;
  clearTimeout(lostFor);
  say(goneWords());
});
live.addEventListener("connected", () => {
  heardAgain();
  say("");
  refreshAll();
});
live.addEventListener("signed-out", leave);
live.addEventListener("hint", (/** @type {any} */ event) => touch(event.detail.type));
heard.addEventListener("signed-out", leave);
heard.addEventListener("unreachable", () => {
  if (signedIn) nudge();
});

addEventListener("hashchange", ({ oldURL }) => {
  if (location.hash.startsWith("#signin=")) start();
  else if (signedIn && view?.isHeld && oldURL) leaveLater(view, oldURL);
  else if (signedIn) {
    closeDialogs();
    for (const one of document.querySelectorAll("#notices .notice.bad")) one.remove();
    show();
  }
});

/** A dialog belongs to the page under it. */
function closeDialogs() {
  for (const one of /** @type {NodeListOf<HTMLDialogElement>} */ (document.querySelectorAll("dialog[open]"))) one.close();
}

/** Stays on a page that asks first, and goes on to the other one if the person says so. @param {View} held @param {string} here */
async function leaveLater(held, here) {
  const there = location.hash;
  history.replaceState(null, "", here);
  if (!(await held.mayLeave()) || !held.isOpen) return;
  held.askBeforeLeaving(null);
  location.hash = there;
}

let isWatchingState = false;

/** Shows the signer's state in the frame while somebody is signed in. */
function keepState() {
  if (!isWatchingState) watchState(() => signedIn);
  isWatchingState = true;
}

let isRemembering = false;

/** Remembers what requests said, for the lists of what was decided. */
function keepSaid() {
  if (!isRemembering) startRemembering(ownWords);
  isRemembering = true;
}

let isWatchingWaiting = false;

/** Shows the number next to "Approvals", and announces each new request to screen readers. */
function watchWaiting() {
  if (isWatchingWaiting) return;
  isWatchingWaiting = true;
  watch("status", markIncidents);
  startForgetting();
  const count = (/** @type {import("./parts/account.js").Account[]} */ all) => {
    const requests = loud(all.filter(({ id }) => !isHeld(id)));
    const badge = /** @type {HTMLElement} */ (document.getElementById("waiting"));
    badge.hidden = requests.length === 0;
    countInTab(requests.length);
    fill(
      badge,
      h("span", { "aria-hidden": "true" }, requests.length.toLocaleString(language())),
      h("span", { class: "unseen" }, tn(requests.length, "{count} request waits", "{count} requests wait")),
    );
  };
  holding.addEventListener("changed", () => count(known("requests") ?? []));
  // They say which apps are paused.
  watch("clients", () => known("requests") && count(known("requests")));
  watch("requests", (/** @type {import("./parts/account.js").Account[]} */ requests) => {
    count(requests);
    const fresh = loud(notAnnounced(requests)).slice(0, MOST_SAID);
    if (fresh.length) announce(fresh.map(({ client, title }) => t("New request from {app}: {title}.", { app: client.name, title })).join(" "));
  });
}

translateFrame();
startTheme();
drawMenu(menu);
startWorker();
startClock();
hearIncidents();
startProving();
startUnlocking();
start();
