// Starts the console: who is signed in, which page is shown, and what the frame around the pages says.

import { call, heard, useToken } from "./api.js";
import { announce, fill, h } from "./dom.js";
import { connect, disconnect, live, nudge } from "./live.js";
import { route, takeToken } from "./router.js";
import { forget, refreshAll, touch, watch } from "./store.js";
import { startClock } from "./parts/common.js";
import { startTheme } from "./parts/theme.js";
import { hearIncidents } from "./parts/incidents.js";
import { View } from "./view.js";
import { signIn } from "./pages/signin.js";
import { home } from "./pages/home.js";
import { approvals } from "./pages/approvals.js";
import { apps } from "./pages/apps.js";
import { app } from "./pages/app.js";
import { pair } from "./pages/pair.js";
import { identities } from "./pages/identities.js";
import { activity } from "./pages/activity.js";
import { security } from "./pages/security.js";
import { welcome } from "./pages/welcome.js";

/** @type {Record<string, (view: View) => unknown>} */
const PAGES = {
  home,
  approvals,
  pair,
  identities,
  activity,
  security,
  welcome,
  apps: (view) => (view.route.parts.length ? app(view) : apps(view)),
};

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
  for (const link of menu.querySelectorAll("a")) {
    if (link.dataset.page === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  open(PAGES[name] ?? home);
}

/** @param {string} [csrf] */
function enter(csrf) {
  useToken(csrf);
  signedIn = true;
  menu.hidden = false;
  connect();
  show();
}

function leave() {
  if (!signedIn && view) return;
  signedIn = false;
  useToken("");
  menu.hidden = true;
  banner.hidden = true;
  disconnect();
  forget();
  open((opened) => signIn(opened, enter));
}

async function start() {
  const token = takeToken();
  try {
    if (token) {
      const { csrf } = await call("session/open", { token });
      enter(csrf);
      return;
    }
  } catch (failure) {
    open((opened) => signIn(opened, enter, /** @type {any} */ (failure)));
    return;
  }
  try {
    const state = await call("session/state");
    if (!state.signed_in) open((opened) => signIn(opened, enter, null, state));
    else if (state.first_run && route().name === "home") {
      location.hash = "#/welcome";
      enter(state.csrf);
    } else enter(state.csrf);
  } catch {
    say("The signer does not answer. Trying again…");
    setTimeout(start, 2000);
  }
}

/** @param {string} text  "" when all is well */
function say(text) {
  banner.hidden = !text;
  fill(banner, text);
}

live.addEventListener("lost", () => say("Not connected to the signer. What you see may be old. Trying again…"));
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

addEventListener("hashchange", () => {
  if (location.hash.startsWith("#signin=")) start();
  else if (signedIn) show();
});

/** @type {Set<string>} */
let waitingBefore = new Set();
watch("requests", (requests) => {
  const badge = /** @type {HTMLElement} */ (document.getElementById("waiting"));
  badge.hidden = requests.length === 0;
  fill(badge, requests.length, h("span", { class: "unseen" }, requests.length === 1 ? " request waits" : " requests wait"));
  const fresh = requests.filter((/** @type {any} */ request) => !waitingBefore.has(request.id));
  if (fresh.length) {
    announce(fresh.map((/** @type {any} */ one) => `New request from ${one.client.name}: ${one.title}.`).slice(0, 3).join(" "));
  }
  waitingBefore = new Set(requests.map((/** @type {any} */ request) => request.id));
});

startTheme();
if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("/sw.js").catch(() => {/* Works without: no notifications then. */});
}
startClock();
hearIncidents();
start();
