// Starts the console: checks the session, shows the right page, and updates the frame around it.

import { call, heard, useToken } from "./api.js";
import { announce, fill, h, notice } from "./dom.js";
import { language, t, tn, translateFrame } from "./language.js";
import { connect, disconnect, live, nudge } from "./live.js";
import { route, takeToken } from "./router.js";
import { forget, known, refreshAll, touch, watch } from "./store.js";
import { startClock } from "./parts/common.js";
import { holding, isHeld } from "./parts/held.js";
import { startProving } from "./parts/prove.js";
import { drawMenu, markPage } from "./parts/frame.js";
import { hideState, watchState } from "./parts/state.js";
import { startTheme } from "./parts/theme.js";
import { isKept } from "./parts/keep.js";
import { goneWords, isTrial } from "./parts/trial.js";
import { startUnlocking } from "./parts/unlock.js";
import { startWorker } from "./parts/worker.js";
import { hearIncidents } from "./parts/incidents.js";
import { countInTab, View } from "./view.js";
import { rememberRun, signIn } from "./pages/signin.js";
import { home } from "./pages/home.js";
import { approvals } from "./pages/approvals.js";
import { apps } from "./pages/apps.js";
import { app } from "./pages/app.js";
import { pair } from "./pages/pair.js";
import { keys } from "./pages/keys.js";
import { key } from "./pages/key.js";
import { receipt } from "./pages/receipt.js";
import { recovery } from "./pages/recovery.js";
import { backup } from "./pages/backup.js";
import { more } from "./pages/more.js";
import { vault } from "./pages/vault.js";
import { activity } from "./pages/activity.js";
import { security } from "./pages/security.js";
import { welcome } from "./pages/welcome.js";

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
  more,
  security: (view) => (view.route.parts[0] === "vault" ? vault(view) : security(view)),
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
  open(PAGES[name] ?? home);
}

function enter() {
  signedIn = true;
  // What was said before the sign-in, such as "Sign in again", is no longer so.
  document.querySelectorAll("#notices .notice").forEach((one) => one.remove());
  menu.hidden = false;
  connect();
  watchWaiting();
  keepState();
  show();
}

function leave() {
  if (!signedIn && view) return;
  signedIn = false;
  useToken("");
  menu.hidden = true;
  banner.hidden = true;
  hideState();
  disconnect();
  forget();
  announce("");
  countInTab(0);
  open((opened) => signIn(opened, enter));
}

async function start() {
  const token = takeToken();
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
    if (state.first_run && !localStorage.getItem("welcomed") && route().name === "home") {
      history.replaceState(null, "", "#/welcome");
    }
    rememberRun(state);
    enter();
    if (failure) notice(failure.message, { bad: true });
  } catch {
    say(t("The signer does not answer. Trying again…"));
    setTimeout(start, 2000);
  }
}

/** Shows a banner. @param {string} text  "" when all is well */
function say(text) {
  banner.hidden = !text;
  fill(banner, text);
}

live.addEventListener("lost", () => say(t("Not connected to the signer. This page may be out of date. Trying again…")));
live.addEventListener("gone", () => {
  if (isTrial() && !isKept) say(goneWords());
});
live.addEventListener("connected", () => {
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

/** @type {Set<string> | null} */
let waitingBefore = null;

/** Shows the number next to "Approvals", and announces each new request to screen readers. */
function watchWaiting() {
  if (waitingBefore) return;
  waitingBefore = new Set();
  const count = (/** @type {import("./parts/account.js").Account[]} */ all) => {
    const requests = all.filter(({ id }) => !isHeld(id));
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
  watch("requests", (/** @type {import("./parts/account.js").Account[]} */ requests) => {
    count(requests);
    const fresh = requests.filter(({ id }) => !waitingBefore?.has(id)).slice(0, MOST_SAID);
    if (fresh.length) announce(fresh.map(({ client, title }) => t("New request from {app}: {title}.", { app: client.name, title })).join(" "));
    waitingBefore = new Set(requests.map(({ id }) => id));
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
