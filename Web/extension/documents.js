// The documents that ask, each with its connection. The browser may stop the background at any time; documents then connect again.

import { badgeSoon } from "./badge.js";
import { ask, closeChannel } from "./host.js";
import { originOf } from "./origin.js";
import { checked, isTooLong } from "./requests.js";
import { choiceFor, choose } from "./sites.js";

/** The most requests without an answer: of one origin, in all its documents. */
const MOST_PENDING = 64;
const NOT_ALLOWED = { code: "not-allowed", message: "A frame without an origin of its own, such as a sandboxed one, cannot ask." };
const TOO_MANY = { code: "rate-limited", message: `At most ${MOST_PENDING} requests of one site are under way at once.` };
const INVALID = { code: "invalid", message: "The request cannot be read." };
const FAILED = { code: "unavailable", message: "Holdfast's extension could not pass the request on. Ask again." };
const TOO_LARGE = { code: "too-large", message: "The request is longer than what a browser's extension takes." };

/** @type {Map<string, number>} requests without an answer, by origin */
const pending = new Map();

/** A document has connected. */
export function connected(port) {
  const page = { origin: originOf(port.sender), channel: crypto.randomUUID(), isOpen: true };
  port.onDisconnect.addListener(() => {
    page.isOpen = false;
    void chrome.runtime.lastError;
    closeChannel(page.channel);
  });
  port.onMessage.addListener(async (message) => {
    // Whatever goes wrong, the page gets an answer.
    const answer = page.origin === null ? { error: NOT_ALLOWED } : await answerTo(message, page).catch(() => ({ error: FAILED }));
    if (page.isOpen && typeof message?.id === "string") port.postMessage({ id: message.id, ...answer });
  });
}

async function answerTo(message, page) {
  const request = checked(message);
  if (!request) return { error: INVALID };
  if (isTooLong(message)) return { error: TOO_LARGE };
  if ((pending.get(page.origin) ?? 0) >= MOST_PENDING) return { error: TOO_MANY };
  count(page.origin, 1);
  try {
    return await asked(request, page);
  } finally {
    count(page.origin, -1);
  }
}

async function asked(request, page) {
  const { origin, channel } = page;
  const { identity } = await choiceFor(origin);
  // A document that has ended meanwhile would never end again what it asks now.
  if (!page.isOpen) return { error: FAILED };
  if (identity) request.params.identity = identity;
  badgeSoon();
  const answer = await ask({ ...request, origin, channel });
  if (identity && answer.error?.code === "no-key") {
    // The vault that had this identity is gone, as a trial's after its end, or the owner deleted it. The default one is asked instead.
    await choose(origin, { identity: undefined });
    await tellAccountChanged(origin);
    return asked({ ...request, params: { ...request.params, identity: undefined } }, page);
  }
  badgeSoon();
  // From now on the site knows this identity, whatever becomes the default one.
  if (!identity && request.method === "getPublicKey" && typeof answer.result === "string") {
    if (!(await choiceFor(origin)).identity) await choose(origin, { identity: answer.result });
  }
  return answer;
}

function count(origin, change) {
  const sum = (pending.get(origin) ?? 0) + change;
  if (sum > 0) pending.set(origin, sum);
  else pending.delete(origin);
}

/**
 * Tells a site's documents that another identity is theirs now. It is not said which one: they ask, and the owner decides. Nothing is kept of
 * who asked: each document knows whether it did, and the browser tells it its origin.
 */
export async function tellAccountChanged(origin) {
  for (const { id } of await chrome.tabs.query({})) {
    chrome.tabs.sendMessage(id, { event: "accountChanged", origin }).catch(() => {});
  }
}
