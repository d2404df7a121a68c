// The toolbar page: the signer, the site in front, and what it may do. Everything is shown as plain text.

import { originOf } from "./origin.js";

const TRUST = {
  full: "It may do all but what always asks.",
  medium: "It signs notes without asking you.",
  low: "You are asked about each of its requests.",
};
const DECISION = { allow: "allowed", ask: "you were asked", deny: "denied" };
/** How long a page may take to say that it is there, in milliseconds. */
const PATIENCE = 1_000;

/** @param {string} id */
const part = (id) => document.getElementById(id);

function show(id, text) {
  part(id).textContent = text;
}

function toggle(id, isShown) {
  part(id).hidden = !isShown;
}

/** @param {string[]} lines  the first is the row, the second stands below it */
function row([text, below]) {
  const item = document.createElement("li");
  item.textContent = text;
  if (below) {
    const small = document.createElement("small");
    small.textContent = below;
    item.append(small);
  }
  return item;
}

/** The tab that this page is about: the one in front, or the one that its address names. */
async function tabInFront() {
  const named = Number(new URLSearchParams(location.search).get("tab"));
  if (named) return named;
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  return tab?.id;
}

/** The site in a tab, as the browser tells it with an answer of the page's half. */
function siteIn(tab) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => done(null), PATIENCE);
    function done(site) {
      clearTimeout(timer);
      chrome.runtime.onMessage.removeListener(hear);
      resolve(site);
    }
    function hear(message, sender) {
      if (message?.about !== "here" || sender.tab?.id !== tab || sender.frameId !== 0) return;
      const origin = originOf(sender);
      done(origin && { origin, tab, other: message.other === true });
    }
    chrome.runtime.onMessage.addListener(hear);
    chrome.tabs.sendMessage(tab, { event: "who" }, { frameId: 0 }).catch(() => done(null));
  });
}

function signerText(answer) {
  if (answer.error) return answer.error.message;
  if (!answer.result?.running) return "Holdfast does not run. Start it: holdfast up";
  return answer.result.locked ? "The signer is locked. To unlock it, open the console." : "The signer is running.";
}

function showIdentities(site, result, chosen) {
  const options = result.identities.map(({ name, pubkey }) => new Option(name, pubkey, false, pubkey === chosen));
  if (!result.identities.some(({ pubkey }) => pubkey === chosen)) {
    options.unshift(new Option("The default identity", "", true, true));
  }
  part("identity").replaceChildren(...options);
  part("identity").onchange = async (event) => {
    await chrome.runtime.sendMessage({ about: "identity", origin: site.origin, identity: event.target.value });
    await refresh(site);
  };
}

function grantText(callers) {
  if (callers.length === 0) return "This site has not asked for anything yet.";
  return callers
    .map(({ identity, trust, firstUse, paused }) => {
      if (firstUse) return `${identity}: not let in yet. You are asked.`;
      return `${identity}: ${paused ? "paused. You are asked about each of its requests." : (TRUST[trust] ?? trust)}`;
    })
    .join(" ");
}

function showSite(site, result, chosen) {
  show("origin", site.origin);
  showIdentities(site, result, chosen);
  show("grants", grantText(result.site.callers));
  part("requests").replaceChildren(...result.site.waiting.map(({ title, identity }) => row([title, `as ${identity}`])));
  const others = result.waiting - result.site.waiting.length;
  if (others > 0) part("requests").append(row([`${others} of other sites`]));
  part("entries").replaceChildren(
    ...result.site.recent.map(({ time, text, decision }) => {
      return row([text, `${new Date(1000 * time).toLocaleString()}: ${DECISION[decision] ?? ""}`]);
    }),
  );
  toggle("recent", result.site.recent.length > 0);
}

/** Opens a page of the console in a tab. The address is the signer's; anything else than a web page is not opened. */
async function open(address, path) {
  const url = new URL(address);
  if (url.protocol !== "http:" && url.protocol !== "https:") return;
  url.hash = path;
  await chrome.tabs.create({ url: url.href });
}

async function refresh(site) {
  const answer = await chrome.runtime.sendMessage({ about: "state", origin: site?.origin ?? null });
  const result = answer.result?.running ? answer.result : null;
  show("signer", signerText(answer));
  toggle("other", Boolean(site?.other && !answer.choice.use));
  toggle("site", Boolean(site && result));
  toggle("waiting", Boolean(result && result.waiting > 0));
  toggle("console", Boolean(result?.console));
  toggle("lock", Boolean(result && !result.locked));
  if (!result) return;
  if (site) showSite(site, result, answer.choice.identity);
  else part("requests").replaceChildren(row([`${result.waiting} of sites`]));
  part("console").onclick = () => open(result.console, "");
  part("answer").onclick = () => open(result.console, "/approvals");
  part("lock").onclick = async () => {
    await chrome.runtime.sendMessage({ about: "lock" });
    await refresh(site);
  };
}

const tab = await tabInFront();
const site = tab ? await siteIn(tab) : null;
part("use").onclick = async () => {
  await chrome.runtime.sendMessage({ about: "use", origin: site.origin, tab });
  toggle("other", false);
};
await refresh(site);
document.documentElement.dataset.ready = "true";
