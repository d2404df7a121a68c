// The live channel: hints that something changed. A hint contains no data, so a lost one only causes a delay. After every new
// connection everything shown is fetched again.

import { call, token } from "./api.js";

/** The server ticks every 15 seconds. Without a message for this long, the connection counts as dead. */
const SILENCE = 40_000;
const WAITS = [300, 700, 1500, 3000, 6000, 10_000];

/** After this many attempts in vain, about 10 seconds, the signer is gone and not only restarting. */
const GONE = 5;

/** @typedef {"connected" | "lost" | "gone" | "signed-out" | "hint"} LiveEvent */

/** Events: `connected`, `lost`, `gone` after several attempts in vain, `signed-out`, and `hint` with the message as `detail`. */
export const live = new EventTarget();

/** @type {WebSocket | null} */
let socket = null;
let wanted = false;
let attempts = 0;
let isRetrying = false;
/** @type {number | undefined} */
let timer;
/** @type {number | undefined} */
let silence;

/** Opens the channel and keeps it open. */
export function connect() {
  wanted = true;
  attempts = 0;
  open();
}

/** Closes the channel for good, after a sign-out. */
export function disconnect() {
  wanted = false;
  clearTimeout(timer);
  clearTimeout(silence);
  const old = socket;
  socket = null;
  old?.close();
}

function open() {
  clearTimeout(timer);
  if (!wanted || socket) return;
  const opened = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/v1/live?token=${token()}`);
  socket = opened;
  opened.onmessage = (message) => {
    if (socket === opened) hear(message.data);
  };
  opened.onclose = () => {
    if (socket === opened) lose();
  };
  listenForSilence(opened);
}

/** @param {WebSocket} opened */
function listenForSilence(opened) {
  clearTimeout(silence);
  silence = setTimeout(() => {
    if (socket !== opened) return;
    opened.close();
    lose();
  }, SILENCE);
}

/** @param {unknown} data */
function hear(data) {
  if (socket) listenForSilence(socket);
  let hint;
  try {
    hint = JSON.parse(String(data));
  } catch {
    return;
  }
  if (hint.type === "tick") return;
  if (hint.type === "hello") {
    attempts = 0;
    live.dispatchEvent(new Event("connected"));
    return;
  }
  live.dispatchEvent(new CustomEvent("hint", { detail: hint }));
}

async function lose() {
  socket = null;
  clearTimeout(silence);
  if (!wanted) return;
  live.dispatchEvent(new Event("lost"));
  if (attempts >= GONE) live.dispatchEvent(new Event("gone"));
  timer = setTimeout(retry, WAITS[Math.min(attempts, WAITS.length - 1)] * (0.75 + Math.random() / 2));
  attempts += 1;
}

// A refused WebSocket gives no reason. A call to the signer does.
async function retry() {
  isRetrying = true;
  try {
    const state = await call("session/state");
    if (!wanted) return;
    if (!state.signed_in) {
      live.dispatchEvent(new Event("signed-out"));
      return;
    }
    open();
  } catch {
    if (wanted && !socket) lose();
  } finally {
    isRetrying = false;
  }
}

/** Reconnects at once, because the page or the network is back. */
export function nudge() {
  // A call that fails within a retry nudges as well: it must not retry at once, without end.
  if (!wanted || socket || isRetrying) return;
  attempts = 0;
  clearTimeout(timer);
  retry();
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) nudge();
});
addEventListener("online", nudge);
