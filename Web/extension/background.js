// The extension's background: a service worker in Chromium, an event page in Firefox. It takes requests of pages to the signer's helper
// and serves the toolbar page. It keeps nothing that it could not lose: the browser stops it when it likes.

import { badgeSoon, show } from "./badge.js";
import { connected, tellAccountChanged } from "./documents.js";
import { ask } from "./host.js";
import { isToolbar, originOf } from "./origin.js";
import { choiceFor, choose } from "./sites.js";

chrome.runtime.onConnect.addListener((port) => {
  if (port.name === "page") connected(port);
  else port.disconnect();
});

chrome.runtime.onMessage.addListener((message, sender, respond) => {
  const answer = isToolbar(sender) ? toolbar(message) : fromPage(message, sender);
  if (!answer) return false;
  answer.then(respond, () => respond({}));
  return true;
});

/** A document says that another extension provides window.nostr in it. Its own origin is the browser's word. */
function fromPage(message, sender) {
  const origin = originOf(sender);
  if (message?.about !== "other" || origin === null || sender.frameId !== 0) return null;
  return choiceFor(origin).then(({ use }) => {
    if (!use) chrome.action.setBadgeText({ text: "?", tabId: sender.tab.id });
    return { use: use === true };
  });
}

function toolbar(message) {
  switch (message?.about) {
    case "state":
      return state(message.origin ?? null);
    case "lock":
      return ask({ method: "lock" });
    case "identity":
      return identity(message.origin, message.identity);
    case "use":
      return use(message.origin, message.tab);
    default:
      return null;
  }
}

async function state(origin) {
  const answer = await ask({ method: "state", origin });
  if (answer.result) show(answer.result.waiting ?? 0);
  return { ...answer, choice: origin ? await choiceFor(origin) : {} };
}

async function identity(origin, key) {
  if ((await choiceFor(origin)).identity === key) return {};
  await choose(origin, { identity: key });
  await tellAccountChanged(origin);
  badgeSoon();
  return {};
}

async function use(origin, tab) {
  await choose(origin, { use: true });
  chrome.action.setBadgeText({ text: null, tabId: tab });
  chrome.tabs.sendMessage(tab, { event: "use" }, { frameId: 0 }).catch(() => {});
  return {};
}
