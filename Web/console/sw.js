// Shows the signer's push messages, opens the approvals, and shows "not connected" when the signer cannot be reached. It caches
// no page and no response of the signer, so the code that runs is always what the signer serves.

const SHELL = "holdfast-shell-2";
/** The console keeps its words there, in the person's language: parts/worker.js. */
const WORDS = "holdfast-words";
/** The status of every answer while the signer starts (Service Unavailable). */
const STARTING = 503;
const OFFLINE = ["/offline.html", "/styles/base.css", "/styles/frame.css", "/styles/cards.css", "/styles/controls.css", "/theme.js", "/offline.js", "/icons/icon.svg"];

self.addEventListener("install", (event) => {
  // Calls go to the signer directly. One that is made while its page is closed would not survive the way through here.
  event.addRoutes?.({ condition: { requestMethod: "POST" }, source: "network" })?.catch(() => {});
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(OFFLINE)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys().then((names) => Promise.all(names.filter((name) => name !== SHELL && name !== WORDS).map((name) => caches.delete(name)))).then(
      () => self.clients.claim(),
    ),
  );
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  // A signing link waits for its owner, for longer than a worker lives.
  if (url.pathname.startsWith("/app/")) return;
  if (event.request.mode === "navigate") {
    event.respondWith(ask(event.request, "/offline.html"));
  } else if (OFFLINE.includes(url.pathname)) {
    event.respondWith(ask(event.request, event.request));
  }
});

/** The signer's answer, or what the cache has while no signer answers or it is still starting. @param {Request} request @param {RequestInfo} kept */
async function ask(request, kept) {
  const answer = await fetch(request).catch(() => undefined);
  if (answer && answer.status !== STARTING) return answer;
  return (await caches.match(kept)) ?? answer ?? Response.error();
}

self.addEventListener("push", (event) => {
  let message = {};
  try {
    message = event.data?.json() ?? {};
  } catch { /* An unreadable push message still means that something waits. */ }
  event.waitUntil(show(message));
});

/** @param {{type?: string, count?: number}} message */
async function show({ type = "waiting", count = 0 }) {
  const words = await (await caches.match("/words"))?.json();
  const [title, body] = words ? said(words, type, count) : ["Holdfast", "Something waits for you."];
  await self.registration.showNotification(title, {
    body,
    lang: words?.language,
    dir: words?.direction || "auto",
    tag: type,
    icon: "/icons/icon-192.png",
    badge: "/icons/icon-192.png",
    renotify: true,
  });
}

/** @param {any} words @param {string} type @param {number} count @returns {[string, string]} */
function said(words, type, count) {
  if (type === "incident" || type === "share") return words[type];
  const place = Number.isSafeInteger(count) && count > 0 ? Math.min(count, words.waiting.length - 1) : 0;
  return [words.waiting[place], words.open];
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil((async () => {
    const target = { incident: "/#/security", share: "/#/recovery" }[event.notification.tag] ?? "/#/approvals";
    const [open] = await self.clients.matchAll({ type: "window" });
    if (open) {
      await open.focus();
      await open.navigate(target).catch(() => {});
    } else await self.clients.openWindow(target);
  })());
});
