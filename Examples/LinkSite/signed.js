// The callback page. It hands the answer to the page that opened the link, and closes itself.

import { KIND, readAnswer } from "./answer.js";

/** The only origin that gets the answer: this page's own. A browser delivers the message to no other page, whoever opened this one. */
const SITE = location.origin;

const answer = readAnswer(location.search.slice(1));
// Neither the history nor a later page is to have it.
history.replaceState(null, "", location.pathname);

const state = /** @type {HTMLElement} */ (document.getElementById("state"));
if (window.opener) {
  window.opener.postMessage({ kind: KIND, ...answer }, SITE);
  state.textContent = "You can close this window.";
  window.close();
} else {
  // The link was opened in another program, or the browser keeps the two windows apart.
  state.textContent = answer.ok ? "Signed. Copy the answer:" : "Not signed.";
  /** @type {HTMLElement} */ (document.getElementById("answer")).textContent = JSON.stringify(answer, null, 2);
}
