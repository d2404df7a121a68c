// The relays: whether each is connected, how long it takes to accept an answer, and how often it was lost.

import { fill, h, svg } from "../dom.js";
import { fromSigner, rich, t, tn } from "../language.js";
import { stretch } from "../words.js";
import { HOUR, hourLabel } from "./chart.js";
import { nothing, when } from "./common.js";
import { heading } from "./heading.js";
import { usersOf } from "./relayusers.js";

/** @type {Record<string, [string, string]>} */
const STATES = {
  embedded: ["good", t("built into the signer")],
  connected: ["good", t("connected")],
  connecting: ["fair", t("connecting")],
  waiting: ["poor", t("not reachable, trying again")],
  disconnected: ["poor", t("not connected")],
};

/** @param {Element} box @param {any} status */
export function drawRelays(box, status) {
  const relays = status.relays ?? [];
  fill(
    box,
    heading("relays", t("Relays"), h("a", { href: "#/relays" }, t("All relays"))),
    relays.length ? h("ul", { class: "rows" }, relays.map((/** @type {any} */ relay) => relayRow(relay, isPoor(relay) && usersOf(relay)))) : nothing(t("No relay is in use")),
    h("p", { class: "help" }, about(status)),
  );
}

/** The program's version and how long it has been running. @param {any} status */
function about(status) {
  return [
    `Holdfast ${status.version}`,
    typeof status.uptime === "number" && t("running for {time}", { time: stretch(status.uptime) }),
    typeof status.answered === "number" && tn(status.answered, "{count} request answered", "{count} requests answered"),
  ].filter(Boolean).join(" · ");
}

/** Whether nothing arrives there. @param {{state: string}} relay */
export function isPoor({ state }) {
  return STATES[state]?.[0] === "poor";
}

/** @param {any} relay @param {import("../dom.js").Child} users  who names it @param {...import("../dom.js").Child} end  buttons */
export function relayRow(relay, users, ...end) {
  const [look, words] = STATES[relay.state] ?? ["fair", relay.state];
  const hours = relay.hours ?? [];
  return h(
    "li",
    { class: "row wraps" },
    h("span", { class: `dot ${look}`, "aria-hidden": "true" }),
    h(
      "span",
      { class: "row-words" },
      h("strong", { class: "whole" }, relay.url),
      h(
        "span",
        {},
        typeof relay.away_since === "number" ? rich("not reachable, trying again since {time}", { time: when(relay.away_since) }) : words,
        relay.state === "embedded" && ` · ${tn(relay.connections ?? 0, "{count} connection", "{count} connections")}`,
        typeof relay.last_ok_ms === "number" && ` · ${t("accepted the last answer after {count} ms", { count: relay.last_ok_ms })}`,
        relay.refused > 0 && ` · ${tn(relay.refused, "refused {count} answer", "refused {count} answers")}`,
        relay.last_error && look !== "good" && [" · ", h("span", { dir: "auto" }, fromSigner(relay.last_error))],
      ),
      users,
    ),
    end,
    hours.length > 0 && dayOf(hours),
  );
}

/** One hour of a relay. @typedef {{start: number, drops: number, accepted: number, ok_ms: number | null}} Hour */

/** The last day of a relay: a bar for its delay in each hour, and a red mark where it was lost. @param {Hour[]} hours */
function dayOf(hours) {
  const first = Math.floor(Date.now() / 1000 / HOUR) * HOUR - 23 * HOUR;
  const slowest = Math.max(1, ...hours.map(({ ok_ms }) => ok_ms ?? 0));
  const drops = hours.reduce((sum, one) => sum + one.drops, 0);
  const words = [
    t("at most {count} ms in an hour's average", { count: slowest }),
    drops ? tn(drops, "lost {count} time in the last 24 hours", "lost {count} times in the last 24 hours") : t("not lost in the last 24 hours"),
  ].join(", ");
  return h(
    "figure",
    { class: "relay-day" },
    svg(
      "svg",
      { viewBox: "0 0 96 24", preserveAspectRatio: "none", class: "spark", role: "img", "aria-label": words },
      Array.from({ length: 24 }, (_, index) => hourBar(hours.find(({ start }) => start === first + index * HOUR), index * 4, slowest)),
    ),
    h("figcaption", { class: "help", "aria-hidden": "true" }, words),
  );
}

/** @param {Hour | undefined} hour @param {number} x @param {number} slowest */
function hourBar(hour, x, slowest) {
  const tall = typeof hour?.ok_ms === "number" ? 2 + (hour.ok_ms / slowest) * 16 : 1;
  const said = hour && `${hourLabel(new Date(hour.start * 1000))}: ${typeof hour.ok_ms === "number" ? `${hour.ok_ms} ms` : "–"}${hour.drops ? `, ${tn(hour.drops, "lost {count} time", "lost {count} times")}` : ""}`;
  return svg(
    "g",
    {},
    said && svg("title", {}, said),
    svg("rect", { x: x + 0.5, y: 24 - tall, width: 3, height: tall, class: tall > 1 ? "busy" : "idle" }),
    hour?.drops ? svg("rect", { x: x + 0.5, y: 0, width: 3, height: 4, class: "drop" }) : null,
  );
}
