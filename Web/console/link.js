// Leads to a signing link (/app/sign, /app/pubkey), if this browser is signed in. Another site's page led here, so the browser did not send
// the cookie; and the cookie alone would not be enough. This page gets a ticket, and opens the link again with it.

import { call, Failure } from "./api.js";
import { fill, h } from "./dom.js";
import { speak, t } from "./language.js";

/** As the signer names it. */
const TICKET = "holdfast-ticket";

const page = /** @type {HTMLElement} */ (document.getElementById("page"));

/** @param {string} title @param {string} text @param {string} help */
function say(title, text, help) {
  fill(page, h("h1", {}, title), h("p", {}, text), h("p", { class: "help" }, help));
}

function askToSignIn() {
  say(
    t("Sign in first"),
    t("A site asks for a signature. Before you are asked, this browser must be signed in."),
    t("Sign in to the console in another tab, then load this page again."),
  );
}

async function lead() {
  await speak();
  // The link itself is kept to the letter.
  const [link, used] = location.href.split(`&${TICKET}=`);
  // A ticket that was not taken: loading the page again gets another one.
  history.replaceState(null, "", link);
  if (used !== undefined) return askToSignIn();
  say(t("Waiting for the owner"), t("A site asks for a signature. Answer it in the console, or on the machine where the signer runs."), "");
  const { ticket } = await call("link/ticket");
  location.replace(`${link.split("#")[0]}&${TICKET}=${ticket}`);
}

lead().catch((failure) => {
  if (failure instanceof Failure && failure.isSignedOut) askToSignIn();
  else say(t("This did not work."), failure.message, failure.hint ?? "");
});
