// Ends the pause of an app. What came meanwhile waits for the owner, whatever the rules say, so the notice says so and offers to look at it.

import { t, tn } from "../language.js";
import { change } from "./change.js";
import { offerOf, stillWaiting } from "./likewise.js";

/** @param {{signer: string}} client */
export function resume(client) {
  const waiting = stillWaiting((one) => one.client.signer === client.signer && one.rule === "suspended");
  const words = [t("Resumed: its rules apply again."), waiting.length && tn(
    waiting.length,
    "{count} request that came during the pause still waits for you.",
    "{count} requests that came during the pause still wait for you.",
  )];
  return change("client/resume", { client: client.signer }, words.filter(Boolean).join(" "), { other: lookAt(waiting) });
}

/** @param {import("./account.js").Account[]} waiting */
function lookAt(waiting) {
  const offer = offerOf(waiting);
  return offer && { ...offer, label: t("Look at what came…") };
}
